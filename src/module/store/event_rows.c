/* Rows of a store as events: the other way round in rows.c. */
#include <string.h>

#include "store/store_merge.h"

const char *stint_store_select(enum stint_store_table table)
{
    static const char *const texts[] = {
        [STINT_STORE_RANGES] =
            "SELECT start, \"end\", globalTid, context, textId, eventType, domainId FROM NVTX_EVENTS "
            "WHERE rowid BETWEEN ?1 AND ?2 AND eventType <> 75",
        [STINT_STORE_CALLS] = "SELECT start, \"end\", globalTid, context, nameId, correlationId "
                              "FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE rowid BETWEEN ?1 AND ?2",
        [STINT_STORE_KERNELS] =
            "SELECT start, \"end\", globalPid, context, demangledName, correlationId, instance, deviceId, contextId, "
            "streamId, graphId, graphNodeId, registersPerThread, gridX, gridY, gridZ, blockX, blockY, blockZ, "
            "staticSharedMemory, dynamicSharedMemory FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE rowid BETWEEN ?1 AND ?2",
        [STINT_STORE_COPIES] =
            "SELECT start, \"end\", globalPid, context, nameId, correlationId, instance, deviceId, contextId, "
            "streamId, graphId, graphNodeId, bytes, copyKind, srcKind, dstKind, dstDeviceId, dstContextId "
            "FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE rowid BETWEEN ?1 AND ?2",
        [STINT_STORE_SETS] =
            "SELECT start, \"end\", globalPid, context, nameId, correlationId, instance, deviceId, contextId, "
            "streamId, graphId, graphNodeId, bytes, memKind FROM CUPTI_ACTIVITY_KIND_MEMSET "
            "WHERE rowid BETWEEN ?1 AND ?2",
        [STINT_STORE_WAITS] =
            "SELECT start, \"end\", globalPid, context, nameId, correlationId, instance, deviceId, contextId, "
            "streamId FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION WHERE rowid BETWEEN ?1 AND ?2",
        [STINT_STORE_OTHERS] =
            "SELECT start, \"end\", globalPid, context, nameId, correlationId, instance, deviceId, contextId, "
            "streamId, bytes, kind FROM stint_device_events WHERE rowid BETWEEN ?1 AND ?2",
    };
    return texts[table];
}

static uint32_t number(const struct stint_sql_query *row, int column)
{
    return (uint32_t)stint_sql_i64(row, column);
}

static enum stint_gpu_memory_kind memory(const struct stint_sql_query *row, int column)
{
    int64_t kind = stint_sql_i64(row, column);
    return kind >= 0 && kind < 7 ? (enum stint_gpu_memory_kind)(kind + 1) : STINT_GPU_MEMORY_UNKNOWN;
}

/* ---------------------------------------------------------------------------------------------------------- devices */

static void decode_graph(const struct stint_sql_query *row, struct stint_gpu_event *gpu)
{
    gpu->graph = number(row, 10);
    gpu->graph_node = (uint64_t)stint_sql_i64(row, 11);
}

static void decode_kernel(const struct stint_sql_query *row, struct stint_gpu_event *gpu)
{
    gpu->kind = STINT_GPU_KERNEL;
    decode_graph(row, gpu);
    gpu->registers = number(row, 12);
    for (int i = 0; i < 3; i++) {
        gpu->grid[i] = number(row, 13 + i);
        gpu->block[i] = number(row, 16 + i);
    }
    gpu->static_shared = number(row, 19);
    gpu->dynamic_shared = number(row, 20);
}

static void decode_copy(const struct stint_sql_query *row, struct stint_gpu_event *gpu)
{
    static const char unified[] = "[CUDA Unified";
    gpu->kind = strncmp(gpu->name, unified, sizeof unified - 1) == 0 ? STINT_GPU_UNIFIED : STINT_GPU_COPY;
    decode_graph(row, gpu);
    gpu->bytes = (uint64_t)stint_sql_i64(row, 12);
    gpu->source = memory(row, 14);
    gpu->destination = memory(row, 15);
    gpu->peer = !stint_sql_is_null(row, 16);
    gpu->peer_device = number(row, 16);
    gpu->peer_context = number(row, 17);
}

static void decode_set(const struct stint_sql_query *row, struct stint_gpu_event *gpu)
{
    gpu->kind = STINT_GPU_SET;
    decode_graph(row, gpu);
    gpu->bytes = (uint64_t)stint_sql_i64(row, 12);
    gpu->destination = memory(row, 13);
}

