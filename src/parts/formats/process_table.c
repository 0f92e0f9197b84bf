/* A row for each process of a job: who, when, how long, and what it had GPUs do. */

#include <string.h>

#include "base/arena.h"
#include "formats/formats.h"
#include "model/model.h"
#include "report/summary.h"

enum { PID, RANK, START, WALL, GPU, KERNELS, DROPPED, COMMAND, COLUMNS };

static const struct stint_column s_columns[COLUMNS] = {
    [PID] = {.key = "pid", .title = "Pid"},
    [RANK] = {.key = "rank", .title = "Rank"},
    [START] = {.key = "start_unix_ns", .unit = STINT_COLUMN_NS},
    [WALL] = {.key = "wall_ns", .title = "Wall", .unit = STINT_COLUMN_SUM},
    [GPU] = {.key = "gpu_ns", .title = "GPU", .unit = STINT_COLUMN_SUM, .optional = 1},
    [KERNELS] = {.key = "kernels", .title = "Kernels", .unit = STINT_COLUMN_COUNT, .optional = 1, .hide = 1},
    [DROPPED] = {.key = "dropped", .title = "Dropped", .unit = STINT_COLUMN_COUNT, .optional = 1},
    [COMMAND] = {.key = "command", .title = "Process", .unit = STINT_COLUMN_NAME},
};

struct processes {
    const struct stint_merged_process *rows;
    size_t all;
    const size_t *order; /* of those that are shown; NULL: all in order */
    size_t shown;
    struct stint_rest rest;
    struct stint_merged_process only; /* of a snapshot that was not merged */
    struct stint_arena arena;
};

/* ------------------------------------------------------------------------------------------------------------ which */

static struct processes processes_of(const struct stint_snapshot *snapshot)
{
    struct processes processes = {.rows = snapshot->processes, .all = snapshot->process_count};
    if (!processes.all) {
        processes.only = stint_process_sum(snapshot);
        processes.all = 1;
    }
    processes.shown = processes.all;
    return processes;
}

static const struct stint_merged_process *row_at(const struct processes *processes, size_t i)
{
    return processes->rows ? &processes->rows[i] : &processes->only;
}

static int has_rank(const struct processes *processes)
{
    for (size_t i = 0; i < processes->all; i++)
        if (*row_at(processes, i)->rank)
            return 1;
    return 0;
}

static int has_gpu(const struct processes *processes)
{
    for (size_t i = 0; i < processes->all; i++)
        if (row_at(processes, i)->gpu_ns)
            return 1;
    return 0;
}

/* Processes without a rank, such as launchers, come first. */
static uint64_t rank_of(const struct stint_merged_process *process)
{
    uint64_t rank = 0;
    for (const char *at = process->rank; *at >= '0' && *at <= '9'; at++)
        rank = 10 * rank + (uint64_t)(*at - '0');
    return *process->rank ? rank + 1 : 0;
}

/* Marks the processes that took longest, and counts the others. */
static void mark(struct processes *processes, char *marked, const size_t *longest, const struct stint_rank *ranks,
                 unsigned top)
{
    for (size_t i = 0; i < processes->all; i++) {
        size_t row = longest[i];
        processes->rest.whole += ranks[row].value;
        if (stint_is_within(i, top)) {
            marked[row] = 1;
            continue;
        }
        processes->rest.rows++;
        processes->rest.part += ranks[row].value;
    }
}

