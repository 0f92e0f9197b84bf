/* Reports of several processes, read back and put together. */
#include "cli/results.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "cli/command.h"
#include "cli/recording.h"
#include "import/import.h"
#include "model/model.h"
#include "replay/replay.h"
#include "support/keyed_table.h"

static const struct stint_result *result_at(const struct stint_results *results, size_t i)
{
    return (const struct stint_result *)results->all.items + i;
}

struct stint_snapshot *stint_results_at(const struct stint_results *results, size_t i)
{
    return result_at(results, i)->snapshot;
}

int stint_results_have(const struct stint_results *results, int64_t pid, uint64_t start_unix_ns)
{
    const struct stint_result *all = results->all.items;
    for (size_t i = 0; i < results->all.count; i++) {
        const struct stint_process *process = &all[i].snapshot->process;
        if (!all[i].is_recovered && process->pid == pid && process->start_unix_ns == start_unix_ns)
            return 1;
    }
    return 0;
}

struct stint_result *stint_results_add(struct stint_results *results, struct stint_snapshot *snapshot,
                                       const struct stint_report_events *events)
{
    struct stint_result *row = stint_array_add(&results->all, &results->arena, sizeof *row);
    if (!row) {
        stint_snapshot_free(snapshot);
        return NULL;
    }
    for (; row != results->all.items; row--) {
        if (row[-1].snapshot->process.start_unix_ns <= snapshot->process.start_unix_ns)
            break;
        row[0] = row[-1];
    }
    *row = (struct stint_result){.snapshot = snapshot};
    if (events)
        row->events = *events;
    return row;
}

static void add_silent(struct stint_results *results, struct stint_array *kind, const struct stint_silent *whose)
{
    struct stint_silent *row = stint_array_add(kind, &results->arena, sizeof *row);
    if (row)
        *row = *whose;
}

/* A process that cannot write its report leaves an empty file. */
static int is_lost(struct stint_silent *whose, const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && status.st_size == 0 &&
           stint_folder_whose(whose, strrchr(path, '/') + 1, ".json");
}

static void read_report(struct stint_results *results, const char *path, struct stint_import_memory *memory)
{
    struct stint_import_error error;
    struct stint_snapshot *snapshot;
    struct stint_silent whose;
    if (is_lost(&whose, path)) {
        (void)unlink(path);
        add_silent(results, &results->lost, &whose);
        return;
    }
    enum stint_status status = stint_import_next(memory, path, &snapshot, &error);
    (void)unlink(path);
    if (!status)
        stint_results_add(results, snapshot, NULL);
    else if (error.line)
        stint_cli_say("the report of a process cannot be read: %s:%zu: %s", strrchr(path, '/') + 1, error.line,
                      error.reason);
    else
        stint_cli_say("the report of a process cannot be read: %s: %s", strrchr(path, '/') + 1, error.reason);
}

/* Which processes have left what. Where a name does not say when a process began, that is 0. */
static const struct stint_table_key s_process = STINT_TABLE_KEY(struct stint_silent, pid, start_unix_ns);

/* Returns whether it is new. */
static int note_process(struct stint_results *results, struct stint_table *known, long pid, uint64_t start_unix_ns)
{
    size_t before = known->count;
    (void)stint_table_take(known, &s_process, &results->arena, &(const struct stint_silent){pid, start_unix_ns});
    return known->count > before;
}

/* A process may also end so soon that it leaves its socket. */
static void find_lost(struct stint_results *results, const struct stint_folder *folder,
                      const struct stint_table *reported)
{
    struct stint_table silent = {.count = 0};
    struct stint_array sockets = {0};
    for (size_t i = 0; i < results->lost.count; i++) {
        const struct stint_silent *whose = (const struct stint_silent *)results->lost.items + i;
        (void)note_process(results, &silent, whose->pid, whose->start_unix_ns);
    }
    stint_folder_silent(folder, &sockets, &results->arena);
    for (size_t i = 0; i < sockets.count; i++) {
        const struct stint_silent *whose = (const struct stint_silent *)sockets.items + i;
        if (note_process(results, &silent, whose->pid, whose->start_unix_ns))
            add_silent(results, stint_table_find(reported, &s_process, whose) ? &results->cut : &results->lost, whose);
    }
}

/* A process may leave a report later, when it executes another program. */
static void read_unsampled(struct stint_results *results, const struct stint_folder *folder,
                           struct stint_table *reported)
{
    char path[PATH_MAX + sizeof STINT_RECORDING_UNSAMPLED];
    long pid;
    uintmax_t ns;
    (void)snprintf(path, sizeof path, "%s/%s", folder->path, STINT_RECORDING_UNSAMPLED);
    FILE *file = fopen(path, "re");
    if (!file)
        return;
    while (fscanf(file, "%ld %ju", &pid, &ns) == 2) {
        results->unsampled += (size_t)note_process(results, reported, pid, 0);
        stint_sum_up(&results->unsampled_ns, ns);
    }
    (void)fclose(file);
}

