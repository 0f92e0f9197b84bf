/* Files that Nsight Systems exports. It creates a table only if there are rows for it, and columns come and go with
 * versions of the schema; those here are of versions 3.x. */
#include <stdio.h>
#include <string.h>

#include "store/foreign_dialect.h"
#include "store/schema.h"

#define TIMES [STINT_FOREIGN_START] = "start", [STINT_FOREIGN_END] = "end"
#define PLACE                                                                                                          \
    [STINT_FOREIGN_DEVICE] = "deviceId", [STINT_FOREIGN_CONTEXT] = "contextId", [STINT_FOREIGN_STREAM] = "streamId"
#define LAUNCH [STINT_FOREIGN_CORRELATION] = "correlationId", [STINT_FOREIGN_PROCESS] = "globalPid"
/* Faults are instants; those of devices have an end, which stint does not keep. */
#define FAULT                                                                                                          \
    [STINT_FOREIGN_START] = "start", [STINT_FOREIGN_END] = "start", [STINT_FOREIGN_PROCESS] = "globalPid",             \
    [STINT_FOREIGN_ADDRESS] = "address"
#define GRAPH [STINT_FOREIGN_GRAPH_NODE] = "graphNodeId"

#define CALLS                                                                                                          \
    {                                                                                                                  \
        TIMES, [STINT_FOREIGN_THREAD] = "globalTid", [STINT_FOREIGN_CORRELATION] = "correlationId",                    \
               [STINT_FOREIGN_NAME] = "nameId"                                                                         \
    }

static const struct stint_foreign_table s_tables[] = {
    {.kind = STINT_FOREIGN_RANGE,
     .name = "NVTX_EVENTS",
     .columns =
         {TIMES, [STINT_FOREIGN_THREAD] = "globalTid", [STINT_FOREIGN_END_THREAD] = "endGlobalTid",
          [STINT_FOREIGN_TYPE] = "eventType", [STINT_FOREIGN_NAME] = "textId", [STINT_FOREIGN_TEXT] = "text",
          [STINT_FOREIGN_DOMAIN] = "domainId", [STINT_FOREIGN_CATEGORY] = "category", [STINT_FOREIGN_COLOR] = "color",
          [STINT_FOREIGN_UNSIGNED] = "uint64Value", [STINT_FOREIGN_SIGNED] = "int64Value",
          [STINT_FOREIGN_UNSIGNED_32] = "uint32Value", [STINT_FOREIGN_SIGNED_32] = "int32Value",
          [STINT_FOREIGN_DOUBLE] = "doubleValue", [STINT_FOREIGN_FLOAT] = "floatValue"}},
    {.kind = STINT_FOREIGN_OS,
     .name = "OSRT_API",
     .columns = {TIMES, [STINT_FOREIGN_THREAD] = "globalTid", [STINT_FOREIGN_NAME] = "nameId"}},
    {.kind = STINT_FOREIGN_RUNTIME, .name = "CUPTI_ACTIVITY_KIND_RUNTIME", .columns = CALLS},
    {.kind = STINT_FOREIGN_DRIVER, .name = "CUPTI_ACTIVITY_KIND_DRIVER", .columns = CALLS}, /* in old versions */
    {.kind = STINT_FOREIGN_KERNEL,
     .name = "CUPTI_ACTIVITY_KIND_KERNEL",
     .columns = {TIMES, PLACE, LAUNCH, GRAPH, [STINT_FOREIGN_NAME] = "demangledName",
                 [STINT_FOREIGN_MANGLED] = "mangledName", [STINT_FOREIGN_GRID_X] = "gridX", "gridY",
                 "gridZ", [STINT_FOREIGN_BLOCK_X] = "blockX", "blockY", "blockZ",
                 [STINT_FOREIGN_REGISTERS] = "registersPerThread", [STINT_FOREIGN_STATIC_SHARED] = "staticSharedMemory",
                 [STINT_FOREIGN_DYNAMIC_SHARED] = "dynamicSharedMemory", [STINT_FOREIGN_GRAPH_ID] = "graphId"}},
    {.kind = STINT_FOREIGN_GRAPH,
     .name = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
     .columns = {TIMES, PLACE, LAUNCH, [STINT_FOREIGN_GRAPH_ID] = "graphId"}},
    {.kind = STINT_FOREIGN_COPY,
     .name = "CUPTI_ACTIVITY_KIND_MEMCPY",
     .columns =
         {TIMES, PLACE, LAUNCH, GRAPH, [STINT_FOREIGN_TYPE] = "copyKind", [STINT_FOREIGN_BYTES] = "bytes",
          [STINT_FOREIGN_ADDRESS] = "virtualAddress", [STINT_FOREIGN_SOURCE] = "srcKind",
          [STINT_FOREIGN_DESTINATION] = "dstKind", [STINT_FOREIGN_SOURCE_DEVICE] = "srcDeviceId",
          [STINT_FOREIGN_DESTINATION_DEVICE] = "dstDeviceId", [STINT_FOREIGN_DESTINATION_CONTEXT] = "dstContextId"}},
    {.kind = STINT_FOREIGN_SET,
     .name = "CUPTI_ACTIVITY_KIND_MEMSET",
     .columns = {TIMES, PLACE, LAUNCH,
                 GRAPH, [STINT_FOREIGN_BYTES] = "bytes", [STINT_FOREIGN_DESTINATION] = "memKind"}},
    {.kind = STINT_FOREIGN_SYNC,
     .name = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
     .columns = {TIMES, PLACE, LAUNCH, [STINT_FOREIGN_TYPE] = "syncType"}},
    {.kind = STINT_FOREIGN_HOST_FAULT, .name = "CUDA_UM_CPU_PAGE_FAULT_EVENTS", .columns = {FAULT}},
    {.kind = STINT_FOREIGN_DEVICE_FAULT,
     .name = "CUDA_UM_GPU_PAGE_FAULT_EVENTS",
     .columns = {FAULT, [STINT_FOREIGN_DEVICE] = "deviceId", [STINT_FOREIGN_BYTES] = "numberOfPageFaults"}},
};

