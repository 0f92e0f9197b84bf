#include <string.h>

#include "report/fixture.h"
#include "report/golden.h"
#include "stint_test.h"

/* The training program, as if CPU time had been measured: its live threads, and 3 that have exited. */
static const struct stint_snapshot *with_cpu_time(struct stint_thread *threads, size_t most)
{
    static struct stint_snapshot snapshot;
    snapshot = *fixture_training();
    assert_true(snapshot.thread_count <= most);
    for (size_t i = 0; i < snapshot.thread_count; i++) {
        threads[i] = snapshot.threads[i];
        threads[i].cpu_ns = 1000000 * (i + 1);
        threads[i].waits = 20 + i;
        threads[i].preempted = i;
        threads[i].exits = threads[i].exited ? 3 : 0;
        strcpy(threads[i].state, threads[i].exited ? "" : i ? "sleeping" : "running");
    }
    snapshot.threads = threads;
    return &snapshot;
}

TEST(each_thread_has_a_row)
{
    struct stint_thread threads[16];
    assert_report(fixture_training(), STINT_FORMAT_THREADS, 80, "report_threads_80.txt");
    assert_report(with_cpu_time(threads, 16), STINT_FORMAT_THREADS, 0, "report_threads_cpu.txt");
    assert_report(with_cpu_time(threads, 16), STINT_FORMAT_THREADS, 60, "report_threads_cpu_60.txt");
    assert_report(with_cpu_time(threads, 16), STINT_FORMAT_THREADS_CSV, 0, "report_threads_cpu.csv");
    assert_report(fixture_empty(), STINT_FORMAT_THREADS, 80, "report_threads_empty.txt");
    assert_report(with_cpu_time(threads, 16), STINT_FORMAT_SUMMARY, 80, "report_summary_cpu_80.txt");
}

TEST(threads_beyond_the_top_are_in_one_line)
{
    const struct stint_layout layout = {.top = 1};
    struct stint_thread threads[16];
    assert_non_null(strstr(capture_report(with_cpu_time(threads, 16), STINT_FORMAT_THREADS, &layout).text, "more"));
}
