#include "stat/sample_rows.h"

#include <string.h>

#include "base/index.h"

/* The lists are one after the other in the snapshot. */
_Static_assert(offsetof(struct stint_snapshot, sample_count_count) - offsetof(struct stint_snapshot, sample_modules) +
                       sizeof(size_t) ==
                   STINT_SAMPLE_LISTS * sizeof(struct stint_row_list),
               "the snapshot's lists of samples are not as the kinds of rows");

enum { COUNTS = STINT_ROWS_SAMPLE_COUNTS - STINT_ROWS_SAMPLE_MODULES };

static void *value_at(char *row, const struct stint_member *member)
{
    return row + member->at;
}

void stint_builder_sampling(struct stint_builder *builder, const struct stint_sample_info *info)
{
    struct stint_sample_info *sum = &builder->sampling;

    if (!sum->sampled) {
        sum->sampled = info->sampled;
        sum->wall = info->wall;
        sum->hz = info->hz;
    }
    sum->samples += info->samples;
    sum->time_ns += info->time_ns;
    sum->cpu_ns += info->cpu_ns;
    sum->leaves += info->leaves;
    sum->cut += info->cut;
    sum->deep += info->deep;
    sum->crowded += info->crowded;
    sum->unsampled += info->unsampled;
}

size_t stint_builder_sample(struct stint_builder *builder, enum stint_row_kind kind, const void *row)
{
    const struct stint_row_table *table = &stint_row_tables[kind];
    struct stint_array *rows = &builder->samples[kind - STINT_ROWS_SAMPLE_MODULES];
    char *copy = stint_builder_row(builder, rows, table->size);

    if (!copy)
        return 0;
    memcpy(copy, row, table->size);
    for (size_t i = 0; i < table->count; i++)
        if (table->members[i].type == STINT_MEMBER_TEXT) {
            const char **text = value_at(copy, &table->members[i]);

            *text = stint_builder_text(builder, *text);
        }
    return rows->count - 1;
}

/* A snapshot whose samples become the builder's. Rows that are the same in both are one; `rows` has, for each kind,
 * where the snapshot's are in the builder. */
struct addition {
    struct stint_builder *builder;
    const size_t *contexts;
    size_t *rows[STINT_SAMPLE_LISTS];
    struct stint_arena scratch;
};

/* Makes a row of the snapshot one of the builder's. */
static void move_row(const struct addition *addition, char *row, const struct stint_row_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct stint_member *member = &table->members[i];
        size_t *index = value_at(row, member);

        if (member->type == STINT_MEMBER_INDEX && *index != SIZE_MAX)
            *index = addition->rows[member->of - STINT_ROWS_SAMPLE_MODULES][*index];
        if (member->type == STINT_MEMBER_CONTEXT && *index < STINT_GPU_UNATTRIBUTED && *index < STINT_GPU_NO_SCOPE)
            *index = addition->contexts[*index];
    }
}

/* What rows with the same beginning say is the same; modules are the same if they are the same file. */
struct row_key {
    const char *row;
    size_t size;
    size_t compared; /* bytes; 0: a module */
};

static int same_row(const void *array, size_t position, const void *key)
{
    const struct row_key *like = key;
    const char *row = (const char *)array + position * like->size;
    const struct stint_sample_module *a = (const void *)row, *b = (const void *)like->row;

    if (like->compared)
        return memcmp(row, like->row, like->compared) == 0;
    return (*b->path || a->pid == b->pid) && strcmp(a->path, b->path) == 0 && strcmp(a->build_id, b->build_id) == 0;
}

static uint64_t hash_of(const struct row_key *key)
{
    const char *path = ((const struct stint_sample_module *)(const void *)key->row)->path;

    return key->compared ? stint_hash(key->row, key->compared, 0) : stint_hash(path, strlen(path), 0);
}

static struct row_key key_of(size_t kind, const char *row)
{
    static const uint8_t compared[STINT_SAMPLE_LISTS] = {
        0, sizeof(struct stint_sample_frame), sizeof(struct stint_sample_stack),
        offsetof(struct stint_sample_thread, name) + sizeof((struct stint_sample_thread *)0)->name,
        offsetof(struct stint_sample_count, samples)};