/* eventType of NVTX_EVENTS */
enum { CATEGORY = 33, MARK = 34, THREAD = 39, PUSH_POP = 59, START_END = 60, DOMAIN = 75, DOMAIN_END = 76 };

/* ------------------------------------------------------------------------------------------------------------- rows */

static int kind_of_range(const struct stint_foreign_stream *row, enum stint_event_kind *kind)
{
    switch (stint_foreign_i64(row, STINT_FOREIGN_TYPE)) {
    case MARK:
        *kind = STINT_EVENT_MARK;
        return 0;
    case PUSH_POP:
        *kind = STINT_EVENT_SCOPE;
        return 0;
    case START_END:
        *kind = STINT_EVENT_RANGE;
        return 0;
    case CATEGORY:
    case THREAD:
    case DOMAIN:
    case DOMAIN_END:
        return -1;
    default:
        return 1;
    }
}

/* globalTid: hardware and virtual machine in the upper 16 bits, then 24 bits for the process and 24 for the thread. */
static int64_t pid_of(int64_t global)
{
    return (int64_t)((uint64_t)global >> 24 & 0xffffff);
}

static int64_t tid_of(int64_t global)
{
    return (int64_t)((uint64_t)global & 0xffffff);
}

static void owner(const struct stint_foreign_stream *row, struct stint_event *event)
{
    int has_thread = stint_foreign_has(row, STINT_FOREIGN_THREAD);
    int64_t thread = stint_foreign_i64(row, STINT_FOREIGN_THREAD);
    int64_t global = has_thread ? thread : stint_foreign_i64(row, STINT_FOREIGN_PROCESS);
    int64_t end = stint_foreign_i64(row, STINT_FOREIGN_END_THREAD); /* 0, if it has none */
    event->pid = pid_of(global);
    event->tid = has_thread ? tid_of(global) : 0;
    event->end_tid = end == global ? 0 : tid_of(end);
}

