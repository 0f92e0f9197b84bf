/* The columns of the tables of events, one list for each table, from which CREATE, INSERT and SELECT are made. */
#include "store/rows.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "store/schema.h"

enum type {
    NO_VALUE, /* NULL */
    NO_END,   /* computed: when the event began */
    ZERO,     /* stint has no value for it, and Nsight Systems does not allow NULL */
    U32,
    STYLE, /* U32; NULL for 0 */
    U64,
    AMOUNT, /* U64; a number with fraction beyond INT64_MAX, which SQL adds up and compares as what it is */
    MAYBE,  /* U64; NULL for 0 */
    I64,
    END,     /* U64; NULL if the event has no end */
    PLACE,   /* size_t; NULL for SIZE_MAX */
    CONTEXT, /* uint32_t; NULL for STINT_ROW_UNKNOWN */
    KIND,    /* enum stint_gpu_kind */
    MEMORY,  /* enum stint_gpu_memory_kind, with the values of ENUM_CUDA_MEM_KIND */
    REAL     /* double */
};

/* When a value is not NULL. */
enum presence { ALWAYS, IF_GRAPH, IF_PEER, IF_ADDRESS, IF_SEQ };

struct column {
    const char *name;
    const char *declared; /* its type and constraints */
    uint8_t type;
    uint8_t presence;
    uint16_t at; /* offset in the row */
};

#define INT "INTEGER"
#define NEEDED "INTEGER NOT NULL"
#define STRING "INTEGER REFERENCES StringIds(id)"
#define NEEDED_STRING "INTEGER NOT NULL REFERENCES StringIds(id)"

/* NOLINTBEGIN(bugprone-macro-parentheses): the arguments are names of members */
#define RANGE(name, declared, type, member)                                                                            \
    {                                                                                                                  \
        name, declared, type, ALWAYS, offsetof(struct stint_range_row, member)                                         \
    }
#define RANGE_IF(presence, name, type, member)                                                                         \
    {                                                                                                                  \
        name, INT, type, presence, offsetof(struct stint_range_row, member)                                            \
    }
#define IF(presence, name, type, member)                                                                               \
    {                                                                                                                  \
        name, INT, type, presence, offsetof(struct stint_gpu_row, member)                                              \
    }
#define GPU(name, declared, type, member)                                                                              \
    {                                                                                                                  \
        name, declared, type, ALWAYS, offsetof(struct stint_gpu_row, member)                                           \
    }
#define NOTHING(name)                                                                                                  \
    {                                                                                                                  \
        name, NEEDED, ZERO, ALWAYS, 0                                                                                  \
    }
#define EMPTY(name, declared)                                                                                          \
    {                                                                                                                  \
        name, declared, NO_VALUE, ALWAYS, 0                                                                            \
    }