void stint_results_read(struct stint_results *results, const struct stint_folder *folder)
{
    struct stint_array paths = {0};
    struct stint_table reported = {.count = 0};
    struct stint_import_memory memory = {.text = {0}};
    if (stint_folder_list(folder, &paths, &results->arena))
        stint_cli_say("%s cannot be read: %s", folder->path, strerror(errno));
    for (size_t i = 0; i < paths.count; i++)
        read_report(results, ((const char **)paths.items)[i], &memory);
    stint_import_memory_free(&memory);
    for (size_t i = 0; i < results->all.count; i++) {
        const struct stint_process *process = &stint_results_at(results, i)->process;
        (void)note_process(results, &reported, (long)process->pid, process->start_unix_ns);
        (void)note_process(results, &reported, (long)process->pid, 0);
    }
    find_lost(results, folder, &reported);
    read_unsampled(results, folder, &reported);
}

static int write_memory(void *memory, const char *bytes, size_t length)
{
    return fwrite(bytes, 1, length, memory) == length ? 0 : -1;
}

char *stint_results_json(const struct stint_snapshot *snapshot, size_t *length)
{
    char *text = NULL;
    FILE *memory = open_memstream(&text, length);
    if (!memory)
        return NULL;
    int failed = stint_report_write(snapshot, STINT_FORMAT_JSON, NULL, write_memory, memory) != STINT_OK;
    if (fclose(memory) == 0 && !failed)
        return text;
    free(text);
    return NULL;
}

void stint_results_free(struct stint_results *results)
{
    for (size_t i = 0; i < results->all.count; i++)
        stint_snapshot_free(stint_results_at(results, i));
    stint_arena_free(&results->arena);
}

/* Whether the snapshot at `i` is of that process; NULL: any. Processes of several hosts may have the same id. */
static int is_of(const struct stint_results *results, size_t i, const struct stint_process *process)
{
    const struct stint_process *its = &stint_results_at(results, i)->process;
    return !process || (its->pid == process->pid && strcmp(its->host, process->host) == 0);
}

/* Returns the snapshots of the process as one, or NULL if there is only one or no memory. Its time is from the first
 * start to the last end. */
static struct stint_snapshot *merge(const struct stint_results *results, const struct stint_process *process)
{
    struct stint_merging merging;
    const struct stint_snapshot *first = NULL;
    uint64_t longest = 0;
    size_t count = 0;
    for (size_t i = 0; i < results->all.count; i++) {
        const struct stint_snapshot *next = stint_results_at(results, i);
        if (!is_of(results, i, process))
            continue;
        if (!first)
            first = next;
        uint64_t end = stint_sum_of(next->process.start_unix_ns, next->process.wall_ns);
        if (end > first->process.start_unix_ns && end - first->process.start_unix_ns > longest)
            longest = end - first->process.start_unix_ns;
        if (count++ == 1)
            stint_merging_begin(&merging, first);
        if (count > 1)
            stint_merging_add(&merging, next);
    }
    struct stint_snapshot *merged = count > 1 ? stint_merging_end(&merging) : NULL;
    if (merged)
        merged->process.wall_ns = longest;
    return merged;
}

struct stint_snapshot *stint_results_sum(const struct stint_results *results)
{
    return merge(results, NULL);
}

/* --------------------------------------------------------------------------------------------------------- printing */

/* Prints the sum of a process' snapshots, or with `process` NULL of all. */
static int print_sum(const struct stint_results *results, struct stint_print *print, const struct stint_snapshot *sum,
                     const struct stint_process *process)
{
    struct stint_arena scratch = {0};
    struct stint_joined_events joined = {.count = 0};
    struct stint_joined_input *inputs = stint_arena_alloc(&scratch, (results->all.count + 1) * sizeof *inputs);
    struct stint_report_events events = {.source = NULL, .snapshot = sum};
    size_t count = 0;
    for (size_t i = 0; inputs && i < results->all.count; i++) {
        const struct stint_result *row = result_at(results, i);
        if (!is_of(results, i, process))
            continue;
        inputs[count++] = (struct stint_joined_input){
            .snapshot = row->events.source ? row->events.snapshot : row->snapshot, .events = row->events.source};
        events.source = row->events.source ? &joined.source : events.source;
    }
    if (events.source && stint_joined_events_begin(&joined, sum, inputs, count))
        events.source = NULL;
    int failed = stint_print(print, sum, events.source ? &events : NULL, !process);
    stint_joined_events_free(&joined);
    stint_arena_free(&scratch);
    return failed;
}

static int print_one(const struct stint_results *results, struct stint_print *print, size_t i)
{
    const struct stint_result *row = result_at(results, i);
    return stint_print(print, row->snapshot, row->events.source ? &row->events : NULL, 0);
}

