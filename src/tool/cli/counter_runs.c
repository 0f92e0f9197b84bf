/* Hardware counters of a run: checks them before, as far as words can be checked; runs a program again for each group
 * of them, and joins what the runs counted by kernel, which is only right if all runs launch the same, so that is
 * checked; and a run that counted nothing has to say why. */
#include "cli/recording.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cli/command.h"
#include "counters/counter_plan.h"
#include "counters/kernel_choice.h"
#include "ctf/ctf.h"
#include "ctf_writer/ctf_packet.h"
#include "stint/nvtx_stats.h"
#include "verdict/verdict.h"

/* ------------------------------------------------------------------------------------------- before and after a run */

int stint_counted_check(const struct stint_results *results)
{
    struct stint_kernel_figures figures;
    const char *why = NULL;
    size_t kernels = 0;
    for (size_t i = 0; i < results->all.count; i++)
        for (size_t next = 0; stint_kernel_figures_next(&figures, stint_results_at(results, i), &next); kernels++) {
            if (figures.counted && strcmp(figures.kernel, STINT_COUNTER_ABSENT) != 0)
                return 0;
            why = why ? why : figures.why_skipped;
        }
    if (why)
        stint_cli_say("no counters were read: %s", why);
    else
        stint_cli_say("no counters were read: %s",
                      kernels ? "none of the kernels that were launched was selected"
                              : "no kernel was launched, or GPU work was not recorded (run stint doctor)");
    return -1;
}

/* All metrics have two underscores behind the name of their unit. */
static int is_known(const char *word, size_t length)
{
    return (length == 3 && memcmp(word, "all", 3) == 0) || stint_counter_group(word, length) ||
           memmem(word, length, "__", 2);
}

int stint_counted_read(const char *metrics)
{
    const char *at = metrics, *group;
    size_t words = 0;
    for (size_t length; *(at += strspn(at, ", ")); at += length) {
        length = strcspn(at, ", ");
        words++;
        if (is_known(at, length))
            continue;
        stint_cli_say("--counters %.*s: expected all, names of metrics, or groups:", (int)length, at);
        for (size_t i = 0; (group = stint_counter_group_at(i, &metrics)); i++)
            stint_cli_say("    %s", group);
        return -1;
    }
    if (words)
        return 0;
    stint_cli_say("--counters: expected all, groups or names of metrics");
    return -1;
}

int stint_counted_read_launches(const char *text)
{
    struct stint_kernel_choice choice;
    if (stint_kernel_launches(&choice, text) == 0)
        return 0;
    stint_cli_say("--launches %.60s: expected a number, such as 3, a range, such as 2-5, or all", text);
    return -1;
}

/* ------------------------------------------------------------------------------------------------------------- sums */

/* Whether that is a hardware counter's value, of a kernel or a scope. */
static int is_counter(const struct stint_nvtx_value *value)
{
    return (strcmp(value->set, STINT_COUNTER_SET) == 0 || strcmp(value->set, STINT_COUNTER_SCOPE_SET) == 0) &&
           *value->field != '(' && strcmp(value->name, STINT_COUNTER_ABSENT) != 0;
}

/* Both are in the same order. */
static int order(const struct stint_nvtx_value *a, const struct stint_nvtx_value *b)
{
    int set = strcmp(a->set, b->set), name = strcmp(a->name, b->name);
    return set ? set : name ? name : strcmp(a->field, b->field);
}

/* Adds the counters of `from` that are not in `known`, which may be NULL. */
static int add_counters(struct stint_snapshot **to, const struct stint_snapshot *from,
                        const struct stint_snapshot *known)
{
    struct stint_arena scratch = {0};
    struct stint_nvtx_value *values = stint_arena_alloc(&scratch, (from->nvtx_value_count + 1) * sizeof *values);
    struct stint_snapshot counters = {.nvtx_values = values}, *sum = NULL;
    size_t at = 0, count = known ? known->nvtx_value_count : 0;
    for (size_t i = 0; values && i < from->nvtx_value_count; i++) {
        const struct stint_nvtx_value *value = &from->nvtx_values[i];
        while (at < count && order(&known->nvtx_values[at], value) < 0)
            at++;
        if (is_counter(value) && (at == count || order(&known->nvtx_values[at], value) != 0))
            values[counters.nvtx_value_count++] = *value;
    }
    int failed = !values || stint_snapshot_merge(*to, &counters, &sum) != STINT_OK;
    stint_arena_free(&scratch);
    if (failed)
        return -1;
    stint_snapshot_free(*to);
    *to = sum;
    return 0;
}

/* ------------------------------------------------------------------------------------------------------- recordings */

/* Replaces the report of a recording by that of the snapshot. */
static int replace_report(const char *path, const struct stint_snapshot *snapshot)
{
    size_t length;
    char *report = stint_results_json(snapshot, &length);
    int failed = !report || stint_ctf_report_replace(path, report);
    free(report);
    return failed ? -1 : 0;
}

static const struct stint_snapshot *find_process(const struct stint_results *results,
                                                 const struct stint_process *process)
{
    for (size_t i = 0; i < results->all.count; i++) {
        const struct stint_snapshot *snapshot = stint_results_at(results, i);
        if (snapshot->process.pid == process->pid && snapshot->process.start_unix_ns == process->start_unix_ns)
            return snapshot;
    }
    return NULL;
}

