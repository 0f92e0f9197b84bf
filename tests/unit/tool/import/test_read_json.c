#include "import/import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/fixture.h"
#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "report/nvtx_fixture.h"
#include "report/sample_fixture.h"
#include "stint/report.h"
#include "stint_test.h"

/* ---------------------------------------------------------------------------------------------------------- helpers */

static struct stint_snapshot *read_back(const char *text)
{
    struct stint_import_error error;
    struct stint_snapshot *snapshot;
    if (stint_import_json(text, strlen(text), &snapshot, &error))
        fail_msg("line %zu: %s", error.line, error.reason);
    return snapshot;
}

/* What a fixture made by hand is once it stands in the canonical order, as what programs record does. */
static struct stint_snapshot *canonical(const struct stint_snapshot *fixture)
{
    static const struct stint_snapshot nothing = {.size = sizeof nothing,
                                                  .process = {.command = "", .host = "", .clock = ""}};
    struct stint_snapshot *snapshot;
    assert_int_equal(stint_snapshot_merge(fixture, &nothing, &snapshot), STINT_OK);
    return snapshot;
}

static void assert_same_report(const struct stint_snapshot *a, const struct stint_snapshot *b, enum stint_format format)
{
    assert_string_equal(capture_report(a, format, NULL).text, capture_report(b, format, NULL).text);
}

static struct capture write_named(const struct stint_snapshot *snapshot, const char *name, int csv)
{
    struct capture out = {0};
    enum stint_status status = stint_report_named(snapshot, name, csv, NULL, capture_write, &out);
    assert_true(status == STINT_OK || (csv && status == STINT_ERROR_INVALID_ARGUMENT)); /* not all have a form in CSV */
    return out;
}

/* Most reports make a database of the snapshot. A build with a sanitizer writes each of some snapshots only. */
static void assert_same_named_reports(const struct stint_snapshot *a, const struct stint_snapshot *b)
{
    enum { TURNS = TEST_SANITIZED ? 5 : 1 };
    static size_t s_turn;
    for (size_t i = 0; stint_report_name_at(i); i++) {
        for (int csv = 0; csv < 2; csv++) {
            if (s_turn++ % TURNS)
                continue;
            struct capture x = write_named(a, stint_report_name_at(i), csv);
            struct capture y = write_named(b, stint_report_name_at(i), csv);
            assert_true(!x.text == !y.text);
            if (x.text)
                assert_string_equal(x.text, y.text);
        }
    }
}

/* Writes the snapshot, reads it, and compares what formats up to `last` make of the two. */
static void check_round_trip(const struct stint_snapshot *written, enum stint_format first, enum stint_format last)
{
    struct stint_snapshot *read = read_back(capture_report(written, STINT_FORMAT_JSON, NULL).text);
    for (int format = (int)first; format <= (int)last; format++)
        assert_same_report(written, read, (enum stint_format)format);
    if (last == STINT_FORMAT_GPU)
        assert_same_named_reports(written, read);
    stint_snapshot_free(read);
}

static void check_by_hand(const struct stint_snapshot *fixture, enum stint_format first, enum stint_format last)
{
    struct stint_snapshot *written = canonical(fixture);
    check_round_trip(written, first, last);
    stint_snapshot_free(written);
}

/* Reads `text`; returns what came of it, and the error. */
static enum stint_status try_text(const char *text, struct stint_import_error *error)
{
    struct stint_snapshot *snapshot;
    enum stint_status status = stint_import_json(text, strlen(text), &snapshot, error);
    if (status)
        assert_null(snapshot);
    stint_snapshot_free(snapshot);
    return status;
}

#define REPORT(rest) "{\"format\":\"stint-report\",\"version\":1" rest "}\n"

static void assert_refused(const char *text, size_t line, const char *reason)
{
    struct stint_import_error error;
    if (try_text(text, &error) != STINT_ERROR_INVALID_ARGUMENT)
        fail_msg("accepted: %s", text);
    if (!strstr(error.reason, reason) || error.line != line)
        fail_msg("%s\nline %zu: %s\nexpected line %zu: %s", text, error.line, error.reason, line, reason);
}

static void assert_accepted(const char *text)
{
    struct stint_import_error error;
    if (try_text(text, &error))
        fail_msg("%s\nline %zu: %s", text, error.line, error.reason);
}

/* ------------------------------------------------------------------------------------------------------- round trip */

TEST_ONCE(NULL, fixture_gpu_teardown)