static const char *call(struct stint_foreign_names *names, const struct stint_foreign_stream *row, char *out,
                        size_t size)
{
    const char *name = stint_foreign_name_of_id(names, stint_foreign_i64(row, STINT_FOREIGN_NAME));
    return name ? stint_foreign_shown_call(name, out, size) : NULL;
}

static const struct stint_foreign_domain *domain(struct stint_foreign_names *names,
                                                 const struct stint_foreign_stream *row, int64_t pid)
{
    return stint_foreign_domain(names, pid, stint_foreign_i64(row, STINT_FOREIGN_DOMAIN), "");
}

static enum stint_gpu_memory_kind memory(const struct stint_foreign_stream *row, enum stint_foreign_column column)
{
    int64_t kind = stint_foreign_i64(row, column);
    return stint_foreign_has(row, column) ? stint_nsys_memory_kind(kind) : STINT_GPU_MEMORY_UNKNOWN;
}

/* ------------------------------------------------------------------------------------------------------ description */

static int has_columns(struct stint_sql *sql, const char *table, const char *const *columns)
{
    for (; *columns; columns++)
        if (!stint_sql_has_column(sql, table, *columns))
            return 0;
    return 1;
}

/* Selects the rows of NVTX_EVENTS that name something: thread, domain, text, the text's number, category. */
static struct stint_sql_query select_names(struct stint_sql *sql, int type)
{
    char text[160];
    (void)snprintf(text, sizeof text,
                   "SELECT globalTid, domainId, text, %s, %s FROM NVTX_EVENTS WHERE eventType = %d LIMIT 100000",
                   stint_sql_has_column(sql, "NVTX_EVENTS", "textId") ? "textId" : "NULL",
                   stint_sql_has_column(sql, "NVTX_EVENTS", "category") ? "category" : "NULL", type);
    return stint_sql_query(sql, text);
}

static const char *name_in(const struct stint_sql_query *query, struct stint_foreign_names *names)
{
    const char *name = stint_sql_is_null(query, 2) ? stint_foreign_name_of_id(names, stint_sql_i64(query, 3))
                                                   : stint_sql_text(query, 2);
    return name ? name : "";
}

static void describe_domains(struct stint_sql *sql, struct stint_foreign_names *names)
{
    struct stint_sql_query query = select_names(sql, DOMAIN);
    while (stint_sql_step(&query))
        (void)stint_foreign_domain(names, pid_of(stint_sql_i64(&query, 0)), stint_sql_i64(&query, 1),
                                   name_in(&query, names));
    stint_sql_end(&query);
}

/* The domain's name is behind the colon of its sets. */
static void describe_categories(struct stint_sql *sql, struct stint_foreign_names *names, struct stint_replay *replay)
{
    struct stint_sql_query query = select_names(sql, CATEGORY);
    while (stint_sql_step(&query)) {
        int64_t pid = pid_of(stint_sql_i64(&query, 0));
        const struct stint_foreign_domain *domain = stint_foreign_domain(names, pid, stint_sql_i64(&query, 1), "");
        const char *colon = strchr(domain->push_pop, ':');
        struct stint_nvtx_name like = {.pid = pid,
                                       .what = STINT_NVTX_CATEGORY,
                                       .domain = colon ? colon + 1 : "",
                                       .handle = (uint64_t)stint_sql_i64(&query, 4),
                                       .name = name_in(&query, names)};
        stint_builder_add(&replay->builder, STINT_ROWS_NVTX_NAMES, &like);
    }
    stint_sql_end(&query);
}

static void describe_nvtx(struct stint_sql *sql, struct stint_foreign_names *names, struct stint_replay *replay)
{
    static const char *const columns[] = {"eventType", "domainId", "globalTid", "text", NULL};
    if (!has_columns(sql, "NVTX_EVENTS", columns))
        return;
    describe_domains(sql, names);
    describe_categories(sql, names, replay);
}

