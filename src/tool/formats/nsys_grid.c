/* Kernels by grid and block. Only events have these, so a kernel is split up only if the trace has all its launches. */
#include <string.h>

#include "formats/nsys.h"
#include "formats/nvprof_trace.h"

/* Launches of one kernel with one grid and block. */
struct launches {
    size_t kernel;                      /* position in the kernels' rows */
    const struct stint_gpu_event *like; /* the first of them */
    struct stint_nsys_spread spread;
    size_t row; /* set once these launches have a row */
};

struct grids {
    struct stint_nsys_names kernels;
    const struct stint_nsys_row *rows; /* of the kernels */
    size_t row_count;
    uint64_t *traced;            /* of each kernel: number of launches in the trace */
    struct stint_array launches; /* struct launches */
    struct stint_index index;
};

struct key {
    size_t kernel; /* STINT_INDEX_NONE: not a kernel */
    const struct stint_gpu_event *event;
};

static struct key key_of(const struct grids *grids, const struct stint_gpu_event *event)
{
    return (struct key){stint_nsys_row_of(&grids->kernels, event), event};
}

static uint64_t hash_of(const struct key *key)
{
    uint64_t hash = stint_hash(key->event->grid, sizeof key->event->grid, key->kernel);
    return stint_hash(key->event->block, sizeof key->event->block, hash);
}

static int are_like(const void *array, size_t position, const void *like)
{
    const struct launches *launches = (const struct launches *)array + position;
    const struct key *key = like;
    return launches->kernel == key->kernel &&
           memcmp(launches->like->grid, key->event->grid, sizeof key->event->grid) == 0 &&
           memcmp(launches->like->block, key->event->block, sizeof key->event->block) == 0;
}

static struct launches *find(const struct grids *grids, const struct key *key)
{
    size_t at = stint_index_find(&grids->index, hash_of(key), are_like, grids->launches.items, key);
    return at == STINT_INDEX_NONE ? NULL : (struct launches *)grids->launches.items + at;
}

static struct launches *add(struct stint_nsys *nsys, struct grids *grids, const struct key *key)
{
    struct launches *launches = stint_array_add(&grids->launches, &nsys->arena, sizeof *launches);
    if (!launches || stint_index_add(&grids->index, &nsys->arena, hash_of(key), grids->launches.count - 1)) {
        nsys->failed = 1;
        return NULL;
    }
    launches->kernel = key->kernel;
    launches->like = key->event;
    return launches;
}

static void count_events(struct stint_nsys *nsys, struct grids *grids)
{
    for (size_t i = 0; i < nsys->snapshot->gpu_event_count && !nsys->failed; i++) {
        struct key key = key_of(grids, &nsys->snapshot->gpu_events[i]);
        if (key.kernel == STINT_INDEX_NONE)
            continue;
        struct launches *launches = find(grids, &key);
        if (!launches)
            launches = add(nsys, grids, &key);
        if (!launches)
            return;
        stint_nsys_add_sample(&launches->spread, stint_trace_duration_ns(key.event));
        grids->traced[key.kernel]++;
    }
}

static int is_apart(const struct grids *grids, size_t kernel)
{
    return grids->traced[kernel] == grids->rows[kernel].spread.count;
}

static void add_rows(struct stint_nsys *nsys, struct grids *grids)
{
    struct launches *launches = grids->launches.items;
    struct stint_nsys_row *row;
    for (size_t i = 0; i < grids->row_count; i++) {
        if (is_apart(grids, i) || !(row = stint_nsys_add_row(nsys)))
            continue;
        *row = grids->rows[i];
        nsys->notes |= STINT_NSYS_NO_TRACE_OF_GRIDS;
    }
    for (size_t i = 0; i < grids->launches.count; i++) {
        if (!is_apart(grids, launches[i].kernel) || !(row = stint_nsys_add_row(nsys)))
            continue;
        row->name = grids->rows[launches[i].kernel].name;
        row->has_grid = 1;
        memcpy(row->grid, launches[i].like->grid, sizeof row->grid);
        memcpy(row->block, launches[i].like->block, sizeof row->block);
        row->spread = launches[i].spread;
        stint_nsys_spread_simple(&row->spread);
        launches[i].row = nsys->rows.count - 1;
    }
}

static void settle(struct stint_nsys *nsys, const struct grids *grids)
{
    struct stint_nsys_samples samples = {0};
    for (size_t i = 0; i < nsys->snapshot->gpu_event_count && !nsys->failed; i++) {
        struct key key = key_of(grids, &nsys->snapshot->gpu_events[i]);
        if (key.kernel != STINT_INDEX_NONE && is_apart(grids, key.kernel))
            stint_nsys_sample(nsys, &samples, find(grids, &key)->row, stint_trace_duration_ns(key.event));
    }
    stint_nsys_settle(nsys, &samples);
}

void stint_nsys_collect_grids(struct stint_nsys *nsys)
{
    struct grids grids = {0};
    stint_nsys_collect_names(nsys, &grids.kernels);
    grids.rows = nsys->rows.items;
    grids.row_count = nsys->rows.count;
    grids.traced = stint_nsys_alloc(nsys, grids.row_count, sizeof *grids.traced);
    nsys->rows = (struct stint_array){0};
    if (!nsys->failed)
        count_events(nsys, &grids);
    if (!nsys->failed)
        add_rows(nsys, &grids);
    if (!nsys->failed)
        settle(nsys, &grids);
}
