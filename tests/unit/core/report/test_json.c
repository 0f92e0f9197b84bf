#include <string.h>

#include "base/text.h"
#include "report/fixture.h"
#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "report/sample_fixture.h"
#include "stint/report.h"
#include "stint_test.h"

static struct capture write_json(const struct stint_snapshot *snapshot)
{
    return capture_report(snapshot, STINT_FORMAT_JSON, NULL);
}

/* ----------------------------------------------------------------------------------------------------- a strict reader
 *
 * Each function reads one thing at `at` and returns what follows it, or NULL if it is not valid JSON (RFC 8259). */

static const char *skip_value(const char *at);

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

static const char *skip_escape(const char *at)
{
    if (*at == 'u')
        return strspn(at + 1, "0123456789abcdefABCDEF") >= 4 ? at + 5 : NULL;
    return *at && strchr("\"\\/bfnrt", *at) ? at + 1 : NULL;
}

static const char *skip_string(const char *at)
{
    if (*at++ != '"')
        return NULL;
    while (at && *at != '"') {
        uint32_t code;
        if ((unsigned char)*at < 0x20)
            return NULL;
        size_t length = stint_utf8_read(at, &code);
        if (code == STINT_UTF8_INVALID)
            return NULL;
        at = *at == '\\' ? skip_escape(at + 1) : at + length;
    }
    return at ? at + 1 : NULL;
}

static const char *skip_digits(const char *at)
{
    size_t digits = strspn(at, "0123456789");
    return digits ? at + digits : NULL;
}

static const char *skip_number(const char *at)
{
    at += *at == '-';
    if (at[0] == '0' && at[1] >= '0' && at[1] <= '9')
        return NULL;
    at = skip_digits(at);
    if (at && *at == '.')
        at = skip_digits(at + 1);
    if (at && (*at == 'e' || *at == 'E'))
        at = skip_digits(at + 1 + (at[1] == '-' || at[1] == '+'));
    return at;
}

static const char *skip_member(const char *at, int with_key)
{
    if (!with_key)
        return skip_value(at);
    at = skip_string(skip_blanks(at));
    if (!at)
        return NULL;
    at = skip_blanks(at);
    return *at == ':' ? skip_value(at + 1) : NULL;
}

static const char *skip_container(const char *at)
{
    int with_keys = *at == '{';
    char end = with_keys ? '}' : ']';
    at = skip_blanks(at + 1);
    if (*at == end)
        return at + 1;
    for (;;) {
        at = skip_member(at, with_keys);
        if (!at)
            return NULL;
        at = skip_blanks(at);
        if (*at == end)
            return at + 1;
        if (*at++ != ',')
            return NULL;
    }
}

static const char *skip_value(const char *at)
{
    static const char *const words[] = {"true", "false", "null"};
    at = skip_blanks(at);
    if (*at == '{' || *at == '[')
        return skip_container(at);
    if (*at == '"')
        return skip_string(at);
    for (size_t i = 0; i < 3; i++)
        if (strncmp(at, words[i], strlen(words[i])) == 0)
            return at + strlen(words[i]);
    return skip_number(at);
}

static int is_json(const char *text)
{
    const char *end = skip_value(text);
    return end && !*skip_blanks(end);
}

TEST_ONCE(NULL, fixture_gpu_teardown)

TEST(reader_refuses_what_is_not_json)
{
    const char *const wrong[] = {"",    "{",  "[1,]", "{\"a\":}", "{\"a\":1,}", "\"\n\"",    "\"\xff\"",
                                 "01",  "1.", "nan",  "- 1",      "[1 2]",      "\"\\x41\"", "{a:1}",
                                 "[]]", "\"", "1e",   "+1",       ".5",         "\"\\u12\""};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        if (is_json(wrong[i]))
            fail_msg("accepted: %s", wrong[i]);
    assert_true(is_json("{\"a\" : [1, -2.5e+3, \"\\u00e9\\n\", true, null, {}, []]}\n"));
}

/* ------------------------------------------------------------------------------------------------------- the writer */

static void check_golden(const struct stint_snapshot *snapshot, const char *file)
{
    struct capture out = write_json(snapshot);
    assert_true(is_json(out.text));
    assert_golden(out, file);
}

