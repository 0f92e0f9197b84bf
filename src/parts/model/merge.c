/* Adding snapshots to a builder, whatever their rows are: two to be merged, and those of ranks. */
#include "model/model.h"

#include <string.h>

#include "stat/member_macros.h"
#include "stat/numbers.h"

/* ----------------------------------------------------------------------------------------------------- any snapshot */

/* Where rows of the snapshot are in the builder. */
struct places {
    size_t *of[STINT_ROW_KINDS]; /* NULL: nowhere */
    size_t count[STINT_ROW_KINDS];
};

static size_t place_of(const struct places *places, enum stint_row_kind kind, size_t index, size_t none)
{
    return places->of[kind] && index < places->count[kind] ? places->of[kind][index] : none;
}

/* The members of a row that refer to others: no row has more. */
struct references {
    const struct stint_member *members[3];
    size_t count;
};

static struct references references_in(const struct stint_row_table *table)
{
    struct references references = {.count = 0};
    for (const struct stint_member *member = table->members; member < table->members + table->count; member++)
        if (member->type == STINT_MEMBER_INDEX || member->type == STINT_MEMBER_CONTEXT)
            references.members[references.count++] = member;
    return references;
}

static void move_references(const struct places *places, const struct references *references, char *row)
{
    for (size_t i = 0; i < references->count; i++) {
        const struct stint_member *member = references->members[i];
        size_t *index = (size_t *)(void *)(row + member->at);
        if (member->type == STINT_MEMBER_INDEX)
            *index = place_of(places, (enum stint_row_kind)member->of, *index, SIZE_MAX);
        else if (*index != STINT_GPU_NO_SCOPE)
            *index = place_of(places, STINT_ROWS_CONTEXTS, *index, STINT_GPU_UNATTRIBUTED);
    }
}

static void add_list(struct stint_builder *builder, const struct stint_addition *addition, enum stint_row_kind kind,
                     struct places *places, struct stint_arena *scratch)
{
    const struct stint_row_table *table = stint_row_tables[kind];
    struct references references = references_in(table);
    struct stint_row_list list;
    memcpy(&list, (const char *)addition->snapshot + table->at, sizeof list);
    char *row = stint_arena_alloc(scratch, table->size);
    size_t *to = places->of[kind] = stint_arena_alloc(scratch, (list.count + 1) * sizeof *to);
    builder->failed |= !row || !to;
    for (size_t i = 0; i < list.count && !builder->failed; i++) {
        places->count[kind] = i;
        const void *from = (const char *)list.rows + i * table->size;
        if (references.count || kind == addition->adapted)
            from = memcpy(row, from, table->size);
        move_references(places, &references, row);
        if (kind == addition->adapted)
            addition->adapt(addition, row);
        to[i] = stint_builder_add(builder, kind, from);
    }
    places->count[kind] = list.count;
}

static void add_thread_stats(struct stint_builder *builder, const struct stint_snapshot *snapshot,
                             const struct places *places)
{
    for (size_t i = 0; i < snapshot->thread_stat_count && !builder->failed; i++) {
        const struct stint_thread_stat *row = &snapshot->thread_stats[i];
        stint_builder_thread_stat(builder, places->of[STINT_ROWS_THREADS][row->thread],
                                  places->of[STINT_ROWS_STATS][row->stat], &row->numbers);
    }
}

void stint_builder_add_snapshot(struct stint_builder *builder, const struct stint_addition *addition)
{
    const struct stint_snapshot *snapshot = addition->snapshot;
    struct stint_arena own = {0}, *scratch = addition->scratch ? addition->scratch : &own;
    struct places places = {{NULL}, {0}};
    for (size_t i = 0; i < snapshot->set_count; i++)
        stint_builder_set(builder, snapshot->sets[i]);
    for (int kind = 0; kind < STINT_ROW_KINDS; kind++) {
        const struct stint_row_table *table = stint_row_tables[kind];
        if (!(addition->kinds >> kind & 1) || !table->at)
            continue;
        if (kind == STINT_ROWS_THREAD_STATS)
            add_thread_stats(builder, snapshot, &places);
        else if (table->is_list)
            add_list(builder, addition, (enum stint_row_kind)kind, &places, scratch);
        else
            stint_builder_add(builder, (enum stint_row_kind)kind, (const char *)snapshot + table->at);
    }
    stint_arena_reuse(scratch);
    stint_arena_free(&own);
}

/* ------------------------------------------------------------------------------------------------------- processes */

#define ROW struct stint_merged_process
static const struct stint_member s_processes[] = {
    OPTIONAL(I64, pid),     OPTIONAL(NAME, rank),  OPTIONAL(TEXT, command), OPTIONAL(U64, start_unix_ns),
    OPTIONAL(U64, wall_ns), OPTIONAL(U64, gpu_ns), OPTIONAL(U64, kernels),  OPTIONAL(U64, dropped),
};
#undef ROW