#define INSTANT                                                                                                        \
    {                                                                                                                  \
        "\"end\"", "INTEGER AS (start)", NO_END, ALWAYS, 0                                                             \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

/* Columns of all tables except that of ranges; below, columns of the device's tables in Nsight Systems' export, and
 * `context`, stint's own: the calling context of a scope itself; for everything else, that of the innermost scope
 * around it or around its launch. */
#define SPAN GPU("start", NEEDED, U64, event.start_ns), GPU("\"end\"", NEEDED, U64, event.end_ns)
#define DEVICE                                                                                                         \
    EMPTY("_id_", "INTEGER PRIMARY KEY"), SPAN, GPU("deviceId", NEEDED, U32, event.device),                            \
        GPU("contextId", NEEDED, U32, event.device_context), EMPTY("greenContextId", INT),                             \
        GPU("streamId", NEEDED, U32, event.stream), GPU("correlationId", INT, U64, event.correlation),                 \
        GPU("globalPid", INT, I64, thread)
#define NAMED(text) GPU(text, INT, U32, name)
#define CONTEXT_OF GPU("context", INT, CONTEXT, context)
#define INSTANCE GPU("instance", INT, PLACE, event.instance)
#define GRAPH IF(IF_GRAPH, "graphId", U32, event.graph)
#define ADDRESS IF(IF_ADDRESS, "virtualAddress", U64, event.address)
#define NODE IF(IF_GRAPH, "graphNodeId", U64, event.graph_node)

static const struct column s_ranges[] = {
    RANGE("start", NEEDED, U64, start_ns),
    RANGE("\"end\"", INT, END, end_ns),
    RANGE("eventType", NEEDED, U32, type),
    EMPTY("rangeId", INT),
    EMPTY("text", "TEXT"),
    RANGE("globalTid", INT, I64, thread),
    RANGE("endGlobalTid", INT, MAYBE, end_thread),
    RANGE("textId", STRING, U32, text),
    RANGE("domainId", INT, U32, domain),
    RANGE("context", INT, CONTEXT, context),
    RANGE("category", INT, STYLE, category),
    RANGE("color", INT, STYLE, color),
    RANGE_IF(IF_SEQ, "seq", U64, seq),
    RANGE("opId", INT, MAYBE, op_id),
    RANGE("dataId", "INTEGER REFERENCES stint_operation_data(id)", STYLE, data),
};

static const struct column s_calls[] = {
    EMPTY("_id_", "INTEGER PRIMARY KEY"),
    SPAN,
    GPU("eventClass", NEEDED, U32, code),
    GPU("globalTid", INT, I64, thread),
    GPU("correlationId", INT, U64, event.correlation),
    GPU("nameId", NEEDED_STRING, U32, name),
    NOTHING("returnValue"),
    EMPTY("callchainId", INT),
    CONTEXT_OF,
};

/* Call chains are not recorded: 0 is none. */
static const struct column s_os_calls[] = {
    SPAN,
    GPU("eventClass", NEEDED, U32, code),
    GPU("globalTid", INT, I64, thread),
    GPU("nameId", NEEDED_STRING, U32, name),
    NOTHING("returnValue"),
    EMPTY("nestingLevel", INT),
    NOTHING("callchainId"),
    CONTEXT_OF,
};

static const struct column s_kernels[] = {
    DEVICE,
    GPU("demangledName", NEEDED_STRING, U32, name),
    GPU("shortName", NEEDED_STRING, U32, short_name),
    EMPTY("mangledName", STRING),
    EMPTY("launchType", INT),
    EMPTY("cacheConfig", INT),
    GPU("registersPerThread", NEEDED, U32, event.registers),
    GPU("gridX", NEEDED, U32, event.grid[0]),
    GPU("gridY", NEEDED, U32, event.grid[1]),
    GPU("gridZ", NEEDED, U32, event.grid[2]),
    GPU("blockX", NEEDED, U32, event.block[0]),
    GPU("blockY", NEEDED, U32, event.block[1]),
    GPU("blockZ", NEEDED, U32, event.block[2]),
    GPU("staticSharedMemory", NEEDED, U32, event.static_shared),
    GPU("dynamicSharedMemory", NEEDED, U32, event.dynamic_shared),
    NOTHING("localMemoryPerThread"),
    NOTHING("localMemoryTotal"),
    NOTHING("gridId"),
    EMPTY("sharedMemoryExecuted", INT),
    NODE,
    EMPTY("sharedMemoryLimitConfig", INT),
    GRAPH,
    GPU("captureCorrelationId", INT, MAYBE, event.captured),
    CONTEXT_OF,
    INSTANCE,
};

static const struct column s_copies[] = {
    DEVICE,
    GPU("bytes", NEEDED, AMOUNT, event.bytes),
    GPU("copyKind", NEEDED, U32, code),
    EMPTY("deprecatedSrcId", INT),
    GPU("srcKind", INT, MEMORY, event.source),
    GPU("dstKind", INT, MEMORY, event.destination),
    IF(IF_PEER, "srcDeviceId", U32, event.device),
    IF(IF_PEER, "srcContextId", U32, event.device_context),
    IF(IF_PEER, "dstDeviceId", U32, event.peer_device),
    IF(IF_PEER, "dstContextId", U32, event.peer_context),
    EMPTY("migrationCause", INT),
    NODE,
    ADDRESS,
    EMPTY("copyCount", INT),
    GRAPH,
    NAMED("nameId"),
    CONTEXT_OF,
    INSTANCE,
};

static const struct column s_sets[] = {
    DEVICE,
    NOTHING("value"),
    GPU("bytes", NEEDED, AMOUNT, event.bytes),
    NODE,
    GPU("memKind", INT, MEMORY, event.destination),
    GRAPH,
    NAMED("nameId"),
    CONTEXT_OF,
    INSTANCE,
};

static const struct column s_waits[] = {
    DEVICE,
    EMPTY("deprecatedSyncType", INT),
    GPU("syncType", NEEDED, U32, code),
    NOTHING("eventId"),
    EMPTY("eventSyncId", INT),
    NAMED("nameId"),
    CONTEXT_OF,
    INSTANCE,
};

static const struct column s_others[] = {
    SPAN,
    GPU("kind", NEEDED, KIND, event.kind),
    GPU("nameId", NEEDED, U32, name),
    GPU("deviceId", INT, U32, event.device),
    GPU("contextId", INT, U32, event.device_context),
    GPU("streamId", INT, U32, event.stream),
    GPU("correlationId", INT, U64, event.correlation),
    GPU("globalPid", INT, I64, thread),
    GPU("bytes", INT, AMOUNT, event.bytes),
    ADDRESS,
    CONTEXT_OF,
    INSTANCE,
};

static const struct column s_values[] = {
    SPAN,
    GPU("globalTid", INT, I64, thread),
    GPU("setId", NEEDED_STRING, U32, set),
    GPU("nameId", NEEDED_STRING, U32, name),
    GPU("fieldId", NEEDED_STRING, U32, field),
    GPU("value", "REAL", REAL, value),
};

static const struct column s_memory[] = {
    SPAN,
    GPU("globalTid", INT, I64, thread),
    GPU("deviceId", NEEDED, U32, memory.device),
    GPU("memKind", NEEDED, MEMORY, memory.kind),
    GPU("address", NEEDED, U64, memory.address),
    GPU("bytes", NEEDED, AMOUNT, memory.bytes),
    GPU("currentBytes", NEEDED, AMOUNT, memory.current_bytes),
    GPU("pool", NEEDED, U32, memory.pool),
    GPU("freed", NEEDED, U32, memory.freed),
    CONTEXT_OF,
};

static const struct column s_samples[] = {
    GPU("start", NEEDED, U64, event.start_ns), INSTANT,
    GPU("globalTid", NEEDED, I64, thread),     CONTEXT_OF,
    GPU("stack", INT, PLACE, sample.stack),    GPU("duration", NEEDED, AMOUNT, sample.time_ns),
};

enum { MOST_COMPUTED = 9 };

static const struct table {
    const char *name;
    const char *condition; /* selects the rows that are events */
    const struct column *columns;
    int count;
    const char *computed[MOST_COMPUTED + 1]; /* further columns, for other tools, which take no space in the file */
} s_tables[STINT_STORE_TABLES] = {
#define COLUMNS(columns) (columns), (int)(sizeof(columns) / sizeof *(columns))
    [STINT_STORE_RANGES] = {"NVTX_EVENTS",
                            " AND eventType NOT IN (33, 75)",
                            COLUMNS(s_ranges),
                            {"uint64Value INTEGER AS (NULL)", "int64Value INTEGER AS (NULL)",
                             "doubleValue REAL AS (NULL)", "uint32Value INTEGER AS (NULL)",
                             "int32Value INTEGER AS (NULL)", "floatValue REAL AS (NULL)",
                             "jsonTextId INTEGER AS (NULL)", "jsonText TEXT AS (NULL)", "binaryData TEXT AS (NULL)"}},
    [STINT_STORE_CALLS] = {"CUPTI_ACTIVITY_KIND_RUNTIME",
                           "",
                           COLUMNS(s_calls),
                           {"cbid INTEGER AS (0)", "processId INTEGER AS (globalTid >> 24 & 16777215)",
                            "threadId INTEGER AS (globalTid & 16777215)"}},
    [STINT_STORE_KERNELS] = {"CUPTI_ACTIVITY_KIND_KERNEL", "", COLUMNS(s_kernels), {"name INTEGER AS (demangledName)"}},
    [STINT_STORE_COPIES] = {"CUPTI_ACTIVITY_KIND_MEMCPY", "", COLUMNS(s_copies), {"flags INTEGER AS (0)"}},
    [STINT_STORE_SETS] = {"CUPTI_ACTIVITY_KIND_MEMSET",
                          "",
                          COLUMNS(s_sets),
                          {"memoryKind INTEGER AS (memKind)", "flags INTEGER AS (0)"}},
    [STINT_STORE_WAITS] = {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
                           "",
                           COLUMNS(s_waits),
                           {"type INTEGER AS (syncType)", "cudaEventId INTEGER AS (eventId)"}},
    [STINT_STORE_OTHERS] = {"stint_device_events", "", COLUMNS(s_others), {NULL}},
    [STINT_STORE_OS] = {"OSRT_API", "", COLUMNS(s_os_calls), {NULL}},
    [STINT_STORE_VALUES] = {"stint_values", "", COLUMNS(s_values), {NULL}},
    [STINT_STORE_MEMORY] = {"stint_memory_events", "", COLUMNS(s_memory), {NULL}},
    [STINT_STORE_SAMPLES] = {"stint_samples", "", COLUMNS(s_samples), {NULL}},
};

/* ------------------------------------------------------------------------------------------------------- statements */

void stint_event_columns_create(struct stint_sql *sql, enum stint_store_table of)
{
    const struct table *table = &s_tables[of];
    char text[4096];
    int used = snprintf(text, sizeof text, "CREATE TABLE %s", table->name);
    for (int i = 0; i < table->count; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%s %s", i ? ", " : "(", table->columns[i].name,
                         table->columns[i].declared);
    (void)snprintf(text + used, sizeof text - (size_t)used, ")");
    (void)stint_sql_run(sql, text);
}

void stint_event_columns_compute(struct stint_sql *sql, enum stint_store_table of)
{
    char text[160];
    for (const char *const *column = s_tables[of].computed; *column; column++) {
        (void)snprintf(text, sizeof text, "ALTER TABLE %s ADD COLUMN %s", s_tables[of].name, *column);
        (void)stint_sql_run(sql, text);
    }
}

/* Whether the file has the column, whose name may stand in quotation marks. */
static int is_there(struct stint_sql *sql, const char *table, const char *name)
{
    char bare[40];
    size_t quoted = *name == '"';
    (void)snprintf(bare, sizeof bare, "%.*s", (int)(strlen(name) - 2 * quoted), name + quoted);
    return stint_sql_stores_column(sql, table, bare);
}

struct stint_sql_query stint_event_columns_insert(struct stint_sql *sql, enum stint_store_table of, const char *from)
{
    const struct table *table = &s_tables[of];
    const char *comma = "SELECT";
    char text[1024];
    int used = snprintf(text, sizeof text, "INSERT INTO %s ", table->name);
    for (int i = 0; i < table->count; i++) {
        if (table->columns[i].type == NO_END)
            continue;
        used += snprintf(text + used, sizeof text - (size_t)used,
                         table->columns[i].type == NO_VALUE ? "%s NULL"
                         : table->columns[i].type == ZERO   ? "%s 0"
                                                            : "%s c%d",
                         comma, i);
        comma = ",";
    }
    (void)snprintf(text + used, sizeof text - (size_t)used, " FROM %s", from);
    return stint_sql_query(sql, text);
}

/* What an older file does not have is NULL. */
struct stint_sql_query stint_event_columns_select(struct stint_sql *sql, enum stint_store_table of)
{
    const struct table *table = &s_tables[of];
    const char *comma = "SELECT";
    char text[1024];
    int used = 0;
    for (int i = 0; i < table->count; i++) {
        const struct column *column = &table->columns[i];
        if (column->type == NO_VALUE)
            continue;
        used += snprintf(text + used, sizeof text - (size_t)used, "%s %s", comma,
                         is_there(sql, table->name, column->name) ? column->name : "NULL");
        comma = ",";
    }
    (void)snprintf(text + used, sizeof text - (size_t)used, " FROM %s WHERE rowid BETWEEN ?1 AND ?2%s", table->name,
                   table->condition);
    return stint_sql_query(sql, text);
}

/* ------------------------------------------------------------------------------------------------------------ write */

static int is_known(const struct column *column, const void *row)
{
    const void *at = (const char *)row + column->at;
    const struct stint_range_row *range = row;
    const struct stint_gpu_row *gpu = row;
    if (column->presence == IF_SEQ)
        return range->has_seq != 0;
    if (column->presence == IF_GRAPH)
        return gpu->event.graph != 0;
    if (column->presence == IF_PEER)
        return gpu->event.peer;
    if (column->presence == IF_ADDRESS)
        return gpu->event.address != 0;
    switch (column->type) {
    case END:
        return range->type == STINT_STORE_PUSH_POP || range->type == STINT_STORE_START_END;
    case STYLE:
        return *(const uint32_t *)at != 0;
    case MAYBE:
        return *(const uint64_t *)at != 0;
    case PLACE:
        return *(const size_t *)at != SIZE_MAX;
    case CONTEXT:
        return *(const uint32_t *)at != STINT_ROW_UNKNOWN;
    default:
        return 1;
    }
}

static int64_t value_of(const struct column *column, const void *at)
{
    switch (column->type) {
    case U64:
    case AMOUNT:
    case MAYBE:
    case I64:
    case END:
    case PLACE:
        return *(const int64_t *)at;
    case MEMORY:
        return stint_nsys_memory((enum stint_gpu_memory_kind) * (const uint32_t *)at);
    default:
        return *(const uint32_t *)at;
    }
}

void stint_event_columns_write(struct sqlite3_context *to, enum stint_store_table table, int at, const void *row)
{
    const struct column *column = &s_tables[table].columns[at];
    const void *value = (const char *)row + column->at;
    if (column->type == REAL)
        sqlite3_result_double(to, *(const double *)value);
    else if (column->type == AMOUNT && *(const uint64_t *)value > INT64_MAX)
        sqlite3_result_double(to, (double)*(const uint64_t *)value);
    else if (is_known(column, row))
        sqlite3_result_int64(to, value_of(column, value));
}

/* ------------------------------------------------------------------------------------------------------------- read */

static void read_value(const struct column *column, int64_t value, void *to)
{
    switch (column->type) {
    case U64:
    case AMOUNT:
    case MAYBE:
    case I64:
    case END:
    case PLACE:
        *(int64_t *)to = value;
        break;
    case CONTEXT: /* an impossible number becomes 0, which stands for no scope */
        *(uint32_t *)to = value >= 0 && value < STINT_ROW_UNKNOWN ? (uint32_t)value : 0;
        break;
    case KIND:
        *(uint32_t *)to = value >= 0 && value < STINT_GPU_KINDS ? (uint32_t)value : STINT_GPU_OVERHEAD;
        break;
    case MEMORY:
        *(uint32_t *)to = stint_nsys_memory_kind(value);
        break;
    default:
        *(uint32_t *)to = value >= 0 && value <= UINT32_MAX ? (uint32_t)value : 0;
    }
}

static uint64_t amount_of(double value)
{
    return value >= 0x1p64 ? UINT64_MAX : value > 0 ? (uint64_t)value : 0;
}

void stint_event_columns_read(const struct stint_sql_query *selected, enum stint_store_table table, void *row)
{
    for (int i = 0, next = 0; i < s_tables[table].count; i++) {
        const struct column *column = &s_tables[table].columns[i];
        int at = column->type == NO_VALUE ? 0 : next++;
        if (column->type <= ZERO || stint_sql_is_null(selected, at))
            continue;
        if (column->type == REAL)
            *(double *)(void *)((char *)row + column->at) = stint_sql_double(selected, at);
        else if (column->type == AMOUNT && stint_sql_type(selected, at) == STINT_SQL_REAL)
            *(uint64_t *)(void *)((char *)row + column->at) = amount_of(stint_sql_double(selected, at));
        else
            read_value(column, stint_sql_i64(selected, at), (char *)row + column->at);
        if (column->presence == IF_SEQ)
            ((struct stint_range_row *)row)->has_seq = 1;
        if (column->presence == IF_PEER)
            ((struct stint_gpu_row *)row)->event.peer = 1;
    }
}
