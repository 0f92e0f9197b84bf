#include <string.h>

#include "diff/diff.h"
#include "diff/fixture.h"
#include "diff/written.h"
#include "report/golden.h"
#include "stint_test.h"

static void table_fits_narrow_and_wide_screens(void **state)
{
    struct capture out = write_diff(written_training(), written_rules, write_table_80, NULL);
    assert_true(capture_width(&out) <= 80);
    assert_golden(&out, "diff_table_80.txt");
    capture_free(&out);
    assert_written_diff(written_training(), written_rules, write_table_200, "diff_table_200.txt");
}

static void names_cannot_break_the_table(void **state)
{
    assert_written_diff(written_nasty(), NULL, write_table_80, "diff_table_nasty.txt");
}

static void sums_beyond_64_bits_are_shown_as_the_largest_number(void **state)
{
    struct fixture pair[2] = {fixture_names, fixture_names};
    pair[0].scopes[1].ns = pair[1].scopes[1].ns = UINT64_MAX;
    struct capture out = write_diff(pair, NULL, write_table_80, NULL);
    assert_non_null(strstr(out.text, "18446744073.7 s  18446744073.7 s         =             Set|with <ba"));
    capture_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_fits_narrow_and_wide_screens),
        cmocka_unit_test(names_cannot_break_the_table),
        cmocka_unit_test(sums_beyond_64_bits_are_shown_as_the_largest_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
