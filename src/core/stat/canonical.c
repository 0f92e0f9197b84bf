/* The order of sets, statistics, calling contexts and threads in a snapshot, and of the whole. */
#include <string.h>

#include "stat/order.h"

static int active(const struct stint_numbers *numbers)
{
    return numbers->count || numbers->running;
}

/* ------------------------------------------------------------------------------------------------------------- sets */

int stint_set_before(const void *array, size_t a, size_t b)
{
    const char *const *sets = array;
    int a_global = strcmp(sets[a], "GlobalStatInfo") == 0, b_global = strcmp(sets[b], "GlobalStatInfo") == 0;
    return a_global != b_global ? a_global : strcmp(sets[a], sets[b]) < 0;
}

static int order_sets(struct stint_snapshot *snapshot, struct stint_builder *builder)
{
    const char **from = builder->sets.items;
    size_t count = builder->sets.count;
    const size_t *order = stint_order_of(builder, count, stint_set_before, from);
    const char **to = stint_arena_alloc(stint_builder_arena(builder), count * sizeof *to);
    if (!order || !to)
        return -1;
    for (size_t i = 0; i < count; i++)
        to[i] = from[order[i]];
    snapshot->sets = to;
    snapshot->set_count = count;
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ stats */

struct stat_order {
    const struct stint_stat_key *keys;
    const struct stint_stat *stats;
};

static int stat_before(const void *array, size_t a, size_t b)
{
    const struct stat_order *by = array;
    const struct stint_stat_key *x = &by->keys[a], *y = &by->keys[b];
    if (x->total_ns != y->total_ns)
        return x->total_ns > y->total_ns;
    if (x->prefix != y->prefix)
        return x->prefix < y->prefix;
    int names = strcmp(by->stats[a].name, by->stats[b].name);
    return names ? names < 0 : strcmp(by->stats[a].set, by->stats[b].set) < 0;
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
        wanted[i] = (char)active(&stats[i].numbers);
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
    size_t *order = by.keys ? stint_order_of(ordering->builder, rows->count, stat_before, &by) : NULL;
    return wanted ? stint_order_apply(ordering, kind, order, wanted) : -1;
}

/* ----------------------------------------------------------------------------------------------------- by numbers */

/* Stable counting sort of `order`, of stint_order_as_added, by a small number that each row has: there may be too many
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
    const struct stint_stat *of_x = &order->stats[order->renamed[x->stat]];
    const struct stint_stat *of_y = &order->stats[order->renamed[y->stat]];
    int names = strcmp(of_x->name, of_y->name);
    return names ? names < 0 : strcmp(of_x->set, of_y->set) < 0;
}

/* Contexts of statistics in order are mostly in order. */
static size_t key_stat_of_context(const void *array, size_t position)
{
    const struct context_order *order = array;
    return order->renamed[order->contexts[position].stat];
}

/* Marks the contexts to which rows refer, and returns how many of their sums stand at the largest number: what
 * files say may exceed 64 bits (stat/numbers.h). */
static uint64_t scan_rows(const struct stint_builder *builder, char *needed)
{
    uint64_t saturated = 0;
    for (int kind = 0; kind < STINT_ROW_KINDS; kind++) {
        const struct stint_row_table *table = stint_row_tables[kind];
        const struct stint_member *scanned[64];
        size_t count = 0;
        for (size_t k = 0; table && k < table->count; k++) {
            const struct stint_member *member = &table->members[k];
            if (member->type == STINT_MEMBER_CONTEXT ||
                (member->type == STINT_MEMBER_U64 && (member->merge || table->numbers)))
                scanned[count++] = member;
        }
        for (size_t i = 0; i < builder->rows[kind].count; i++)
            for (size_t k = 0; k < count; k++) {
                uint64_t value =
                    *(uint64_t *)((char *)stint_builder_row(builder, (enum stint_row_kind)kind, i) + scanned[k]->at);
                if (scanned[k]->type == STINT_MEMBER_U64)
                    saturated += value == UINT64_MAX;
                else if (value < builder->rows[STINT_ROWS_CONTEXTS].count)
                    needed[value] = 1;
            }
    }
    return saturated;
}

/* Marks the contexts that ran, to which others refer, or that have such a descendant. Parents come before their
 * children. */
static char *mark_needed(struct stint_builder *builder, uint64_t *saturated)
{
    const struct stint_context *contexts = builder->rows[STINT_ROWS_CONTEXTS].items;
    size_t count = builder->rows[STINT_ROWS_CONTEXTS].count;
    char *needed = stint_arena_alloc(stint_builder_arena(builder), count + 1);
    if (needed)
        *saturated = scan_rows(builder, needed);
    for (size_t i = count; needed && i-- > 0;) {
        if (active(&contexts[i].numbers))
            needed[i] = 1;
        if (needed[i] && contexts[i].parent != STINT_NO_PARENT)
            needed[contexts[i].parent] = 1;
    }
    return needed;
}

int stint_order_contexts(struct stint_ordering *ordering, enum stint_row_kind kind)
{
    struct stint_builder *builder = ordering->builder;
    struct context_order by = {builder->rows[kind].items, builder->rows[STINT_ROWS_STATS].items,
                               ordering->renamed[STINT_ROWS_STATS], ordering->stat_keys};
    size_t count = builder->rows[kind].count;
    size_t *order = stint_order_as_added(builder, count);
    if (sort_by(builder, order, &by, count, key_stat_of_context, builder->rows[STINT_ROWS_STATS].count))
        return -1;
    stint_sort(order, count, context_before, &by, order + count);
    size_t *tree = order ? stint_order_tree(by.contexts, count, order, stint_builder_arena(builder)) : NULL;
    if (stint_order_apply(ordering, kind, tree, ordering->needed))
        return -1;
    stint_order_rename(ordering, kind);
    return 0;
}

/* ---------------------------------------------------------------------------------------------------------- threads */

static int thread_before(const void *array, size_t a, size_t b)
{
    const struct stint_thread *threads = array;
    const struct stint_thread *x = &threads[a], *y = &threads[b];
    if (x->pid != y->pid)
        return x->pid < y->pid;
    if (x->exited != y->exited)
        return x->exited < y->exited;
    return x->tid != y->tid ? x->tid < y->tid : strcmp(x->name, y->name) < 0;
}

int stint_order_threads(struct stint_ordering *ordering, enum stint_row_kind kind)
{
    return stint_order_rows(ordering, kind, thread_before, ordering->builder->rows[kind].items);
}

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
    size_t *order = stint_order_as_added(builder, count);
    stint_order_rename(ordering, kind);
    for (size_t i = 0; i < count; i++)
        from[i].stat = ordering->renamed[STINT_ROWS_STATS][from[i].stat];
    if (sort_by(builder, order, from, count, key_thread, ordering->snapshot->thread_count) ||
        sort_by(builder, order, from, count, key_stat, ordering->snapshot->stat_count))
        return -1;
    return stint_order_apply(ordering, kind, order, NULL);
}

