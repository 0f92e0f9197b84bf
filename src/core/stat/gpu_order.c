/* Orders the rows of a snapshot that are about GPUs. */
#include <string.h>

#include "stat/gpu_rows.h"
#include "stat/order.h"

/* ----------------------------------------------------------------------------------------------- devices and memory */

static int device_before(const void *array, size_t a, size_t b)
{
    const struct stint_gpu_device *rows = array;

    return rows[a].id < rows[b].id;
}

static int memory_before(const void *array, size_t a, size_t b)
{
    const struct stint_gpu_memory *rows = array;
    const struct stint_gpu_memory *x = &rows[a], *y = &rows[b];

    if (x->device != y->device)
        return x->device < y->device;
    return x->kind != y->kind ? x->kind < y->kind : x->pool < y->pool;
}

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
    size_t count = builder->gpu_activities.count;
    struct stint_index index = {0};

    by->rows = builder->gpu_activities.items;
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
        by->total[by->group[i]] += row->numbers.total_ns;
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

/* ---------------------------------------------------------------------------------------------------------- charges */

/* The two values that are not contexts are the largest numbers. */
static int charge_before(const void *array, size_t a, size_t b)
{
    const struct stint_gpu_charge *rows = array;
    const struct stint_gpu_charge *x = &rows[a], *y = &rows[b];

    return x->activity != y->activity ? x->activity < y->activity : x->context < y->context;
}

static size_t renamed_context(size_t context, const size_t *contexts)
{
    return context == STINT_GPU_NO_SCOPE || context == STINT_GPU_UNATTRIBUTED ? context : contexts[context];
}

/* ----------------------------------------------------------------------------------------------------------- events */

/* A trace may have millions of events, nearly in order. That is why they are sorted by merging runs, not with a
 * heap. */
struct event_key {
    uint64_t start;
    uint64_t end;
    size_t position;
};

/* Calls come before what they launched. The other comparisons only make the order independent of that in which the
 * events were added. */
static int event_after(const struct stint_gpu_event *rows, const struct event_key *a, const struct event_key *b)
{
    const struct stint_gpu_event *x = &rows[a->position], *y = &rows[b->position];

    if (a->start != b->start)
        return a->start > b->start;
    if (a->end != b->end)
        return a->end > b->end;
    if (x->api != y->api)
        return x->api < y->api;
    if (x->correlation != y->correlation)
        return x->correlation > y->correlation;
    return x->tid != y->tid ? x->tid > y->tid : strcmp(x->name, y->name) > 0;
}

/* Merges [first, middle) and [middle, last) of `from` into `to`. */
static void merge_runs(struct event_key *to, const struct event_key *from, size_t first, size_t middle, size_t last,
                       const struct stint_gpu_event *rows)
{
    size_t a = first, b = middle;

    if (middle == last || !event_after(rows, &from[middle - 1], &from[middle])) {
        memcpy(to + first, from + first, (last - first) * sizeof *to);
        return;
    }
    for (size_t i = first; i < last; i++)
        to[i] = b == last || (a < middle && !event_after(rows, &from[a], &from[b])) ? from[a++] : from[b++];
}

static size_t at_most(size_t value, size_t most)
{
    return value < most ? value : most;
}

/* Returns the sorted keys: one of the two arrays. */
static const struct event_key *sort_events(struct event_key *keys, struct event_key *other, size_t count,
                                           const struct stint_gpu_event *rows)
{
    for (size_t run = 1; run < count; run *= 2) {
        struct event_key *from = keys;

        for (size_t first = 0; first < count; first += 2 * run)
            merge_runs(other, from, first, at_most(first + run, count), at_most(first + 2 * run, count), rows);
        keys = other;
        other = from;
    }
    return keys;
}

static int order_events(struct stint_snapshot *snapshot, struct stint_builder *builder, const size_t *contexts)
{
    const struct stint_gpu_event *from = builder->gpu_events.items;
    size_t count = builder->gpu_events.count;
    struct stint_gpu_event *to = stint_arena_alloc(stint_builder_arena(builder), (count + 1) * sizeof *to);
    struct stint_arena scratch = {0};
    struct event_key *keys = stint_arena_alloc(&scratch, 2 * (count + 1) * sizeof *keys);

    for (size_t i = 0; keys && i < count; i++)
        keys[i] = (struct event_key){from[i].start_ns, from[i].end_ns, i};
    if (keys && to) {
        const struct event_key *order = sort_events(keys, keys + count, count, from);

        for (size_t i = 0; i < count; i++) {
            to[i] = from[order[i].position];
            to[i].context = renamed_context(to[i].context, contexts);
        }
    }
    snapshot->gpu_events = to;
    snapshot->gpu_event_count = count;
    stint_arena_free(&scratch);
    return keys && to ? 0 : -1;
}

