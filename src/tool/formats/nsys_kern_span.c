/* Kernels by range, process and thread, from single ranges. A kernel that was launched in two ranges of one name, one
 * within the other, is one kernel, but its time counts in both. */
#include "formats/nsys_span.h"

/* Of a row: where a kernel was counted last. */
struct counted {
    const struct stint_nsys_launch *launch;
    size_t span;
};

struct sums {
    struct stint_index index;          /* of rows */
    struct stint_array counted;        /* struct counted, of each row */
    struct stint_nsys_pairs instances; /* a row, and a range that had its kernel */
    struct stint_nsys_samples samples;
};

/* ------------------------------------------------------------------------------------------------------------- rows */

struct key {
    const struct stint_nsys_span *span;
    const char *kernel;
};

/* Texts are kept once. */
static int is_like(const void *rows, size_t position, const void *key)
{
    const struct stint_nsys_row *row = (const struct stint_nsys_row *)rows + position;
    const struct key *like = key;
    return row->name == like->kernel && row->range == like->span->name && row->tid == like->span->tid &&
           row->pid == like->span->pid && row->style == stint_nsys_style_name(like->span->style);
}

static size_t row_of(struct stint_nsys *nsys, struct sums *sums, const struct key *key)
{
    const struct stint_nsys_span *span = key->span;
    uint64_t hash = stint_hash_mix((uintptr_t)span->name + (uint64_t)span->style, (uintptr_t)key->kernel);
    hash = stint_hash_mix(hash, stint_hash_mix((uint64_t)span->pid, (uint64_t)span->tid));
    size_t at = stint_index_find(&sums->index, hash, is_like, nsys->rows.items, key);
    if (at != STINT_INDEX_NONE)
        return at;
    struct stint_nsys_row *row = stint_nsys_add_row(nsys);
    if (!row || !stint_array_add(&sums->counted, &nsys->arena, sizeof(struct counted)) ||
        stint_index_add(&sums->index, &nsys->arena, hash, nsys->rows.count - 1)) {
        nsys->failed = 1;
        return STINT_INDEX_NONE;
    }
    row->name = key->kernel;
    row->range = span->name;
    row->style = stint_nsys_style_name(span->style);
    row->pid = span->pid;
    row->tid = span->tid;
    return nsys->rows.count - 1;
}

/* ---------------------------------------------------------------------------------------------------------- kernels */

/* What a launch did is told for all ranges around it, one after the other: in the first of those that share a row it
 * is counted. */
static void count_kernel(struct stint_nsys *nsys, struct sums *sums, size_t row, const struct stint_nsys_launch *launch,
                         size_t span)
{
    struct counted *counted = (struct counted *)sums->counted.items + row;
    if (counted->launch != launch)
        *counted = (struct counted){launch, span};
    stint_nsys_row_at(nsys, row)->operations += counted->span == span;
}

static void launched(struct stint_nsys *nsys, struct stint_nsys_spans *spans, const struct stint_nsys_launch *launch,
                     size_t span)
{
    struct sums *sums = spans->caller;
    for (size_t i = launch->work; i != STINT_INDEX_NONE && !nsys->failed;) {
        const struct stint_nsys_work *work = (const struct stint_nsys_work *)spans->work.items + i;
        struct key key = {stint_nsys_span_at(spans, span), work->kernel};
        i = work->next;
        size_t row = work->kernel ? row_of(nsys, sums, &key) : STINT_INDEX_NONE;
        if (row == STINT_INDEX_NONE)
            continue;
        stint_nsys_row_at(nsys, row)->instances += stint_nsys_add_pair(nsys, &sums->instances, row, span);
        count_kernel(nsys, sums, row, launch, span);
        stint_nsys_add_sample(&stint_nsys_row_at(nsys, row)->spread, work->ns);
        stint_nsys_sample(nsys, &sums->samples, row, work->ns);
    }
}

int stint_nsys_sum_range_kernels(struct stint_nsys *nsys)
{
    struct sums sums = {.index = {0}};
    struct stint_nsys_spans spans = {.with_work = 1, .launched = launched, .caller = &sums};
    if (stint_nsys_read_spans(nsys, &spans) || !stint_nsys_spans_are_whole(nsys, &spans)) {
        nsys->rows = (struct stint_array){0};
        return -1;
    }
    stint_nsys_settle(nsys, &sums.samples);
    for (size_t i = 0; i < nsys->rows.count && !nsys->failed; i++)
        (void)stint_nsys_spread_simple(&stint_nsys_row_at(nsys, i)->spread);
    return 0;
}
