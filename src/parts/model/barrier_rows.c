/* The rows of barriers: their members, how they are added up, and in which order they are. */
#include "model/model.h"

#include <string.h>

#include "stat/member_macros.h"
#include "stat/numbers.h"

#define ROW struct stint_barrier_stat
static const struct stint_member s_barriers[] = {
    NAMED(NEEDED, SET, set),
    NEEDED(TEXT, name),
    WORD(NEEDED, BARRIER, kind),
    NEEDED(U32, participants),
    SUM(U32, pending),
    SUM(U64, rounds),
    OBJECT("total", BARRIER_TOTAL, total),
    ROWS("slowest", SLOWEST, slowest),
};
#undef ROW

#define ROW struct stint_barrier_part
#define GAPS                                                                                                           \
    OPTIONAL(U64, rounds), OPTIONAL(U64, gap_ns), OPTIONAL(U64, min_gap_ns), OPTIONAL(U64, max_gap_ns),                \
        OPTIONAL(U64, second_gap_ns), OPTIONAL(U64, last_two_gap_ns), OPTIONAL(U64, middle_gap_ns)
static const struct stint_member s_barrier_total[] = {GAPS};
static const struct stint_member s_slowest[] = {NEEDED(U32, participant), GAPS};
#undef ROW

/* ----------------------------------------------------------------------------------------------------------- merge */

void stint_barrier_part_add(struct stint_barrier_part *into, const struct stint_barrier_part *from)
{
    if (!from->rounds)
        return;
    if (!into->rounds || from->min_gap_ns < into->min_gap_ns)
        into->min_gap_ns = from->min_gap_ns;
    if (from->max_gap_ns > into->max_gap_ns)
        into->max_gap_ns = from->max_gap_ns;
    into->participant = from->participant;
    STINT_SUMS_UP(into, from, rounds, gap_ns);
    STINT_SUMS_UP(into, from, second_gap_ns, middle_gap_ns);
}

/* Parts of `from` without rounds are skipped. */
static int merge_barrier(struct stint_builder *builder, void *into, const void *from)
{
    struct stint_barrier_stat *row = into;
    const struct stint_barrier_stat *like = from;
    struct stint_barrier_part *parts = (struct stint_barrier_part *)row->slowest; /* writable until the end */
    if (!parts)
        parts = stint_arena_alloc(stint_builder_arena(builder), ((size_t)row->participants + 1) * sizeof *parts);
    builder->failed |= !parts;
    if (!parts)
        return 1;
    row->slowest = parts;
    row->slowest_count = row->participants;
    stint_barrier_part_add(&row->total, &like->total);
    for (size_t i = 0; i < like->slowest_count; i++) {
        const struct stint_barrier_part *part = &like->slowest[i];
        if (part->rounds && part->participant < row->participants)
            stint_barrier_part_add(&parts[part->participant], part);
    }
    return 0;
}

/* ----------------------------------------------------------------------------------------------------------- order */

static int barrier_before(const void *array, size_t a, size_t b)
{
    const struct stint_barrier_stat *rows = array;
    const struct stint_barrier_stat *x = &rows[a], *y = &rows[b];
    const char *const sets[] = {x->set, y->set};

    if (strcmp(x->set, y->set) != 0)
        return stint_set_before(sets, 0, 1);
    int order = strcmp(x->name, y->name);
    if (order)
        return order < 0;
    return x->kind != y->kind ? x->kind < y->kind : x->participants < y->participants;
}

static int part_before(const void *array, size_t a, size_t b)
{
    const struct stint_barrier_part *parts = array;
    return parts[a].rounds != parts[b].rounds ? parts[a].rounds > parts[b].rounds : a < b;
}

/* Keeps only the participants that were the slowest at least once. */
static int order_parts(struct stint_barrier_stat *row, struct stint_builder *builder)
{
    const struct stint_barrier_part *from = row->slowest;
    const size_t *order = stint_sorted(stint_builder_arena(builder), row->slowest_count, part_before, from);
    struct stint_barrier_part *to;
    size_t kept = 0;
    for (size_t i = 0; i < row->slowest_count; i++)
        kept += from[i].rounds != 0;
    to = stint_arena_alloc(stint_builder_arena(builder), (kept + 1) * sizeof *to);
    if (!order || !to)
        return -1;
    for (size_t i = 0; i < kept; i++)
        to[i] = from[order[i]];
    row->slowest = to;
    row->slowest_count = kept;
    return 0;
}

static int order_barriers(struct stint_ordering *ordering, enum stint_row_kind kind)
{
    struct stint_array *rows = &ordering->builder->rows[kind];
    for (size_t i = 0; i < rows->count; i++)
        if (order_parts((struct stint_barrier_stat *)rows->items + i, ordering->builder))
            return -1;
    return stint_order_rows(ordering, kind, barrier_before, rows->items);
}

/* ---------------------------------------------------------------------------------------------------------- tables */

const struct stint_row_table stint_rows_barriers = {LIST(struct stint_barrier_stat, barriers), .keys = 4,
                                                    .merge = merge_barrier, .order = order_barriers};
const struct stint_row_table stint_rows_barrier_total = {TABLE(struct stint_barrier_part, s_barrier_total)};
const struct stint_row_table stint_rows_slowest = {TABLE(struct stint_barrier_part, s_slowest)};

static const char s_kinds[][6] = {[STINT_BARRIER_END] = "end", [STINT_BARRIER_DELTA] = "delta"};
const struct stint_word_list stint_word_list_barrier = STINT_WORD_LIST(s_kinds);