/* Without memory, all are shown in order of their start. */
static void choose_processes(struct processes *processes, unsigned top)
{
    struct stint_arena *arena = &processes->arena;
    size_t count = processes->all, shown = 0;
    int by_gpu = has_gpu(processes);
    struct stint_rank *ranks = stint_arena_alloc(arena, (count + 1) * sizeof *ranks);
    char *marked = stint_arena_alloc(arena, count + 1);
    size_t *order = stint_arena_alloc(arena, (count + 1) * sizeof *order);
    for (size_t i = 0; ranks && i < count; i++)
        ranks[i].value = by_gpu ? row_at(processes, i)->gpu_ns : row_at(processes, i)->wall_ns;
    const size_t *longest = ranks ? stint_rank_order(ranks, count, arena) : NULL;
    if (!longest || !marked || !order)
        return;
    mark(processes, marked, longest, ranks, top);
    for (size_t i = 0; i < count; i++)
        ranks[i].value = UINT64_MAX - rank_of(row_at(processes, i)); /* the greatest value comes first */
    const size_t *by_rank = stint_rank_order(ranks, count, arena);
    for (size_t i = 0; by_rank && i < count; i++)
        if (marked[by_rank[i]])
            order[shown++] = by_rank[i];
    processes->order = by_rank ? order : longest;
    processes->shown = by_rank ? shown : count - processes->rest.rows;
}

size_t stint_process_count(const struct stint_snapshot *snapshot)
{
    struct stint_arena arena = {0};
    size_t count = snapshot->process_count;
    struct stint_rank *pids = stint_arena_alloc(&arena, (count + 1) * sizeof *pids);
    for (size_t i = 0; pids && i < count; i++) {
        const struct stint_merged_process *process = &snapshot->processes[i];
        pids[i].value = stint_hash(process->rank, strlen(process->rank), (uint64_t)process->pid);
    }
    if (pids)
        count = stint_distinct(pids, count, &arena);
    stint_arena_free(&arena);
    return count;
}

/* ------------------------------------------------------------------------------------------------------------- rows */

/* A process without GPU work has no cell for it. */
static void put_if(struct stint_sheet *sheet, size_t column, uint64_t value)
{
    if (value || sheet->csv)
        stint_sheet_value(sheet, column, value);
}

static int next_row(void *context, size_t *next, struct stint_sheet *sheet)
{
    const struct processes *processes = context;
    if (*next == processes->shown)
        return 0;
    size_t i = (*next)++;
    const struct stint_merged_process *row = row_at(processes, processes->order ? processes->order[i] : i);
    if (row->pid || sheet->csv)
        (void)stint_number_i64(stint_sheet_text(sheet, PID), row->pid);
    if (*row->rank)
        stint_sheet_string(sheet, RANK, row->rank);
    stint_sheet_value(sheet, START, row->start_unix_ns);
    stint_sheet_value(sheet, WALL, row->wall_ns);
    put_if(sheet, GPU, row->gpu_ns);
    put_if(sheet, KERNELS, row->kernels);
    put_if(sheet, DROPPED, row->dropped);
    stint_sheet_string(sheet, COMMAND, sheet->csv ? row->command : stint_frame_command(row->command));
    return 1;
}

static struct stint_sheet sheet_of(struct processes *processes)
{
    enum { NAME_LEAST = 16 };
    return (struct stint_sheet){STINT_COLUMNS(s_columns), .next = next_row,
                                .context = processes,     .name_floor = NAME_LEAST,
                                .name_least = NAME_LEAST, .hidden = has_rank(processes) ? 0 : 1U << RANK};
}

void stint_process_table_put(struct stint_text *text, const struct stint_snapshot *snapshot,
                             const struct stint_layout *layout, int csv)
{
    struct processes processes = processes_of(snapshot);
    if (!csv)
        choose_processes(&processes, layout->top);
    struct stint_sheet sheet = sheet_of(&processes);
    if (csv)
        stint_row_table_csv(&sheet, text);
    else
        stint_row_table_put(&sheet, &processes.rest, has_gpu(&processes) ? "the GPU time" : "the time", text, layout);
    stint_arena_free(&processes.arena);
}

void stint_report_processes(struct stint_text *text, const struct stint_snapshot *snapshot,
                            const struct stint_layout *layout, int csv)
{
    stint_row_table_report(text, snapshot, layout, csv, stint_process_table_put);
}
