#include "store/rows.h"

#include <stdlib.h>
#include <string.h>

/* How many rows are gathered: enough that runs are few and long, few enough that they take 10 MB. */
enum { RANGES = 1 << 18, GPU_ROWS = 1 << 15 };

static const char *const s_inserts[] = {
    [STINT_STORE_RANGES] = "INSERT INTO NVTX_EVENTS(start, \"end\", eventType, globalTid, textId, domainId, context) "
                           "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    [STINT_STORE_CALLS] = "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME(start, \"end\", globalTid, correlationId, context, "
                          "nameId, eventClass, returnValue) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0)",
    [STINT_STORE_KERNELS] =
        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL(start, \"end\", globalPid, correlationId, context, demangledName, "
        "instance, deviceId, contextId, streamId, graphId, graphNodeId, shortName, registersPerThread, gridX, gridY, "
        "gridZ, blockX, blockY, blockZ, staticSharedMemory, dynamicSharedMemory, localMemoryPerThread, "
        "localMemoryTotal, gridId) "
        "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, "
        "0, 0, 0)",
    [STINT_STORE_COPIES] =
        "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY(start, \"end\", globalPid, correlationId, context, nameId, instance, "
        "deviceId, contextId, streamId, graphId, graphNodeId, bytes, copyKind, srcKind, dstKind, srcDeviceId, "
        "srcContextId, dstDeviceId, dstContextId) "
        "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)",
    [STINT_STORE_SETS] =
        "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET(start, \"end\", globalPid, correlationId, context, nameId, instance, "
        "deviceId, contextId, streamId, graphId, graphNodeId, bytes, memKind, value) "
        "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, 0)",
    [STINT_STORE_WAITS] = "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION(start, \"end\", globalPid, correlationId, "
                          "context, nameId, instance, deviceId, contextId, streamId, syncType, eventId) "
                          "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 0)",
    [STINT_STORE_OTHERS] = "INSERT INTO stint_device_events(start, \"end\", globalPid, correlationId, context, nameId, "
                           "instance, deviceId, contextId, streamId, bytes, kind) "
                           "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
};

void stint_rows_begin(struct stint_rows *rows, struct stint_sql *sql, struct stint_strings *strings)
{
    *rows = (struct stint_rows){.sql = sql, .strings = strings};
    rows->ranges = malloc(RANGES * sizeof *rows->ranges);
    rows->gpu = malloc(GPU_ROWS * sizeof *rows->gpu);
    if (!rows->ranges || !rows->gpu)
        (void)stint_sql_fail(sql, "there is no memory");
    for (size_t i = 0; i < STINT_STORE_TABLES; i++)
        rows->inserts[i] = stint_sql_query(sql, s_inserts[i]);
    rows->insert_run = stint_sql_query(sql, "INSERT INTO stint_runs VALUES (?1, ?2, ?3, ?4)");
}

void stint_rows_end(struct stint_rows *rows)
{
    for (size_t i = 0; i < STINT_STORE_TABLES; i++)
        stint_sql_end(&rows->inserts[i]);
    stint_sql_end(&rows->insert_run);
    free(rows->ranges);
    free(rows->gpu);
}

/* ------------------------------------------------------------------------------------------------------------ order */

/* By start; of those that start together the longer one first, which contains the others. */
static int compare(uint64_t start_a, uint64_t end_a, uint64_t start_b, uint64_t end_b)
{
    if (start_a != start_b)
        return start_a < start_b ? -1 : 1;
    return end_a == end_b ? 0 : end_a > end_b ? -1 : 1;
}

static int compare_ranges(const void *a, const void *b)
{
    const struct stint_range_row *x = a, *y = b;
    return compare(x->start_ns, x->end_ns, y->start_ns, y->end_ns);
}

static int compare_gpu(const void *a, const void *b)
{
    const struct stint_gpu_row *x = a, *y = b;
    return compare(x->event.start_ns, x->event.end_ns, y->event.start_ns, y->event.end_ns);
}

static void note_run(struct stint_rows *rows, enum stint_store_table table, int64_t before, uint64_t start_ns)
{
    if (rows->counts[table] == before)
        return;
    stint_sql_bind_i64(&rows->insert_run, 1, table);
    stint_sql_bind_i64(&rows->insert_run, 2, before + 1);
    stint_sql_bind_i64(&rows->insert_run, 3, rows->counts[table]);
    stint_sql_bind_i64(&rows->insert_run, 4, (int64_t)start_ns);
    stint_sql_do(&rows->insert_run);
}

/* ----------------------------------------------------------------------------------------------------------- ranges */

static void bind_context(struct stint_sql_query *insert, int parameter, uint32_t context)
{
    if (context == STINT_ROW_UNKNOWN)
        stint_sql_bind_null(insert, parameter);
    else
        stint_sql_bind_i64(insert, parameter, context);
}

static void write_range(struct stint_sql_query *insert, const struct stint_range_row *row)
{
    stint_sql_bind_i64(insert, 1, (int64_t)row->start_ns);
    if (row->type == STINT_STORE_MARK || row->type == STINT_STORE_DOMAIN)
        stint_sql_bind_null(insert, 2);
    else
        stint_sql_bind_i64(insert, 2, (int64_t)row->end_ns);
    stint_sql_bind_i64(insert, 3, row->type);
    stint_sql_bind_i64(insert, 4, row->thread);
    stint_sql_bind_i64(insert, 5, row->text);
    stint_sql_bind_i64(insert, 6, row->domain);
    bind_context(insert, 7, row->context);
    stint_sql_do(insert);
}

static void flush_ranges(struct stint_rows *rows)
{
    int64_t before = rows->counts[STINT_STORE_RANGES];
    qsort(rows->ranges, rows->range_count, sizeof *rows->ranges, compare_ranges);
    for (size_t i = 0; i < rows->range_count; i++)
        write_range(&rows->inserts[STINT_STORE_RANGES], &rows->ranges[i]);
    rows->counts[STINT_STORE_RANGES] += (int64_t)rows->range_count;
    note_run(rows, STINT_STORE_RANGES, before, rows->ranges[0].start_ns);
    rows->range_count = 0;
}

int stint_rows_add_range(struct stint_rows *rows, const struct stint_range_row *row)
{
    if (!rows->ranges || rows->sql->failed)
        return 0;
    rows->ranges[rows->range_count++] = *row;
    if (rows->range_count < RANGES)
        return 0;
    stint_rows_flush(rows);
    return 1;
}

/* -------------------------------------------------------------------------------------------------------------- GPU */

/* What Nsight Systems has for memory: as CUPTI, but what is not known is last. */
static int memory_kind(enum stint_gpu_memory_kind kind)
{
    return kind == STINT_GPU_MEMORY_UNKNOWN ? 7 : (int)kind - 1;
}

/* ENUM_CUDA_MEMCPY_OPER's, of "[CUDA memcpy HtoD]" and "[CUDA Unified Memory memcpy HtoD]". */
static int copy_kind(const struct stint_gpu_event *event)
{
    static const char *const ways[] = {"HtoD]", "DtoH]", "HtoA]", "AtoH]", "AtoA]",
                                       "AtoD]", "DtoA]", "DtoD]", "HtoH]", "PtoP]"};
    const char *blank = strrchr(event->name, ' ');
    for (int i = 0; blank && i < 10; i++) {
        if (strcmp(blank + 1, ways[i]) != 0)
            continue;
        if (event->kind != STINT_GPU_UNIFIED)
            return i + 1;
        return i == 0 ? 11 : i == 1 ? 12 : i == 7 ? 13 : 0;
    }
    return 0;
}

/* ENUM_CUPTI_SYNC_TYPE's, of "[CUDA stream synchronize]". */
static int wait_kind(const struct stint_gpu_event *event)
{
    static const char *const waits[] = {"[CUDA event synchronize]", "[CUDA stream wait event]",
                                        "[CUDA stream synchronize]", "[CUDA context synchronize]"};
    for (int i = 0; i < 4; i++)
        if (strcmp(event->name, waits[i]) == 0)
            return i + 1;
    return 0;
}

/* What all tables have. */
static void bind_common(struct stint_sql_query *insert, const struct stint_gpu_row *row)
{
    stint_sql_bind_i64(insert, 1, (int64_t)row->event.start_ns);
    stint_sql_bind_i64(insert, 2, (int64_t)row->event.end_ns);
    stint_sql_bind_i64(insert, 3, row->thread);
    stint_sql_bind_i64(insert, 4, (int64_t)row->event.correlation);
    bind_context(insert, 5, row->context);
    stint_sql_bind_i64(insert, 6, row->name);
}

static void bind_or_null(struct stint_sql_query *insert, int parameter, int known, uint64_t value)
{
    if (known)
        stint_sql_bind_i64(insert, parameter, (int64_t)value);
    else
        stint_sql_bind_null(insert, parameter);
}

/* What all tables of devices have. */
static void bind_device(struct stint_sql_query *insert, const struct stint_gpu_row *row)
{
    const struct stint_gpu_event *event = &row->event;
    bind_common(insert, row);
    bind_or_null(insert, 7, event->instance != STINT_GPU_NO_INSTANCE, event->instance);
    stint_sql_bind_i64(insert, 8, event->device);
    stint_sql_bind_i64(insert, 9, event->device_context);
    stint_sql_bind_i64(insert, 10, event->stream);
}

static void bind_graph(struct stint_sql_query *insert, const struct stint_gpu_event *event)
{
    bind_or_null(insert, 11, event->graph != 0, event->graph);
    bind_or_null(insert, 12, event->graph != 0, event->graph_node);
}

static void bind_launch(struct stint_sql_query *insert, const struct stint_gpu_event *event)
{
    stint_sql_bind_i64(insert, 14, event->registers);
    for (int i = 0; i < 3; i++) {
        stint_sql_bind_i64(insert, 15 + i, event->grid[i]);
        stint_sql_bind_i64(insert, 18 + i, event->block[i]);
    }
    stint_sql_bind_i64(insert, 21, event->static_shared);
    stint_sql_bind_i64(insert, 22, event->dynamic_shared);
}

static void bind_copy(struct stint_sql_query *insert, const struct stint_gpu_event *event)
{
    stint_sql_bind_i64(insert, 13, (int64_t)event->bytes);
    stint_sql_bind_i64(insert, 14, copy_kind(event));
    stint_sql_bind_i64(insert, 15, memory_kind(event->source));
    stint_sql_bind_i64(insert, 16, memory_kind(event->destination));
    bind_or_null(insert, 17, event->peer, event->device);
    bind_or_null(insert, 18, event->peer, event->device_context);
    bind_or_null(insert, 19, event->peer, event->peer_device);
    bind_or_null(insert, 20, event->peer, event->peer_context);
}

static enum stint_store_table table_of(const struct stint_gpu_event *event)
{
    static const enum stint_store_table tables[STINT_GPU_KINDS] = {
        [STINT_GPU_KERNEL] = STINT_STORE_KERNELS, [STINT_GPU_COPY] = STINT_STORE_COPIES,
        [STINT_GPU_SET] = STINT_STORE_SETS,       [STINT_GPU_UNIFIED] = STINT_STORE_COPIES,
        [STINT_GPU_SPAN] = STINT_STORE_OTHERS,    [STINT_GPU_SYNC] = STINT_STORE_WAITS,
        [STINT_GPU_FAULT] = STINT_STORE_OTHERS,   [STINT_GPU_OVERHEAD] = STINT_STORE_OTHERS,
    };
    return event->api ? STINT_STORE_CALLS : tables[event->kind];
}

static void bind_call(struct stint_sql_query *insert, const struct stint_gpu_row *row)
{
    bind_common(insert, row);
    stint_sql_bind_i64(insert, 7, strncmp(row->event.name, "cuda", 4) != 0); /* the driver's: cuLaunchKernel */
}

static void bind_gpu(struct stint_rows *rows, struct stint_sql_query *insert, const struct stint_gpu_row *row,
                     enum stint_store_table table)
{
    bind_device(insert, row);
    switch (table) {
    case STINT_STORE_KERNELS:
        bind_graph(insert, &row->event);
        stint_sql_bind_i64(insert, 13, stint_strings_short(rows->strings, row->name));
        bind_launch(insert, &row->event);
        break;
    case STINT_STORE_COPIES:
        bind_graph(insert, &row->event);
        bind_copy(insert, &row->event);
        break;
    case STINT_STORE_SETS:
        bind_graph(insert, &row->event);
        stint_sql_bind_i64(insert, 13, (int64_t)row->event.bytes);
        stint_sql_bind_i64(insert, 14, memory_kind(row->event.destination));
        break;
    case STINT_STORE_WAITS:
        stint_sql_bind_i64(insert, 11, wait_kind(&row->event));
        break;
    default:
        stint_sql_bind_i64(insert, 11, (int64_t)row->event.bytes);
        stint_sql_bind_i64(insert, 12, row->event.kind);
    }
}

static void flush_gpu(struct stint_rows *rows)
{
    int64_t before[STINT_STORE_TABLES];
    uint64_t starts[STINT_STORE_TABLES] = {0};
    memcpy(before, rows->counts, sizeof before);
    qsort(rows->gpu, rows->gpu_count, sizeof *rows->gpu, compare_gpu);
    for (size_t i = 0; i < rows->gpu_count; i++) {
        enum stint_store_table table = table_of(&rows->gpu[i].event);
        if (table == STINT_STORE_CALLS)
            bind_call(&rows->inserts[table], &rows->gpu[i]);
        else
            bind_gpu(rows, &rows->inserts[table], &rows->gpu[i], table);
        stint_sql_do(&rows->inserts[table]);
        if (rows->counts[table]++ == before[table])
            starts[table] = rows->gpu[i].event.start_ns;
    }
    for (size_t i = STINT_STORE_CALLS; i < STINT_STORE_TABLES; i++)
        note_run(rows, (enum stint_store_table)i, before[i], starts[i]);
    rows->gpu_count = 0;
}

int stint_rows_add_gpu(struct stint_rows *rows, const struct stint_gpu_row *row)
{
    if (!rows->gpu || rows->sql->failed)
        return 0;
    rows->gpu[rows->gpu_count++] = *row;
    if (rows->gpu_count < GPU_ROWS)
        return 0;
    stint_rows_flush(rows);
    return 1;
}

void stint_rows_flush(struct stint_rows *rows)
{
    if (rows->range_count)
        flush_ranges(rows);
    if (rows->gpu_count)
        flush_gpu(rows);
}
