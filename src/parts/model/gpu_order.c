/* Orders the rows of a snapshot that are about GPUs, and others by their keys. */
#include <string.h>

#include "model/model.h"
#include "stat/numbers.h"
#include "stat/order.h"

/* ------------------------------------------------------------------------------------------------------- activities */

struct activity_order {
    const struct stint_gpu_activity *rows;
    size_t *group;   /* of each row: all of one kind and name */
    uint64_t *total; /* of each group, ns */
};

static int same_group(const void *array, size_t position, const void *key)
{
    const struct stint_gpu_activity *row = (const struct stint_gpu_activity *)array + position, *like = key;
    return row->kind == like->kind && strcmp(row->name, like->name) == 0;
}

/* A group is known by the position of its first row. */
static int group_activities(struct activity_order *by, struct stint_builder *builder)
{
    size_t count = builder->rows[STINT_ROWS_GPU_ACTIVITIES].count;
    struct stint_index index = {0};
    by->rows = builder->rows[STINT_ROWS_GPU_ACTIVITIES].items;
    by->group = stint_order_positions(builder, count);
    by->total = stint_arena_alloc(stint_builder_arena(builder), (count + 1) * sizeof *by->total);
    if (!by->group || !by->total)
        return -1;
    for (size_t i = 0; i < count; i++) {
        const struct stint_gpu_activity *row = &by->rows[i];
        uint64_t hash = stint_hash(row->name, strlen(row->name), (uint64_t)row->kind);
        by->group[i] = stint_index_find(&index, hash, same_group, by->rows, row);
        if (by->group[i] == STINT_INDEX_NONE) {
            by->group[i] = i;
            if (stint_index_add(&index, stint_builder_arena(builder), hash, i))
                return -1;
        }
        stint_sum_up(&by->total[by->group[i]], row->numbers.total_ns);
    }
    return 0;
}

static int within_group(const struct stint_gpu_activity *x, const struct stint_gpu_activity *y)
{
    if (x->device != y->device)
        return x->device < y->device;
    if (x->context != y->context)
        return x->context < y->context;
    return x->stream != y->stream ? x->stream < y->stream : strcmp(x->mangled, y->mangled) < 0;
}

static int activity_before(const void *array, size_t a, size_t b)
{
    const struct activity_order *by = array;
    uint64_t x_total = by->total[by->group[a]], y_total = by->total[by->group[b]];
    if (by->group[a] == by->group[b])
        return within_group(&by->rows[a], &by->rows[b]);
    if (x_total != y_total)
        return x_total > y_total;
    int names = strcmp(by->rows[a].name, by->rows[b].name);
    return names ? names < 0 : by->rows[a].kind < by->rows[b].kind;
}

/* Nothing that devices did encloses anything else. */
int stint_order_activities(struct stint_ordering *ordering, enum stint_row_kind kind)
{
    struct stint_gpu_activity *rows = ordering->builder->rows[kind].items;
    struct activity_order by;
    for (size_t i = 0; i < ordering->builder->rows[kind].count; i++)
        rows[i].numbers.self_ns = rows[i].numbers.total_ns;
    return group_activities(&by, ordering->builder) ? -1 : stint_order_rows(ordering, kind, activity_before, &by);
}

/* ----------------------------------------------------------------------------------------------------------- events */

/* Calls come before what they launched. The other comparisons only make the order independent of that in which the
 * events were added. */
static int event_before(const void *array, size_t a, size_t b)
{
    const struct stint_gpu_event *x = (const struct stint_gpu_event *)array + a;
    const struct stint_gpu_event *y = (const struct stint_gpu_event *)array + b;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns;
    if (x->end_ns != y->end_ns)
        return x->end_ns < y->end_ns;
    if (x->api != y->api)
        return x->api > y->api;
    if (x->correlation != y->correlation)
        return x->correlation < y->correlation;
    return x->tid != y->tid ? x->tid < y->tid : strcmp(x->name, y->name) < 0;
}

/* -------------------------------------------------------------------------------------------------------- instances */

struct instance_order {
    const struct stint_gpu_instance *from;
    struct stint_gpu_instance *to;
    size_t count;
    size_t *renamed; /* place in `to` + 1; 0: none yet */
    size_t *below;   /* the instances from one up to its first ancestor that has a place */
};

static size_t place_instance(struct instance_order *order, size_t instance)
{
    size_t count = 0, parent;
    for (; instance != STINT_GPU_NO_INSTANCE && !order->renamed[instance]; instance = order->from[instance].parent)
        order->below[count++] = instance;
    parent = instance == STINT_GPU_NO_INSTANCE ? STINT_GPU_NO_INSTANCE : order->renamed[instance] - 1;
    while (count) {
        instance = order->below[--count];
        order->to[order->count] = (struct stint_gpu_instance){order->from[instance].context, parent};
        parent = order->count++;
        order->renamed[instance] = order->count;
    }
    return parent;
}

/* Orders instances as events mention them; an instance that no event mentions is left out. */
static int order_instances(struct stint_ordering *ordering, struct stint_gpu_event *events, size_t event_count)
{
    struct stint_builder *builder = ordering->builder;
    size_t count = builder->rows[STINT_ROWS_GPU_INSTANCES].count;
    struct instance_order order = {
        .from = builder->rows[STINT_ROWS_GPU_INSTANCES].items,
        .to = stint_arena_alloc(stint_builder_arena(builder), (count + 1) * sizeof *order.to),
        .renamed = stint_order_positions(builder, count),
        .below = stint_order_positions(builder, count),
    };
    if (!order.to || !order.renamed || !order.below)
        return -1;
    for (size_t i = 0; i < event_count; i++)
        events[i].instance = place_instance(&order, events[i].instance);
    stint_order_put(ordering, STINT_ROWS_GPU_INSTANCES, order.to, order.count);
    return 0;
}

int stint_order_events(struct stint_ordering *ordering, enum stint_row_kind kind)
{
    const struct stint_array *rows = &ordering->builder->rows[kind];
    stint_order_rename(ordering, kind);
    return stint_order_rows(ordering, kind, event_before, rows->items)
               ? -1
               : order_instances(ordering, rows->items, rows->count);
}

/* ------------------------------------------------------------------------------------------------------------- keys */

struct rows {
    const struct stint_row_table *table;
    const char *items;
};

static int keys_before(const void *array, size_t a, size_t b)
{
    const struct rows *rows = array;
    const char *x = rows->items + a * rows->table->size, *y = rows->items + b * rows->table->size;
    for (size_t i = 0; i < rows->table->keys; i++) {
        const struct stint_member *member = &rows->table->members[i];
        int order = stint_member_compare(member, x + member->at, y + member->at);
        if (order)
            return order < 0;
    }
    return 0;
}

int stint_order_by_keys(struct stint_ordering *ordering, enum stint_row_kind kind)
{
    struct rows rows = {stint_row_tables[kind], ordering->builder->rows[kind].items};
    stint_order_rename(ordering, kind);
    return stint_order_rows(ordering, kind, keys_before, &rows);
}
