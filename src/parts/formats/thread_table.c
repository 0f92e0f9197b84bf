/* A row for each thread: how much it recorded, how much CPU time it took, and how often it had to wait. */

#include <string.h>

#include "formats/formats.h"
#include "stat/numbers.h"

enum { PID, TID, EXITED, STATE, RECORDED, COUNT, CPU, SHARE, WAITS, PREEMPTED, NAME, COLUMNS };

static const struct stint_column s_columns[COLUMNS] = {
    [PID] = {.key = "pid", .title = "Pid", .hide = 1},
    [TID] = {.key = "tid", .title = "Tid"},
    [EXITED] = {.key = "exited", .unit = STINT_COLUMN_COUNT},
    [STATE] = {.key = "state", .title = "State", .hide = 4},
    [RECORDED] = {.key = "recorded_ns", .title = "Recorded", .unit = STINT_COLUMN_SUM},
    [COUNT] = {.key = "count", .title = "Count", .unit = STINT_COLUMN_COUNT, .hide = 2},
    [CPU] = {.key = "cpu_ns", .title = "CPU", .unit = STINT_COLUMN_SUM, .optional = 1},
    [SHARE] = {.title = "CPU", .unit = STINT_COLUMN_SHARE, .hide = 3},
    [WAITS] = {.key = "waits", .title = "Waits", .unit = STINT_COLUMN_COUNT, .optional = 1},
    [PREEMPTED] = {.key = "preempted", .title = "Preempted", .unit = STINT_COLUMN_COUNT, .optional = 1},
    [NAME] = {.key = "name", .title = "Thread", .unit = STINT_COLUMN_NAME},
};

struct threads {
    const struct stint_snapshot *snapshot;
    const struct stint_thread_sum *sums; /* by thread; NULL: there is no memory */
    const size_t *order;                 /* NULL: the snapshot's order */
    size_t shown;
    struct stint_rest rest;
    char name[STINT_NUMBER_SIZE + sizeof " exited threads"];
    struct stint_arena arena;
};

/* ------------------------------------------------------------------------------------------------------------ which */

/* Self times add up to the time within the outermost scopes and calls. */
const struct stint_thread_sum *stint_thread_sums(const struct stint_snapshot *snapshot, struct stint_arena *arena)
{
    struct stint_thread_sum *sums = stint_arena_alloc(arena, (snapshot->thread_count + 1) * sizeof *sums);
    for (size_t i = 0; sums && i < snapshot->thread_stat_count; i++) {
        const struct stint_thread_stat *part = &snapshot->thread_stats[i];
        stint_sum_up(&sums[part->thread].ns, part->numbers.self_ns);
        if (!stint_gpu_is_call(&snapshot->stats[part->stat]))
            stint_sum_up(&sums[part->thread].count, part->numbers.count);
    }
    return sums;
}

static uint64_t value_of(const struct threads *threads, size_t i, int by_cpu)
{
    return by_cpu ? threads->snapshot->threads[i].cpu_ns : threads->sums ? threads->sums[i].ns : 0;
}

int stint_thread_table_has_cpu(const struct stint_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->thread_count; i++)
        if (snapshot->threads[i].cpu_ns)
            return 1;
    return 0;
}

static struct threads threads_of(const struct stint_snapshot *snapshot, unsigned top)
{
    struct threads threads = {.snapshot = snapshot, .shown = snapshot->thread_count};
    int by_cpu = stint_thread_table_has_cpu(snapshot);
    struct stint_rank *ranks = stint_arena_alloc(&threads.arena, (snapshot->thread_count + 1) * sizeof *ranks);
    threads.sums = stint_thread_sums(snapshot, &threads.arena);
    for (size_t i = 0; ranks && i < snapshot->thread_count; i++)
        ranks[i].value = value_of(&threads, i, by_cpu);
    threads.order = ranks ? stint_rank_order(ranks, snapshot->thread_count, &threads.arena) : NULL;
    if (!threads.order)
        return threads;
    for (size_t i = 0; i < snapshot->thread_count; i++) {
        uint64_t value = ranks[threads.order[i]].value;
        threads.rest.whole += value;
        if (stint_is_within(i, top))
            continue;
        threads.shown -= 1;
        threads.rest.rows++;
        threads.rest.part += value;
    }
    return threads;
}

