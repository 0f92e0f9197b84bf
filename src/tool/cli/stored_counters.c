/* Brings counters that came in separate runs into the recordings of the first. */
#include "cli/stored_counters.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "ctf/ctf.h"
#include "ctf_writer/ctf_report.h"
#include "stint/report.h"

int stint_is_counter(const struct stint_nvtx_value *value)
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
static int add(struct stint_snapshot **to, const struct stint_snapshot *from, const struct stint_snapshot *known)
{
    struct stint_arena scratch = {0};
    struct stint_nvtx_value *values = stint_arena_alloc(&scratch, (from->nvtx_value_count + 1) * sizeof *values);
    struct stint_snapshot counters = {.nvtx_values = values}, *sum = NULL;
    size_t at = 0, count = known ? known->nvtx_value_count : 0;
    for (size_t i = 0; values && i < from->nvtx_value_count; i++) {
        const struct stint_nvtx_value *value = &from->nvtx_values[i];
        while (at < count && order(&known->nvtx_values[at], value) < 0)
            at++;
        if (stint_is_counter(value) && (at == count || order(&known->nvtx_values[at], value) != 0))
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

int stint_counters_add(struct stint_snapshot **to, const struct stint_snapshot *from)
{
    return add(to, from, NULL);
}

/* ------------------------------------------------------------------------------------------------------- recordings */

static int write_memory(void *memory, const char *bytes, size_t length)
{
    return fwrite(bytes, 1, length, memory) == length ? 0 : -1;
}

/* Replaces the report of a recording by that of the snapshot. */
static int replace(const char *path, const struct stint_snapshot *snapshot)
{
    char *report = NULL;
    size_t length;
    FILE *memory = open_memstream(&report, &length);
    if (!memory)
        return -1;
    int failed = stint_report_write(snapshot, STINT_FORMAT_JSON, NULL, write_memory, memory) != STINT_OK;
    failed |= fclose(memory) != 0;
    failed = failed || stint_ctf_report_replace(path, report);
    free(report);
    return failed ? -1 : 0;
}

static const struct stint_snapshot *find(const struct stint_results *results, const struct stint_process *process)
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
    const struct stint_snapshot *counted = find(results, &snapshot->process);
    stint_ctf_close(recording);
    if (counted && (add(&snapshot, counted, snapshot) || replace(path, snapshot)))
        stint_cli_say("the counters of the later runs are not in %s: it cannot be written", path);
    stint_snapshot_free(snapshot);
}

void stint_stored_counters_add(const struct stint_stores *stores, const struct stint_results *results)
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