TEST(every_report_from_json_is_that_of_the_program)
{
    check_by_hand(fixture_training(), STINT_FORMAT_TABLE, STINT_FORMAT_GPU);
    check_by_hand(fixture_running(), STINT_FORMAT_TABLE, STINT_FORMAT_GPU);
    check_by_hand(fixture_deep(), STINT_FORMAT_TABLE, STINT_FORMAT_GPU);
    check_by_hand(fixture_empty(), STINT_FORMAT_TABLE, STINT_FORMAT_GPU);
    check_by_hand(fixture_extreme(), STINT_FORMAT_TABLE, STINT_FORMAT_PADDLE); /* squares beyond 1e29 are rounded */
}

TEST(so_is_every_report_on_gpus)
{
    check_round_trip(fixture_gpu(), STINT_FORMAT_TABLE, STINT_FORMAT_GPU);
    check_round_trip(fixture_gpu_extreme(), STINT_FORMAT_TABLE, STINT_FORMAT_GPU);
    check_round_trip(fixture_gpu_spans(), STINT_FORMAT_TABLE, STINT_FORMAT_GPU);
    check_round_trip(fixture_gpu_calls(), STINT_FORMAT_TABLE, STINT_FORMAT_GPU);
    check_round_trip(fixture_gpu_nvtx(), STINT_FORMAT_TABLE, STINT_FORMAT_GPU);
    check_round_trip(fixture_gpu_processes(), STINT_FORMAT_JSON, STINT_FORMAT_JSON);
    check_round_trip(fixture_gpu_streams(), STINT_FORMAT_TABLE, STINT_FORMAT_GPU);
}

TEST(so_is_every_report_on_nvtx)
{
    struct stint_snapshot *values = fixture_nvtx_values();
    check_round_trip(values, STINT_FORMAT_TABLE, STINT_FORMAT_GPU);
    stint_snapshot_free(values);
}

TEST(so_is_every_report_with_samples)
{
    struct stint_snapshot *samples = fixture_samples();
    check_round_trip(samples, STINT_FORMAT_TABLE, STINT_FORMAT_GPU);
    stint_snapshot_free(samples);
}

TEST(samples_name_what_stands_before_them)
{
#define MODULES ",\"sample_modules\":[{\"path\":\"\",\"begin\":0,\"end\":9}]"
#define FRAMES MODULES ",\"sample_frames\":[{\"module\":0,\"address\":1}]"
    assert_refused(REPORT(",\"sample_frames\":[{\"module\":0,\"address\":1}]"), 1, "there is no such module");
    assert_refused(REPORT(MODULES ",\"sample_frames\":[{\"module\":null,\"address\":1}]"), 1, "no such module");
    assert_refused(REPORT(FRAMES ",\"sample_stacks\":[{\"parent\":0,\"frame\":0}]"), 1,
                   "there is no such stack before this one");
    assert_refused(REPORT(FRAMES ",\"sample_stacks\":[{\"parent\":null,\"frame\":1}]"), 1, "there is no such frame");
    assert_refused(REPORT(",\"sample_counts\":[{\"thread\":0,\"context\":\"(no scope)\"}]"), 1,
                   "there is no such thread");
    assert_accepted(REPORT(FRAMES ",\"sample_stacks\":[{\"parent\":null,\"frame\":0},{\"parent\":0,\"frame\":0}]"));
#undef MODULES
#undef FRAMES
}

TEST(values_are_numbers)
{
    assert_accepted(
        REPORT(",\"nvtx_values\":[{\"set\":\"\",\"name\":\"\",\"count\":1,\"sum\":1e300,\"min\":-0,\"max\":1.5}]"));
    assert_refused(
        REPORT(",\"nvtx_values\":[{\"set\":\"\",\"name\":\"\",\"count\":1,\"sum\":null,\"min\":0,\"max\":1}]"), 1,
        "\"sum\" must be a number");
    assert_refused(REPORT(",\"nvtx_values\":[{\"set\":\"\",\"name\":\"\",\"count\":1,\"sum\":1,\"min\":0}]"), 1,
                   "\"max\" is missing");
}

TEST(instances_stand_behind_those_around_them)
{
    assert_accepted(REPORT(",\"gpu_instances\":[{\"context\":\"(no "
                           "scope)\",\"parent\":null},{\"context\":\"(unattributed)\",\"parent\":0}]"));
    assert_refused(REPORT(",\"gpu_instances\":[{\"context\":\"(no scope)\",\"parent\":0}]"), 1,
                   "there is no such instance before this one");
    assert_refused(REPORT(",\"gpu_events\":[{\"kind\":\"kernel\",\"name\":\"k\",\"instance\":0}]"), 1,
                   "there is no such instance");
}