static void describe_threads(struct stint_sql *sql, struct stint_foreign_names *names, struct stint_replay *replay)
{
    static const char *const columns[] = {"globalTid", "nameId", NULL};
    if (!has_columns(sql, "ThreadNames", columns))
        return;
    struct stint_sql_query query = stint_sql_query(sql, "SELECT globalTid, nameId FROM ThreadNames LIMIT 100000");
    while (stint_sql_step(&query)) {
        int64_t global = stint_sql_i64(&query, 0);
        const char *name = stint_foreign_name_of_id(names, stint_sql_i64(&query, 1));
        if (name)
            stint_replay_thread(replay, pid_of(global), tid_of(global), name);
    }
    stint_sql_end(&query);
}

/* Returns the only value of the query as a text in the builder's memory; "" if it has no row. */
static const char *text_of(struct stint_sql *sql, struct stint_replay *replay, const char *query_text)
{
    struct stint_sql_query query = stint_sql_query(sql, query_text);
    const char *text = stint_sql_step(&query) ? stint_builder_text(&replay->builder, stint_sql_text(&query, 0)) : "";
    stint_sql_end(&query);
    return text;
}

static uint64_t number_of(struct stint_sql *sql, const char *query_text)
{
    struct stint_sql_query query = stint_sql_query(sql, query_text);
    int64_t number = stint_sql_step(&query) ? stint_sql_i64(&query, 0) : 0;
    stint_sql_end(&query);
    return number > 0 ? (uint64_t)number : 0;
}

/* The table lists many processes, including the shell and the profiler. */
static const char *command(struct stint_sql *sql, struct stint_replay *replay, int64_t pid)
{
    char query[80];
    static const char *const columns[] = {"pid", "name", NULL};
    if (!has_columns(sql, "PROCESSES", columns))
        return "";
    (void)snprintf(query, sizeof query, "SELECT name FROM PROCESSES WHERE pid = %lld LIMIT 1", (long long)pid);
    return text_of(sql, replay, query);
}

static void describe_session(struct stint_sql *sql, struct stint_replay *replay, struct stint_process *process)
{
    static const char *const environment[] = {"name", "value", NULL};
    if (has_columns(sql, "TARGET_INFO_SYSTEM_ENV", environment))
        process->host =
            text_of(sql, replay, "SELECT value FROM TARGET_INFO_SYSTEM_ENV WHERE name = 'Hostname' LIMIT 1");
    if (stint_sql_has_column(sql, "TARGET_INFO_SESSION_START_TIME", "utcEpochNs"))
        process->start_unix_ns = number_of(sql, "SELECT utcEpochNs FROM TARGET_INFO_SESSION_START_TIME LIMIT 1");
    if (stint_sql_has_column(sql, "ANALYSIS_DETAILS", "duration"))
        process->wall_ns = number_of(sql, "SELECT max(duration) FROM ANALYSIS_DETAILS");
}

static uint32_t u32(const struct stint_sql_query *query, int column, struct stint_replay *replay)
{
    return (uint32_t)stint_foreign_device_number(query, column, UINT32_MAX, &replay->dropped);
}

static uint64_t u64(const struct stint_sql_query *query, int column, struct stint_replay *replay)
{
    return stint_foreign_device_number(query, column, INT64_MAX, &replay->dropped);
}

#define NUMBER(column) STINT_FOREIGN_WHOLE(#column) ", "

