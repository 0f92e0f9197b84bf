#include "stat/builder.h"

#include <string.h>

#include "stat/canonical.h"
#include "stat/numbers.h"

struct stint_snapshot_memory {
    struct stint_snapshot snapshot; /* first: the user holds its address */
    struct stint_arena arena;       /* holds this struct too */
};

static const struct stint_stat *stat_at(const struct stint_builder *builder, size_t position)
{
    return (const struct stint_stat *)builder->stats.items + position;
}

static const struct stint_context *context_at(const struct stint_builder *builder, size_t position)
{
    return (const struct stint_context *)builder->contexts.items + position;
}

struct stint_arena *stint_builder_arena(struct stint_builder *builder)
{
    return builder->failed ? NULL : &builder->memory->arena;
}

static void begin(struct stint_builder *builder, struct stint_arena arena)
{
    *builder = (struct stint_builder){.gpu.reason = ""};
    builder->memory = stint_arena_alloc(&arena, sizeof *builder->memory);
    builder->failed = !builder->memory;
    if (builder->memory)
        builder->memory->arena = arena;
}

void stint_builder_begin(struct stint_builder *builder)
{
    begin(builder, (struct stint_arena){0});
}

void stint_builder_begin_in(struct stint_builder *builder, struct stint_spare_memory *spare)
{
    begin(builder, spare->count ? spare->arenas[--spare->count] : (struct stint_arena){0});
}

void *stint_builder_row(struct stint_builder *builder, struct stint_array *rows, size_t size)
{
    void *row = builder->failed ? NULL : stint_array_add(rows, &builder->memory->arena, size);

    if (!row)
        builder->failed = 1;
    return row;
}

const char *stint_builder_text(struct stint_builder *builder, const char *text)
{
    const char *copy = builder->failed ? NULL : stint_arena_copy(&builder->memory->arena, text, strlen(text));

    if (!copy)
        builder->failed = 1;
    return copy ? copy : "";
}

size_t stint_builder_set(struct stint_builder *builder, const char *name)
{
    const char **sets = builder->sets.items;
    const char **row;

    for (size_t i = 0; i < builder->sets.count; i++)
        if (strcmp(sets[i], name) == 0)
            return i;
    name = stint_builder_text(builder, name);
    row = stint_builder_row(builder, &builder->sets, sizeof *row);
    if (row)
        *row = name;
    return builder->sets.count - !!row;
}

static int same_stat(const void *array, size_t position, const void *key)
{
    const struct stint_stat *stat = stat_at(array, position), *like = key;

    return strcmp(stat->name, like->name) == 0 && strcmp(stat->set, like->set) == 0;
}

static uint64_t stat_hash(const struct stint_stat *stat)
{
    return stint_hash(stat->name, strlen(stat->name), stint_hash(stat->set, strlen(stat->set), 0));
}

/* If a statistic has two call sites, the one that sorts first is shown, so that merging is commutative. */
static int site_before(const struct stint_stat *a, const struct stint_stat *b)
{
    int file = strcmp(a->file, b->file);

    if (!*a->file || !*b->file)
        return *a->file && !*b->file;
    if (file || a->line != b->line)
        return file < 0 || (!file && a->line < b->line);
    return strcmp(a->function, b->function) < 0;
}

static void take_site(struct stint_builder *builder, struct stint_stat *stat, const struct stint_stat *like)
{
    stat->file = stint_builder_text(builder, like->file);
    stat->function = stint_builder_text(builder, like->function);
    stat->line = like->line;
}

size_t stint_builder_stat(struct stint_builder *builder, const struct stint_stat *like)
{
    uint64_t hash = stat_hash(like);
    size_t at = stint_index_find(&builder->stat_index, hash, same_stat, builder, like);
    struct stint_stat *row;

    if (at != STINT_INDEX_NONE) {
        row = (struct stint_stat *)builder->stats.items + at;
        row->by_thread |= like->by_thread;
        if (site_before(like, row))
            take_site(builder, row, like);
        return at;
    }
    at = stint_builder_set(builder, like->set);
    const char *set = builder->failed ? "" : ((const char **)builder->sets.items)[at];
    const char *name = stint_builder_text(builder, like->name);
    row = stint_builder_row(builder, &builder->stats, sizeof *row);
    if (!row)
        return 0;
    row->set = set;
    row->name = name;
    row->by_thread = like->by_thread;
    take_site(builder, row, like);
    at = builder->stats.count - 1;
    if (!builder->failed && stint_index_add(&builder->stat_index, &builder->memory->arena, hash, at))
        builder->failed = 1;
    return at;
}

static int same_context(const void *array, size_t position, const void *key)
{
    const struct stint_context *context = context_at(array, position), *like = key;

    return context->parent == like->parent && context->stat == like->stat;
}

size_t stint_builder_context(struct stint_builder *builder, size_t parent, size_t stat)
{
    struct stint_context like = {.parent = parent, .stat = stat};
    const size_t words[] = {parent, stat};
    uint64_t hash = stint_hash(words, sizeof words, 0);
    size_t at = stint_index_find(&builder->context_index, hash, same_context, builder, &like);
    struct stint_context *row;

    if (at != STINT_INDEX_NONE)
        return at;
    row = stint_builder_row(builder, &builder->contexts, sizeof *row);
    if (!row)
        return 0;
    row->parent = parent;
    row->stat = stat;
    row->depth = parent == STINT_NO_PARENT ? 0 : context_at(builder, parent)->depth + 1;
    at = builder->contexts.count - 1;
    if (stint_index_add(&builder->context_index, &builder->memory->arena, hash, at))
        builder->failed = 1;
    return at;
}