TEST(json_of_a_training_program)
{
    check_golden(fixture_training(), "report_json_training.json");
}

TEST(json_has_every_context_of_a_compilation)
{
    check_golden(fixture_xla(), "report_json_xla.json");
}

TEST(json_is_valid_whatever_the_names)
{
    check_golden(fixture_nasty(), "report_json_nasty.json");
}

TEST(json_of_a_running_program_has_every_dropped_count)
{
    check_golden(fixture_running(), "report_json_running.json");
}

TEST(json_has_the_errors_of_estimates)
{
    check_golden(fixture_budget(), "report_json_budget.json");
}

TEST(json_of_nothing_is_complete)
{
    check_golden(fixture_empty(), "report_json_empty.json");
}

TEST(json_of_the_largest_numbers_is_valid)
{
    check_golden(fixture_extreme(), "report_json_extreme.json");
}

TEST(every_byte_in_a_name_gives_valid_json)
{
    struct stint_snapshot snapshot = *fixture_training();
    struct stint_stat stat = snapshot.stats[0];
    snapshot.stats = &stat;
    snapshot.stat_count = 1;
    snapshot.context_count = 0;
    snapshot.thread_stat_count = 0;
    for (int first = 1; first < 256; first++) {
        char name[3 * 255 + 1], *end = name;
        for (int second = 1; second < 256; second++) { /* each pair, and a letter behind it */
            *end++ = (char)first;
            *end++ = (char)second;
            *end++ = 'x';
        }
        *end = '\0';
        stat.name = name;
        struct capture out = write_json(&snapshot);
        if (!is_json(out.text))
            fail_msg("%02x: %s", (unsigned)first, out.text);
    }
}

TEST(number_that_is_not_finite_is_null)
{
    struct stint_snapshot snapshot = *fixture_empty();
    double zero = 0;
    snapshot.process.clock_hz = zero / zero;
    struct capture out = write_json(&snapshot);
    assert_true(is_json(out.text));
    assert_non_null(strstr(out.text, "\"hz\":null"));
}

TEST(each_row_is_a_line)
{
    const struct stint_snapshot *snapshot = fixture_training();
    struct capture out = write_json(snapshot);
    size_t stats = 0, contexts = 0;
    for (const char *at = out.text; (at = strchr(at, '\n')); at++) {
        stats += strncmp(at + 1, "{\"set\":", 7) == 0;
        contexts += strncmp(at + 1, "{\"stat\":", 8) == 0;
    }
    assert_int_equal(stats, snapshot->stat_count);
    assert_int_equal(contexts, snapshot->context_count);
}

TEST(json_of_gpus_has_everything)
{
    check_golden(fixture_gpu(), "report_json_gpu.json");
    check_golden(fixture_gpu_extreme(), "report_json_gpu_extreme.json");
    check_golden(fixture_gpu_nasty(), "report_json_gpu_nasty.json");
}

TEST(json_has_the_processes_that_were_added_up)
{
    struct stint_snapshot snapshot = *fixture_empty();
    const struct stint_snapshot *processes = fixture_gpu_processes();
    snapshot.process = processes->process;
    snapshot.processes = processes->processes;
    snapshot.process_count = processes->process_count;
    check_golden(&snapshot, "report_json_processes.json");
}

TEST(samples_have_sections_of_their_own)
{
    struct stint_snapshot *samples = fixture_samples();
    check_golden(samples, "report_json_samples.json");
    stint_snapshot_free(samples);
}

TEST(scope_that_used_no_gpu_has_no_gpu_keys)
{
    struct capture out = write_json(fixture_gpu());
    const char *row = strstr(out.text, "\"name\":\"evaluate\"");
    const char *user = strstr(out.text, "\"name\":\"backward\"");
    assert_non_null(row);
    assert_non_null(user);
    assert_true(strstr(user, "\"gpu\":{") < strchr(user, '\n'));
    assert_true(strstr(user, "\"gpu_self\":{") < strchr(user, '\n'));
    assert_true(strstr(row, "\"gpu") > strchr(row, '\n'));
}
