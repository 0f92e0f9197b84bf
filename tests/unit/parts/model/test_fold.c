#include <string.h>

#include "report/fixture.h"
#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "stint_test.h"

static void check_top(const struct stint_snapshot *snapshot, unsigned columns, unsigned top, const char *file)
{
    struct capture out = {0};
    struct stint_layout layout = {.columns = columns, .top = top};
    assert_int_equal(stint_report_write(snapshot, STINT_FORMAT_TREE, &layout, capture_write, &out), STINT_OK);
    assert_golden(out, file);
}

TEST_ONCE(NULL, fixture_gpu_teardown)

TEST(compilation_is_one_row_below_each_scope_unless_all_rows_are_shown)
{
    check_top(fixture_xla(), 120, 30, "report_tree_xla_120.txt");
    check_top(fixture_xla(), 80, 3, "report_tree_xla_top.txt");
    check_top(fixture_xla(), 120, 0, "report_tree_xla_all.txt");
}
