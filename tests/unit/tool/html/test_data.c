#include "html/data.h"
#include "html/page_fixture.h"
#include "report/fixture.h"
#include "report/nvtx_fixture.h"
#include "stint_test.h"

/* root 100 > (a 60 > b 50, c 5), other 1 */
static const struct stint_context s_rows[] = {
    {.parent = STINT_NO_PARENT, .numbers = {.total_ns = 100}},
    {.parent = 0, .numbers = {.total_ns = 60}},
    {.parent = 1, .numbers = {.total_ns = 50}},
    {.parent = 0, .numbers = {.total_ns = 5}},
    {.parent = STINT_NO_PARENT, .numbers = {.total_ns = 1}},
};

static const struct stint_snapshot s_snapshot = {.contexts = s_rows, .context_count = 5};
static struct stint_arena s_arena;
static struct stint_html_contexts s_contexts;

static int teardown(void **state)
{
    stint_arena_free(&s_arena);
    return 0;
}

static void choose(size_t most)
{
    assert_int_equal(stint_html_contexts_choose(&s_contexts, &s_snapshot, most, &s_arena), 0);
}

TEST_TEARDOWN(all_are_shown_while_there_is_room, teardown)
{
    choose(5);
    assert_int_equal(s_contexts.count, 5);
}

TEST_TEARDOWN(most_expensive_ones_are_shown, teardown)
{
    choose(3);
    assert_int_equal(s_contexts.count, 3);
    assert_int_equal(s_contexts.shown[2], 2);
}

TEST_TEARDOWN(hidden_context_is_that_around_it, teardown)
{
    choose(3);
    assert_int_equal(stint_html_context(&s_contexts, &s_snapshot, 3), 0);
    assert_int_equal(stint_html_context(&s_contexts, &s_snapshot, 2), 2);
}

TEST_TEARDOWN(hidden_root_is_no_scope, teardown)
{
    choose(3);
    assert_int_equal(stint_html_context(&s_contexts, &s_snapshot, 4), -1);
}

TEST_TEARDOWN(what_is_no_context_keeps_its_meaning, teardown)
{
    choose(5);
    assert_int_equal(stint_html_context(&s_contexts, &s_snapshot, STINT_GPU_NO_SCOPE), -1);
    assert_int_equal(stint_html_context(&s_contexts, &s_snapshot, STINT_GPU_UNATTRIBUTED), -2);
}

TEST(data_of_a_cpu_program)
{
    assert_page_data(fixture_training(), "html_training.json");
}

TEST(data_of_nothing)
{
    assert_page_data(fixture_empty(), "html_empty.json");
}

TEST(data_of_a_run_that_dropped_something)
{
    assert_page_data(fixture_running(), "html_running.json");
}

TEST(data_with_estimates)
{
    assert_page_data(fixture_budget(), "html_budget.json");
}

TEST(data_of_nasty_names)
{
    assert_page_data(fixture_nasty(), "html_nasty.json");
}

TEST(data_of_values)
{
    struct stint_snapshot *snapshot = fixture_nvtx_values();
    assert_page_data(snapshot, "html_values.json");
    stint_snapshot_free(snapshot);
}