size_t stint_builder_thread(struct stint_builder *builder, const struct stint_thread *thread)
{
    struct stint_thread *row = stint_builder_row(builder, &builder->threads, sizeof *row);

    if (row)
        *row = *thread;
    return builder->threads.count - !!row;
}

void stint_builder_thread_stat(struct stint_builder *builder, size_t thread, size_t stat,
                               const struct stint_numbers *numbers)
{
    struct stint_thread_stat *row = stint_builder_row(builder, &builder->thread_stats, sizeof *row);

    if (!row)
        return;
    row->thread = thread;
    row->stat = stat;
    row->numbers = *numbers;
    row->numbers.bins = row->numbers.raw_bins = NULL;
    row->numbers.bin_count = 0;
}

static void add_numbers(struct stint_builder *builder, struct stint_numbers *into, const struct stint_numbers *numbers)
{
    if (stint_numbers_add(into, numbers, &builder->memory->arena))
        builder->failed = 1;
}

void stint_builder_add_stat(struct stint_builder *builder, size_t stat, const struct stint_numbers *numbers)
{
    if (!builder->failed)
        add_numbers(builder, &((struct stint_stat *)builder->stats.items)[stat].numbers, numbers);
}

void stint_builder_add_context(struct stint_builder *builder, size_t context, const struct stint_numbers *numbers)
{
    if (!builder->failed)
        add_numbers(builder, &((struct stint_context *)builder->contexts.items)[context].numbers, numbers);
}

/* --------------------------------------------------------------------------------------------------------- barriers */

static int same_barrier(const struct stint_barrier_stat *a, const struct stint_barrier_stat *b)
{
    return a->kind == b->kind && a->participants == b->participants && strcmp(a->name, b->name) == 0 &&
           strcmp(a->set, b->set) == 0;
}

static struct stint_barrier_stat *new_barrier(struct stint_builder *builder, const struct stint_barrier_stat *like)
{
    size_t set = stint_builder_set(builder, like->set);
    const char *name = stint_builder_text(builder, like->name);
    struct stint_barrier_stat *row = stint_builder_row(builder, &builder->barriers, sizeof *row);
    struct stint_barrier_part *parts;

    if (!row)
        return NULL;
    parts = stint_arena_alloc(&builder->memory->arena, like->participants * sizeof *parts);
    if (!parts) {
        builder->failed = 1;
        return NULL;
    }
    row->set = ((const char **)builder->sets.items)[set];
    row->name = name;
    row->kind = like->kind;
    row->participants = like->participants;
    row->slowest = parts;
    row->slowest_count = like->participants;
    return row;
}

static struct stint_barrier_stat *find_barrier(struct stint_builder *builder, const struct stint_barrier_stat *like)
{
    struct stint_barrier_stat *rows = builder->barriers.items;

    for (size_t i = 0; i < builder->barriers.count; i++)
        if (same_barrier(&rows[i], like))
            return &rows[i];
    return new_barrier(builder, like);
}

void stint_builder_barrier(struct stint_builder *builder, const struct stint_barrier_stat *like)
{
    struct stint_barrier_stat *row = builder->failed ? NULL : find_barrier(builder, like);

    if (!row)
        return;
    struct stint_barrier_part *parts = (struct stint_barrier_part *)row->slowest; /* writable until the end */
    row->pending += like->pending;
    row->rounds += like->rounds;
    stint_barrier_part_add(&row->total, &like->total);
    for (size_t i = 0; i < like->slowest_count; i++) {
        const struct stint_barrier_part *part = &like->slowest[i];

        if (part->rounds && part->participant < row->participants)
            stint_barrier_part_add(&parts[part->participant], part);
    }
}

struct stint_snapshot *stint_builder_end(struct stint_builder *builder, const struct stint_process *process,
                                         const struct stint_dropped *dropped)
{
    if (!builder->memory)
        return NULL;
    struct stint_snapshot *snapshot = &builder->memory->snapshot;
    stint_builder_set(builder, "GlobalStatInfo");
    if (builder->failed || stint_canonical_rows(snapshot, builder)) {
        stint_snapshot_free(snapshot);
        return NULL;
    }
    snapshot->size = sizeof *snapshot;
    snapshot->process = *process;
    snapshot->dropped = *dropped;
    snapshot->gpu = builder->gpu;
    return snapshot;
}

void stint_snapshot_free(struct stint_snapshot *snapshot)
{
    if (snapshot) {
        struct stint_arena arena = ((struct stint_snapshot_memory *)snapshot)->arena;

        stint_arena_free(&arena);
    }
}

void stint_snapshot_recycle(struct stint_snapshot *snapshot, struct stint_spare_memory *spare)
{
    if (!snapshot || spare->count == sizeof spare->arenas / sizeof spare->arenas[0]) {
        stint_snapshot_free(snapshot);
        return;
    }
    struct stint_arena *arena = &spare->arenas[spare->count++];
    *arena = ((struct stint_snapshot_memory *)snapshot)->arena;
    stint_arena_reuse(arena);
}

void stint_spare_memory_free(struct stint_spare_memory *spare)
{
    while (spare->count)
        stint_arena_free(&spare->arenas[--spare->count]);
}