struct stint_merged_process stint_process_sum(const struct stint_snapshot *snapshot)
{
    const struct stint_process *process = &snapshot->process;
    struct stint_merged_process sum = {.pid = process->pid,
                                       .command = process->command,
                                       .start_unix_ns = process->start_unix_ns,
                                       .wall_ns = process->wall_ns};
    memcpy(sum.rank, process->rank, sizeof sum.rank);
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++) {
        const struct stint_gpu_activity *activity = &snapshot->gpu_activities[i];
        stint_sum_up(&sum.gpu_ns, stint_gpu_occupies(activity->kind) ? activity->numbers.total_ns : 0);
        stint_sum_up(&sum.kernels, activity->kind == STINT_GPU_KERNEL ? activity->numbers.count : 0);
    }
    const uint64_t *dropped = (const uint64_t *)&snapshot->dropped;
    for (size_t i = 0; i < sizeof snapshot->dropped / sizeof *dropped; i++)
        stint_sum_up(&sum.dropped, dropped[i]);
    return sum;
}

static int process_before(const void *array, size_t a, size_t b)
{
    const struct stint_merged_process *x = (const struct stint_merged_process *)array + a;
    const struct stint_merged_process *y = (const struct stint_merged_process *)array + b;
    if (x->start_unix_ns != y->start_unix_ns)
        return x->start_unix_ns < y->start_unix_ns;
    return x->pid != y->pid ? x->pid < y->pid : a < b;
}

static int order_processes(struct stint_ordering *ordering, enum stint_row_kind kind)
{
    const struct stint_array *rows = &ordering->builder->rows[kind];
    return rows->count < 2 ? 0 : stint_order_rows(ordering, kind, process_before, rows->items);
}

const struct stint_row_table stint_rows_processes = {LIST(struct stint_merged_process, processes),
                                                     .order = order_processes};

/* -------------------------------------------------------------------------------------------------------------- two */

/* Times in the trace are relative to the start of the merged process, which is that of the first snapshot. */
static uint64_t shifted(uint64_t ns, int64_t shift)
{
    if (shift < 0)
        return ns > (uint64_t)-shift ? ns - (uint64_t)-shift : 0;
    return ns + (uint64_t)shift;
}

static void shift_event(const struct stint_addition *addition, void *row)
{
    struct stint_gpu_event *event = row;
    event->start_ns = shifted(event->start_ns, addition->shift_ns);
    event->end_ns = shifted(event->end_ns, addition->shift_ns);
    event->pid = event->pid ? event->pid : addition->snapshot->process.pid;
}

/* `shift_ns` is how much later the snapshot's process started than the merged one. */
static void add_snapshot(struct stint_merging *merging, const struct stint_snapshot *snapshot, int64_t shift_ns)
{
    struct stint_builder *builder = &merging->builder;
    struct stint_merged_process only = stint_process_sum(snapshot);
    stint_builder_add_snapshot(builder, &(struct stint_addition){.kinds = UINT64_MAX,
                                                                 .adapted = STINT_ROWS_GPU_EVENTS,
                                                                 .adapt = shift_event,
                                                                 .snapshot = snapshot,
                                                                 .shift_ns = shift_ns,
                                                                 .scratch = &merging->scratch});
    if (!snapshot->process_count && (only.pid || only.start_unix_ns))
        stint_builder_add(builder, STINT_ROWS_PROCESSES, &only);
}

/* A process that recorded nothing may not have measured what recording costs. */
static void take_costs(struct stint_process *process, const struct stint_process *from)
{
    process->scope_ns = from->scope_ns;
    process->inside_ns = from->inside_ns;
    process->function = from->function;
    process->range = from->range;
    process->call = from->call;
    process->added_ns = from->added_ns;
    process->left_out_ns = from->left_out_ns;
}

static struct stint_process copy_process(struct stint_builder *builder, const struct stint_process *from)
{
    struct stint_process process = *from;
    process.command = stint_builder_text(builder, from->command);
    process.host = stint_builder_text(builder, from->host);
    process.clock = stint_builder_text(builder, from->clock);
    return process;
}

void stint_merging_begin(struct stint_merging *merging, const struct stint_snapshot *first)
{
    merging->scratch = (struct stint_arena){0};
    stint_builder_begin(&merging->builder);
    merging->process = copy_process(&merging->builder, &first->process);
    add_snapshot(merging, first, 0);
}

void stint_merging_add(struct stint_merging *merging, const struct stint_snapshot *next)
{
    struct stint_process *process = &merging->process;
    if (process->scope_ns <= 0)
        take_costs(process, &next->process);
    stint_builder_merge(&merging->builder, STINT_ROWS_OVERHEAD, process, &next->process);
    add_snapshot(merging, next, (int64_t)(next->process.start_unix_ns - process->start_unix_ns));
}

struct stint_snapshot *stint_merging_end(struct stint_merging *merging)
{
    stint_arena_free(&merging->scratch);
    return stint_builder_end(&merging->builder, &merging->process, &merging->builder.whole.dropped);
}

enum stint_status stint_snapshot_merge(const struct stint_snapshot *a, const struct stint_snapshot *b,
                                       struct stint_snapshot **merged)
{
    struct stint_merging merging;
    if (!merged)
        return STINT_ERROR_INVALID_ARGUMENT;
    *merged = NULL;
    if (!a || !b)
        return STINT_ERROR_INVALID_ARGUMENT;
    stint_merging_begin(&merging, a);
    stint_merging_add(&merging, b);
    *merged = stint_merging_end(&merging);
    return *merged ? STINT_OK : STINT_ERROR_NO_MEMORY;
}
