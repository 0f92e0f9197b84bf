/* Files that nvprof -o wrote: CUPTI's records, in a table for each kind. */
#include <stdio.h>
#include <string.h>

#include "store/foreign_dialect.h"

#define TIMES [STINT_FOREIGN_START] = "start", [STINT_FOREIGN_END] = "end"
#define PLACE                                                                                                          \
    [STINT_FOREIGN_DEVICE] = "deviceId", [STINT_FOREIGN_CONTEXT] = "contextId", [STINT_FOREIGN_STREAM] = "streamId"
#define LAUNCH [STINT_FOREIGN_CORRELATION] = "correlationId"

#define CALLS                                                                                                          \
    {                                                                                                                  \
        TIMES, LAUNCH, [STINT_FOREIGN_PROCESS] = "processId", [STINT_FOREIGN_THREAD] = "threadId",                     \
                       [STINT_FOREIGN_NAME] = "cbid"                                                                   \
    }
#define KERNELS                                                                                                        \
    {                                                                                                                  \
        TIMES, PLACE, LAUNCH, [STINT_FOREIGN_NAME] = "name", [STINT_FOREIGN_GRID_X] = "gridX", "gridY",                \
                              "gridZ", [STINT_FOREIGN_BLOCK_X] = "blockX", "blockY",                                   \
                              "blockZ", [STINT_FOREIGN_REGISTERS] = "registersPerThread",                              \
                              [STINT_FOREIGN_STATIC_SHARED] = "staticSharedMemory",                                    \
                              [STINT_FOREIGN_DYNAMIC_SHARED] = "dynamicSharedMemory"                                   \
    }
#define COPY                                                                                                           \
    TIMES, PLACE, LAUNCH, [STINT_FOREIGN_TYPE] = "copyKind", [STINT_FOREIGN_BYTES] = "bytes",                          \
                          [STINT_FOREIGN_SOURCE] = "srcKind", [STINT_FOREIGN_DESTINATION] = "dstKind"

/* A marker's beginning and end are two rows with the same id. */

static const struct stint_foreign_table s_tables[] = {
    {.kind = STINT_FOREIGN_RANGE,
     .name = "CUPTI_ACTIVITY_KIND_MARKER",
     .from = " AS a NOT INDEXED LEFT JOIN (SELECT rowid AS begun, lead(timestamp) OVER of_id AS timestamp, lead(flags) "
             "OVER of_id AS flags FROM \"%s\" WINDOW of_id AS (PARTITION BY id ORDER BY timestamp, flags)) AS b "
             "ON b.begun = a.rowid AND b.flags & 4",
     .where = "a.flags & 3 OR (a.flags & 4) IS NOT 4", /* all but ends */
     .columns = {[STINT_FOREIGN_START] = "a.timestamp",
                 [STINT_FOREIGN_END] = "b.timestamp",
                 [STINT_FOREIGN_TYPE] = "a.flags",
                 [STINT_FOREIGN_SOURCE] = "a.objectKind",
                 [STINT_FOREIGN_OBJECT] = "a.objectId",
                 [STINT_FOREIGN_NAME] = "a.name",
                 [STINT_FOREIGN_DOMAIN] = "a.domain"}},
    {.kind = STINT_FOREIGN_RUNTIME, .name = "CUPTI_ACTIVITY_KIND_RUNTIME", .columns = CALLS},
    {.kind = STINT_FOREIGN_DRIVER, .name = "CUPTI_ACTIVITY_KIND_DRIVER", .columns = CALLS},
    {.kind = STINT_FOREIGN_KERNEL, .name = "CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL", .columns = KERNELS},
    {.kind = STINT_FOREIGN_KERNEL, .name = "CUPTI_ACTIVITY_KIND_KERNEL", .columns = KERNELS},
    {.kind = STINT_FOREIGN_COPY, .name = "CUPTI_ACTIVITY_KIND_MEMCPY", .columns = {COPY}},
    {.kind = STINT_FOREIGN_COPY,
     .name = "CUPTI_ACTIVITY_KIND_MEMCPY2",
     .columns =
         {COPY, [STINT_FOREIGN_SOURCE_DEVICE] = "srcDeviceId", [STINT_FOREIGN_DESTINATION_DEVICE] = "dstDeviceId",
          [STINT_FOREIGN_DESTINATION_CONTEXT] = "dstContextId"}},
    {.kind = STINT_FOREIGN_SET,
     .name = "CUPTI_ACTIVITY_KIND_MEMSET",
     .columns = {TIMES, PLACE, LAUNCH, [STINT_FOREIGN_BYTES] = "bytes", [STINT_FOREIGN_DESTINATION] = "memoryKind"}},
    {.kind = STINT_FOREIGN_SYNC,
     .name = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
     .columns = {TIMES, LAUNCH, [STINT_FOREIGN_CONTEXT] = "contextId", [STINT_FOREIGN_STREAM] = "streamId",
                 [STINT_FOREIGN_TYPE] = "type"}},
};

