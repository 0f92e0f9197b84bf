/* Counters that are asked for, and whether they were read. */
#include "cli/recording.h"

#include <stdio.h>
#include <string.h>

#include "captured_output.h"
#include "stat/builder.h"
#include "stint_test.h"

static int read_counters(int count, char **arguments)
{
    return stint_counted_read(arguments[1]) ? 1 : 0;
}

static int read_launches(int count, char **arguments)
{
    return stint_counted_read_launches(arguments[1]) ? 1 : 0;
}

TEST(words_are_groups_or_metrics)
{
    static const struct captured_case counters[] = {
        {"x all", 0, "", ""},
        {"x memory,sm__cycles_active.sum", 0, "", ""},
        {"x cycles", 1, "", "stint: --counters cycles: expected all, names of metrics, or groups:\nstint:     "},
        {"x ,", 1, "", "stint: --counters: expected all, groups or names of metrics\n"},
    };
    static const struct captured_case launches[] = {
        {"x 3", 0, "", ""},
        {"x 2-5", 0, "", ""},
        {"x all", 0, "", ""},
        {"x 5-2", 1, "", "stint: --launches 5-2: expected a number, such as 3, a range, such as 2-5, or all\n"},
    };
    CAPTURED_CHECK(read_counters, counters);
    CAPTURED_CHECK(read_launches, launches);
}

/* Checks a process with this counter of a kernel; NULL: with none. */
static int check(const char *kernel, const char *field)
{
    struct stint_results results = {0};
    struct stint_builder builder;
    const struct stint_nvtx_value value = {
        .set = STINT_COUNTER_SET, .name = kernel, .field = field, .count = 1, .sum = 5, .min = 5, .max = 5};
    stint_builder_begin(&builder);
    if (kernel)
        stint_builder_add(&builder, STINT_ROWS_NVTX_VALUES, &value);
    struct stint_process process = {.pid = 1, .command = "", .host = "", .clock = ""};
    assert_non_null(
        stint_results_add(&results, stint_builder_end(&builder, &process, &(const struct stint_dropped){0}), NULL));
    captured_output_begin();
    int failed = stint_counted_check(&results);
    captured_output_end();
    stint_results_free(&results);
    return failed;
}

TEST(a_run_that_counted_nothing_says_why)
{
    assert_int_equal(check("gemm", "sm__cycles_active.sum"), 0);
    assert_string_equal(captured_output.err, "");
    assert_int_equal(check(NULL, NULL), -1);
    assert_non_null(strstr(captured_output.err, "stint: no counters were read: no kernel was launched"));
}

/* ----------------------------------------------------------------------------------------------------- several runs */

enum { MOST_PROCESSES = 2, MOST_RUNS = 4 };

/* What a process counted in a run: launches of a kernel, with a value that only this run has; and needed runs. */
struct counted {
    const char *kernel; /* NULL: there is no such process */
    uint64_t launches;
    const char *field;
    double value;
    double runs;
};

static struct counted s_runs[MOST_RUNS][MOST_PROCESSES];
static int s_status[MOST_RUNS];
static size_t s_run; /* how many were made */

static void add_process(struct stint_results *results, int64_t pid, const struct counted *counted)
{
    struct stint_builder builder;
    struct stint_nvtx_value value = {.set = STINT_COUNTER_SET,
                                     .name = counted->kernel,
                                     .field = counted->field,
                                     .count = counted->launches,
                                     .sum = counted->value,
                                     .min = counted->value,
                                     .max = counted->value};
    struct stint_nvtx_value runs = value;
    runs.field = STINT_COUNTER_RUNS;
    runs.sum = runs.min = runs.max = counted->runs;
    stint_builder_begin(&builder);
    if (counted->launches)
        stint_builder_add(&builder, STINT_ROWS_NVTX_VALUES, &value);
    if (counted->runs > 0)
        stint_builder_add(&builder, STINT_ROWS_NVTX_VALUES, &runs);
    struct stint_process process = {.pid = pid, .command = "", .host = "", .clock = ""};
    assert_non_null(
        stint_results_add(results, stint_builder_end(&builder, &process, &(const struct stint_dropped){0}), NULL));
}

int __wrap_stint_record(struct stint_recording *recording, char **arguments, stint_report_results *report,
                        void *context);

int __wrap_stint_record(struct stint_recording *recording, char **arguments, stint_report_results *report,
                        void *context)
{
    struct stint_results results = {0};
    size_t run = s_run++;
    const struct stint_launch launch = {.status = s_status[run]};
    for (size_t i = 0; i < MOST_PROCESSES && s_runs[run][i].kernel; i++)
        add_process(&results, (int64_t)i + 1, &s_runs[run][i]);
    report(context, &results, &launch);
    stint_results_free(&results);
    return 0;
}