/* ------------------------------------------------------------------------------------------------------------- rows */

/* "3 exited threads" */
static const char *name_of(struct threads *threads, const struct stint_thread *thread)
{
    if (!thread->exited || !thread->exits)
        return thread->exited ? "exited threads" : thread->name;
    size_t length = stint_number_u64(threads->name, thread->exits);
    strcpy(threads->name + length, thread->exits == 1 ? " exited thread" : " exited threads");
    return threads->name;
}

static void put_used(struct stint_sheet *sheet, const struct stint_snapshot *snapshot,
                     const struct stint_thread *thread)
{
    stint_sheet_value(sheet, CPU, thread->cpu_ns);
    stint_sheet_value(sheet, WAITS, thread->waits);
    stint_sheet_value(sheet, PREEMPTED, thread->preempted);
    if (thread->cpu_ns && !thread->exited && snapshot->process.wall_ns && !snapshot->process_count)
        stint_sheet_number(sheet, SHARE, 100.0 * (double)thread->cpu_ns / (double)snapshot->process.wall_ns);
}

static int next_row(void *context, size_t *next, struct stint_sheet *sheet)
{
    struct threads *threads = context;
    if (*next == threads->shown)
        return 0;
    size_t at = (*next)++, i = threads->order ? threads->order[at] : at;
    const struct stint_thread *thread = &threads->snapshot->threads[i];
    (void)stint_number_i64(stint_sheet_text(sheet, PID), thread->pid);
    if (!thread->exited)
        (void)stint_number_i64(stint_sheet_text(sheet, TID), thread->tid);
    stint_sheet_value(sheet, EXITED, thread->exited ? thread->exits : 0);
    if (*thread->state)
        stint_sheet_string(sheet, STATE, thread->state);
    if (threads->sums) {
        stint_sheet_value(sheet, RECORDED, threads->sums[i].ns);
        stint_sheet_value(sheet, COUNT, threads->sums[i].count);
    }
    put_used(sheet, threads->snapshot, thread);
    stint_sheet_string(sheet, NAME, sheet->csv && thread->exited ? "" : name_of(threads, thread));
    return 1;
}

/* Threads of one process need no column for it. */
static struct stint_sheet sheet_of(struct threads *threads)
{
    enum { NAME_LEAST = 16 };
    unsigned without = stint_thread_table_has_cpu(threads->snapshot) ? 0 : 1U << STATE | 1U << SHARE;
    return (struct stint_sheet){
        STINT_COLUMNS(s_columns), .next = next_row,
        .context = threads,       .name_floor = NAME_LEAST,
        .name_least = NAME_LEAST, .hidden = without | (threads->snapshot->process_count ? 0 : 1U << PID)};
}

void stint_thread_table_put(struct stint_text *text, const struct stint_snapshot *snapshot,
                            const struct stint_layout *layout, int csv)
{
    struct threads threads = threads_of(snapshot, csv ? 0 : layout->top);
    struct stint_sheet sheet = sheet_of(&threads);
    if (csv)
        stint_row_table_csv(&sheet, text);
    else if (snapshot->thread_count)
        stint_row_table_put(&sheet, &threads.rest, stint_thread_table_has_cpu(snapshot) ? "the CPU time" : "the time",
                            text, layout);
    stint_arena_free(&threads.arena);
}

void stint_report_threads(struct stint_text *text, const struct stint_snapshot *snapshot,
                          const struct stint_layout *layout, int csv)
{
    stint_row_table_report(text, snapshot, layout, csv, stint_thread_table_put);
}
