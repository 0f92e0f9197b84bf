#include "diff/diff.h"
#include "diff/written.h"
#include "stint_test.h"

TEST(markdown_is_a_table_whatever_the_names)
{
    assert_written_diff(written_training(), written_rules, stint_diff_write_markdown, "diff_training.md");
    assert_written_diff(written_nasty(), "scope:*:avg < +1%", stint_diff_write_markdown, "diff_nasty.md");
}