    return (struct row_key){row, stint_row_tables[STINT_ROWS_SAMPLE_MODULES + kind].size, compared[kind]};
}

/* Adds what a row counts to the one that says the same. */
static void add_up(struct stint_builder *builder, size_t at, const void *row)
{
    struct stint_sample_count *sum = (struct stint_sample_count *)builder->samples[COUNTS].items + at;
    const struct stint_sample_count *more = row;

    sum->samples += more->samples;
    sum->time_ns += more->time_ns;
}

static void note(struct addition *addition, struct stint_index *index, const struct row_key *key, size_t at)
{
    if (stint_index_add(index, &addition->scratch, hash_of(key), at))
        addition->builder->failed = 1;
}

/* Adds rows of one kind to those of the builder that are not there yet; samples are added up. */
static void add_list(struct addition *addition, size_t kind, const struct stint_row_list *list)
{
    const struct stint_row_table *table = &stint_row_tables[STINT_ROWS_SAMPLE_MODULES + kind];
    const struct stint_array *there = &addition->builder->samples[kind];
    uint64_t row[sizeof(struct stint_sample_module) / sizeof(uint64_t)]; /* room for any */
    struct stint_index index = {0};

    addition->rows[kind] = stint_arena_alloc(&addition->scratch, (list->count + 1) * sizeof(size_t));
    if (!addition->rows[kind])
        addition->builder->failed = 1;
    for (size_t i = 0; i < there->count; i++) {
        struct row_key key = key_of(kind, (const char *)there->items + i * table->size);

        note(addition, &index, &key, i);
    }
    for (size_t i = 0; i < list->count && !addition->builder->failed; i++) {
        struct row_key key = key_of(kind, (const char *)row);

        memcpy(row, (const char *)list->rows + i * table->size, table->size);
        move_row(addition, (char *)row, table);
        size_t at = stint_index_find(&index, hash_of(&key), same_row, there->items, &key);
        if (at == STINT_INDEX_NONE) {
            at = stint_builder_sample(addition->builder, (enum stint_row_kind)(STINT_ROWS_SAMPLE_MODULES + kind), row);
            note(addition, &index, &key, at);
        } else if (kind == COUNTS) {
            add_up(addition->builder, at, row);
        }
        addition->rows[kind][i] = at;
    }
}

void stint_builder_samples_of(struct stint_builder *builder, const struct stint_snapshot *snapshot,
                              const size_t *contexts)
{
    const char *lists = (const char *)snapshot + offsetof(struct stint_snapshot, sample_modules);
    struct addition addition = {.builder = builder, .contexts = contexts};

    stint_builder_sampling(builder, &snapshot->sampling);
    for (size_t kind = 0; kind < STINT_SAMPLE_LISTS && !builder->failed; kind++) {
        struct stint_row_list list;

        memcpy(&list, lists + kind * sizeof list, sizeof list);
        add_list(&addition, kind, &list);
    }
    stint_arena_free(&addition.scratch);
}

void stint_samples_mark_contexts(const struct stint_builder *builder, char *needed)
{
    const struct stint_sample_count *counts = builder->samples[COUNTS].items;

    for (size_t i = 0; i < builder->samples[COUNTS].count; i++)
        if (counts[i].context < builder->contexts.count)
            needed[counts[i].context] = 1;
}

void stint_samples_take(struct stint_snapshot *snapshot, const struct stint_builder *builder, const size_t *contexts)
{
    char *lists = (char *)snapshot + offsetof(struct stint_snapshot, sample_modules);
    struct stint_sample_count *counts = builder->samples[COUNTS].items;

    snapshot->sampling = builder->sampling;
    for (size_t i = 0; i < builder->samples[COUNTS].count; i++)
        if (counts[i].context < builder->contexts.count)
            counts[i].context = contexts[counts[i].context];
    for (size_t kind = 0; kind < STINT_SAMPLE_LISTS; kind++) {
        struct stint_row_list list = {builder->samples[kind].items, builder->samples[kind].count};

        memcpy(lists + kind * sizeof list, &list, sizeof list);
    }
}
