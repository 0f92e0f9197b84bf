#include <string.h>

#include "diff/fixture.h"
#include "diff/written.h"
#include "report/golden.h"
#include "stint_test.h"

TEST(table_fits_narrow_and_wide_screens)
{
    struct capture out = write_diff(written_training(), written_rules, write_table_80, NULL);
    assert_true(capture_width(&out) <= 80);
    assert_golden(out, "diff_table_80.txt");
    assert_written_diff(written_training(), written_rules, write_table_200, "diff_table_200.txt");
}

TEST(names_cannot_break_the_table)
{
    assert_written_diff(written_nasty(), NULL, write_table_80, "diff_table_nasty.txt");
}

TEST(sums_beyond_64_bits_are_more_than_shown_and_their_change_unknown)
{
    struct fixture pair[2] = {fixture_names, fixture_names};
    pair[0].scopes[1].ns = pair[1].scopes[1].ns = UINT64_MAX;
    struct capture out = write_diff(pair, NULL, write_table_80, NULL);
    const char *sums = ">18446744073.7 s  >18446744073.7 s", *found = strstr(out.text, sums);
    assert_non_null(found);
    found += strlen(sums);
    assert_int_equal(found[strspn(found, " ")], '?');
}
