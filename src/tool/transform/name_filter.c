/* Copies a snapshot without the rows that a user does not want to see. Their time goes to what is around them, so that
 * sums stay right. */
#include "transform/name_filter.h"

#include <stdio.h>
#include <string.h>

#include "model/model.h"
#include "stat/builder.h"
#include "stat/numbers.h"
#include "support/annotation.h"

/* --------------------------------------------------------------------------------------------------------- patterns */

int stint_filter_add(struct stint_filter *filter, const char *pattern, int includes)
{
    if (filter->count == STINT_FILTER_MOST)
        return -1;
    filter->rules[filter->count].pattern = pattern;
    filter->rules[filter->count++].includes = includes;
    return 0;
}

/* Whether the pattern is "SET/PATTERN" of this set. */
static int matches_in_set(const char *pattern, const char *set, const char *name)
{
    size_t length = set ? strlen(set) : 0;
    if (!length || strncmp(pattern, set, length) != 0 || pattern[length] != '/')
        return 0;
    return stint_pattern_matches_name(pattern + length + 1, strlen(pattern + length + 1), name);
}

int stint_filter_keeps(const struct stint_filter *filter, const char *set, const char *name)
{
    int keeps = !filter->count || !filter->rules[0].includes;
    for (size_t i = 0; i < filter->count; i++) {
        const char *pattern = filter->rules[i].pattern;
        if (stint_pattern_matches_name(pattern, strlen(pattern), name) || matches_in_set(pattern, set, name))
            keeps = filter->rules[i].includes;
    }
    return keeps;
}

int stint_filter_is_asked_for(const struct stint_filter *filter)
{
    return filter->count || filter->folds_recursion;
}

/* ----------------------------------------------------------------------------------------------------------- scopes */

static const size_t s_none = (size_t)-1;

/* A copy in progress: the positions of the snapshot's rows in the builder, or s_none. */
struct copy {
    const struct stint_filter *filter;
    const struct stint_snapshot *snapshot;
    struct stint_builder builder;
    size_t *stats;
    size_t *contexts; /* if one is left out: the position of the nearest kept one above it */
    size_t *activities;
    size_t *instances; /* the same as for contexts */
    struct stint_filtered *result;
};

static int is_kept(const struct copy *copy, size_t stat)
{
    return copy->stats[stat] != s_none;
}

static void count(struct stint_left_out *left_out, int kept, uint64_t ns)
{
    left_out->all++;
    left_out->rows += !kept;
    stint_sum_up(&left_out->ns, kept ? 0 : ns);
}

static void copy_stats(struct copy *copy)
{
    for (size_t i = 0; i < copy->snapshot->set_count; i++)
        (void)stint_builder_set(&copy->builder, copy->snapshot->sets[i]);
    for (size_t i = 0; i < copy->snapshot->stat_count; i++) {
        const struct stint_stat *stat = &copy->snapshot->stats[i];
        int kept = stint_filter_keeps(copy->filter, stat->set, stat->name);
        int is_call = strcmp(stat->set, STINT_API_SET) == 0;
        count(is_call ? &copy->result->calls : &copy->result->scopes, kept, stat->numbers.self_ns);
        copy->stats[i] = kept ? stint_builder_stat(&copy->builder, stat) : s_none;
        if (kept)
            stint_builder_add_stat(&copy->builder, copy->stats[i], &stat->numbers);
    }
}

/* Parents come before their children, so the position of the parent is known. */
static size_t place_above(const struct copy *copy, size_t context)
{
    size_t parent = copy->snapshot->contexts[context].parent;
    return parent == STINT_NO_PARENT ? STINT_NO_PARENT : copy->contexts[parent];
}

/* Returns the nearest kept context above; STINT_NO_PARENT: none. */
static size_t kept_above(const struct copy *copy, size_t context)
{
    do
        context = copy->snapshot->contexts[context].parent;
    while (context != STINT_NO_PARENT && !is_kept(copy, copy->snapshot->contexts[context].stat));
    return context;
}

