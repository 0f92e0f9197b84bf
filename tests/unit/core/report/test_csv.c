#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/model.h"
#include "report/fixture.h"
#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "report/sheet.h"
#include "stint/report.h"
#include "stint_test.h"

enum { FIELDS = 24 };

static struct capture write_csv(const struct stint_snapshot *snapshot)
{
    return capture_report(snapshot, STINT_FORMAT_CSV, NULL);
}

/* Reads one field as RFC 4180 says, into `field`. Returns what follows its separator; *separator receives that. */
static const char *read_field(const char *at, char *field, char *separator)
{
    int quoted = *at == '"';
    for (at += quoted; *at; at++) {
        if (quoted && at[0] == '"' && at[1] == '"')
            at++;
        else if (quoted ? *at == '"' : *at == ',' || *at == '\n')
            break;
        else if (!quoted)
            assert_true(*at != '"' && *at != '\r');
        *field++ = *at;
    }
    *field = '\0';
    at += quoted;
    assert_true(*at == ',' || *at == '\n');
    *separator = *at;
    return at + 1;
}

static const char *read_row(const char *at, char fields[FIELDS][512])
{
    for (int i = 0; i < FIELDS; i++) {
        char separator;
        at = read_field(at, fields[i], &separator);
        assert_int_equal(separator, i + 1 < FIELDS ? ',' : '\n');
    }
    return at;
}

TEST_ONCE(NULL, fixture_gpu_teardown)

TEST(csv_of_a_training_program)
{
    assert_golden(write_csv(fixture_training()), "report_csv_training.csv");
}

TEST(csv_with_a_budget_has_columns_of_what_was_left_out)
{
    assert_golden(write_csv(fixture_budget()), "report_csv_budget.csv");
}

static void check_number(const char *field, uint64_t expected)
{
    char digits[32];
    (void)snprintf(digits, sizeof digits, "%" PRIu64, expected);
    assert_string_equal(field, digits);
}

/* Fields 9 to 12: the percentiles, and the standard deviation. */
static void check_distribution(char fields[FIELDS][512], const struct stint_numbers *numbers)
{
    static const double parts[] = {0.50, 0.90, 0.99};
    char digits[64] = "";
    for (size_t i = 0; i < 3 && numbers->bin_count; i++)
        check_number(fields[9 + i], stint_numbers_percentile_ns(numbers, parts[i]));
    for (size_t i = 0; i < 3 && !numbers->bin_count; i++)
        assert_string_equal(fields[9 + i], "");
    if (numbers->bin_count && isfinite(stint_numbers_stddev_ns(numbers)))
        (void)snprintf(digits, sizeof digits, "%.3f", stint_numbers_stddev_ns(numbers));
    if (strlen(digits) < 30) /* longer ones are in another form */
        assert_string_equal(fields[12], digits);
}

/* What controls a terminal is escaped; all else can be read back. */
static void check_text(const char *field, const char *text)
{
    char read[512], *to = read;
    for (int length; *field; field += length) {
        unsigned code;
        if (sscanf(field, "\\x%2x%n", &code, &length) == 1)
            *to++ = (char)code;
        else if (sscanf(field, "\\u%4x%n", &code, &length) == 1)
            to += code < 0x800 ? sprintf(to, "%c%c", 0xc0 | code >> 6, 0x80 | (code & 63))
                               : sprintf(to, "%c%c%c", 0xe0 | code >> 12, 0x80 | (code >> 6 & 63), 0x80 | (code & 63));
        else
            *to++ = (length = strncmp(field, "\\r", 2) ? 1 : 2) == 2 ? '\r' : *field;
    }
    *to = '\0';
    assert_string_equal(read, text);
}

