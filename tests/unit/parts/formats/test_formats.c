#include <string.h>

#include "report/fixture.h"
#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "stint/report.h"
#include "stint_test.h"

enum { FORMATS = STINT_FORMAT_COUNTERS_CSV + 1, CSV_FORMS = 13 };

static int refuse(void *context, const char *bytes, size_t length)
{
    ++*(int *)context;
    return -1;
}

TEST_ONCE(NULL, fixture_gpu_teardown)

TEST(arguments_are_checked)
{
    int calls = 0;
    const struct stint_snapshot *snapshot = fixture_training();
    assert_int_equal(stint_report_write(NULL, STINT_FORMAT_CSV, NULL, refuse, &calls), STINT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(stint_report_write(snapshot, STINT_FORMAT_CSV, NULL, NULL, NULL), STINT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(stint_report_write(snapshot, (enum stint_format)FORMATS, NULL, refuse, &calls),
                     STINT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(stint_report_write(snapshot, (enum stint_format) - 1, NULL, refuse, &calls),
                     STINT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(calls, 0);
}

TEST(failing_write_is_an_io_error_in_every_format)
{
    for (size_t i = 0; i < FORMATS; i++) {
        int calls = 0;
        assert_int_equal(stint_report_write(fixture_gpu(), (enum stint_format)i, NULL, refuse, &calls), STINT_ERROR_IO);
        assert_int_equal(calls, 1);
    }
}

TEST(no_layout_is_plain_and_unlimited)
{
    const struct stint_layout plain = {.columns = 0, .color = 0};
    for (size_t i = 0; i < FORMATS; i++) {
        struct capture without = {0}, with = {0};
        assert_int_equal(stint_report_write(fixture_gpu_nasty(), (enum stint_format)i, NULL, capture_write, &without),
                         STINT_OK);
        assert_int_equal(stint_report_write(fixture_gpu_nasty(), (enum stint_format)i, &plain, capture_write, &with),
                         STINT_OK);
        assert_string_equal(without.text, with.text);
    }
}

/* ------------------------------------------------------------------------------------------------------------ names */

TEST(every_report_has_a_name_and_can_be_written_by_it)
{
    size_t count = 0;
    for (const char *name; (name = stint_report_name_at(count)); count++) {
        struct capture out = {0};
        assert_int_equal(stint_report_named(fixture_gpu(), name, 0, NULL, capture_write, &out), STINT_OK);
        assert_true(out.length > 0);
    }
    assert_int_equal(count, FORMATS - CSV_FORMS + 23);
    assert_null(stint_report_name_at(count + 1));
    assert_null(stint_report_name_at(SIZE_MAX));
}

TEST(named_format_is_the_format)
{
    const char *const names[FORMATS] = {
        [STINT_FORMAT_TABLE] = "table",
        [STINT_FORMAT_TREE] = "tree",
        [STINT_FORMAT_PADDLE] = "paddle",
        [STINT_FORMAT_CSV] = "csv",
        [STINT_FORMAT_JSON] = "json",
        [STINT_FORMAT_NVPROF] = "nvprof",
        [STINT_FORMAT_GPU_TRACE] = "gpu-trace",
        [STINT_FORMAT_API_TRACE] = "api-trace",
        [STINT_FORMAT_GPU] = "gpu",
        [STINT_FORMAT_NVPROF_GPU] = "nvprof-gpu",
        [STINT_FORMAT_NVPROF_API] = "nvprof-api",
        [STINT_FORMAT_NVPROF_PER_GPU] = "nvprof-per-gpu",
        [STINT_FORMAT_NVPROF_NVTX] = "nvprof-nvtx",
        [STINT_FORMAT_GPU_API_TRACE] = "gpu-api-trace",
        [STINT_FORMAT_SUMMARY] = "summary",
        [STINT_FORMAT_PROCESSES] = "processes",
        [STINT_FORMAT_THREADS] = "threads",
        [STINT_FORMAT_PROMETHEUS] = "prometheus",
        [STINT_FORMAT_OPENMETRICS] = "openmetrics",
        [STINT_FORMAT_SYSTEM] = "system",
        [STINT_FORMAT_RANKS] = "ranks",
        [STINT_FORMAT_RANKS_TREE] = "ranks-tree",
        [STINT_FORMAT_COUNTERS] = "counters",
    };
    const struct stint_layout layout = {.columns = 90};
    size_t position = 0;
    for (size_t i = 0; i < FORMATS; i++) {
        struct capture by_name = {0}, by_format = {0};
        int csv = !names[i]; /* of the one before */
        const char *name = names[csv ? i - 1 : i];
        assert_int_equal(stint_report_named(fixture_gpu(), name, csv, &layout, capture_write, &by_name), STINT_OK);
        assert_int_equal(stint_report_write(fixture_gpu(), (enum stint_format)i, &layout, capture_write, &by_format),
                         STINT_OK);
        assert_string_equal(by_name.text, by_format.text);
        if (!csv)
            assert_string_equal(stint_report_name_at(position++), name);
    }
}

TEST(named_report_as_csv_is_the_one_that_has_that_form)
{
    const struct {
        const char *name;
        enum stint_format csv;
    } pairs[] = {{"table", STINT_FORMAT_CSV},
                 {"csv", STINT_FORMAT_CSV},
                 {"NVprof", STINT_FORMAT_NVPROF_CSV},
                 {"gpu-trace", STINT_FORMAT_GPU_TRACE_CSV},
                 {"api-trace", STINT_FORMAT_API_TRACE_CSV},
                 {"processes", STINT_FORMAT_PROCESSES_CSV},
                 {"threads", STINT_FORMAT_THREADS_CSV},
                 {"ranks", STINT_FORMAT_RANKS_CSV}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct capture by_name = {0}, by_format = {0};
        assert_int_equal(stint_report_named(fixture_gpu(), pairs[i].name, 1, NULL, capture_write, &by_name), STINT_OK);
        assert_int_equal(stint_report_write(fixture_gpu(), pairs[i].csv, NULL, capture_write, &by_format), STINT_OK);
        assert_string_equal(by_name.text, by_format.text);
    }
}

TEST(unknown_names_and_forms_are_refused)
{
    int calls = 0;
    const char *const names[] = {"", "tables", "tabl", "off", "nvtx_sum ", "nvtx_sum:csv", "table,csv", "nvprof-csv"};
    const char *const without_csv[] = {"tree", "paddle", "json", "gpu", "summary", "prometheus", "openmetrics"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_int_equal(stint_report_named(fixture_gpu(), names[i], 0, NULL, refuse, &calls),
                         STINT_ERROR_INVALID_ARGUMENT);
    for (size_t i = 0; i < sizeof without_csv / sizeof without_csv[0]; i++)
        assert_int_equal(stint_report_named(fixture_gpu(), without_csv[i], 1, NULL, refuse, &calls),
                         STINT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(stint_report_named(NULL, "nvtx_sum", 0, NULL, refuse, &calls), STINT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(stint_report_named(fixture_gpu(), NULL, 0, NULL, refuse, &calls), STINT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(stint_report_named(fixture_gpu(), "nvtx_sum", 0, NULL, NULL, NULL), STINT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(calls, 0);
}

TEST(failing_write_is_an_io_error_of_a_named_report)
{
    for (size_t i = 0; stint_report_name_at(i); i++) {
        int calls = 0;
        assert_int_equal(stint_report_named(fixture_gpu(), stint_report_name_at(i), 0, NULL, refuse, &calls),
                         STINT_ERROR_IO);
        assert_int_equal(calls, 1);
    }
}

static size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

TEST(names_never_add_lines_or_escapes_for_people)
{
    const enum stint_format for_people[] = {STINT_FORMAT_TABLE, STINT_FORMAT_TREE, STINT_FORMAT_PADDLE};
    const size_t around[] = {4, 4, 4}; /* title, header and two notes; three headers and the trailer */
    for (size_t i = 0; i < 3; i++) {
        struct capture out = {0};
        const struct stint_snapshot *snapshot = fixture_nasty();
        assert_int_equal(stint_report_write(snapshot, for_people[i], NULL, capture_write, &out), STINT_OK);
        assert_int_equal(count_lines(out.text), snapshot->stat_count + around[i]);
        for (const char *at = out.text; *at; at++)
            assert_true(*at == '\n' || (unsigned char)*at >= 0x20);
        assert_null(strstr(out.text, "\xc2\x9b"));
        assert_null(strstr(out.text, "\xe2\x80\xae"));
    }
}

TEST(names_of_gpu_activities_never_add_escapes_for_people)
{
    const enum stint_format for_people[] = {STINT_FORMAT_TABLE,     STINT_FORMAT_TREE,      STINT_FORMAT_NVPROF,
                                            STINT_FORMAT_GPU_TRACE, STINT_FORMAT_API_TRACE, STINT_FORMAT_GPU,
                                            STINT_FORMAT_SUMMARY};
    for (size_t i = 0; i < sizeof for_people / sizeof for_people[0]; i++) {
        struct capture out = capture_report(fixture_gpu_nasty(), for_people[i], NULL);
        for (const char *at = out.text; *at; at++)
            assert_true(*at == '\n' || (unsigned char)*at >= 0x20);
    }
}
