/* What stint top shows of two looks at processes. */
#include "cli/live.h"

#include <string.h>

#include "stint_test.h"

static char s_shown[8192];

static int keep(void *context, const char *text, size_t length)
{
    (void)strncat(s_shown, text, length);
    return 0;
}

static void show(struct stint_top *top, const struct stint_top_view *view)
{
    struct stint_text text;
    s_shown[0] = '\0';
    stint_text_begin(&text, keep, NULL);
    stint_top_put(&text, top, view);
    assert_int_equal(stint_text_end(&text), STINT_OK);
}

/* Adds what a second of a scope was, and of a range. */
static void add_rows(struct stint_live_rows *rows)
{
    static const char *const sets[] = {"GlobalStatInfo"};
    static const struct stint_stat stats[] = {
        {.set = "GlobalStatInfo", .name = "step", .numbers = {.total_ns = 500000000, .self_ns = 1000, .count = 10}},
        {.set = "NVTX", .name = "load", .numbers = {.total_ns = 250000000, .self_ns = 250000000, .count = 5}},
    };
    static const struct stint_snapshot snapshot = {.sets = sets, .set_count = 1, .stats = stats, .stat_count = 2};
    stint_live_rows_add(rows, &snapshot, NULL);
}

TEST(rows_are_in_order_with_their_share_of_the_time)
{
    struct stint_top top = {.wall_ns = 1000000000};
    struct stint_top_view view = {.order = STINT_LIVE_BY_TOTAL, .layout = {.columns = 100}};
    add_rows(&top.rows);
    show(&top, &view);
    assert_non_null(strstr(s_shown, ", the last 1.000 s, by total\n"));
    const char *step = strstr(s_shown, "step"), *load = strstr(s_shown, "NVTX/load");
    assert_true(step && load && step < load);
    assert_non_null(strstr(s_shown, " 50.00 "));
    view.order = STINT_LIVE_BY_SELF;
    top.is_first = 1;
    stint_live_rows_free(&top.rows);
    add_rows(&top.rows);
    show(&top, &view);
    step = strstr(s_shown, "step");
    load = strstr(s_shown, "NVTX/load");
    assert_true(step && load && load < step);
    assert_non_null(strstr(s_shown, ", since they began: 1.000 s, by self\n"));
    stint_top_free(&top);
}

TEST(a_part_of_the_rows_is_shown)
{
    struct stint_top top = {.wall_ns = 1000000000};
    struct stint_top_view view = {.first = 1, .rows = 1, .layout = {.columns = 100}};
    add_rows(&top.rows);
    show(&top, &view);
    assert_null(strstr(s_shown, "step"));
    assert_non_null(strstr(s_shown, "load"));
    stint_top_free(&top);
}

TEST(help_and_nothing_are_shown_in_words)
{
    struct stint_top top = {.wall_ns = 0};
    struct stint_top_view view = {.is_paused = 1};
    show(&top, &view);
    assert_non_null(strstr(s_shown, ", paused\nnothing was recorded in this time\n"));
    view.shows_help = 1;
    show(&top, &view);
    assert_non_null(strstr(s_shown, "  z       pause\n"));
}

TEST(processes_that_do_not_answer_are_watched_no_longer)
{
    struct stint_top top = {.wants_all = 0};
    stint_top_watch(&top, 4711, "/no-such-folder");
    stint_top_watch(&top, 4711, "/no-such-folder");
    stint_top_watch(&top, 4712, "/no-such-folder");
    assert_int_equal(top.processes.count, 2);
    assert_int_equal(stint_top_look(&top), 0);
    assert_int_equal(top.processes.count, 0);
    stint_top_free(&top);
}
