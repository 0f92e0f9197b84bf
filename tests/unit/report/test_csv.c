#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "report/fixture.h"
#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "stint/report.h"

enum { FIELDS = 23 };

static struct capture write_csv(const struct stint_snapshot *snapshot)
{
    struct capture out = {0};
    assert_int_equal(stint_report_write(snapshot, STINT_FORMAT_CSV, NULL, capture_write, &out), STINT_OK);
    return out;
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

static void csv_of_a_training_program(void **state)
{
    (void)state;
    struct capture out = write_csv(fixture_training());
    assert_golden(&out, "report_csv_training.csv");
    capture_free(&out);
}

static void names_are_read_back_unchanged(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot = fixture_nasty();
    struct capture out = write_csv(snapshot);
    char fields[FIELDS][512];
    assert_golden(&out, "report_csv_nasty.csv");
    const char *at = read_row(out.text, fields);
    assert_string_equal(fields[1], "name");
    for (size_t i = 0; i < snapshot->stat_count; i++) {
        at = read_row(at, fields);
        assert_string_equal(fields[0], snapshot->stats[i].set);
        assert_string_equal(fields[1], snapshot->stats[i].name);
        assert_string_equal(fields[15], snapshot->stats[i].file);
    }
    assert_string_equal(at, "");
    capture_free(&out);
}

static void without_a_histogram_percentiles_are_empty(void **state)
{
    (void)state;
    struct capture out = write_csv(fixture_training());
    assert_non_null(
        strstr(out.text, "\nGlobalStatInfo,evalOnBatch,12,0,14814804,14814804,1234567,1234567,1234567,,,,,0,0,"));
    capture_free(&out);
}

static void empty_snapshot_is_the_header_alone(void **state)
{
    (void)state;
    struct capture out = write_csv(fixture_empty());
    assert_string_equal(out.text, "set,name,count,recursive,total_ns,self_ns,min_ns,max_ns,avg_ns,p50_ns,p90_ns,p99_ns,"
                                  "stddev_ns,running,running_ns,file,line,gpu_ns,gpu_self_ns,kernels,copies,copy_bytes,"
                                  "launch_ns\n");
    capture_free(&out);
}

static void csv_has_no_comment_lines(void **state)
{
    (void)state;
    struct capture out = write_csv(fixture_running()); /* the one with most to say in a footer */
    size_t lines = 0;
    for (const char *at = out.text; (at = strchr(at, '\n')); at++)
        lines++;
    assert_int_equal(lines, 1 + fixture_running()->stat_count);
    capture_free(&out);
}

static void gpu_columns_follow_the_old_ones_and_calls_have_rows(void **state)
{
    (void)state;
    struct capture out = write_csv(fixture_gpu());
    assert_golden(&out, "report_csv_gpu.csv");
    capture_free(&out);
}

static void gpu_time_without_a_collector_is_that_of_gpu_scopes(void **state)
{
    (void)state;
    struct capture out = write_csv(fixture_gpu_spans());
    assert_non_null(strstr(out.text, ",src/train.c,10,8246900,8246900,0,0,0,0\n"));
    capture_free(&out);
}

static int free_fixture(void **state)
{
    (void)state;
    fixture_gpu_free();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_of_a_training_program),
        cmocka_unit_test(names_are_read_back_unchanged),
        cmocka_unit_test(without_a_histogram_percentiles_are_empty),
        cmocka_unit_test(empty_snapshot_is_the_header_alone),
        cmocka_unit_test(csv_has_no_comment_lines),
        cmocka_unit_test(gpu_columns_follow_the_old_ones_and_calls_have_rows),
        cmocka_unit_test(gpu_time_without_a_collector_is_that_of_gpu_scopes),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixture);
}
