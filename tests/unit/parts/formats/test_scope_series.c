/* That counters never fall. */
#include <string.h>

#include "formats/formats.h"
#include "report/fixture.h"
#include "report/golden.h"
#include "stint_test.h"

/* What was said about another process must not matter. */
static void forget(void)
{
    static const struct stint_process nobody = {.pid = -1};
    assert_non_null(stint_scope_series_begin(&nobody));
    stint_scope_series_end();
}

static const struct stint_process s_process = {.pid = 4711, .start_unix_ns = 1};

static struct stint_scope_series steady(const struct stint_stat *stat)
{
    struct stint_series_memory *memory = stint_scope_series_begin(&s_process);
    struct stint_scope_series series = stint_scope_series_steady(memory, stat);
    stint_scope_series_end();
    return series;
}

TEST(what_recording_cost_is_not_taken_off)
{
    static const struct stint_bin bins[] = {{900, 4}}, raw[] = {{1100, 4}};
    struct stint_stat stat = {.set = "s",
                              .name = "n",
                              .numbers = {.count = 5,
                                          .recursive = 1,
                                          .total_ns = 3600,
                                          .overhead_ns = 800,
                                          .self_ns = 100,
                                          .self_overhead_ns = 30,
                                          .bins = bins,
                                          .bin_count = 1,
                                          .raw_bins = raw,
                                          .raw_bin_count = 1}};
    struct stint_scope_series series = stint_scope_series_of(&stat);
    assert_int_equal(series.sum_ns, 4400);
    assert_int_equal(series.self_ns, 130);
    assert_int_equal(series.samples, 4);
    assert_int_equal(series.below[0], 0); /* 1 us */
    assert_int_equal(series.below[1], 4);
    assert_int_equal(series.below[STINT_SERIES_BOUNDS - 1], 4);
}

/* The clock's rate became more exact, and a bin now stands on the other side of a bound. */
TEST(counters_never_fall)
{
    static const struct stint_bin before[] = {{999, 3}, {100000000001, 1}}, later[] = {{1001, 3}, {100000000001, 1}};
    struct stint_stat stat = {
        .set = "s", .name = "n", .numbers = {.count = 4, .total_ns = 4000, .self_ns = 70, .cpu_ns = 9}};
    forget();
    stat.numbers.bins = before;
    stat.numbers.bin_count = 2;
    struct stint_scope_series first = steady(&stat);
    assert_int_equal(first.below[0], 3);
    assert_int_equal(first.samples, 4);
    stat.numbers.bins = later;
    stat.numbers.total_ns--;
    stat.numbers.self_ns--;
    stat.numbers.cpu_ns--;
    struct stint_scope_series second = steady(&stat);
    assert_memory_equal(&first, &second, sizeof first);
    stat.numbers.total_ns += 2;
    assert_int_equal(steady(&stat).sum_ns, 4001);
    assert_int_equal(stint_scope_series_of(&stat).below[0], 0);
}

TEST(counters_begin_anew_after_a_reset_and_in_another_process)
{
    struct stint_stat stat = {.set = "s", .name = "n", .numbers = {.count = 4, .total_ns = 4000}};
    static const struct stint_process child = {.pid = 4712, .start_unix_ns = 1};
    forget();
    (void)steady(&stat);
    stat.numbers.count = 3;
    stat.numbers.total_ns = 10;
    assert_int_equal(steady(&stat).sum_ns, 10);
    stat.numbers.count = 4;
    stat.numbers.total_ns = 9;
    assert_int_equal(stint_scope_series_steady(stint_scope_series_begin(&child), &stat).sum_ns, 9);
    stint_scope_series_end();
}

TEST(sets_and_names_are_told_apart)
{
    struct stint_stat stat = {.set = "a", .name = "bc", .numbers = {.count = 1, .total_ns = 5}};
    forget();
    (void)steady(&stat);
    stat.set = "ab";
    stat.name = "c";
    stat.numbers.total_ns = 4;
    assert_int_equal(steady(&stat).sum_ns, 4);
}

/* As in a handler of a signal that has interrupted a report. */
TEST(who_interrupts_is_refused)
{
    assert_non_null(stint_scope_series_begin(&s_process));
    assert_null(stint_scope_series_begin(&s_process));
    struct capture out = capture_report(fixture_training(), STINT_FORMAT_PROMETHEUS, NULL);
    assert_non_null(strstr(out.text, "stint_scope_duration_seconds_count"));
    stint_scope_series_end();
    assert_non_null(stint_scope_series_begin(&s_process));
    stint_scope_series_end();
}
