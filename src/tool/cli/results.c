/* Reports of several processes, read back and put together. */
#include "cli/results.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "import/read_json.h"

struct stint_snapshot *stint_results_at(const struct stint_results *results, size_t i)
{
    return ((const struct stint_result *)results->all.items)[i].snapshot;
}

void stint_results_add(struct stint_results *results, struct stint_snapshot *snapshot)
{
    struct stint_result *row = stint_array_add(&results->all, &results->arena, sizeof *row);
    if (!row) {
        stint_snapshot_free(snapshot);
        return;
    }
    for (row->snapshot = snapshot; row != results->all.items; row--) {
        if (row[-1].snapshot->process.start_unix_ns <= snapshot->process.start_unix_ns)
            break;
        row[0] = row[-1];
        row[-1].snapshot = snapshot;
    }
}

static void read_report(struct stint_results *results, const char *path)
{
    struct stint_import_error error;
    struct stint_snapshot *snapshot;
    enum stint_status status = stint_import_file(path, &snapshot, &error);
    if (!status)
        stint_results_add(results, snapshot);
    else if (error.line)
        stint_cli_say("a process's report cannot be read: %s, line %zu: %s", strrchr(path, '/') + 1, error.line,
                      error.reason);
    else
        stint_cli_say("a process's report cannot be read: %s: %s", strrchr(path, '/') + 1, error.reason);
}

void stint_results_read(struct stint_results *results, const struct stint_folder *folder)
{
    struct stint_array paths = {0};
    if (stint_folder_list(folder, &paths, &results->arena))
        stint_cli_say("%s cannot be read: %s", folder->path, strerror(errno));
    for (size_t i = 0; i < paths.count; i++)
        read_report(results, ((const char **)paths.items)[i]);
}

void stint_results_free(struct stint_results *results)
{
    for (size_t i = 0; i < results->all.count; i++)
        stint_snapshot_free(stint_results_at(results, i));
    stint_arena_free(&results->arena);
}

/* Returns all snapshots as one, or NULL. */
static struct stint_snapshot *merge(const struct stint_results *results)
{
    struct stint_snapshot *merged = NULL, *sum;
    for (size_t i = 1; i < results->all.count; i++) {
        enum stint_status status =
            stint_snapshot_merge(merged ? merged : stint_results_at(results, 0), stint_results_at(results, i), &sum);
        stint_snapshot_free(merged);
        merged = sum;
        if (status)
            return NULL;
    }
    return merged;
}

/* From the first start to the last end. */
static uint64_t wall_ns(const struct stint_results *results)
{
    uint64_t begin = stint_results_at(results, 0)->process.start_unix_ns, longest = 0;
    for (size_t i = 0; i < results->all.count; i++) {
        const struct stint_process *process = &stint_results_at(results, i)->process;
        uint64_t end = process->start_unix_ns - begin + process->wall_ns;
        if (end > longest)
            longest = end;
    }
    return longest;
}

/* "3 processes: ./train --fast" */
static void describe(char *out, size_t size, size_t processes, char **arguments)
{
    size_t used = (size_t)snprintf(out, size, "%zu processes:", processes);
    for (; *arguments && used < size; arguments++)
        used += (size_t)snprintf(out + used, size - used, " %s", *arguments);
}

static int print_together(const struct stint_results *results, struct stint_print *print, char **arguments)
{
    char command[4096];
    struct stint_snapshot *merged = merge(results);
    if (!merged) {
        stint_cli_say("not enough memory for a report on all processes");
        return -1;
    }
    describe(command, sizeof command, results->all.count, arguments);
    merged->process.pid = 0;
    merged->process.rank[0] = '\0';
    merged->process.command = command;
    merged->process.wall_ns = wall_ns(results);
    int failed = stint_print(print, merged, 1);
    stint_snapshot_free(merged);
    return failed;
}

int stint_results_print(const struct stint_results *results, struct stint_print *print, char **arguments)
{
    int failed = 0;
    for (size_t i = 0; i < results->all.count; i++)
        failed |= stint_print(print, stint_results_at(results, i), 0);
    return results->all.count > 1 ? failed | print_together(results, print, arguments) : failed;
}