/* The self time of a scope that is left out becomes self time of its caller. */
static void move_self(struct copy *copy, size_t context)
{
    struct stint_numbers self = {.self_ns = copy->snapshot->contexts[context].numbers.self_ns};
    size_t above = kept_above(copy, context);
    if (above == STINT_NO_PARENT)
        return;
    stint_builder_add_context(&copy->builder, copy->contexts[above], &self);
    stint_builder_add_stat(&copy->builder, copy->stats[copy->snapshot->contexts[above].stat], &self);
}

/* Returns the nearest context above that has the same statistic; STINT_NO_PARENT: none. */
static size_t same_above(const struct copy *copy, size_t context)
{
    const struct stint_context *all = copy->snapshot->contexts;
    size_t stat = all[context].stat;
    do
        context = all[context].parent;
    while (context != STINT_NO_PARENT && all[context].stat != stat);
    return context;
}

/* Whether it was folded into the one around it. */
static int fold(struct copy *copy, size_t context)
{
    const struct stint_numbers *numbers = &copy->snapshot->contexts[context].numbers;
    size_t around = copy->filter->folds_recursion ? same_above(copy, context) : STINT_NO_PARENT;
    if (around == STINT_NO_PARENT)
        return 0;
    struct stint_numbers part = {.count = numbers->count,
                                 .recursive = numbers->count,
                                 .self_ns = numbers->self_ns,
                                 .self_overhead_ns = numbers->self_overhead_ns};
    copy->contexts[context] = copy->contexts[around];
    stint_builder_add_context(&copy->builder, copy->contexts[context], &part);
    return 1;
}

static void copy_contexts(struct copy *copy)
{
    for (size_t i = 0; i < copy->snapshot->context_count; i++) {
        const struct stint_context *context = &copy->snapshot->contexts[i];
        copy->contexts[i] = place_above(copy, i);
        if (!is_kept(copy, context->stat)) {
            move_self(copy, i);
            continue;
        }
        if (fold(copy, i))
            continue;
        copy->contexts[i] = stint_builder_context(&copy->builder, copy->contexts[i], copy->stats[context->stat]);
        stint_builder_add_context(&copy->builder, copy->contexts[i], &context->numbers);
    }
}

/* Where costs were subtracted, a scope may have less time than those inside it, each of which has no less than none. */
static void limit_self(struct stint_numbers *numbers)
{
    uint64_t whole_ns = stint_sum_of(numbers->total_ns, numbers->running_ns);
    if (numbers->self_ns > whole_ns)
        numbers->self_ns = whole_ns;
}

static void limit_all(struct copy *copy)
{
    struct stint_builder *builder = &copy->builder;
    for (size_t i = 0; i < copy->snapshot->stat_count && !builder->failed; i++)
        if (is_kept(copy, i))
            limit_self(&((struct stint_stat *)stint_builder_row(builder, STINT_ROWS_STATS, copy->stats[i]))->numbers);
    for (size_t i = 0; i < copy->snapshot->context_count && !builder->failed; i++)
        if (is_kept(copy, copy->snapshot->contexts[i].stat))
            limit_self(
                &((struct stint_context *)stint_builder_row(builder, STINT_ROWS_CONTEXTS, copy->contexts[i]))->numbers);
}

static void copy_threads(struct copy *copy)
{
    for (size_t i = 0; i < copy->snapshot->thread_count; i++)
        (void)stint_builder_add(&copy->builder, STINT_ROWS_THREADS, &copy->snapshot->threads[i]);
    for (size_t i = 0; i < copy->snapshot->thread_stat_count; i++) {
        const struct stint_thread_stat *row = &copy->snapshot->thread_stats[i];
        if (is_kept(copy, row->stat))
            stint_builder_thread_stat(&copy->builder, row->thread, copy->stats[row->stat], &row->numbers);
    }
    for (size_t i = 0; i < copy->snapshot->barrier_count; i++)
        stint_builder_add(&copy->builder, STINT_ROWS_BARRIERS, &copy->snapshot->barriers[i]);
}

/* -------------------------------------------------------------------------------------------------------------- GPU */

