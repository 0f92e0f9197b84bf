#include "counters/counter_plan.h"

#include <string.h>

#include "counters/mock_range.h"
#include "stint_test.h"

static struct stint_counter_plan s_plan;

static int clean_up(void **state)
{
    stint_arena_free(&s_plan.arena);
    s_plan = (struct stint_counter_plan){0};
    return 0;
}

static struct stint_range_api s_api;

static int plan(const char *metrics, size_t run)
{
    s_api = mock_range("");
    return stint_counter_plan(&s_plan, &s_api, "GH100", metrics, run);
}

static void check_names(const struct stint_array *names, const char *expected)
{
    char text[1024] = "";
    for (size_t i = 0; i < names->count; i++) {
        strcat(text, i ? " " : "");
        strcat(text, ((const char **)names->items)[i]);
    }
    assert_string_equal(text, expected);
}

TEST_EACH(NULL, clean_up)

TEST(groups_have_metrics)
{
    const char *metrics, *name;
    size_t count = 0;
    while ((name = stint_counter_group_at(count, &metrics))) {
        assert_ptr_equal(stint_counter_group(name, strlen(name)), metrics);
        assert_int_equal(metrics[strlen(metrics) - 1], ' ');
        count++;
    }
    assert_int_equal(count, 5);
    assert_null(stint_counter_group("memory-", 7));
    assert_non_null(stint_counter_group("memory-", 6));
}

TEST(metrics_are_counted_once_in_the_order_of_their_names)
{
    assert_int_equal(plan("b__two.sum, a__one.max b__two.sum", STINT_PLAN_WHOLE), 0);
    check_names(&s_plan.names, "b__two.sum a__one.max");
    assert_int_equal(s_plan.absent.count, 0);
    assert_int_equal(s_plan.schedule.passes, 1);
}

TEST(a_name_without_a_suffix_gets_the_usual_one)
{
    assert_int_equal(plan("dram__bytes_read", STINT_PLAN_WHOLE), 0);
    check_names(&s_plan.names, "dram__bytes_read.sum");
}

TEST(what_the_chip_lacks_is_absent)
{
    assert_int_equal(plan("nothing__at_all,a__one.sum", STINT_PLAN_WHOLE), 0);
    check_names(&s_plan.names, "a__one.sum");
    check_names(&s_plan.absent, "nothing__at_all");
    clean_up(state);
    assert_int_equal(plan("nothing__at_all", STINT_PLAN_WHOLE), -1);
}

TEST(a_group_is_all_of_its_metrics)
{
    assert_int_equal(plan("occupancy", STINT_PLAN_WHOLE), 0);
    assert_int_equal(s_plan.names.count, 7);
    assert_int_equal(s_plan.schedule.passes, 2); /* five metrics in each */
    clean_up(state);
    assert_int_equal(plan("all", STINT_PLAN_WHOLE), 0);
    assert_true(s_plan.names.count > 40);
}

/* Each part is as large as one pass allows; what needs more, or a replay, is in none. */
TEST(runs_divide_the_metrics)
{
    static const char metrics[] = "a__1.sum a__2.sum a__3.sum a__4.sum a__5.sum a__6.sum wide__7.sum a__8.sum "
                                  "a__sass_9.sum";
    assert_int_equal(plan(metrics, 1), 0);
    check_names(&s_plan.names, "a__1.sum a__2.sum a__3.sum a__4.sum a__5.sum");
    check_names(&s_plan.unsplit, "a__sass_9.sum wide__7.sum");
    assert_int_equal(s_plan.runs, 3);
    assert_int_equal(s_plan.schedule.passes, 1);
    clean_up(state);
    assert_int_equal(plan(metrics, 3), 0);
    check_names(&s_plan.names, "a__8.sum");
    clean_up(state);
    assert_int_equal(plan(metrics, 4), -1); /* all were counted in earlier runs */
}

static int s_listed[STINT_METRIC_KINDS];

static void note_metric(enum stint_metric_kind kind, const char *name, const char *description)
{
    assert_non_null(strstr(name, "__"));
    assert_string_equal(description, "what the mock counts");
    s_listed[kind]++;
}

TEST(metrics_of_the_device_are_listed_by_kind)
{
    char why[256];
    assert_int_equal(stint_metric_list(mock_cupti(""), note_metric, why, sizeof why), 0);
    assert_int_equal(s_listed[STINT_METRIC_COUNTER], 2);
    assert_int_equal(s_listed[STINT_METRIC_RATIO], 1);
    assert_int_equal(s_listed[STINT_METRIC_THROUGHPUT], 1);
}