static char s_reported[512]; /* each counter of each process */

static void keep(void *context, struct stint_results *results, const struct stint_launch *launch)
{
    for (size_t i = 0; i < results->all.count; i++) {
        const struct stint_snapshot *snapshot = stint_results_at(results, i);
        for (size_t j = 0; j < snapshot->nvtx_value_count; j++)
            if (strcmp(snapshot->nvtx_values[j].field, STINT_COUNTER_RUNS) != 0) {
                size_t used = strlen(s_reported);
                (void)snprintf(s_reported + used, sizeof s_reported - used, "%s %s=%g; ", snapshot->nvtx_values[j].name,
                               snapshot->nvtx_values[j].field, snapshot->nvtx_values[j].sum);
            }
    }
}

/* Runs a program with these runs. What is said is kept. */
static void record_runs(const struct counted (*runs)[MOST_PROCESSES], int quiet)
{
    char *arguments[] = {"train", NULL};
    struct stint_recording recording = {.counter_run = 1, .quiet = quiet};
    memcpy(s_runs, runs, sizeof s_runs);
    s_run = 0;
    s_reported[0] = '\0';
    captured_output_begin();
    assert_int_equal(stint_record_runs(&recording, arguments, keep, NULL), 0);
    captured_output_end();
}

TEST(counters_of_all_runs_are_put_together)
{
    static const struct counted runs[MOST_RUNS][MOST_PROCESSES] = {{{"gemm", 3, "a", 1, 3}, {.kernel = "none"}},
                                                                   {{.kernel = "none"}, {"gemm", 3, "b", 2, 0}},
                                                                   {{"gemm", 3, "c", 4, 0}}};
    record_runs(runs, 0);
    assert_int_equal(s_run, 3);
    assert_string_equal(s_reported, "gemm a=1; gemm b=2; gemm c=4; ");
    assert_string_equal(captured_output.err, "stint: counters of one pass per run: run 2 of 3 of train\n"
                                             "stint: counters of one pass per run: run 3 of 3 of train\n");
    record_runs(runs, 1);
    assert_string_equal(s_reported, "gemm a=1; gemm b=2; gemm c=4; ");
    assert_string_equal(captured_output.err, "");
}

TEST(what_one_run_launched_and_another_did_not_is_told)
{
    static const struct counted launches[MOST_RUNS][MOST_PROCESSES] = {{{"gemm", 3, "a", 1, 2}},
                                                                       {{"gemm", 2, "b", 2, 0}}};
    record_runs(launches, 1);
    assert_string_equal(captured_output.err,
                        "stint: run 2 of 2 differs from the first, so its counters belong to other "
                        "launches: kernel gemm: 2 counted, 3 in the first run\n");
    static const struct counted kernels[MOST_RUNS][MOST_PROCESSES] = {{{"gemm", 3, "a", 1, 2}},
                                                                      {{"sum", 1, "b", 2, 0}}};
    record_runs(kernels, 1);
    assert_non_null(strstr(captured_output.err, "kernel gemm: 0 counted, 3 in the first run\n"));
    static const struct counted fewer[MOST_RUNS][MOST_PROCESSES] = {{{"gemm", 3, "a", 1, 2}, {"gemm", 1, "a", 1, 2}},
                                                                    {{"gemm", 3, "b", 2, 0}}};
    record_runs(fewer, 1);
    assert_string_equal(captured_output.err, "stint: run 2 of 2 differs from the first: fewer processes counted "
                                             "something\n");
    static const struct counted more[MOST_RUNS][MOST_PROCESSES] = {{{"gemm", 3, "a", 1, 2}},
                                                                   {{"gemm", 3, "b", 2, 0}, {"gemm", 1, "b", 2, 0}}};
    record_runs(more, 1);
    assert_string_equal(captured_output.err, "stint: run 2 of 2 differs from the first: more processes counted "
                                             "something\n");
}

TEST(a_run_that_is_killed_is_the_last)
{
    static const struct counted runs[MOST_RUNS][MOST_PROCESSES] = {
        {{"gemm", 3, "a", 1, 3}}, {{"gemm", 3, "b", 2, 0}}, {{"gemm", 3, "c", 4, 0}}};
    s_status[1] = 9;
    record_runs(runs, 1);
    assert_int_equal(s_run, 2);
    assert_string_equal(s_reported, "gemm a=1; gemm b=2; ");
    assert_string_equal(captured_output.err,
                        "stint: run 2 of 3 was killed by signal 9, so the counters of the last runs "
                        "are missing\n");
    s_status[0] = 9;
    record_runs(runs, 1);
    assert_int_equal(s_run, 1);
    assert_string_equal(s_reported, "gemm a=1; ");
    s_status[0] = s_status[1] = 0;
}