/* -------------------------------------------------------------------------------------------------------- instances */

struct instance_order {
    const struct stint_gpu_instance *from;
    struct stint_gpu_instance *to;
    size_t count;
    size_t *renamed; /* place in `to` + 1; 0: none yet */
    size_t *below;   /* the instances from one up to its first ancestor that has a place */
};

static size_t place_instance(struct instance_order *order, size_t instance, const size_t *contexts)
{
    size_t count = 0, parent;

    for (; instance != STINT_GPU_NO_INSTANCE && !order->renamed[instance]; instance = order->from[instance].parent)
        order->below[count++] = instance;
    parent = instance == STINT_GPU_NO_INSTANCE ? STINT_GPU_NO_INSTANCE : order->renamed[instance] - 1;
    while (count) {
        instance = order->below[--count];
        order->to[order->count] =
            (struct stint_gpu_instance){renamed_context(order->from[instance].context, contexts), parent};
        parent = order->count++;
        order->renamed[instance] = order->count;
    }
    return parent;
}

/* Orders instances as events mention them; an instance that no event mentions is left out. */
static int order_instances(struct stint_snapshot *snapshot, struct stint_builder *builder, const size_t *contexts)
{
    size_t count = builder->gpu_instances.count;
    struct stint_gpu_event *events = (struct stint_gpu_event *)snapshot->gpu_events; /* writable until the end */
    struct instance_order order = {
        .from = builder->gpu_instances.items,
        .to = stint_arena_alloc(stint_builder_arena(builder), (count + 1) * sizeof *order.to),
        .renamed = stint_order_positions(builder, count),
        .below = stint_order_positions(builder, count),
    };

    if (!order.to || !order.renamed || !order.below)
        return -1;
    for (size_t i = 0; i < snapshot->gpu_event_count; i++)
        events[i].instance = place_instance(&order, events[i].instance, contexts);
    snapshot->gpu_instances = order.to;
    snapshot->gpu_instance_count = order.count;
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ whole */

void stint_gpu_mark_contexts(const struct stint_builder *builder, char *needed)
{
    const struct stint_gpu_charge *charges = builder->gpu_charges.items;
    const struct stint_gpu_event *events = builder->gpu_events.items;
    const struct stint_gpu_instance *instances = builder->gpu_instances.items;

    for (size_t i = 0; i < builder->gpu_instances.count; i++)
        if (instances[i].context < builder->contexts.count)
            needed[instances[i].context] = 1;
    for (size_t i = 0; i < builder->gpu_charges.count; i++)
        if (charges[i].context < builder->contexts.count)
            needed[charges[i].context] = 1;
    for (size_t i = 0; i < builder->gpu_events.count; i++)
        if (events[i].context < builder->contexts.count)
            needed[events[i].context] = 1;
}

int stint_gpu_order(struct stint_snapshot *snapshot, struct stint_builder *builder, const size_t *contexts)
{
    size_t *activities = stint_order_positions(builder, builder->gpu_activities.count);
    struct stint_gpu_charge *charges = builder->gpu_charges.items;
    struct activity_order by;

    if (!activities || group_activities(&by, builder))
        return -1;
    snapshot->gpu_devices = stint_order_rows(builder, &builder->gpu_devices, sizeof(struct stint_gpu_device),
                                             device_before, builder->gpu_devices.items, NULL);
    snapshot->gpu_device_count = builder->gpu_devices.count;
    snapshot->gpu_memory = stint_order_rows(builder, &builder->gpu_memory, sizeof(struct stint_gpu_memory),
                                            memory_before, builder->gpu_memory.items, NULL);
    snapshot->gpu_memory_count = builder->gpu_memory.count;
    snapshot->gpu_activities = stint_order_rows(builder, &builder->gpu_activities, sizeof(struct stint_gpu_activity),
                                                activity_before, &by, activities);
    snapshot->gpu_activity_count = builder->gpu_activities.count;
    for (size_t i = 0; i < builder->gpu_charges.count; i++) {
        charges[i].activity = activities[charges[i].activity];
        charges[i].context = renamed_context(charges[i].context, contexts);
    }
    snapshot->gpu_charges =
        stint_order_rows(builder, &builder->gpu_charges, sizeof(struct stint_gpu_charge), charge_before, charges, NULL);
    snapshot->gpu_charge_count = builder->gpu_charges.count;
    if (!snapshot->gpu_devices || !snapshot->gpu_memory || !snapshot->gpu_activities || !snapshot->gpu_charges)
        return -1;
    return order_events(snapshot, builder, contexts) || order_instances(snapshot, builder, contexts) ? -1 : 0;
}