TEST(what_a_name_is_given_to_may_be_unknown)
{
    assert_accepted(REPORT(",\"nvtx_names\":[{\"what\":\"planet\",\"handle\":1,\"name\":\"x\"}]"));
    assert_refused(REPORT(",\"nvtx_names\":[{\"what\":\"thread\",\"name\":\"x\"}]"), 1, "\"handle\" is missing");
}

/* JSON has U+FFFD for bytes that are not UTF-8, so only JSON itself is the same. */
TEST(json_of_broken_names_reads_back_as_json_wrote_it)
{
    check_by_hand(fixture_nasty(), STINT_FORMAT_JSON, STINT_FORMAT_JSON);
    check_round_trip(fixture_gpu_nasty(), STINT_FORMAT_JSON, STINT_FORMAT_JSON);
}

TEST(barriers_read_back)
{
    static const struct stint_barrier_part slowest[] = {
        {.participant = 7, .rounds = 5, .gap_ns = 50, .min_gap_ns = 1, .max_gap_ns = 20, .second_gap_ns = 3},
        {.participant = 2, .rounds = 4, .gap_ns = 40, .min_gap_ns = 2, .max_gap_ns = 30, .middle_gap_ns = 4},
    };
    static const struct stint_barrier_stat barrier = {
        .set = "GlobalStatInfo",
        .name = "gradients",
        .kind = STINT_BARRIER_DELTA,
        .participants = 10,
        .pending = 3,
        .rounds = 10,
        .total = {.rounds = 9, .gap_ns = 90, .min_gap_ns = 1, .max_gap_ns = 30, .last_two_gap_ns = 8},
        .slowest = slowest,
        .slowest_count = 2,
    };
    struct stint_snapshot snapshot = *fixture_training();
    TEST_ROWS(snapshot, barriers, barrier_count, barrier);
    check_by_hand(&snapshot, STINT_FORMAT_TABLE, STINT_FORMAT_JSON);
}

TEST(standard_deviation_of_fractions_reads_back)
{
    struct stint_snapshot snapshot = *fixture_training();
    struct stint_stat stat = snapshot.stats[0];
    const struct stint_bin bins[] = {{50, 2}, {53, 1}};
    stat.numbers = (struct stint_numbers){.count = 3,
                                          .total_ns = 153,
                                          .min_ns = 50,
                                          .max_ns = 53,
                                          .square_ns2 = 3 * 51 * 51 + 0.0027, /* 0.03 */
                                          .bins = bins,
                                          .bin_count = 2};
    TEST_ROWS(snapshot, stats, stat_count, stat);
    snapshot.context_count = snapshot.thread_stat_count = 0;
    check_by_hand(&snapshot, STINT_FORMAT_CSV, STINT_FORMAT_JSON);
}

TEST(report_without_sum_of_squares_has_the_standard_deviation)
{
    struct stint_snapshot *snapshot =
        read_back(REPORT(",\"stats\":[{\"set\":\"GlobalStatInfo\",\"name\":\"a\",\"count\":2,\"total_ns\":300,"
                         "\"min_ns\":100,\"max_ns\":200,\"stddev_ns\":50.000,\"bins\":[[100,1],[200,1]]}]"));
    assert_non_null(strstr(capture_report(snapshot, STINT_FORMAT_JSON, NULL).text, "\"stddev_ns\":50.000"));
    stint_snapshot_free(snapshot);
}

/* --------------------------------------------------------------------------------------------------------- leniency */

TEST(report_may_have_its_keys_in_any_order_and_more_of_them)
{
    assert_accepted("{\"stats\":[{\"threads\":[{\"thread\":0,\"count\":1}],\"name\":\"a\",\"set\":\"s\",\"count\":1,"
                    "\"colour\":{\"r\":[1,2]}}],\"version\":1,\"later\":[{}],\"threads\":[{\"tid\":7}],"
                    "\"contexts\":[{\"parent\":null,\"stat\":0}],\"format\":\"stint-report\"}");
}

TEST(escapes_read_as_what_they_mean)
{
    struct stint_snapshot *snapshot =
        read_back(REPORT(",\"process\":{\"command\":\"\\u00E9\\ud83d\\ude00\\n\\\"\\/\\u0041\"}"));
    assert_string_equal(snapshot->process.command, "\xc3\xa9\xf0\x9f\x98\x80\n\"/A");
    stint_snapshot_free(snapshot);
}