static void decode_wait(const struct stint_sql_query *row, struct stint_gpu_event *gpu)
{
    (void)row;
    gpu->kind = STINT_GPU_SYNC;
}

static void decode_other(const struct stint_sql_query *row, struct stint_gpu_event *gpu)
{
    int64_t kind = stint_sql_i64(row, 11);
    gpu->kind = kind >= 0 && kind < STINT_GPU_KINDS ? (enum stint_gpu_kind)kind : STINT_GPU_OVERHEAD;
    gpu->bytes = (uint64_t)stint_sql_i64(row, 10);
}

static void decode_device(const struct stint_store_run *run, struct stint_gpu_event *gpu)
{
    static void (*const decoders[])(const struct stint_sql_query *,
                                    struct stint_gpu_event *) = {[STINT_STORE_KERNELS] = decode_kernel,
                                                                 [STINT_STORE_COPIES] = decode_copy,
                                                                 [STINT_STORE_SETS] = decode_set,
                                                                 [STINT_STORE_WAITS] = decode_wait,
                                                                 [STINT_STORE_OTHERS] = decode_other};
    const struct stint_sql_query *row = &run->rows;
    if (!stint_sql_is_null(row, 6))
        gpu->instance = (size_t)stint_sql_i64(row, 6);
    gpu->device = number(row, 7);
    gpu->device_context = number(row, 8);
    gpu->stream = number(row, 9);
    decoders[run->table](row, gpu);
}

/* ----------------------------------------------------------------------------------------------------------- events */

static size_t context_of(const struct stint_sql_query *row, const struct stint_lookup *lookup)
{
    int64_t path = stint_sql_i64(row, 3);
    const struct stint_lookup_context *context;
    if (stint_sql_is_null(row, 3))
        return STINT_GPU_UNATTRIBUTED;
    context = stint_lookup_context(lookup, path);
    return context ? context->context : STINT_GPU_NO_SCOPE;
}

static void decode_range(const struct stint_sql_query *row, const struct stint_lookup *lookup,
                         struct stint_event *event)
{
    int type = (int)stint_sql_i64(row, 5);
    const struct stint_lookup_context *context = stint_lookup_context(lookup, stint_sql_i64(row, 3));
    event->kind = type == STINT_STORE_MARK        ? STINT_EVENT_MARK
                  : type == STINT_STORE_START_END ? STINT_EVENT_RANGE
                                                  : STINT_EVENT_SCOPE;
    if (event->kind == STINT_EVENT_SCOPE && context) {
        event->name = context->name;
        event->set = context->set;
        return;
    }
    event->set = stint_lookup_set(lookup, type, stint_sql_i64(row, 6));
}

void stint_store_decode(const struct stint_store_run *run, const struct stint_lookup *lookup, struct stint_event *event,
                        struct stint_gpu_event *gpu)
{
    const struct stint_sql_query *row = &run->rows;
    uint64_t thread = (uint64_t)stint_sql_i64(row, 2);
    *event = (struct stint_event){.kind = run->table == STINT_STORE_CALLS ? STINT_EVENT_CALL : STINT_EVENT_DEVICE,
                                  .start_ns = run->start_ns,
                                  .end_ns = run->end_ns,
                                  .pid = (int64_t)(thread >> STINT_STORE_PID_SHIFT & STINT_STORE_ID_MASK),
                                  .tid = (int64_t)(thread & STINT_STORE_ID_MASK),
                                  .context = context_of(row, lookup),
                                  .name = stint_lookup_text(lookup, stint_sql_i64(row, 4)),
                                  .set = ""};
    if (run->table == STINT_STORE_RANGES) {
        decode_range(row, lookup, event);
        return;
    }
    *gpu = (struct stint_gpu_event){.api = run->table == STINT_STORE_CALLS,
                                    .name = event->name,
                                    .start_ns = run->start_ns,
                                    .end_ns = run->end_ns,
                                    .correlation = (uint64_t)stint_sql_i64(row, 5),
                                    .context = event->context,
                                    .instance = STINT_GPU_NO_INSTANCE,
                                    .tid = event->tid};
    event->gpu = gpu;
    if (run->table != STINT_STORE_CALLS)
        decode_device(run, gpu);
}
