/* Merging and searching snapshots. */
#include <string.h>

#include "stat/builder.h"
#include "stat/processes.h"

static void add_threads(struct stint_builder *builder, const struct stint_snapshot *snapshot, const size_t *stats)
{
    size_t first = builder->threads.count;

    for (size_t i = 0; i < snapshot->thread_count; i++)
        stint_builder_thread(builder, &snapshot->threads[i]);
    for (size_t i = 0; i < snapshot->thread_stat_count; i++) {
        const struct stint_thread_stat *row = &snapshot->thread_stats[i];

        stint_builder_thread_stat(builder, first + row->thread, stats[row->stat], &row->numbers);
    }
}

static void add_contexts(struct stint_builder *builder, const struct stint_snapshot *snapshot, const size_t *stats,
                         size_t *contexts)
{
    for (size_t i = 0; i < snapshot->context_count; i++) {
        const struct stint_context *context = &snapshot->contexts[i];
        size_t parent = context->parent == STINT_NO_PARENT ? STINT_NO_PARENT : contexts[context->parent];

        contexts[i] = stint_builder_context(builder, parent, stats[context->stat]);
        stint_builder_add_context(builder, contexts[i], &context->numbers);
    }
}

/* Times in the trace are relative to the start of the merged process, which is that of the first snapshot. */
static uint64_t shifted(uint64_t ns, int64_t shift)
{
    if (shift < 0)
        return ns > (uint64_t)-shift ? ns - (uint64_t)-shift : 0;
    return ns + (uint64_t)shift;
}

static size_t context_of(size_t context, const size_t *contexts)
{
    return context == STINT_GPU_NO_SCOPE || context == STINT_GPU_UNATTRIBUTED ? context : contexts[context];
}

static size_t instance_of(const struct stint_snapshot *snapshot, size_t instance, const size_t *instances)
{
    return instance < snapshot->gpu_instance_count ? instances[instance] : STINT_GPU_NO_INSTANCE;
}

static void add_instances(struct stint_builder *builder, const struct stint_snapshot *snapshot, const size_t *contexts,
                          size_t *instances)
{
    for (size_t i = 0; i < snapshot->gpu_instance_count; i++) {
        const struct stint_gpu_instance *instance = &snapshot->gpu_instances[i];
        size_t parent = instance->parent < i ? instances[instance->parent] : STINT_GPU_NO_INSTANCE;

        instances[i] = stint_builder_gpu_instance(builder, parent, context_of(instance->context, contexts));
    }
}

static void add_events(struct stint_builder *builder, const struct stint_snapshot *snapshot, const size_t *contexts,
                       const size_t *instances, int64_t shift)
{
    for (size_t i = 0; i < snapshot->gpu_event_count; i++) {
        struct stint_gpu_event event = snapshot->gpu_events[i];

        event.start_ns = shifted(event.start_ns, shift);
        event.end_ns = shifted(event.end_ns, shift);
        event.context = context_of(event.context, contexts);
        event.instance = instance_of(snapshot, event.instance, instances);
        event.pid = event.pid ? event.pid : snapshot->process.pid;
        stint_builder_gpu_event(builder, &event);
    }
}

static void add_activities(struct stint_builder *builder, const struct stint_snapshot *snapshot, const size_t *contexts,
                           size_t *activities)
{
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++) {
        activities[i] = stint_builder_gpu_activity(builder, &snapshot->gpu_activities[i]);
        stint_builder_add_gpu_activity(builder, activities[i], &snapshot->gpu_activities[i]);
    }
    for (size_t i = 0; i < snapshot->gpu_charge_count; i++) {
        struct stint_gpu_charge charge = snapshot->gpu_charges[i];

        charge.activity = activities[charge.activity];
        charge.context = context_of(charge.context, contexts);
        stint_builder_gpu_charge(builder, &charge);
    }
}

static void add_gpu(struct stint_builder *builder, const struct stint_snapshot *snapshot, const size_t *contexts,
                    size_t *activities, size_t *instances, int64_t shift)
{
    stint_builder_gpu_info(builder, &snapshot->gpu);
    for (size_t i = 0; i < snapshot->gpu_device_count; i++)
        stint_builder_gpu_device(builder, &snapshot->gpu_devices[i]);
    for (size_t i = 0; i < snapshot->gpu_memory_count; i++)
        stint_builder_gpu_memory(builder, &snapshot->gpu_memory[i]);
    add_activities(builder, snapshot, contexts, activities);
    add_instances(builder, snapshot, contexts, instances);
    add_events(builder, snapshot, contexts, instances, shift);
}

