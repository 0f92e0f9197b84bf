/* Runs a program again for each group of counters, and joins what the runs counted by kernel. It is only right if all
 * runs launch the same, so that is checked. */
#include "cli/program_runs.h"

#include <string.h>
#include <sys/wait.h>

#include "cli/command.h"
#include "cli/stored_counters.h"
#include "stint/nvtx_stats.h"

struct join {
    struct stint_results *first;
    size_t run;
    size_t runs;
    int failed; /* the run that was to be joined */
};

/* --------------------------------------------------------------------------------------------------------- launches */

/* Returns how many launches of that kernel, or in that scope, were counted. */
static uint64_t launches_of(const struct stint_snapshot *snapshot, const struct stint_nvtx_value *like)
{
    uint64_t launches = 0;
    for (size_t i = 0; i < snapshot->nvtx_value_count; i++) {
        const struct stint_nvtx_value *value = &snapshot->nvtx_values[i];
        if (stint_is_counter(value) && strcmp(value->name, like->name) == 0 && strcmp(value->set, like->set) == 0)
            launches = value->count > launches ? value->count : launches;
    }
    return launches;
}

/* Values of one name are adjacent. */
static int is_first_of_name(const struct stint_snapshot *snapshot, size_t i)
{
    const struct stint_nvtx_value *value = &snapshot->nvtx_values[i];
    return !i || !stint_is_counter(&value[-1]) || strcmp(value[-1].name, value->name) != 0 ||
           strcmp(value[-1].set, value->set) != 0;
}

/* Says which kernel or scope of `in` has other launches in `other`. Returns whether there is one. */
static int say_difference(const struct join *join, const struct stint_snapshot *first,
                          const struct stint_snapshot *second, const struct stint_snapshot *in)
{
    for (size_t i = 0; i < in->nvtx_value_count; i++) {
        const struct stint_nvtx_value *value = &in->nvtx_values[i];
        if (!stint_is_counter(value) || !is_first_of_name(in, i))
            continue;
        uint64_t before = launches_of(first, value), now = launches_of(second, value);
        if (before == now)
            continue;
        stint_cli_say("run %zu of %zu was another than the first, so its counters are of other launches: %s %.200s: "
                      "%llu counted, in the first run %llu",
                      join->run, join->runs, strcmp(value->set, STINT_COUNTER_SET) == 0 ? "kernel" : "scope",
                      value->name, (unsigned long long)now, (unsigned long long)before);
        return 1;
    }
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------- join */

/* Returns the position of the next process that counted something, or the number of processes. */
static size_t next_counted(const struct stint_results *results, size_t i)
{
    for (; i < results->all.count; i++) {
        const struct stint_snapshot *snapshot = stint_results_at(results, i);
        for (size_t j = 0; j < snapshot->nvtx_value_count; j++)
            if (stint_is_counter(&snapshot->nvtx_values[j]))
                return i;
    }
    return i;
}

static void join_processes(struct join *join, const struct stint_results *results)
{
    struct stint_result *all = join->first->all.items;
    size_t to = next_counted(join->first, 0), from = next_counted(results, 0);
    int differs = 0;
    while (to < join->first->all.count && from < results->all.count) {
        const struct stint_snapshot *first = all[to].snapshot, *second = stint_results_at(results, from);
        differs = differs || say_difference(join, first, second, first) || say_difference(join, first, second, second);
        if (stint_counters_add(&all[to].snapshot, second))
            stint_cli_say("not enough memory for the counters of run %zu", join->run);
        to = next_counted(join->first, to + 1);
        from = next_counted(results, from + 1);
    }
    if (to < join->first->all.count || from < results->all.count)
        stint_cli_say("run %zu of %zu was another than the first: %s processes counted something", join->run,
                      join->runs, to < join->first->all.count ? "fewer" : "more");
}

static void take(void *context, struct stint_results *results, const struct stint_launch *launch)
{
    struct join *join = context;
    join->failed = WIFSIGNALED(launch->status);
    if (join->failed)
        stint_cli_say("run %zu of %zu died of signal %d, so the counters of the last runs are missing", join->run,
                      join->runs, WTERMSIG(launch->status));
    join_processes(join, results);
}

/* ------------------------------------------------------------------------------------------------------------- runs */

static size_t count_runs(const struct stint_results *results)
{
    size_t runs = 0;
    for (size_t i = 0; i < results->all.count; i++) {
        const struct stint_snapshot *snapshot = stint_results_at(results, i);
        for (size_t j = 0; j < snapshot->nvtx_value_count; j++)
            if (strcmp(snapshot->nvtx_values[j].field, STINT_COUNTER_RUNS) == 0 &&
                snapshot->nvtx_values[j].max > (double)runs)
                runs = (size_t)snapshot->nvtx_values[j].max;
    }
    return runs;
}

/* What the first run is, and who wants its results. */
struct first {
    const struct stint_recording *recording;
    char **arguments;
    stint_report_results *report;
    void *context;
};

static void run_again(const struct first *first, struct join *join)
{
    struct stint_recording again = *first->recording;
    again.folder = (struct stint_folder){0};
    again.counter_run = join->run;
    again.stores = NULL;
    again.started = NULL;
    again.system = 0;
    again.live = 0;
    if (!again.quiet)
        stint_cli_say("counters of one pass at a time: run %zu of %zu of %s", join->run, join->runs,
                      first->arguments[0]);
    again.quiet = 1;
    (void)stint_record(&again, first->arguments, take, join);
}

static void take_first(void *context, struct stint_results *results, const struct stint_launch *launch)
{
    const struct first *first = context;
    struct join join = {.first = results, .run = 2, .runs = WIFSIGNALED(launch->status) ? 1 : count_runs(results)};
    for (; join.run <= join.runs && !join.failed; join.run++)
        run_again(first, &join);
    if (first->recording->stores && join.runs > 1)
        stint_stored_counters_add(first->recording->stores, results);
    first->report(first->context, results, launch);
}

int stint_record_runs(struct stint_recording *recording, char **arguments, stint_report_results *report, void *context)
{
    struct first first = {recording, arguments, report, context};
    return recording->counter_run ? stint_record(recording, arguments, take_first, &first)
                                  : stint_record(recording, arguments, report, context);
}