static size_t context_of(const struct copy *copy, size_t context)
{
    if (context == STINT_GPU_NO_SCOPE || context == STINT_GPU_UNATTRIBUTED)
        return context;
    return copy->contexts[context] == STINT_NO_PARENT ? STINT_GPU_NO_SCOPE : copy->contexts[context];
}

static int keeps_gpu(const struct copy *copy, const char *name)
{
    return stint_filter_keeps(copy->filter, NULL, name);
}

/* Activities of the same kind and name are adjacent. */
static int continues(const struct stint_snapshot *snapshot, size_t i)
{
    const struct stint_gpu_activity *activity = &snapshot->gpu_activities[i];
    return i && activity[-1].kind == activity->kind && strcmp(activity[-1].name, activity->name) == 0;
}

static void copy_activities(struct copy *copy)
{
    for (size_t i = 0; i < copy->snapshot->gpu_activity_count; i++) {
        const struct stint_gpu_activity *activity = &copy->snapshot->gpu_activities[i];
        int kept = keeps_gpu(copy, activity->name);
        copy->activities[i] = s_none;
        if (continues(copy->snapshot, i))
            stint_sum_up(&copy->result->gpu.ns, kept ? 0 : activity->numbers.total_ns);
        else
            count(&copy->result->gpu, kept, activity->numbers.total_ns);
        if (!kept)
            continue;
        copy->activities[i] = stint_builder_gpu_activity(&copy->builder, activity);
        stint_builder_add_gpu_activity(&copy->builder, copy->activities[i], activity);
    }
}

static void copy_charges(struct copy *copy)
{
    for (size_t i = 0; i < copy->snapshot->gpu_charge_count; i++) {
        struct stint_gpu_charge charge = copy->snapshot->gpu_charges[i];
        charge.activity = copy->activities[charge.activity];
        charge.context = context_of(copy, charge.context);
        if (charge.activity != s_none)
            stint_builder_add(&copy->builder, STINT_ROWS_GPU_CHARGES, &charge);
    }
}

static size_t instance_of(const struct copy *copy, size_t instance)
{
    return instance < copy->snapshot->gpu_instance_count ? copy->instances[instance] : STINT_GPU_NO_INSTANCE;
}

/* What an instance that is left out launched is attributed to the one around it. */
static void copy_instances(struct copy *copy)
{
    for (size_t i = 0; i < copy->snapshot->gpu_instance_count; i++) {
        const struct stint_gpu_instance *instance = &copy->snapshot->gpu_instances[i];
        copy->instances[i] = instance_of(copy, instance->parent);
        if (instance->context < copy->snapshot->context_count &&
            is_kept(copy, copy->snapshot->contexts[instance->context].stat))
            copy->instances[i] =
                stint_builder_add(&copy->builder, STINT_ROWS_GPU_INSTANCES,
                                  &(struct stint_gpu_instance){copy->contexts[instance->context], copy->instances[i]});
    }
}

static void copy_events(struct copy *copy)
{
    for (size_t i = 0; i < copy->snapshot->gpu_event_count; i++) {
        struct stint_gpu_event event = copy->snapshot->gpu_events[i];
        event.context = context_of(copy, event.context);
        event.instance = instance_of(copy, event.instance);
        if (stint_filter_keeps(copy->filter, event.api ? STINT_API_SET : NULL, event.name))
            stint_builder_add(&copy->builder, STINT_ROWS_GPU_EVENTS, &event);
    }
}

static void copy_gpu(struct copy *copy)
{
    stint_builder_add(&copy->builder, STINT_ROWS_GPU, &copy->snapshot->gpu);
    for (size_t i = 0; i < copy->snapshot->gpu_device_count; i++)
        stint_builder_add(&copy->builder, STINT_ROWS_GPU_DEVICES, &copy->snapshot->gpu_devices[i]);
    for (size_t i = 0; i < copy->snapshot->gpu_memory_count; i++)
        stint_builder_add(&copy->builder, STINT_ROWS_GPU_MEMORY, &copy->snapshot->gpu_memory[i]);
    copy_activities(copy);
    copy_charges(copy);
    copy_instances(copy);
    copy_events(copy);
}