/* Flags of markers, and their objectKind. */
enum { INSTANTANEOUS = 1, BEGINNING = 2, OF_PROCESS = 1 };

/* ------------------------------------------------------------------------------------------------------------- rows */

/* A range that belongs to the process instead of a thread was started and ended, not pushed and popped. */
static int kind_of_range(const struct stint_foreign_stream *row, enum stint_event_kind *kind)
{
    int64_t flags = stint_foreign_i64(row, STINT_FOREIGN_TYPE);
    if (!(flags & (INSTANTANEOUS | BEGINNING)))
        return 1;
    if (flags & INSTANTANEOUS)
        *kind = STINT_EVENT_MARK;
    else if (stint_foreign_i64(row, STINT_FOREIGN_SOURCE) == OF_PROCESS)
        *kind = STINT_EVENT_RANGE;
    else
        *kind = STINT_EVENT_SCOPE;
    return 0;
}

/* Returns the little-endian 32-bit number with these hexadecimal digits. */
static int64_t word(const char *digits)
{
    uint64_t value = 0;
    for (int i = 0; i < 8; i++) {
        int digit = digits[i] <= '9' ? digits[i] - '0' : digits[i] - 'A' + 10;
        value |= (uint64_t)digit << (i % 2 ? i / 2 * 8 : i / 2 * 8 + 4);
    }
    return (int64_t)value;
}

/* An object's id consists of the process and then the thread. The lower half of the thread is used, as everywhere
 * here. */
static void owner_of_marker(const struct stint_foreign_stream *row, struct stint_event *event)
{
    size_t length;
    const char *digits = stint_foreign_text(row, STINT_FOREIGN_OBJECT, &length);
    if (length && length < 8)
        (void)stint_foreign_refuse(row, STINT_FOREIGN_OBJECT);
    event->pid = length >= 8 ? word(digits) : 0;
    event->tid = length >= 16 ? word(digits + 8) : 0;
}

static void owner(const struct stint_foreign_stream *row, struct stint_event *event)
{
    if (row->table->kind == STINT_FOREIGN_RANGE) {
        owner_of_marker(row, event);
        return;
    }
    event->pid = stint_foreign_u32(row, STINT_FOREIGN_PROCESS);
    event->tid = stint_foreign_bits(row, STINT_FOREIGN_THREAD);
}

static const char *call(struct stint_foreign_names *names, const struct stint_foreign_stream *row, char *out,
                        size_t size)
{
    int is_driver = row->table->kind == STINT_FOREIGN_DRIVER;
    int64_t number = stint_foreign_i64(row, STINT_FOREIGN_NAME);
    const char *name = stint_foreign_call_name(is_driver, number);
    (void)names;
    if (name)
        return name;
    (void)snprintf(out, size, "%s_%lld", is_driver ? "cuApi" : "cudaApi", (long long)number);
    return out;
}

/* A row names the domain directly, by the number of a string. */
static const struct stint_foreign_domain *domain(struct stint_foreign_names *names,
                                                 const struct stint_foreign_stream *row, int64_t pid)
{
    int64_t id = stint_foreign_i64(row, STINT_FOREIGN_DOMAIN);
    const char *name = id ? stint_foreign_name_of_id(names, id) : NULL;
    (void)pid;
    return stint_foreign_domain(names, 0, id, name && strcmp(name, "<unnamed>") != 0 ? name : "");
}

static enum stint_gpu_memory_kind memory(const struct stint_foreign_stream *row, enum stint_foreign_column column)
{
    int64_t value = stint_foreign_i64(row, column);
    return value < 0 || value > STINT_GPU_MEMORY_MANAGED_STATIC ? STINT_GPU_MEMORY_UNKNOWN
                                                                : (enum stint_gpu_memory_kind)value;
}

