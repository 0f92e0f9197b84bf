/* Kernels, memory operations and calls, each summed by name over all streams and devices. */
#include <string.h>

#include "base/index.h"
#include "formats/nsys.h"
#include "formats/nvprof_trace.h"
#include "report/gpu_sum.h"

/* ------------------------------------------------------------------------------------------------------------ names */

/* "[CUDA memcpy Host-to-Device]", "[CUDA memcpy Unified Host-to-Device]"; other names are unchanged. */
const char *stint_nsys_operation(struct stint_nsys *nsys, enum stint_gpu_kind kind, enum stint_gpu_direction direction,
                                 const char *name)
{
    if (!direction)
        return name;
    return stint_nsys_join(nsys,
                           (const char *const[]){"[CUDA memcpy ", kind == STINT_GPU_UNIFIED ? "Unified " : "",
                                                 stint_gpu_direction_words[direction].nsys, "]"},
                           4);
}

/* ----------------------------------------------------------------------------------------------------------- events */

struct row_key {
    enum stint_gpu_kind kind;
    const char *name;
};

static uint64_t hash_of(const struct row_key *key)
{
    return stint_hash(key->name, strlen(key->name), (uint64_t)key->kind);
}

static int is_row_of(const void *array, size_t position, const void *like)
{
    const struct stint_nsys_names *rows = array;
    const struct row_key *key = like;
    return rows->kinds[position] == key->kind && strcmp(rows->names[position], key->name) == 0;
}

size_t stint_nsys_row_of(const struct stint_nsys_names *rows, const struct stint_gpu_event *event)
{
    struct row_key key = {event->kind, event->name};
    if (event->api)
        return STINT_INDEX_NONE;
    return stint_index_find(&rows->index, hash_of(&key), is_row_of, rows, &key);
}

/* If the trace has every operation, medians are exact. */
static void settle_by_trace(struct stint_nsys *nsys, const struct stint_nsys_names *rows, int sizes)
{
    struct stint_nsys_samples samples = {0};
    for (size_t i = 0; i < nsys->snapshot->gpu_event_count && !nsys->failed; i++) {
        const struct stint_gpu_event *event = &nsys->snapshot->gpu_events[i];
        size_t row = stint_nsys_row_of(rows, event);
        if (row != STINT_INDEX_NONE)
            stint_nsys_sample(nsys, &samples, row, sizes ? event->bytes : stint_trace_duration_ns(event));
    }
    stint_nsys_settle(nsys, &samples);
}

/* ------------------------------------------------------------------------------------------------------- activities */

enum { KERNELS = 1 << STINT_GPU_KERNEL, MEMORY = 1 << STINT_GPU_COPY | 1 << STINT_GPU_SET | 1 << STINT_GPU_UNIFIED };

/* All activities of one kind and name, which are adjacent. */
struct group {
    const struct stint_gpu_activity *first;
    struct stint_numbers numbers;
    struct stint_nsys_spread bytes; /* without a median so far */
    double square_bytes2;
};

static void add_bytes(struct group *group, const struct stint_gpu_activity *activity)
{
    struct stint_nsys_spread *bytes = &group->bytes;
    if (!bytes->count || activity->min_bytes < bytes->min)
        bytes->min = activity->min_bytes;
    if (activity->max_bytes > bytes->max)
        bytes->max = activity->max_bytes;
    bytes->count += activity->numbers.count;
    bytes->total += activity->bytes;
    group->square_bytes2 += activity->square_bytes2;
}

static int next_group(struct stint_nsys *nsys, int kinds, size_t *next, struct group *group)
{
    *group = (struct group){0};
    for (; *next < nsys->snapshot->gpu_activity_count; (*next)++) {
        const struct stint_gpu_activity *activity = &nsys->snapshot->gpu_activities[*next];
        if (!(kinds & 1 << activity->kind) || !activity->numbers.count)
            continue;
        if (!group->first)
            group->first = activity;
        if (activity->kind != group->first->kind || strcmp(activity->name, group->first->name) != 0)
            break;
        stint_nsys_add_numbers(nsys, &group->numbers, &activity->numbers);
        add_bytes(group, activity);
    }
    return group->first != NULL;
}

static size_t count_groups(struct stint_nsys *nsys, int kinds)
{
    struct group group;
    size_t count = 0;
    for (size_t next = 0; next_group(nsys, kinds, &next, &group);)
        count++;
    return count;
}

