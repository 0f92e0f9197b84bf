#include "stat/sample_sums.h"

static int same_frame(const void *array, size_t position, const void *key)
{
    const struct stint_sample_frame *row = (const struct stint_sample_frame *)array + position, *like = key;

    return row->address == like->address && row->module == like->module;
}

static int same_stack(const void *array, size_t position, const void *key)
{
    const struct stint_sample_stack *row = (const struct stint_sample_stack *)array + position, *like = key;

    return row->parent == like->parent && row->frame == like->frame;
}

static int same_thread(const void *array, size_t position, const void *key)
{
    const struct stint_sample_thread *row = (const struct stint_sample_thread *)array + position, *like = key;

    return row->pid == like->pid && row->tid == like->tid && row->exited == like->exited;
}

static int same_count(const void *array, size_t position, const void *key)
{
    const struct stint_sample_count *row = (const struct stint_sample_count *)array + position, *like = key;

    return row->stack == like->stack && row->context == like->context && row->thread == like->thread;
}

static const struct stint_array *rows_of(const struct stint_sample_sums *sums, enum stint_row_kind kind)
{
    return &sums->builder->samples[kind - STINT_ROWS_SAMPLE_MODULES];
}

static size_t row_of(struct stint_sample_sums *sums, struct stint_index *index, enum stint_row_kind kind,
                     stint_index_same_fn *same, const void *like, uint64_t hash)
{
    size_t row = stint_index_find(index, hash, same, rows_of(sums, kind)->items, like);

    if (row != STINT_INDEX_NONE)
        return row;
    row = stint_builder_sample(sums->builder, kind, like);
    if (stint_index_add(index, &sums->arena, hash, row))
        sums->builder->failed = 1;
    return row;
}

size_t stint_sample_sums_frame(struct stint_sample_sums *sums, const struct stint_sample_frame *like)
{
    return row_of(sums, &sums->frames, STINT_ROWS_SAMPLE_FRAMES, same_frame, like,
                  stint_hash_mix(like->module, like->address));
}

size_t stint_sample_sums_stack(struct stint_sample_sums *sums, const struct stint_sample_stack *like)
{
    return row_of(sums, &sums->stacks, STINT_ROWS_SAMPLE_STACKS, same_stack, like,
                  stint_hash_mix(like->parent, like->frame));
}

size_t stint_sample_sums_thread(struct stint_sample_sums *sums, const struct stint_sample_thread *like)
{
    return row_of(sums, &sums->threads, STINT_ROWS_SAMPLE_THREADS, same_thread, like,
                  stint_hash_mix((uint64_t)like->pid, (uint64_t)like->tid << 1 | (like->exited != 0)));
}

void stint_sample_sums_count(struct stint_sample_sums *sums, const struct stint_sample_count *more)
{
    struct stint_sample_count like = *more;

    like.samples = like.time_ns = 0;
    size_t row = row_of(sums, &sums->counts, STINT_ROWS_SAMPLE_COUNTS, same_count, &like,
                        stint_hash_mix(like.stack, stint_hash_mix(like.context, like.thread)));
    struct stint_sample_count *counts = rows_of(sums, STINT_ROWS_SAMPLE_COUNTS)->items;
    if (sums->builder->failed)
        return;
    counts[row].samples += more->samples;
    counts[row].time_ns += more->time_ns;
}
