/* Adds activations up in cells, one for each thread and context, and only at the end to contexts, statistics and
 * threads' parts. Recursive activations are told apart there, since they depend on the context alone. */
#include "replay/counts.h"

#include <stdlib.h>

#include "stat/numbers.h"
#include "stint/snapshot.h"

/* ------------------------------------------------------------------------------------------------------------ cells */

static const struct stint_table_key s_cell = STINT_TABLE_KEY(struct stint_counted, thread, row);

/* Has a table for the row. Returns 0, or -1 without memory. */
static int reach_row(struct stint_counts *counts, size_t row)
{
    while (counts->rows.count <= row)
        if (!stint_array_add(&counts->rows, &counts->arena, sizeof(struct stint_durations)))
            return -1;
    return 0;
}

size_t stint_counts_cell(struct stint_counts *counts, size_t thread, size_t row)
{
    struct stint_counted like = {.thread = thread, .row = row};
    const struct stint_counted *cell =
        reach_row(counts, row) ? NULL : stint_table_take(&counts->cells, &s_cell, &counts->arena, &like);
    return stint_table_position(&counts->cells, &s_cell, cell);
}

/* ------------------------------------------------------------------------------------------------------- statistics */

static size_t stat_of(const struct stint_builder *builder, size_t row)
{
    return row % 2 ? row / 2 : ((const struct stint_context *)builder->rows[STINT_ROWS_CONTEXTS].items)[row / 2].stat;
}

/* Whether an activation of the same statistic encloses those of the row, which is of a context. */
static int is_enclosed(const struct stint_builder *builder, size_t row)
{
    const struct stint_context *contexts = builder->rows[STINT_ROWS_CONTEXTS].items;
    size_t around = contexts[row / 2].parent;
    while (around != STINT_NO_PARENT && contexts[around].stat != contexts[row / 2].stat)
        around = contexts[around].parent;
    return around != STINT_NO_PARENT;
}

/* Something that belongs to a statistic, or to a thread's part of one. */
struct member {
    size_t thread;
    size_t stat;
    size_t at; /* position of a cell, or a row */
};

/* What is told to a builder, and how. */
struct telling {
    struct stint_counts *counts;
    struct stint_builder *builder;
    const size_t *threads;
    char *is_recursive;                    /* of each row */
    struct member *members;                /* of cells, then of rows */
    const struct stint_durations **tables; /* of one statistic */
};

static struct stint_numbers numbers_of(const struct stint_counted *cell)
{
    return (struct stint_numbers){.count = cell->count,
                                  .total_ns = cell->total_ns,
                                  .self_ns = cell->self_ns,
                                  .min_ns = cell->min_ns,
                                  .max_ns = cell->max_ns,
                                  .square_ns2 = cell->square_ns2};
}

/* Returns what the cell adds to its statistic: of recursive activations their number, and their own time. */
static struct stint_numbers part_of_stat(const struct telling *telling, const struct stint_counted *cell)
{
    if (!telling->is_recursive[cell->row])
        return numbers_of(cell);
    return (struct stint_numbers){.count = cell->count, .recursive = cell->count, .self_ns = cell->self_ns};
}

static int by_stat(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->stat != y->stat)
        return x->stat < y->stat ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Returns how many members from there on are of the same statistic and thread. */
static size_t count_same(const struct member *members, size_t count)
{
    size_t same = 1;
    while (same < count && members[same].stat == members[0].stat && members[same].thread == members[0].thread)
        same++;
    return same;
}

static void tell_cells(struct telling *telling)
{
    for (size_t i = 0; i < telling->counts->cells.count; i++) {
        const struct stint_counted *cell = stint_counts_at(telling->counts, i);
        struct stint_numbers all = numbers_of(cell), part = part_of_stat(telling, cell);
        telling->members[i] = (struct member){cell->thread, stat_of(telling->builder, cell->row), i};
        stint_builder_add_stat(telling->builder, telling->members[i].stat, &part);
        if (cell->row % 2 == 0)
            stint_builder_add_context(telling->builder, cell->row / 2, &all);
    }
}

static void tell_threads(struct telling *telling)
{
    const struct member *members = telling->members;
    size_t count = telling->counts->cells.count;
    qsort(telling->members, count, sizeof *members, by_stat);
    for (size_t i = 0, same; i < count; i += same) {
        struct stint_numbers sum = {0};
        same = count_same(members + i, count - i);
        for (size_t j = i; j < i + same; j++) {
            struct stint_numbers part = part_of_stat(telling, stint_counts_at(telling->counts, members[j].at));
            (void)stint_numbers_add(&sum, &part, &telling->counts->arena); /* no bins: cannot fail */
        }
        stint_builder_thread_stat(telling->builder, telling->threads[members[i].thread], members[i].stat, &sum);
    }
}

/* -------------------------------------------------------------------------------------------------------- durations */

static const struct stint_durations *durations_of(const struct telling *telling, size_t row)
{
    return (const struct stint_durations *)telling->counts->rows.items + row;
}

/* Tells the bins of contexts. Returns how many rows add to those of a statistic, which become the members. */
static size_t tell_contexts(struct telling *telling)
{
    size_t count = 0;
    for (size_t row = 0; row < telling->counts->rows.count; row++) {
        const struct stint_durations *durations = durations_of(telling, row);
        struct stint_numbers bins = {0};
        if (stint_durations_empty(durations))
            continue;
        if (!telling->is_recursive[row])
            telling->members[count++] = (struct member){0, stat_of(telling->builder, row), row};
        if (row % 2)
            continue;
        stint_durations_bins(&durations, 1, &telling->counts->arena, &bins);
        stint_builder_add_context(telling->builder, row / 2, &bins);
    }
    return count;
}

static void tell_stats(struct telling *telling, size_t count)
{
    const struct member *members = telling->members;
    qsort(telling->members, count, sizeof *members, by_stat);
    for (size_t i = 0, same; i < count; i += same) {
        struct stint_numbers bins = {0};
        same = count_same(members + i, count - i);
        for (size_t j = 0; j < same; j++)
            telling->tables[j] = durations_of(telling, members[i + j].at);
        stint_durations_bins(telling->tables, same, &telling->counts->arena, &bins);
        stint_builder_add_stat(telling->builder, members[i].stat, &bins);
    }
}

void stint_counts_tell(struct stint_counts *counts, struct stint_builder *builder, const size_t *threads)
{
    size_t rows = counts->rows.count, most = counts->cells.count > rows ? counts->cells.count : rows;
    struct telling telling = {.counts = counts,
                              .builder = builder,
                              .threads = threads,
                              .is_recursive = calloc(rows + 1, 1),
                              .members = calloc(most + 1, sizeof *telling.members),
                              .tables = calloc(rows + 1, sizeof *telling.tables)};
    if (!telling.is_recursive || !telling.members || !telling.tables)
        builder->failed = 1;
    if (!builder->failed) {
        for (size_t row = 0; row < rows; row += 2)
            telling.is_recursive[row] =
                (char)(!stint_durations_empty(durations_of(&telling, row)) && is_enclosed(builder, row));
        tell_cells(&telling);
        tell_threads(&telling);
        tell_stats(&telling, tell_contexts(&telling));
    }
    free(telling.is_recursive);
    free(telling.members);
    free(telling.tables);
}

void stint_counts_free(struct stint_counts *counts)
{
    for (size_t row = 0; row < counts->rows.count; row++)
        stint_durations_free((struct stint_durations *)counts->rows.items + row);
    stint_arena_free(&counts->arena);
}
