/* Prometheus' text format and OpenMetrics. tests/cli/metrics.sh has Prometheus' own programs read them. */
#include <string.h>

#include "formats/formats.h"
#include "report/fixture.h"
#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "stint_test.h"

/* What was said about another process must not matter. */
static void forget(void)
{
    static const struct stint_process nobody = {.pid = -1};
    assert_non_null(stint_scope_series_begin(&nobody));
    stint_scope_series_end();
}

static void check_golden(const struct stint_snapshot *snapshot, enum stint_format format, const char *file)
{
    forget();
    assert_report(snapshot, format, 0, file);
}

/* The same without the buckets that count as much as the one before, but for the last. Each histogram has to have all
 * buckets, whose bounds are in report_prometheus_running.txt. */
static void check_shortened(const struct stint_snapshot *snapshot, enum stint_format format, const char *file)
{
    enum { BUCKETS = 26 };
    struct capture all, out = {0};
    const char *count = " 0";
    int buckets = 0;
    forget();
    all = capture_report(snapshot, format, NULL);
    for (char *line = strtok(all.text, "\n"); line; line = strtok(NULL, "\n")) {
        const char *bound = strstr(line, ",le=\""), *before = count;
        int is_last = bound && strstr(bound, "\"+Inf\"");
        count = bound && !is_last ? strrchr(line, ' ') : " 0";
        buckets += bound != NULL;
        if (is_last)
            assert_int_equal(buckets % BUCKETS, 0);
        if (bound && !is_last && strcmp(count, before) == 0)
            continue;
        assert_int_equal(capture_write(&out, line, strlen(line)), 0);
        assert_int_equal(capture_write(&out, "\n", 1), 0);
    }
    assert_golden(out, file);
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

TEST(files_are_as_recorded)
{
    check_golden(fixture_running(), STINT_FORMAT_PROMETHEUS, "report_prometheus_running.txt");
    check_golden(fixture_budget(), STINT_FORMAT_PROMETHEUS, "report_prometheus_budget.txt");
    check_golden(with_barrier(), STINT_FORMAT_PROMETHEUS, "report_prometheus_barriers.txt");
    check_shortened(fixture_nasty(), STINT_FORMAT_PROMETHEUS, "report_prometheus_nasty.txt");
    check_shortened(fixture_gpu_processes(), STINT_FORMAT_OPENMETRICS, "report_openmetrics_processes.txt");
}

/* Each metric once, with the samples of all processes below it. */
TEST(processes_are_told_apart)
{
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
    for (size_t i = 0; i < 2; i++)
        stint_series_memory_free(&memories[i]);
}
