/* Prometheus' text format and OpenMetrics, and that counters never fall. tests/cli/metrics.sh has Prometheus' own
 * programs read them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "formats/scope_series.h"
#include "report/fixture.h"
#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "stint/report.h"

/* What was said about another process must not matter. */
static void forget(void)
{
    static const struct stint_process nobody = {.pid = -1};
    assert_non_null(stint_scope_series_begin(&nobody));
    stint_scope_series_end();
}

static void check_golden(const struct stint_snapshot *snapshot, enum stint_format format, const char *file)
{
    struct capture out = {0};
    forget();
    assert_int_equal(stint_report_write(snapshot, format, NULL, capture_write, &out), STINT_OK);
    assert_golden(&out, file);
    capture_free(&out);
}

static const struct stint_snapshot *with_barrier(void)
{
    static const struct stint_barrier_part slowest[] = {{.participant = 3, .rounds = 5},
                                                        {.participant = 0, .rounds = 2}};
    static const struct stint_barrier_stat barrier = {.set = "Trainers",
                                                      .name = "batch",
                                                      .participants = 4,
                                                      .rounds = 8,
                                                      .total = {.rounds = 7, .gap_ns = 1234567890},
                                                      .slowest = slowest,
                                                      .slowest_count = 2};
    static struct stint_snapshot snapshot;
    snapshot = *fixture_empty();
    snapshot.barriers = &barrier;
    snapshot.barrier_count = 1;
    return &snapshot;
}

static void files_are_as_recorded(void **state)
{
    (void)state;
    check_golden(fixture_running(), STINT_FORMAT_PROMETHEUS, "report_prometheus_running.txt");
    check_golden(with_barrier(), STINT_FORMAT_PROMETHEUS, "report_prometheus_barriers.txt");
    check_golden(fixture_nasty(), STINT_FORMAT_PROMETHEUS, "report_prometheus_nasty.txt");
    check_golden(fixture_gpu_processes(), STINT_FORMAT_OPENMETRICS, "report_openmetrics_processes.txt");
}

/* ---------------------------------------------------------------------------------------------------------- numbers */

static const struct stint_process s_process = {.pid = 4711, .start_unix_ns = 1};

static struct stint_scope_series steady(const struct stint_stat *stat)
{
    struct stint_series_memory *memory = stint_scope_series_begin(&s_process);
    struct stint_scope_series series = stint_scope_series_steady(memory, stat);
    stint_scope_series_end();
    return series;
}

static void what_recording_cost_is_not_taken_off(void **state)
{
    (void)state;
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
static void counters_never_fall(void **state)
{
    (void)state;
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

static void counters_begin_anew_after_a_reset_and_in_another_process(void **state)
{
    (void)state;
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

static void sets_and_names_are_told_apart(void **state)
{
    (void)state;
    struct stint_stat stat = {.set = "a", .name = "bc", .numbers = {.count = 1, .total_ns = 5}};
    forget();
    (void)steady(&stat);
    stat.set = "ab";
    stat.name = "c";
    stat.numbers.total_ns = 4;
    assert_int_equal(steady(&stat).sum_ns, 4);
}

/* As in a handler of a signal that has interrupted a report. */
static void who_interrupts_is_refused(void **state)
{
    (void)state;
    assert_non_null(stint_scope_series_begin(&s_process));
    assert_null(stint_scope_series_begin(&s_process));
    struct capture out = {0};
    assert_int_equal(stint_report_write(fixture_training(), STINT_FORMAT_PROMETHEUS, NULL, capture_write, &out),
                     STINT_OK);
    assert_non_null(strstr(out.text, "stint_scope_duration_seconds_count"));
    capture_free(&out);
    stint_scope_series_end();
    assert_non_null(stint_scope_series_begin(&s_process));
    stint_scope_series_end();
}

/* Each metric once, with the samples of all processes below it. */
static void processes_are_told_apart(void **state)
{
    (void)state;
    struct stint_snapshot one = *fixture_running(), two = one;
    struct stint_series_memory memories[2] = {{.process = 0}, {.process = 0}};
    struct stint_exposed all[] = {{&one, &memories[0]}, {&two, &memories[1]}};
    struct capture out = {0};
    struct stint_text text;
    one.process.pid = 1;
    two.process.pid = 2;
    (void)strcpy(two.process.rank, "3");
    one.process.host = two.process.host = "node";
    stint_text_begin(&text, capture_write, &out);
    stint_expose_processes(&text, all, 2);
    assert_int_equal(stint_text_end(&text), STINT_OK);
    assert_non_null(strstr(out.text, "pid=\"1\",host=\"node\",version="));
    assert_non_null(strstr(out.text, "stint_threads{rank=\"3\",program=\""));
    const char *type = strstr(out.text, "# TYPE stint_threads gauge\n");
    assert_non_null(type);
    assert_null(strstr(type + 1, "# TYPE stint_threads gauge\n"));
    assert_non_null(strstr(out.text,
                           "duration_seconds_count{program=\"train\",pid=\"1\",host=\"node\",set=\"GlobalStatInfo\","
                           "scope=\"poll\"} 1\n"));
    assert_non_null(strstr(out.text, "duration_seconds_count{rank=\"3\",program=\"train\",pid=\"2\",host=\"node\","));
    assert_string_equal(out.text + strlen(out.text) - 6, "# EOF\n");
    capture_free(&out);
    for (size_t i = 0; i < 2; i++)
        stint_series_memory_free(&memories[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_as_recorded),
        cmocka_unit_test(what_recording_cost_is_not_taken_off),
        cmocka_unit_test(counters_never_fall),
        cmocka_unit_test(counters_begin_anew_after_a_reset_and_in_another_process),
        cmocka_unit_test(sets_and_names_are_told_apart),
        cmocka_unit_test(who_interrupts_is_refused),
        cmocka_unit_test(processes_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