TEST(long_name_of_a_thread_is_cut_between_characters)
{
    struct stint_snapshot *snapshot =
        read_back(REPORT(",\"threads\":[{\"tid\":1,\"name\":\"12345678901234\xc3\xa9\"}]"));
    assert_string_equal(snapshot->threads[0].name, "12345678901234");
    stint_snapshot_free(snapshot);
}

/* ---------------------------------------------------------------------------------------------------------- refusal */

TEST(what_is_not_json_is_refused_with_line_and_reason)
{
    assert_refused("", 1, "the text ends where '{' is expected");
    assert_refused("{\n\"format\":\"stint-report\",\n\"version\":1\n", 4, "the text ends where ',' is expected");
    assert_refused(REPORT("") "x", 2, "text after the report");
    assert_refused(REPORT(",\n\"a\":01"), 2, "begins with 0");
    assert_refused(REPORT(",\n\"a\":1."), 2, "a digit");
    assert_refused(REPORT(",\n\"a\":nan"), 2, "a value");
    assert_refused(REPORT(",\n\"a\":[1,]"), 2, "a value");
    assert_refused(REPORT(",\n\"a\":\"\t\""), 2, "control character");
    assert_refused(REPORT(",\n\"a\":\"\xff\""), 2, "not UTF-8");
    assert_refused(REPORT(",\n\"a\":\"\\x\""), 2, "this escape sequence is unknown");
    assert_refused(REPORT(",\n\"a\":\"\\u12g4\""), 2, "four hexadecimal digits");
    assert_refused(REPORT(",\n\"a\":\"\\udc00\""), 2, "half of a surrogate pair");
    assert_refused(REPORT(",\n\"a\":\"\\udc00\\udc00\""), 2, "half of a surrogate pair");
    assert_refused(REPORT(",\n\"a\":\"\\ud800\\u0041\""), 2, "half of a surrogate pair");
    assert_refused(REPORT(",\n\"a\":\"\\u0000\""), 2, "must not contain");
    assert_refused("{\"format\":\"stint-report\",\n\"version", 2, "the text ends within a string");
    assert_refused(REPORT(",\n\"a\" 1"), 2, "expected ':'");
    assert_refused(REPORT(",\n\"a\":tru"), 2, "a value");
}

TEST(value_that_cannot_be_is_refused)
{
    assert_refused("{\"format\":\"other\",\"version\":1}", 1, "not a report of stint");
    assert_refused("{\"version\":1}", 1, "\"format\" is missing");
    assert_refused("{\"format\":\"stint-report\",\"version\":2}", 1,
                   "this report has version 2, but this stint reads version 1: use a later stint");
    assert_refused(REPORT(",\"version\":1"), 1, "twice");
    assert_refused(REPORT(",\"process\":{\"wall_ns\":-1}"), 1, "non-negative");
    assert_refused(REPORT(",\"process\":{\"wall_ns\":1.5}"), 1, "non-negative integer");
    assert_refused(REPORT(",\"process\":{\"wall_ns\":18446744073709551616}"), 1, "too large");
    assert_refused(REPORT(",\"process\":{\"wall_ns\":99999999999999999999}"), 1, "too large");
    assert_refused(REPORT(",\"process\":{\"pid\":- 5}"), 1, "a value");
    assert_refused(REPORT(",\"process\":{\"pid\":9223372036854775808}"), 1, "too large");
    assert_refused(REPORT(",\"clock\":{\"hz\":1e999}"), 1, "too large");
    assert_refused(REPORT(",\"threads\":[{\"exited\":1}]"), 1, "true or false");
    assert_refused(REPORT(",\"stats\":[{\"set\":\"s\"}]"), 1, "\"name\" is missing");
    assert_refused(REPORT(",\"stats\":[{\"set\":\"s\",\"name\":\"n\",\"line\":4294967296}]"), 1, "too large");
    assert_refused(REPORT(",\"stats\":[{\"set\":\"s\",\"name\":\"n\",\"count\":1,\"recursive\":2}]"), 1, "exceeds");
    assert_refused(REPORT(",\"stats\":[{\"set\":\"s\",\"name\":\"n\",\"bins\":[[5,1],[5,1]]}]"), 1, "ascending order");
    assert_refused(REPORT(",\"stats\":[{\"set\":\"s\",\"name\":\"n\",\"bins\":[[5]]}]"), 1, "two numbers");
    assert_refused(REPORT(",\"stats\":[{\"set\":\"s\",\"name\":\"n\",\"threads\":[{\"thread\":0}]}]"), 1,
                   "no such thread");
    assert_refused(REPORT(",\"barriers\":[{\"set\":\"s\",\"name\":\"n\",\"kind\":\"end\",\"participants\":65536}]"), 1,
                   "more than 65535");
    assert_refused(REPORT(",\"barriers\":[{\"set\":\"s\",\"name\":\"n\",\"kind\":\"?\",\"participants\":3}]"), 1,
                   "the kind \"?\" is unknown");
    assert_refused(REPORT(",\"gpu_activities\":[{\"kind\":\"api\",\"name\":\"n\"}]"), 1, "is unknown");
    assert_refused(REPORT(",\"gpu_charges\":[{\"activity\":0,\"context\":\"(no scope)\"}]"), 1, "no such activity");
    assert_refused(REPORT(",\"gpu_events\":[{\"kind\":\"copy\",\"name\":\"n\",\"context\":0}]"), 1, "no such calling");
    assert_refused(REPORT(",\"gpu_events\":[{\"kind\":\"kernel\",\"name\":\"n\",\"grid\":[1,2,3,4]}]"), 1,
                   "three numbers");
}

