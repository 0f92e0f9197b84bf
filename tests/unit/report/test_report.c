#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "report/fixture.h"
#include "report/golden.h"
#include "stint/report.h"

static const enum stint_format formats[] = {STINT_FORMAT_TABLE, STINT_FORMAT_TREE, STINT_FORMAT_PADDLE,
                                            STINT_FORMAT_CSV, STINT_FORMAT_JSON};
enum { FORMATS = sizeof formats / sizeof formats[0] };

static int refuse(void *context, const char *bytes, size_t length)
{
    (void)bytes;
    (void)length;
    ++*(int *)context;
    return -1;
}

static void arguments_are_checked(void **state)
{
    (void)state;
    int calls = 0;
    const struct stint_snapshot *snapshot = fixture_training();
    assert_int_equal(stint_report_write(NULL, STINT_FORMAT_CSV, NULL, refuse, &calls), STINT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(stint_report_write(snapshot, STINT_FORMAT_CSV, NULL, NULL, NULL), STINT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(stint_report_write(snapshot, (enum stint_format)5, NULL, refuse, &calls),
                     STINT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(stint_report_write(snapshot, (enum stint_format) - 1, NULL, refuse, &calls),
                     STINT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(calls, 0);
}

static void failing_write_is_an_io_error_in_every_format(void **state)
{
    (void)state;
    for (size_t i = 0; i < FORMATS; i++) {
        int calls = 0;
        assert_int_equal(stint_report_write(fixture_training(), formats[i], NULL, refuse, &calls), STINT_ERROR_IO);
        assert_int_equal(calls, 1);
    }
}

static void no_layout_is_plain_and_unlimited(void **state)
{
    (void)state;
    const struct stint_layout plain = {.columns = 0, .color = 0};
    for (size_t i = 0; i < FORMATS; i++) {
        struct capture without = {0}, with = {0};
        assert_int_equal(stint_report_write(fixture_nasty(), formats[i], NULL, capture_write, &without), STINT_OK);
        assert_int_equal(stint_report_write(fixture_nasty(), formats[i], &plain, capture_write, &with), STINT_OK);
        assert_string_equal(without.text, with.text);
        capture_free(&without);
        capture_free(&with);
    }
}

static size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static void names_never_add_lines_or_escapes_for_people(void **state)
{
    (void)state;
    const enum stint_format for_people[] = {STINT_FORMAT_TABLE, STINT_FORMAT_TREE, STINT_FORMAT_PADDLE};
    const size_t around[] = {4, 4, 3}; /* title, header and two notes; two headers and the trailer */
    for (size_t i = 0; i < 3; i++) {
        struct capture out = {0};
        const struct stint_snapshot *snapshot = fixture_nasty();
        assert_int_equal(stint_report_write(snapshot, for_people[i], NULL, capture_write, &out), STINT_OK);
        assert_int_equal(count_lines(out.text), snapshot->stat_count + around[i]);
        for (const char *at = out.text; *at; at++)
            assert_true(*at == '\n' || (unsigned char)*at >= 0x20);
        assert_null(strstr(out.text, "\xc2\x9b"));
        assert_null(strstr(out.text, "\xe2\x80\xae"));
        capture_free(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(failing_write_is_an_io_error_in_every_format),
        cmocka_unit_test(no_layout_is_plain_and_unlimited),
        cmocka_unit_test(names_never_add_lines_or_escapes_for_people),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