/* Whether an earlier one is of the same process, which then executed another program. */
static int is_repeated(const struct stint_results *results, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (is_of(results, j, &stint_results_at(results, i)->process))
            return 1;
    return 0;
}

static size_t count_processes(const struct stint_results *results)
{
    struct whose {
        int64_t pid;
        const char *host;
    };
    static const struct stint_table_key s_whose = STINT_TABLE_KEY(struct whose, pid, host);
    struct stint_table seen = {.count = 0};
    struct stint_arena scratch = {0};
    for (size_t i = 0; i < results->all.count; i++) {
        const struct stint_process *process = &stint_results_at(results, i)->process;
        (void)stint_table_take(&seen, &s_whose, &scratch, &(struct whose){process->pid, process->host});
    }
    stint_arena_free(&scratch);
    return seen.count;
}

/* "3 processes: train --fast" */
static void describe(char *out, size_t size, size_t processes, const char *first, char **others)
{
    int used =
        processes > 1 ? snprintf(out, size, "%zu processes: %s", processes, first) : snprintf(out, size, "%s", first);
    for (; *others && used < (int)size; others++)
        used += snprintf(out + used, size - (size_t)used, " %s", *others);
}

/* ------------------------------------------------------------------------------------------------------------ ranks */

static int is_of_ranks(const struct stint_report_form *form)
{
    return form->report == STINT_REPORT_RANKS || form->report == STINT_REPORT_RANKS_TREE;
}

static int wants_ranks(const struct stint_print *print)
{
    for (size_t i = 0; i < print->count; i++)
        if (is_of_ranks(&print->forms[i]))
            return 1;
    return 0;
}

struct stint_snapshot *stint_results_sum_ranks(struct stint_rank_files *files)
{
    struct stint_snapshot *sum = stint_rank_sum(files);
    if (files->left_out)
        stint_cli_say("%zu of the recordings %s left out", files->left_out,
                      files->left_out == 1 ? "is of a process without a rank, and is"
                                           : "are of processes without a rank, and are");
    if (!sum && !files->is_unread)
        (void)stint_cli_say_no_memory("to add up the recordings");
    return sum;
}

static int open_result(void *context, size_t at, struct stint_recorded *file)
{
    const struct stint_result *result = result_at(context, at);
    *file = (struct stint_recorded){result->snapshot, result->events.source};
    return 0;
}

static void close_result(void *context, size_t at)
{
    (void)context;
    (void)at;
}

/* Prints the reports one by one, as those on ranks are on another sum than the others. */
static int print_each(const struct stint_results *results, struct stint_print *print,
                      const struct stint_snapshot *merged)
{
    struct stint_print one = *print;
    struct stint_rank_files files = {
        .count = results->all.count, .open = open_result, .close = close_result, .context = (void *)(uintptr_t)results};
    struct stint_snapshot *by_rank = stint_results_sum_ranks(&files);
    int failed = !by_rank;
    for (size_t i = 0; i < print->count && !failed; i++) {
        one.forms[0] = print->forms[i];
        one.count = 1;
        failed = is_of_ranks(&print->forms[i]) ? stint_print(&one, by_rank, NULL, 1)
                                               : print_sum(results, &one, merged, NULL);
    }
    stint_snapshot_free(by_rank);
    return failed;
}

static int print_together(const struct stint_results *results, struct stint_print *print, const char *first,
                          char **others)
{
    char command[4096];
    size_t processes = count_processes(results);
    struct stint_snapshot *merged = stint_results_sum(results);
    if (!merged)
        return stint_cli_say_no_memory("for a report on all processes");
    describe(command, sizeof command, processes, first, others);
    merged->process.command = command;
    if (processes > 1) {
        merged->process.pid = 0;
        merged->process.rank[0] = '\0';
    }
    int failed = wants_ranks(print) ? print_each(results, print, merged) : print_sum(results, print, merged, NULL);
    stint_snapshot_free(merged);
    return failed;
}

/* Each process has a file, so a process that executed another program has one report on both. */
static int print_own(const struct stint_results *results, struct stint_print *print)
{
    int failed = 0;
    for (size_t i = 0; i < results->all.count; i++) {
        const struct stint_snapshot *snapshot = stint_results_at(results, i);
        if (is_repeated(results, i))
            continue;
        struct stint_snapshot *whole = merge(results, &snapshot->process);
        failed |= whole ? print_sum(results, print, whole, &snapshot->process) : print_one(results, print, i);
        stint_snapshot_free(whole);
    }
    return failed;
}

int stint_results_print(const struct stint_results *results, struct stint_print *print, const char *first,
                        char **others)
{
    size_t count = results->all.count;
    int failed = 0;
    if (!print->count)
        return 0;
    if (stint_path_has_pid(print->path))
        failed = print_own(results, print);
    else
        for (size_t i = 0; i < count && (count == 1 || print->per_process); i++)
            failed |= print_one(results, print, i);
    return count > 1 ? failed | print_together(results, print, first, others) : failed;
}