static void copy_nvtx(struct copy *copy)
{
    stint_builder_add(&copy->builder, STINT_ROWS_NVTX, &copy->snapshot->nvtx);
    for (size_t i = 0; i < copy->snapshot->nvtx_value_count; i++) {
        const struct stint_nvtx_value *value = &copy->snapshot->nvtx_values[i];
        if (stint_filter_keeps(copy->filter, value->set, value->name))
            stint_builder_add(&copy->builder, STINT_ROWS_NVTX_VALUES, value);
    }
    for (size_t i = 0; i < copy->snapshot->nvtx_name_count; i++)
        stint_builder_add(&copy->builder, STINT_ROWS_NVTX_NAMES, &copy->snapshot->nvtx_names[i]);
}

/* ------------------------------------------------------------------------------------------------------------ whole */

static struct stint_snapshot *end(struct copy *copy)
{
    for (size_t i = 0; i < copy->snapshot->process_count; i++)
        stint_builder_add(&copy->builder, STINT_ROWS_PROCESSES, &copy->snapshot->processes[i]);
    struct stint_process process = copy->snapshot->process;
    process.command = stint_builder_text(&copy->builder, process.command);
    process.host = stint_builder_text(&copy->builder, process.host);
    process.clock = stint_builder_text(&copy->builder, process.clock);
    return stint_builder_end(&copy->builder, &process, &copy->snapshot->dropped);
}

struct stint_filtered stint_filter_apply(const struct stint_filter *filter, const struct stint_snapshot *snapshot)
{
    struct stint_filtered result = {0};
    struct stint_arena scratch = {0};
    struct copy copy = {.filter = filter,
                        .snapshot = snapshot,
                        .stats = stint_arena_alloc(&scratch, (snapshot->stat_count + 1) * sizeof(size_t)),
                        .contexts = stint_arena_alloc(&scratch, (snapshot->context_count + 1) * sizeof(size_t)),
                        .activities = stint_arena_alloc(&scratch, (snapshot->gpu_activity_count + 1) * sizeof(size_t)),
                        .instances = stint_arena_alloc(&scratch, (snapshot->gpu_instance_count + 1) * sizeof(size_t)),
                        .result = &result};
    if (copy.stats && copy.contexts && copy.activities && copy.instances) {
        stint_builder_begin(&copy.builder);
        copy_stats(&copy);
        copy_contexts(&copy);
        limit_all(&copy);
        copy_threads(&copy);
        copy_gpu(&copy);
        copy_nvtx(&copy);
        result.snapshot = end(&copy);
    }
    stint_arena_free(&scratch);
    return result;
}

/* ----------------------------------------------------------------------------------------------------------- events */

static int keeps_event(const struct stint_filter *filter, const struct stint_event *event)
{
    return event->kind == STINT_EVENT_CALL || event->kind == STINT_EVENT_SAMPLE ||
           stint_filter_keeps(filter, event->kind == STINT_EVENT_DEVICE ? NULL : event->set, event->name);
}

static int pass_on(struct stint_filter_events *events, int result)
{
    if (result < 0)
        (void)snprintf(events->source.reason, sizeof events->source.reason, "%s", events->whole->reason);
    return result;
}

static int begin_events(struct stint_event_source *source)
{
    struct stint_filter_events *events = (struct stint_filter_events *)source;
    return pass_on(events, events->whole->begin(events->whole));
}

static int next_event(struct stint_event_source *source, struct stint_event *event)
{
    struct stint_filter_events *events = (struct stint_filter_events *)source;
    int more;
    while ((more = events->whole->next(events->whole, event)) > 0)
        if (keeps_event(events->filter, event))
            break;
    return pass_on(events, more);
}

void stint_filter_events_begin(struct stint_filter_events *events, struct stint_event_source *whole,
                               const struct stint_filter *filter)
{
    *events = (struct stint_filter_events){
        .source = {.begin = begin_events, .next = next_event}, .whole = whole, .filter = filter};
}
