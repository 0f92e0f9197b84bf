#include "record/part.h"

#include <stdlib.h>

#include "stint_test.h"

static int s_started, s_reports;

static void start(void)
{
    ++s_started;
}

static void report(const struct stint_snapshot *snapshot, int is_news, int emergency, int is_exec)
{
    assert_null(snapshot);
    assert_true(is_news);
    assert_false(emergency);
    assert_false(is_exec);
    ++s_reports;
}

STINT_PART(one) = {.name = "one", .at[STINT_AT_START] = start};
STINT_PART(other) = {.name = "other", .at[STINT_AT_START] = start, .report = report};

TEST(all_that_have_a_member_are_called)
{
    stint_parts_at(STINT_AT_START);
    assert_int_equal(s_started, 2);
    stint_parts_report(NULL, 1, 0, 0);
    assert_int_equal(s_reports, 1);
    stint_parts_finish(0); /* none has it */
}

TEST(parts_are_found_by_name)
{
    assert_ptr_equal(stint_part_find("other"), &stint_part_other);
    assert_null(stint_part_find("another"));
}
