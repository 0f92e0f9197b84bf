#include "stat/sample_rows.h"

#include <string.h>

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

/* Makes a row of a snapshot one of the builder's, where the lists of the snapshot begin at `first`. */
static void move_row(char *row, const struct stint_row_table *table, const size_t *first, const size_t *contexts)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct stint_member *member = &table->members[i];
        size_t *index = value_at(row, member);

        if (member->type == STINT_MEMBER_INDEX && *index != SIZE_MAX)
            *index += first[member->of - STINT_ROWS_SAMPLE_MODULES];
        if (member->type == STINT_MEMBER_CONTEXT && *index < STINT_GPU_UNATTRIBUTED && *index < STINT_GPU_NO_SCOPE)
            *index = contexts[*index];
    }
}

void stint_builder_samples_of(struct stint_builder *builder, const struct stint_snapshot *snapshot,
                              const size_t *contexts)
{
    const char *lists = (const char *)snapshot + offsetof(struct stint_snapshot, sample_modules);
    size_t first[STINT_SAMPLE_LISTS];
    uint64_t row[sizeof(struct stint_sample_module) / sizeof(uint64_t)]; /* room for any */

    stint_builder_sampling(builder, &snapshot->sampling);
    for (size_t kind = 0; kind < STINT_SAMPLE_LISTS; kind++)
        first[kind] = builder->samples[kind].count;
    for (size_t kind = 0; kind < STINT_SAMPLE_LISTS; kind++) {
        const struct stint_row_table *table = &stint_row_tables[STINT_ROWS_SAMPLE_MODULES + kind];
        struct stint_row_list list;

        memcpy(&list, lists + kind * sizeof list, sizeof list);
        for (size_t i = 0; i < list.count; i++) {
            memcpy(row, (const char *)list.rows + i * table->size, table->size);
            move_row((char *)row, table, first, contexts);
            (void)stint_builder_sample(builder, (enum stint_row_kind)(STINT_ROWS_SAMPLE_MODULES + kind), row);
        }
    }
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