TEST(context_below_a_later_one_is_refused)
{
    assert_refused(REPORT(",\"stats\":[{\"set\":\"s\",\"name\":\"n\"}],\"contexts\":[{\"stat\":0,\"parent\":0}]"), 1,
                   "calling context before this one");
    assert_refused(REPORT(",\"stats\":[],\"contexts\":[{\"stat\":0,\"parent\":null}]"), 1, "no such statistic");
}

TEST(nesting_without_end_is_refused)
{
    enum { DEPTH = 1000000 };
    static const char begin[] = "{\"format\":\"stint-report\",\"version\":1,\"a\":";
    char *text = malloc(sizeof begin + DEPTH);
    struct stint_import_error error;
    memcpy(text, begin, sizeof begin);
    memset(text + sizeof begin - 1, '[', DEPTH);
    text[sizeof begin - 1 + DEPTH] = '\0';
    assert_int_equal(try_text(text, &error), STINT_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.reason, "more than 32 levels deep"));
    free(text);
}

TEST(report_cut_anywhere_is_refused)
{
    struct capture json = capture_report(fixture_gpu(), STINT_FORMAT_JSON, NULL);
    struct stint_import_error error;
    struct stint_snapshot *snapshot;
    char *text = malloc(json.length);
    for (size_t length = 0; length + 1 < json.length; length += 1 + length / 50) {
        memcpy(text, json.text, length);
        text[length] = '\0';
        assert_int_equal(stint_import_json(text, length, &snapshot, &error), STINT_ERROR_INVALID_ARGUMENT);
    }
    free(text);
}

TEST(file_that_is_not_there_is_an_error_of_its_own)
{
    struct stint_import_error error;
    struct stint_snapshot *snapshot;
    assert_int_equal(stint_import_file("/nonexistent/report.json", &snapshot, &error), STINT_ERROR_IO);
    assert_string_equal(error.reason, "No such file or directory");
    assert_int_equal(error.line, 0);
    assert_int_equal(stint_import_file("/", &snapshot, &error), STINT_ERROR_IO);
    assert_null(snapshot);
}

TEST(file_reads_as_its_text_does)
{
    struct stint_import_error error;
    struct stint_snapshot *snapshot, *expected = canonical(fixture_training());
    char path[1024];
    snprintf(path, sizeof path, "%s/report_json_training.json", STINT_GOLDEN_DIR);
    assert_int_equal(stint_import_file(path, &snapshot, &error), STINT_OK);
    assert_same_report(snapshot, expected, STINT_FORMAT_JSON);
    stint_snapshot_free(snapshot);
    stint_snapshot_free(expected);
}

