#include "diff/diff.h"
#include "diff/fixture.h"
#include "diff/written.h"
#include "report/golden.h"
#include "stint_test.h"

static void markdown_is_a_table_whatever_the_names(void **state)
{
    assert_written_diff(written_training(), written_rules, stint_diff_write_markdown, "diff_training.md");
    assert_written_diff(written_nasty(), "scope:*:avg < +1%", stint_diff_write_markdown, "diff_nasty.md");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(markdown_is_a_table_whatever_the_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