/* ------------------------------------------------------------------------------------------------------------ whole */

static int as_added(struct stint_ordering *ordering, enum stint_row_kind kind)
{
    const struct stint_array *rows = &ordering->builder->rows[kind];
    stint_order_rename(ordering, kind);
    stint_order_put(ordering, kind, rows->items, rows->count);
    return 0;
}

/* Rows refer to rows of kinds before theirs. */
int stint_canonical_rows(struct stint_snapshot *snapshot, struct stint_builder *builder)
{
    struct stint_ordering ordering = {
        .snapshot = snapshot, .builder = builder, .needed = mark_needed(builder, &snapshot->dropped.saturated)};
    if (!ordering.needed || order_sets(snapshot, builder))
        return -1;
    for (int kind = 0; kind < STINT_ROW_KINDS; kind++) {
        const struct stint_row_table *table = stint_row_tables[kind];
        stint_row_order_fn *order = table && table->order ? table->order : as_added;
        if (table && table->is_list && order(&ordering, (enum stint_row_kind)kind))
            return -1;
    }
    int failed = 0;
    for (int kind = 0; kind < STINT_ROW_KINDS && !failed; kind++)
        if (stint_row_tables[kind] && stint_row_tables[kind]->derive)
            failed = stint_row_tables[kind]->derive(snapshot, builder);
    return failed;
}