TEST(files_read_one_after_the_other_in_the_same_memory_are_the_same)
{
    struct stint_import_memory memory = {.text = {0}};
    struct stint_import_error error;
    struct stint_snapshot *snapshot, *expected = canonical(fixture_training());
    char path[1024], missing[1024];
    snprintf(path, sizeof path, "%s/report_json_training.json", STINT_GOLDEN_DIR);
    snprintf(missing, sizeof missing, "%s/report_table_training.txt", STINT_GOLDEN_DIR);
    for (int i = 0; i < 3; i++) {
        assert_int_not_equal(stint_import_next(&memory, missing, &snapshot, &error), STINT_OK);
        assert_null(snapshot);
        stint_import_recycle(&memory, snapshot);
        assert_int_equal(stint_import_next(&memory, path, &snapshot, &error), STINT_OK);
        assert_same_report(snapshot, expected, STINT_FORMAT_JSON);
        stint_import_recycle(&memory, snapshot);
        size_t mapped = memory.snapshot.mapped;
        assert_int_equal(stint_import_process(&memory, path, &snapshot, &error), STINT_OK);
        assert_int_equal(snapshot->process.start_unix_ns, expected->process.start_unix_ns);
        assert_string_equal(snapshot->process.host, expected->process.host);
        assert_int_equal(snapshot->stat_count, 0);
        stint_import_recycle(&memory, snapshot);
        assert_int_equal(memory.snapshot.mapped, mapped);
    }
    stint_import_memory_free(&memory);
    stint_snapshot_free(expected);
}

TEST(a_process_that_stands_far_behind_the_beginning_is_found)
{
    struct stint_import_memory memory = {.text = {0}};
    struct stint_import_error error;
    struct stint_snapshot *snapshot;
    char path[] = "/tmp/stint-report-XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    fprintf(file, REPORT(",\"later\":\"%*s\",\"process\":{\"pid\":7}"), 10000, "");
    fclose(file);
    assert_int_equal(stint_import_process(&memory, path, &snapshot, &error), STINT_OK);
    unlink(path);
    assert_int_equal(snapshot->process.pid, 7);
    stint_snapshot_free(snapshot);
    stint_import_memory_free(&memory);
}

/* Reports of every version that was released stay readable: this one, in which everything occurs, is never written
 * again. */
TEST(report_of_an_earlier_release_is_still_read)
{
    struct stint_import_error error;
    struct stint_snapshot *snapshot;
    assert_int_equal(stint_import_file(STINT_GOLDEN_DIR "/report_v1.json", &snapshot, &error), STINT_OK);
    const struct stint_stat *estimate = stint_snapshot_find(snapshot, NULL, "look up");
    assert_int_equal(estimate->numbers.left_out, 30000000);
    assert_true(estimate->numbers.error_ns == 390000000.0);
    assert_int_equal(stint_snapshot_find(snapshot, STINT_API_SET, "cudaLaunchKernel")->numbers.bins[0].ns, 2000);
    assert_int_equal(snapshot->context_count, 15);
    assert_int_equal(snapshot->thread_count, 3);
    assert_int_equal(snapshot->dropped.gpu_events, UINT64_MAX);
    assert_int_equal(snapshot->barriers[0].slowest[0].gap_ns, 810000000);
    assert_string_equal(snapshot->gpu_activities[1].name, "[CUDA memcpy DtoH]");
    assert_int_equal(snapshot->gpu_charges[0].max_ns, INT64_C(1) << 62);
    assert_int_equal(snapshot->gpu_event_count, 3);
    assert_true(snapshot->nvtx_values[1].max == 65536);
    assert_int_equal(snapshot->nvtx_name_count, 4);
    assert_string_equal(snapshot->processes[1].command, "./train");
    assert_int_equal(snapshot->sampling.samples, 22);
    assert_int_equal(snapshot->sample_stacks[snapshot->sample_counts[0].stack].frame, 2);
    stint_snapshot_free(snapshot);
}

/* As of a program without a C++ runtime library, which demangles names while the program runs. */
TEST(kernels_that_were_not_demangled_are_named_as_in_the_source)
{
    static const char report[] =
        REPORT(",\"gpu_activities\":[{\"kind\":\"kernel\",\"name\":\"_Z5scalePfi\",\"mangled\":\"_Z5scalePfi\"}],"
               "\"gpu_events\":[{\"kind\":\"kernel\",\"name\":\"_Z5scalePfi\"}]");
    struct stint_snapshot *snapshot;
    struct stint_import_error error;
    assert_int_equal(stint_import_json(report, sizeof report - 1, &snapshot, &error), STINT_OK);
    assert_string_equal(snapshot->gpu_activities[0].name, "scale(float*, int)");
    assert_string_equal(snapshot->gpu_activities[0].mangled, "_Z5scalePfi");
    assert_string_equal(snapshot->gpu_events[0].name, "scale(float*, int)");
    stint_snapshot_free(snapshot);
}