/* Kernels name a device by CUDA's number; TARGET_INFO_CUDA_DEVICE maps it to the description. */
static void describe_devices(struct stint_sql *sql, struct stint_replay *replay)
{
    static const char *const devices[] = {"gpuId", "cudaId", NULL};
    static const char *const gpus[] = {
        "id", "name", "computeMajor", "computeMinor", "smCount", "clockRate", "totalMemory", "memoryBandwidth", NULL};
    if (!has_columns(sql, "TARGET_INFO_CUDA_DEVICE", devices) || !has_columns(sql, "TARGET_INFO_GPU", gpus))
        return;
    struct stint_sql_query query = stint_sql_query(
        sql,
        "SELECT " NUMBER(cudaId) NUMBER(computeMajor) NUMBER(computeMinor) NUMBER(smCount) NUMBER(clockRate)
            NUMBER(totalMemory) NUMBER(
                memoryBandwidth) "name FROM TARGET_INFO_CUDA_DEVICE JOIN TARGET_INFO_GPU ON id = gpuId LIMIT 1024");
    while (stint_sql_step(&query)) {
        uint64_t clock_hz = stint_foreign_device_number(&query, 4, UINT64_C(1000) * UINT32_MAX, &replay->dropped);
        struct stint_gpu_device device = {.id = u32(&query, 0, replay),
                                          .name = stint_sql_text(&query, 7),
                                          .compute_major = u32(&query, 1, replay),
                                          .compute_minor = u32(&query, 2, replay),
                                          .multiprocessors = u32(&query, 3, replay),
                                          .core_clock_khz = (uint32_t)(clock_hz / 1000),
                                          .memory_bytes = u64(&query, 5, replay),
                                          .memory_bytes_per_s = u64(&query, 6, replay)};
        stint_builder_add(&replay->builder, STINT_ROWS_GPU_DEVICES, &device);
    }
    stint_sql_end(&query);
}

static void describe(struct stint_sql *sql, struct stint_foreign_names *names, struct stint_replay *replay,
                     struct stint_process *process)
{
    describe_nvtx(sql, names, replay);
    describe_threads(sql, names, replay);
    describe_session(sql, replay, process);
    describe_devices(sql, replay);
}

/* ---------------------------------------------------------------------------------------------------------- Kineto */

static const struct stint_foreign_domain *kineto_domain(struct stint_foreign_names *names,
                                                        const struct stint_foreign_stream *row, int64_t pid)
{
    int64_t id = stint_foreign_i64(row, STINT_FOREIGN_DOMAIN);
    return stint_foreign_domain(names, pid, id, id ? "Python" : "");
}

static void describe_kineto(struct stint_sql *sql, struct stint_foreign_names *names, struct stint_replay *replay,
                            struct stint_process *process)
{
    describe_threads(sql, names, replay);
    describe_devices(sql, replay);
    process->start_unix_ns = number_of(sql, "SELECT value FROM KINETO_FACTS WHERE name = 'base' LIMIT 1");
    process->pid = (int64_t)number_of(sql, "SELECT value FROM KINETO_FACTS WHERE name = 'process' LIMIT 1");
    replay->dropped.gpu_invalid += number_of(sql, "SELECT value FROM KINETO_FACTS WHERE name = 'left out' LIMIT 1");
    replay->dropped.impossible += number_of(sql, "SELECT value FROM KINETO_FACTS WHERE name = 'impossible' LIMIT 1");
    replay->dropped.mismatched += number_of(sql, "SELECT value FROM KINETO_FACTS WHERE name = 'mismatched' LIMIT 1");
    const char *rank = text_of(sql, replay, "SELECT value FROM KINETO_FACTS WHERE name = 'rank' LIMIT 1");
    (void)snprintf(process->rank, sizeof process->rank, "%s", rank);
}

/* What the program makes of a trace of torch.profiler: times are since a base. */
const struct stint_foreign_dialect stint_foreign_kineto = {
    .strings = "KINETO_STRINGS",
    .string_id = "id",
    .tables = s_tables,
    .table_count = sizeof s_tables / sizeof s_tables[0],
    .kind_of_range = kind_of_range,
    .owner = owner,
    .call = call,
    .domain = kineto_domain,
    .memory = memory,
    .command = command,
    .describe = describe_kineto,
};

const struct stint_foreign_dialect stint_foreign_nsys = {
    .strings = "StringIds",
    .string_id = "id",
    .tables = s_tables,
    .table_count = sizeof s_tables / sizeof s_tables[0],
    .starts_at_0 = 1,
    .kind_of_range = kind_of_range,
    .owner = owner,
    .call = call,
    .domain = domain,
    .memory = memory,
    .command = command,
    .describe = describe,
};