static void add_nvtx(struct stint_builder *builder, const struct stint_snapshot *snapshot)
{
    stint_builder_nvtx_info(builder, &snapshot->nvtx);
    for (size_t i = 0; i < snapshot->nvtx_value_count; i++)
        stint_builder_nvtx_value(builder, &snapshot->nvtx_values[i]);
    for (size_t i = 0; i < snapshot->nvtx_name_count; i++)
        stint_builder_nvtx_name(builder, &snapshot->nvtx_names[i]);
}

/* `shift` is how much later the snapshot's process started than the merged one. */
static void add_snapshot(struct stint_builder *builder, const struct stint_snapshot *snapshot, int64_t shift)
{
    struct stint_arena scratch = {0};
    size_t *stats = stint_arena_alloc(&scratch, (snapshot->stat_count + 1) * sizeof *stats);
    size_t *contexts = stint_arena_alloc(&scratch, (snapshot->context_count + 1) * sizeof *contexts);
    size_t *activities = stint_arena_alloc(&scratch, (snapshot->gpu_activity_count + 1) * sizeof *activities);
    size_t *instances = stint_arena_alloc(&scratch, (snapshot->gpu_instance_count + 1) * sizeof *instances);

    if (stats && contexts && activities && instances) {
        for (size_t i = 0; i < snapshot->set_count; i++)
            stint_builder_set(builder, snapshot->sets[i]);
        for (size_t i = 0; i < snapshot->stat_count; i++) {
            stats[i] = stint_builder_stat(builder, &snapshot->stats[i]);
            stint_builder_add_stat(builder, stats[i], &snapshot->stats[i].numbers);
        }
        add_contexts(builder, snapshot, stats, contexts);
        add_threads(builder, snapshot, stats);
        for (size_t i = 0; i < snapshot->barrier_count; i++)
            stint_builder_barrier(builder, &snapshot->barriers[i]);
        add_gpu(builder, snapshot, contexts, activities, instances, shift);
        add_nvtx(builder, snapshot);
        stint_builder_samples_of(builder, snapshot, contexts);
        stint_builder_processes_of(builder, snapshot);
    } else {
        builder->failed = 1;
    }
    stint_arena_free(&scratch);
}

static struct stint_dropped sum(const struct stint_dropped *a, const struct stint_dropped *b)
{
#define SUM(name, ...) .name = a->name + b->name,
    return (struct stint_dropped){STINT_I_DROPPED(SUM)};
#undef SUM
}

/* A process that recorded nothing may not have measured what recording costs. */
static void take_costs(struct stint_process *process, const struct stint_process *from)
{
    process->scope_ns = from->scope_ns;
    process->inside_ns = from->inside_ns;
    process->function = from->function;
    process->range = from->range;
    process->call = from->call;
    process->added_ns = from->added_ns;
    process->left_out_ns = from->left_out_ns;
}

static struct stint_process copy_process(struct stint_builder *builder, const struct stint_process *from)
{
    struct stint_arena *arena = stint_builder_arena(builder);
    struct stint_process process = *from;

    if (arena) {
        process.command = stint_arena_copy(arena, from->command, strlen(from->command));
        process.host = stint_arena_copy(arena, from->host, strlen(from->host));
        process.clock = stint_arena_copy(arena, from->clock, strlen(from->clock));
        if (!process.command || !process.host || !process.clock)
            builder->failed = 1;
    }
    return process;
}

enum stint_status stint_snapshot_merge(const struct stint_snapshot *a, const struct stint_snapshot *b,
                                       struct stint_snapshot **merged)
{
    struct stint_builder builder;

    if (!merged)
        return STINT_ERROR_INVALID_ARGUMENT;
    *merged = NULL;
    if (!a || !b)
        return STINT_ERROR_INVALID_ARGUMENT;
    stint_builder_begin(&builder);
    struct stint_process process = copy_process(&builder, &a->process);

    if (process.scope_ns <= 0)
        take_costs(&process, &b->process);
    process.added_samples += b->process.added_samples;
    process.excluded_calls += b->process.excluded_calls;
    process.tiny_calls += b->process.tiny_calls;
    process.tiny_functions += b->process.tiny_functions;
    struct stint_dropped dropped = sum(&a->dropped, &b->dropped);
    add_snapshot(&builder, a, 0);
    add_snapshot(&builder, b, (int64_t)(b->process.start_unix_ns - a->process.start_unix_ns));
    *merged = stint_builder_end(&builder, &process, &dropped);
    return *merged ? STINT_OK : STINT_ERROR_NO_MEMORY;
}

const struct stint_stat *stint_snapshot_find(const struct stint_snapshot *snapshot, const char *set, const char *name)
{
    if (!snapshot || !name)
        return NULL;
    for (size_t i = 0; i < snapshot->stat_count; i++) {
        const struct stint_stat *stat = &snapshot->stats[i];

        if (strcmp(stat->name, name) == 0 && strcmp(stat->set, set ? set : "GlobalStatInfo") == 0)
            return stat;
    }
    return NULL;
}
