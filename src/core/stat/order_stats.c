/* The order of statistics, calling contexts and threads' statistics in a snapshot. There are many of them. */
#include <string.h>

#include "stat/order.h"

/* ------------------------------------------------------------------------------------------------------------ stats */

struct stat_order {
    const struct stint_stat_key *keys;
    const struct stint_stat *stats;
};

static int name_before(const struct stint_stat *a, const struct stint_stat *b)
{
    int names = strcmp(a->name, b->name);
    return (names ? names : strcmp(a->set, b->set)) < 0;
}

static int stat_before(const void *array, size_t a, size_t b)
{
    const struct stat_order *by = array;
    const struct stint_stat_key *x = &by->keys[a], *y = &by->keys[b];
    if (x->total_ns != y->total_ns)
        return x->total_ns > y->total_ns;
    return x->prefix != y->prefix ? x->prefix < y->prefix : name_before(&by->stats[a], &by->stats[b]);
}

static uint64_t prefix_of(const char *name)
{
    uint64_t prefix = 0;
    for (int shift = 56; shift >= 0 && *name; shift -= 8)
        prefix |= (uint64_t)(unsigned char)*name++ << shift;
    return prefix;
}

static struct stint_stat_key *stat_keys(struct stint_builder *builder)
{
    const struct stint_stat *stats = builder->rows[STINT_ROWS_STATS].items;
    size_t count = builder->rows[STINT_ROWS_STATS].count;
    struct stint_stat_key *keys = stint_arena_alloc(stint_builder_arena(builder), (count + 1) * sizeof *keys);
    for (size_t i = 0; keys && i < count; i++)
        keys[i] = (struct stint_stat_key){stats[i].numbers.total_ns, prefix_of(stats[i].name)};
    return keys;
}

/* Marks the statistics to keep: those that ran, and those of a context that is kept or of a thread's row. */
static char *mark_wanted(const struct stint_ordering *ordering)
{
    const struct stint_array *rows = ordering->builder->rows;
    const struct stint_stat *stats = rows[STINT_ROWS_STATS].items;
    const struct stint_context *contexts = rows[STINT_ROWS_CONTEXTS].items;
    const struct stint_thread_stat *thread_stats = rows[STINT_ROWS_THREAD_STATS].items;
    char *wanted = stint_arena_alloc(stint_builder_arena(ordering->builder), rows[STINT_ROWS_STATS].count + 1);
    for (size_t i = 0; wanted && i < rows[STINT_ROWS_STATS].count; i++)
        wanted[i] = (char)stint_is_active(&stats[i].numbers);
    for (size_t i = 0; wanted && i < rows[STINT_ROWS_CONTEXTS].count; i++)
        if (ordering->needed[i])
            wanted[contexts[i].stat] = 1;
    for (size_t i = 0; wanted && i < rows[STINT_ROWS_THREAD_STATS].count; i++)
        wanted[thread_stats[i].stat] = 1;
    return wanted;
}

int stint_order_stats(struct stint_ordering *ordering, enum stint_row_kind kind)
{
    const struct stint_array *rows = &ordering->builder->rows[kind];
    const char *wanted = mark_wanted(ordering);
    struct stat_order by = {ordering->stat_keys = stat_keys(ordering->builder), rows->items};
    size_t *order =
        by.keys ? stint_sorted(stint_builder_arena(ordering->builder), rows->count, stat_before, &by) : NULL;
    return wanted ? stint_order_apply(ordering, kind, order, wanted) : -1;
}

/* ----------------------------------------------------------------------------------------------------- by numbers */

/* Stable counting sort of `order`, of stint_positions, by a small number that each row has: there may be too many
 * rows to compare them. */
typedef size_t key_fn(const void *rows, size_t position);
static int sort_by(struct stint_builder *builder, size_t *order, const void *rows, size_t count, key_fn *key,
                   size_t keys)
{
    size_t *next = stint_order_positions(builder, keys + 1);
    if (!order || !next)
        return -1;
    for (size_t i = 0; i < count; i++)
        next[key(rows, i) + 1]++;
    for (size_t i = 1; i <= keys; i++)
        next[i] += next[i - 1];
    for (size_t i = 0; i < count; i++)
        order[count + next[key(rows, order[i])]++] = order[i];
    memcpy(order, order + count, count * sizeof *order);
    return 0;
}

/* --------------------------------------------------------------------------------------------------------- contexts */

struct context_order {
    const struct stint_context *contexts;
    const struct stint_stat *stats; /* in order already */
    const size_t *renamed;          /* where these stand */
    const struct stint_stat_key *keys;
};

static int context_before(const void *array, size_t a, size_t b)
{
    const struct context_order *order = array;
    const struct stint_context *x = &order->contexts[a], *y = &order->contexts[b];
    if (x->numbers.total_ns != y->numbers.total_ns)
        return x->numbers.total_ns > y->numbers.total_ns;
    if (order->keys[x->stat].prefix != order->keys[y->stat].prefix)
        return order->keys[x->stat].prefix < order->keys[y->stat].prefix;
    return name_before(&order->stats[order->renamed[x->stat]], &order->stats[order->renamed[y->stat]]);
}

/* Contexts of statistics in order are mostly in order. */
static size_t key_stat_of_context(const void *array, size_t position)
{
    const struct context_order *order = array;
    return order->renamed[order->contexts[position].stat];
}

int stint_order_contexts(struct stint_ordering *ordering, enum stint_row_kind kind)
{
    struct stint_builder *builder = ordering->builder;
    struct context_order by = {builder->rows[kind].items, builder->rows[STINT_ROWS_STATS].items,
                               ordering->renamed[STINT_ROWS_STATS], ordering->stat_keys};
    size_t count = builder->rows[kind].count;
    size_t *order = stint_positions(stint_builder_arena(builder), count);
    if (sort_by(builder, order, &by, count, key_stat_of_context, builder->rows[STINT_ROWS_STATS].count))
        return -1;
    stint_sort(order, count, context_before, &by, order + count);
    size_t *tree = order ? stint_order_tree(by.contexts, count, order, stint_builder_arena(builder)) : NULL;
    if (stint_order_apply(ordering, kind, tree, ordering->needed))
        return -1;
    stint_order_rename(ordering, kind);
    return 0;
}

/* ---------------------------------------------------------------------------------------------------- thread stats */

static size_t key_thread(const void *rows, size_t position)
{
    return ((const struct stint_thread_stat *)rows)[position].thread;
}

static size_t key_stat(const void *rows, size_t position)
{
    return ((const struct stint_thread_stat *)rows)[position].stat;
}

int stint_order_thread_stats(struct stint_ordering *ordering, enum stint_row_kind kind)
{
    struct stint_builder *builder = ordering->builder;
    struct stint_thread_stat *from = builder->rows[kind].items;
    size_t count = builder->rows[kind].count;
    size_t *order = stint_positions(stint_builder_arena(builder), count);
    stint_order_rename(ordering, kind);
    for (size_t i = 0; i < count; i++)
        from[i].stat = ordering->renamed[STINT_ROWS_STATS][from[i].stat];
    if (sort_by(builder, order, from, count, key_thread, ordering->snapshot->thread_count) ||
        sort_by(builder, order, from, count, key_stat, ordering->snapshot->stat_count))
        return -1;
    return stint_order_apply(ordering, kind, order, NULL);
}