/* Sums of squares give the deviation, but not the median. */
static struct stint_nsys_spread spread_of_bytes(const struct group *group)
{
    struct stint_nsys_spread spread = group->bytes;
    struct stint_numbers like = {
        .count = spread.count, .total_ns = spread.total, .max_ns = spread.max, .square_ns2 = group->square_bytes2};
    struct stint_nsys_spread squares = stint_nsys_spread_of(&like);
    if (!stint_nsys_spread_simple(&spread)) {
        spread.has_deviation = squares.has_deviation;
        spread.deviation = squares.deviation;
    }
    return spread;
}

static void add_group(struct stint_nsys *nsys, struct stint_nsys_names *rows, const struct group *group, int sizes)
{
    struct row_key key = {group->first->kind, group->first->name};
    size_t position = nsys->rows.count;
    int is_kernel = key.kind == STINT_GPU_KERNEL;
    struct stint_nsys_row *row = stint_nsys_add_row(nsys);
    if (!row)
        return;
    row->name =
        is_kernel ? key.name : stint_nsys_operation(nsys, group->first->kind, group->first->direction, key.name);
    row->category = is_kernel ? "CUDA_KERNEL" : "MEMORY_OPER";
    row->spread = sizes ? spread_of_bytes(group) : stint_nsys_spread_of(&group->numbers);
    rows->kinds[position] = key.kind;
    rows->names[position] = key.name;
    if (stint_index_add(&rows->index, &nsys->arena, hash_of(&key), position))
        nsys->failed = 1;
}

static void collect_rows(struct stint_nsys *nsys, struct stint_nsys_names *rows, int kinds, int sizes)
{
    size_t count = count_groups(nsys, kinds);
    struct group group;
    *rows = (struct stint_nsys_names){.kinds = stint_nsys_alloc(nsys, count, sizeof *rows->kinds),
                                      .names = stint_nsys_alloc(nsys, count, sizeof *rows->names)};
    for (size_t next = 0; !nsys->failed && next_group(nsys, kinds, &next, &group);)
        add_group(nsys, rows, &group, sizes);
}

static void collect(struct stint_nsys *nsys, int kinds, int sizes)
{
    struct stint_nsys_names rows;
    collect_rows(nsys, &rows, kinds, sizes);
    if (!nsys->failed)
        settle_by_trace(nsys, &rows, sizes);
}

void stint_nsys_collect_names(struct stint_nsys *nsys, struct stint_nsys_names *rows)
{
    collect_rows(nsys, rows, KERNELS, 0);
}

void stint_nsys_collect_kernels(struct stint_nsys *nsys)
{
    collect(nsys, KERNELS, 0);
}

void stint_nsys_collect_memory_times(struct stint_nsys *nsys)
{
    collect(nsys, MEMORY, 0);
}

void stint_nsys_collect_memory_sizes(struct stint_nsys *nsys)
{
    collect(nsys, MEMORY, 1);
}

void stint_nsys_collect_gpu(struct stint_nsys *nsys)
{
    collect(nsys, KERNELS | MEMORY, 0);
}

/* ------------------------------------------------------------------------------------------------------------ calls */

static void collect_calls(struct stint_nsys *nsys, int (*is_wanted)(const struct stint_stat *stat))
{
    for (size_t i = 0; i < nsys->snapshot->stat_count; i++) {
        const struct stint_stat *stat = &nsys->snapshot->stats[i];
        if (!is_wanted(stat) || !stat->numbers.count)
            continue;
        struct stint_nsys_row *row = stint_nsys_add_row(nsys);
        if (!row)
            return;
        row->name = stat->name;
        row->category = "CUDA_API"; /* in a report that shows it */
        row->spread = stint_nsys_spread_of(&stat->numbers);
    }
}

void stint_nsys_collect_calls(struct stint_nsys *nsys)
{
    collect_calls(nsys, stint_gpu_is_call);
}

void stint_nsys_collect_os_calls(struct stint_nsys *nsys)
{
    collect_calls(nsys, stint_stat_is_os_call);
}

void stint_nsys_collect_calls_and_gpu(struct stint_nsys *nsys)
{
    stint_nsys_collect_gpu(nsys);
    if (!nsys->failed)
        stint_nsys_collect_calls(nsys);
}