static void check_row(char fields[FIELDS][512], const struct stint_snapshot *snapshot, const struct stint_stat *stat)
{
    struct stint_gpu_sum gpu = stint_gpu_summarize(snapshot);
    const struct stint_numbers *numbers = &stat->numbers;
    const uint64_t counts[] = {numbers->count,   numbers->recursive, numbers->total_ns,
                               numbers->self_ns, numbers->min_ns,    numbers->max_ns};
    const uint64_t uses[] = {gpu.spans ? stat->gpu.span_ns : stint_gpu_use_ns(&stat->gpu),
                             gpu.spans ? stat->gpu_self.span_ns : stint_gpu_use_ns(&stat->gpu_self),
                             stat->gpu.kernels,
                             stat->gpu.copies,
                             stat->gpu.copy_bytes,
                             stat->gpu.launch_ns,
                             stat->numbers.cpu_ns};
    assert_string_equal(fields[0], stat->set);
    check_text(fields[1], stat->name);
    for (size_t i = 0; i < 6; i++)
        check_number(fields[2 + i], counts[i]);
    check_number(fields[8], stint_numbers_avg_ns(numbers));
    check_distribution(fields, numbers);
    check_number(fields[13], numbers->running);
    check_number(fields[14], numbers->running_ns);
    assert_string_equal(fields[15], stat->file);
    check_number(fields[16], stat->line);
    for (size_t i = 0; i < 7; i++)
        check_number(fields[17 + i], uses[i]);
}

static void check_rows(const struct stint_snapshot *snapshot)
{
    struct capture out = write_csv(snapshot);
    char fields[FIELDS][512];
    const char *at = read_row(out.text, fields);
    assert_string_equal(fields[1], "name");
    for (size_t i = 0; i < snapshot->stat_count; i++) {
        at = read_row(at, fields);
        check_row(fields, snapshot, &snapshot->stats[i]);
    }
    assert_string_equal(at, "");
}

TEST(rows_are_read_back_unchanged)
{
    check_rows(fixture_training());
    check_rows(fixture_running());
    check_rows(fixture_nasty());
    check_rows(fixture_extreme());
    check_rows(fixture_gpu());
    check_rows(fixture_gpu_nasty());
    check_rows(fixture_gpu_extreme());
    check_rows(fixture_gpu_spans());
}

TEST(without_a_histogram_percentiles_are_empty)
{
    struct capture out = write_csv(fixture_training());
    assert_non_null(
        strstr(out.text, "\nGlobalStatInfo,evalOnBatch,12,0,14814804,14814804,1234567,1234567,1234567,,,,,0,0,"));
}

TEST(empty_snapshot_is_the_header_alone)
{
    struct capture out = write_csv(fixture_empty());
    assert_string_equal(out.text, "set,name,count,recursive,total_ns,self_ns,min_ns,max_ns,avg_ns,p50_ns,p90_ns,p99_ns,"
                                  "stddev_ns,running,running_ns,file,line,gpu_ns,gpu_self_ns,kernels,copies,copy_bytes,"
                                  "launch_ns,cpu_ns\n");
}

TEST(csv_has_no_comment_lines)
{
    struct capture out = write_csv(fixture_running()); /* the one with most to say in a footer */
    size_t lines = 0;
    for (const char *at = out.text; (at = strchr(at, '\n')); at++)
        lines++;
    assert_int_equal(lines, 1 + fixture_running()->stat_count);
}

TEST(gpu_time_without_a_collector_is_that_of_gpu_scopes)
{
    assert_non_null(strstr(write_csv(fixture_gpu_spans()).text, ",src/train.c,10,8246900,8246900,0,0,0,0,0\n"));
}

/* Spreadsheets compute what begins like a formula. Numbers are what they were. */
TEST(no_field_is_a_formula)
{
    static const char *const fields[][2] = {
        {"=1+1", "'=1+1"},
        {"@SUM(A1)", "'@SUM(A1)"},
        {"+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"},
        {"-x", "'-x"},
        {"-[NSObject init]", "'-[NSObject init]"},
        {"\t=1", "'\t=1"},
        {"\r=1", "\\r=1"},
        {"-5", "-5"},
        {"+1.5e-3", "+1.5e-3"},
        {"-", "-"},
        {"a=b", "a=b"},
        {"", ""},
        {"=\"a\"", "\"'=\"\"a\"\"\""},
    };
    for (size_t i = 0; i < TEST_COUNT(fields); i++) {
        struct capture out = {0};
        struct stint_text text;
        stint_text_begin(&text, capture_write, &out);
        stint_csv_field(&text, fields[i][0]);
        stint_text_end(&text);
        assert_memory_equal(out.text, fields[i][1], strlen(fields[i][1]));
        assert_int_equal(out.length, strlen(fields[i][1]));
    }
}