/* ------------------------------------------------------------------------------------------------------ description */

static void describe_device(struct stint_foreign_names *names, struct stint_replay *replay,
                            const struct stint_sql_query *query)
{
    static const uint64_t most[] = {UINT32_MAX, UINT32_MAX, UINT32_MAX,      UINT32_MAX,
                                    UINT32_MAX, INT64_MAX,  INT64_MAX / 1000};
    uint64_t values[sizeof most / sizeof *most];
    for (int i = 0; i < 7; i++)
        values[i] = stint_foreign_device_number(query, i, most[i], &replay->dropped);
    const char *name = stint_foreign_name_of_id(names, stint_sql_i64(query, 7));
    struct stint_gpu_device device = {.id = (uint32_t)values[0],
                                      .name = name ? name : "",
                                      .compute_major = (uint32_t)values[1],
                                      .compute_minor = (uint32_t)values[2],
                                      .multiprocessors = (uint32_t)values[3],
                                      .core_clock_khz = (uint32_t)values[4],
                                      .memory_bytes = values[5],
                                      .memory_bytes_per_s = values[6] * 1000}; /* in kB in the file */
    stint_builder_add(&replay->builder, STINT_ROWS_GPU_DEVICES, &device);
}

#define NUMBER(column) STINT_FOREIGN_WHOLE(#column) ", "

static void describe_devices(struct stint_sql *sql, struct stint_foreign_names *names, struct stint_replay *replay)
{
    static const char *const columns[] = {"id",
                                          "name",
                                          "computeCapabilityMajor",
                                          "computeCapabilityMinor",
                                          "numMultiprocessors",
                                          "coreClockRate",
                                          "globalMemorySize",
                                          "globalMemoryBandwidth"};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        if (!stint_sql_has_column(sql, "CUPTI_ACTIVITY_KIND_DEVICE", columns[i]))
            return;
    struct stint_sql_query query =
        stint_sql_query(sql, "SELECT " NUMBER(id) NUMBER(computeCapabilityMajor) NUMBER(computeCapabilityMinor)
                                 NUMBER(numMultiprocessors) NUMBER(coreClockRate) NUMBER(globalMemorySize)
                                     NUMBER(globalMemoryBandwidth) "name FROM CUPTI_ACTIVITY_KIND_DEVICE LIMIT 1024");
    while (stint_sql_step(&query))
        describe_device(names, replay, &query);
    stint_sql_end(&query);
}

/* Only calls tell the process. Returns 0 if there are none; -1 if they are of several. */
static int64_t pid_in(struct stint_sql *sql, const char *table, const char *query_text)
{
    if (!stint_sql_has_column(sql, table, "processId"))
        return 0;
    struct stint_sql_query query = stint_sql_query(sql, query_text);
    int64_t pid = stint_sql_step(&query) ? stint_sql_i64(&query, 0) & 0xffffffff : 0;
    int is_several = stint_sql_step(&query);
    stint_sql_end(&query);
    return is_several ? -1 : pid;
}

static void describe_process(struct stint_sql *sql, struct stint_process *process)
{
    int64_t pid = pid_in(sql, "CUPTI_ACTIVITY_KIND_RUNTIME",
                         "SELECT DISTINCT processId FROM CUPTI_ACTIVITY_KIND_RUNTIME LIMIT 2");
    if (!pid)
        pid = pid_in(sql, "CUPTI_ACTIVITY_KIND_DRIVER",
                     "SELECT DISTINCT processId FROM CUPTI_ACTIVITY_KIND_DRIVER LIMIT 2");
    process->pid = pid > 0 ? pid : 0;
}

static void describe(struct stint_sql *sql, struct stint_foreign_names *names, struct stint_replay *replay,
                     struct stint_process *process)
{
    describe_process(sql, process);
    describe_devices(sql, names, replay);
}

const struct stint_foreign_dialect stint_foreign_nvprof = {
    .strings = "StringTable",
    .string_id = "_id_",
    .tables = s_tables,
    .table_count = sizeof s_tables / sizeof s_tables[0],
    .is_zero_unknown = 1,
    .kind_of_range = kind_of_range,
    .owner = owner,
    .call = call,
    .domain = domain,
    .memory = memory,
    .describe = describe,
};