/* Of a recording without an end the report is not read, but the events. */
static void add_to_recording(const char *path, const struct stint_results *results)
{
    char reason[256];
    struct stint_ctf *recording = stint_ctf_open(path, reason, sizeof reason);
    if (!recording || !stint_ctf_state(recording).has_ended || !stint_ctf_snapshot(recording)) {
        stint_ctf_close(recording);
        return;
    }
    struct stint_snapshot *snapshot = stint_ctf_take_snapshot(recording);
    const struct stint_snapshot *counted = find_process(results, &snapshot->process);
    stint_ctf_close(recording);
    if (counted && (add_counters(&snapshot, counted, snapshot) || replace_report(path, snapshot)))
        stint_cli_say("the counters of the later runs are not in %s: it cannot be written", path);
    stint_snapshot_free(snapshot);
}

/* Adds the counters that the processes have in the results to their recordings in the folder. Says what failed. */
static void add_to_recordings(const struct stint_stores *stores, const struct stint_results *results)
{
    char path[2 * PATH_MAX];
    DIR *directory = opendir(stores->folder.path);
    if (!directory)
        return;
    for (struct dirent *entry; (entry = readdir(directory));) {
        (void)snprintf(path, sizeof path, "%s/%s", stores->folder.path, entry->d_name);
        if (*entry->d_name != '.' && stint_ctf_is(path))
            add_to_recording(path, results);
    }
    (void)closedir(directory);
}

/* --------------------------------------------------------------------------------------------------------- launches */

struct join {
    struct stint_results *first;
    size_t run;
    size_t runs;
    int failed; /* the run that was to be joined */
};

/* Returns how many launches of that kernel, or in that scope, were counted. */
static uint64_t launches_of(const struct stint_snapshot *snapshot, const struct stint_nvtx_value *like)
{
    uint64_t launches = 0;
    for (size_t i = 0; i < snapshot->nvtx_value_count; i++) {
        const struct stint_nvtx_value *value = &snapshot->nvtx_values[i];
        if (is_counter(value) && strcmp(value->name, like->name) == 0 && strcmp(value->set, like->set) == 0)
            launches = value->count > launches ? value->count : launches;
    }
    return launches;
}

/* Values of one name are adjacent. */
static int is_first_of_name(const struct stint_snapshot *snapshot, size_t i)
{
    const struct stint_nvtx_value *value = &snapshot->nvtx_values[i];
    return !i || !is_counter(&value[-1]) || strcmp(value[-1].name, value->name) != 0 ||
           strcmp(value[-1].set, value->set) != 0;
}

/* Says which kernel or scope of `in` has other launches in `other`. Returns whether there is one. */
static int say_difference(const struct join *join, const struct stint_snapshot *first,
                          const struct stint_snapshot *second, const struct stint_snapshot *in)
{
    for (size_t i = 0; i < in->nvtx_value_count; i++) {
        const struct stint_nvtx_value *value = &in->nvtx_values[i];
        if (!is_counter(value) || !is_first_of_name(in, i))
            continue;
        uint64_t before = launches_of(first, value), now = launches_of(second, value);
        if (before == now)
            continue;
        stint_cli_say("run %zu of %zu differs from the first, so its counters belong to other launches: %s %.200s: "
                      "%llu counted, %llu in the first run",
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
            if (is_counter(&snapshot->nvtx_values[j]))
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
        if (add_counters(&all[to].snapshot, second, NULL))
            (void)stint_cli_say_no_memory("for the counters of each run");
        to = next_counted(join->first, to + 1);
        from = next_counted(results, from + 1);
    }
    if (to < join->first->all.count || from < results->all.count)
        stint_cli_say("run %zu of %zu differs from the first: %s processes counted something", join->run, join->runs,
                      to < join->first->all.count ? "fewer" : "more");
}

static void take_run(void *context, struct stint_results *results, const struct stint_launch *launch)
{
    struct join *join = context;
    join->failed = WIFSIGNALED(launch->status);
    if (join->failed)
        stint_cli_say("run %zu of %zu was killed by signal %d, so the counters of the last runs are missing", join->run,
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
        stint_cli_say("counters of one pass per run: run %zu of %zu of %s", join->run, join->runs, first->arguments[0]);
    again.quiet = 1;
    (void)stint_record(&again, first->arguments, take_run, join);
}

static void take_first(void *context, struct stint_results *results, const struct stint_launch *launch)
{
    const struct first *first = context;
    struct join join = {.first = results, .run = 2, .runs = WIFSIGNALED(launch->status) ? 1 : count_runs(results)};
    for (; join.run <= join.runs && !join.failed; join.run++)
        run_again(first, &join);
    if (first->recording->stores && join.runs > 1)
        add_to_recordings(first->recording->stores, results);
    first->report(first->context, results, launch);
}

int stint_record_runs(struct stint_recording *recording, char **arguments, stint_report_results *report, void *context)
{
    struct first first = {recording, arguments, report, context};
    return recording->counter_run ? stint_record(recording, arguments, take_first, &first)
                                  : stint_record(recording, arguments, report, context);
}
