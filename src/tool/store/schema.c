/* The tables, views and indexes of a store, and the rows that describe what was recorded. */
#include "store/schema.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "stat/members.h"
#include "stint/version.h"
#include "store/rows.h"

#define TEXT(x) TEXT_OF(x)
#define TEXT_OF(x) #x
#define PRODUCT_VERSION TEXT(STINT_VERSION_MAJOR) "." TEXT(STINT_VERSION_MINOR) "." TEXT(STINT_VERSION_PATCH)

/* --------------------------------------------------------------------------------------------------- Nsight Systems */

static const char s_facts[] =
    "CREATE TABLE StringIds(id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);"
    "CREATE TABLE PROCESSES(globalPid INTEGER, pid INTEGER, name TEXT);"
    "CREATE TABLE ThreadNames(nameId INTEGER NOT NULL, priority INTEGER, globalTid INTEGER);"
    "CREATE TABLE TARGET_INFO_GPU(vmId INTEGER, id INTEGER, name TEXT, totalMemory INTEGER, memoryBandwidth INTEGER, "
    "clockRate INTEGER, smCount INTEGER, cuDevice INTEGER, computeMajor INTEGER, computeMinor INTEGER);"
    "CREATE TABLE TARGET_INFO_CUDA_DEVICE(gpuId INTEGER, cudaId INTEGER NOT NULL, pid INTEGER NOT NULL, uuid TEXT, "
    "numMultiprocessors INTEGER);"
    "CREATE TABLE TARGET_INFO_SESSION_START_TIME(utcEpochNs INTEGER, utcTime TEXT, localTime TEXT);"
    "CREATE TABLE ANALYSIS_DETAILS(globalVid INTEGER NOT NULL, duration INTEGER NOT NULL, startTime INTEGER NOT NULL, "
    "stopTime INTEGER NOT NULL);"
    "CREATE TABLE META_DATA_EXPORT(name TEXT, value TEXT);"
    "INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PRODUCT_NAME', 'stint'), "
    "('EXPORT_PRODUCT_VERSION', '" PRODUCT_VERSION "'), ('EXPORT_SCHEMA_VERSION', '3.24.14'), "
    "('STINT_STORE_VERSION', '" TEXT(STINT_STORE_VERSION) "');";

static const char s_enumerations[] =
    "CREATE TABLE ENUM_CUDA_MEMCPY_OPER(id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);"
    "CREATE TABLE ENUM_CUDA_MEM_KIND(id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);"
    "CREATE TABLE ENUM_CUPTI_SYNC_TYPE(id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);";

__attribute__((format(printf, 2, 3))) static void run(struct stint_sql *sql, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)stint_sql_run(sql, text);
}

static void fill_enumerations(struct stint_sql *sql)
{
    for (int i = 0; i < STINT_GPU_DIRECTIONS; i++) {
        const struct stint_gpu_direction_words *words = &stint_gpu_direction_words[i];
        run(sql, "INSERT INTO ENUM_CUDA_MEMCPY_OPER VALUES (%d, 'CUDA_MEMCPY_KIND_%s', '%s')", i, words->constant,
            words->nsys);
        if (words->nsys_move)
            run(sql, "INSERT INTO ENUM_CUDA_MEMCPY_OPER VALUES (%d, 'CUDA_MEMCPY_KIND_UVM_%s', 'Unified %s')",
                words->nsys_move, words->constant, words->nsys);
    }
#define KIND(constant, word, name)                                                                                     \
    run(sql, "INSERT INTO ENUM_CUDA_MEM_KIND VALUES (%d, 'CUDA_MEMOPR_MEMORY_KIND_" #constant "', '" name "')",        \
        stint_nsys_memory(STINT_GPU_MEMORY_##constant));
    STINT_GPU_MEMORY_ROWS(KIND)
#undef KIND
    for (int i = 0; i < STINT_GPU_WAITS; i++)
        run(sql, "INSERT INTO ENUM_CUPTI_SYNC_TYPE VALUES (%d, 'CUPTI_SYNC_TYPE_%s', '%s')", i,
            stint_gpu_wait_words[i].constant, stint_gpu_wait_words[i].nsys);
}

/* ----------------------------------------------------------------------------------------------------------- nvprof */

/* The table by which a file of nvprof is recognized: it has to be a table as in nvprof's files, not a view of the other
 * one. */
static const char s_strings[] = "CREATE TABLE StringTable(_id_ INTEGER PRIMARY KEY, value TEXT NOT NULL);";

static const char s_nvprof[] =
    "CREATE VIEW CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL AS SELECT _id_, cacheConfig, registersPerThread, start, "
    "\"end\", \"end\" AS completed, deviceId, contextId, streamId, gridX, gridY, gridZ, blockX, blockY, blockZ, "
    "staticSharedMemory, dynamicSharedMemory, localMemoryPerThread, localMemoryTotal, correlationId, gridId, "
    "demangledName AS name FROM CUPTI_ACTIVITY_KIND_KERNEL;"

    "CREATE VIEW CUPTI_ACTIVITY_KIND_DRIVER AS SELECT _id_, cbid, start, \"end\", processId, threadId, correlationId, "
    "returnValue FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE eventClass = 1;"

    /* A range is two rows, a mark is one. objectKind 2 is a thread: 4 bytes for its process, then 8 bytes for the
     * thread. */
    "CREATE VIEW CUPTI_ACTIVITY_KIND_MARKER AS "
    "SELECT 2 * e.rowid AS _id_, CASE e.eventType WHEN 34 THEN 1 ELSE 2 END AS flags, e.start AS timestamp, "
    "e.rowid AS id, 2 AS objectKind, t.objectId AS objectId, e.textId AS name, e.domainId AS domain "
    "FROM NVTX_EVENTS e JOIN stint_thread_ids t ON t.globalTid = e.globalTid "
    "UNION ALL SELECT 2 * e.rowid + 1, 4, e.\"end\", e.rowid, 2, t.objectId, 0, e.domainId "
    "FROM NVTX_EVENTS e JOIN stint_thread_ids t ON t.globalTid = e.globalTid WHERE e.eventType <> 34;";

/* ------------------------------------------------------------------------------------------------------------ stint */

static const char s_own[] =
    "CREATE TABLE stint_report(id INTEGER PRIMARY KEY CHECK (id = 1), json TEXT NOT NULL);"
    "CREATE TABLE stint_contexts(path INTEGER NOT NULL UNIQUE, parent INTEGER NOT NULL, set_name TEXT NOT NULL, "
    "name TEXT NOT NULL, file TEXT NOT NULL, line INTEGER NOT NULL);"
    "CREATE TABLE stint_domains(id INTEGER PRIMARY KEY, name TEXT NOT NULL);"
    "CREATE TABLE stint_operation_data(id INTEGER PRIMARY KEY, data TEXT NOT NULL);"
    "CREATE TABLE stint_thread_ids(globalTid INTEGER PRIMARY KEY, objectId BLOB NOT NULL);"
    "CREATE TABLE stint_runs(kind INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, "
    "start INTEGER NOT NULL, \"end\" INTEGER NOT NULL);";

static const char s_functions[] =
    "CREATE TABLE stint_sample_functions(frame INTEGER NOT NULL, depth INTEGER NOT NULL, "
    "symbol INTEGER NOT NULL REFERENCES StringIds(id), module INTEGER NOT NULL REFERENCES StringIds(id), "
    "unresolved INTEGER NOT NULL, PRIMARY KEY(frame, depth)) WITHOUT ROWID;";

/* Samples as Nsight Systems has them. Call chains are those of the report, from the innermost place to the outermost;
 * where functions are inlined, a place is several. LIMIT -1 makes SQLite read the report once. */
static const char s_samples[] =
    "CREATE VIEW COMPOSITE_EVENTS AS SELECT rowid AS id, start, NULL AS cpu, NULL AS threadState, globalTid, "
    "0 AS cpuCycles FROM stint_samples;"

    "CREATE VIEW SAMPLING_CALLCHAINS AS WITH RECURSIVE "
    "stacks AS (SELECT id, parent, frame FROM stint_sample_stacks LIMIT -1), "
    "places AS (SELECT f.id, m.bias + f.address AS ip FROM stint_sample_frames f "
    "JOIN stint_sample_modules m ON m.id = f.module LIMIT -1), "
    "chains(stack, caller, frame, depth) AS ("
    "SELECT id, parent, frame, 0 FROM stacks WHERE id IN (SELECT stack FROM stint_samples) "
    "UNION ALL SELECT c.stack, s.parent, s.frame, "
    "c.depth + (SELECT count(*) FROM stint_sample_functions f WHERE f.frame = c.frame) "
    "FROM chains c JOIN stacks s ON s.id = c.caller) "
    "SELECT e.rowid AS id, f.symbol, f.module, 0 AS kernelMode, 0 AS thumbCode, f.unresolved, 0 AS specialEntry, "
    "p.ip AS originalIP, NULL AS unwindMethod, c.depth + f.depth AS stackDepth FROM stint_samples e "
    "JOIN chains c ON c.stack = e.stack JOIN places p ON p.id = c.frame "
    "JOIN stint_sample_functions f ON f.frame = c.frame;";

/* What texts of operations say, with their shapes apart. */
static const char s_operations[] =
    "CREATE VIEW stint_operations AS SELECT id AS range, start, \"end\", globalTid, name, seq, opId AS op_id, "
    "CASE WHEN data LIKE ', sizes = [%' THEN substr(data, 11, min(instr(data || ', input_op_ids = ', ', input_op_ids = "
    "'), "
    "instr(data || ', types = ', ', types = ')) - 11) END AS sizes, data FROM (SELECT e.rowid AS id, e.start, "
    "e.\"end\", e.globalTid, s.value AS name, e.seq, "
    "e.opId, coalesce(d.data, '') AS data FROM NVTX_EVENTS e JOIN StringIds s ON s.id = e.textId "
    "LEFT JOIN stint_operation_data d ON d.id = e.dataId "
    "WHERE e.seq IS NOT NULL OR e.opId IS NOT NULL OR e.dataId IS NOT NULL)";

/* The report as rows. These are views of its text, "s", so that nothing is stored twice. They have a column for each
 * member of a row, "r", that is a single value. */
struct view {
    const char *name;
    enum stint_row_kind rows;
    const char *first;   /* columns in front, each followed by a comma */
    const char *without; /* members that have no column, separated and enclosed by spaces */
    const char *join;    /* further tables to join */
};

#define USE(column, value) ", coalesce(" value ", 0) AS " column
#define USE_OF(key) "json_extract(r.value, '$.gpu." key "')"
#define ID "r.key AS id, "

/* Additional columns for rows that have a member "gpu". */
static const char s_gpu_use[] = USE("gpu_ns", USE_OF("kernel_ns") " + " USE_OF("copy_ns") " + " USE_OF("set_ns"))
    USE("kernels", USE_OF("kernels")) USE("copies", USE_OF("copies")) USE("copy_bytes", USE_OF("copy_bytes"))
        USE("launches", USE_OF("launches")) USE("launch_ns", USE_OF("launch_ns"));

/* LIMIT -1 makes SQLite read the rows once instead of once for each joined row. */
static const char s_stats[] =
    " JOIN (SELECT key, json_extract(value, '$.set') AS set_name, json_extract(value, '$.name') "
    "AS name FROM stint_report q, json_each(q.json, '$.stats') LIMIT -1) t "
    "ON t.key = json_extract(r.value, '$.stat')";

static const struct view s_views[] = {
    {"stint_statistics", STINT_ROWS_STATS, "", " function by_thread ", ""},
    {"stint_scopes", STINT_ROWS_CONTEXTS, ID "set_name, name, ", " stat ", s_stats},
    {"stint_gpu_activities", STINT_ROWS_GPU_ACTIVITIES, ID,
     " recursive self_ns running running_ns cpu_ns square_bytes2 ", ""},
    {"stint_gpu_charges", STINT_ROWS_GPU_CHARGES, ID, "", ""},
    {"stint_gpu_memory", STINT_ROWS_GPU_MEMORY, ID, "", ""},
    {"stint_nvtx_values", STINT_ROWS_NVTX_VALUES, "", "", ""},
    {"stint_threads", STINT_ROWS_THREADS, ID, "", ""},
    {"stint_sample_modules", STINT_ROWS_SAMPLE_MODULES, ID, "", ""},
    {"stint_sample_frames", STINT_ROWS_SAMPLE_FRAMES, ID, "", ""},
    {"stint_sample_stacks", STINT_ROWS_SAMPLE_STACKS, ID, "", ""},
    {"stint_sample_threads", STINT_ROWS_SAMPLE_THREADS, ID, "", ""},
    {"stint_sample_counts", STINT_ROWS_SAMPLE_COUNTS, "", "", ""},
};

static const char s_dropped[] = "CREATE VIEW stint_dropped AS SELECT r.key AS cause, r.value AS count "
                                "FROM stint_report s, json_each(s.json, '$.dropped') r";

/* Returns the key of the report's list of these rows. */
static const char *list_of(enum stint_row_kind rows)
{
    const struct stint_member *member = stint_row_tables[STINT_ROWS_SNAPSHOT]->members;
    while (member->type != STINT_MEMBER_ROWS || member->of != rows)
        member++;
    return member->key;
}

static void create_view(struct stint_sql *sql, const struct view *view)
{
    const struct stint_row_table *table = stint_row_tables[view->rows];
    const char *comma = "", *use = "";
    char text[4096];
    int used = snprintf(text, sizeof text, "CREATE VIEW %s AS SELECT %s", view->name, view->first);
    for (size_t i = 0; i < table->count; i++) {
        const struct stint_member *member = &table->members[i];
        if (member->type == STINT_MEMBER_DERIVED)
            use = s_gpu_use;
        if (!stint_member_is_value(member) || stint_member_is_among(member, view->without))
            continue;
        used += snprintf(text + used, sizeof text - (size_t)used, "%sjson_extract(r.value, '$.%s') AS %s", comma,
                         member->key, strcmp(member->key, "set") == 0 ? "set_name" : member->key);
        comma = ", ";
    }
    (void)snprintf(text + used, sizeof text - (size_t)used, "%s FROM stint_report s, json_each(s.json, '$.%s') r%s",
                   use, list_of(view->rows), view->join);
    (void)stint_sql_run(sql, text);
}

/* ----------------------------------------------------------------------------------------------------------- create */

void stint_schema_create(struct stint_sql *sql)
{
    (void)stint_sql_run(sql, "PRAGMA user_version=" TEXT(STINT_STORE_VERSION));
    (void)stint_sql_run(sql, s_facts);
    (void)stint_sql_run(sql, s_enumerations);
    fill_enumerations(sql);
    for (int table = 0; table < STINT_STORE_TABLES; table++)
        stint_event_columns_create(sql, (enum stint_store_table)table);
    (void)stint_sql_run(sql, s_own);
    (void)stint_sql_run(sql, s_strings);
    (void)stint_sql_run(sql, s_functions);
}

static void create_views(struct stint_sql *sql)
{
    (void)stint_sql_run(sql, s_nvprof);
    (void)stint_sql_run(sql, s_dropped);
    (void)stint_sql_run(sql, s_operations);
    for (size_t i = 0; i < sizeof s_views / sizeof s_views[0]; i++)
        create_view(sql, &s_views[i]);
    (void)stint_sql_run(sql, s_samples);
}

/* A column is added before there are views, because that makes SQLite parse the whole schema again. */
void stint_schema_complete(struct stint_sql *sql)
{
    for (int table = 0; table < STINT_STORE_TABLES; table++)
        stint_event_columns_compute(sql, (enum stint_store_table)table);
    create_views(sql);
    (void)stint_sql_run(
        sql, "INSERT INTO TARGET_INFO_GPU SELECT 0, json_extract(value, '$.id'), "
             "json_extract(value, '$.name'), json_extract(value, '$.memory_bytes'), "
             "json_extract(value, '$.memory_bytes_per_s'), json_extract(value, '$.core_clock_khz') * 1000, "
             "json_extract(value, '$.multiprocessors'), json_extract(value, '$.id'), "
             "json_extract(value, '$.compute_major'), json_extract(value, '$.compute_minor') "
             "FROM stint_report s, json_each(s.json, '$.gpu_devices');"
             "INSERT INTO TARGET_INFO_CUDA_DEVICE SELECT json_extract(value, '$.id'), "
             "json_extract(value, '$.id'), json_extract(s.json, '$.process.pid'), NULL, "
             "json_extract(value, '$.multiprocessors') FROM stint_report s, json_each(s.json, '$.gpu_devices');"
             "INSERT INTO TARGET_INFO_SESSION_START_TIME SELECT ns, "
             "strftime('%Y-%m-%dT%H:%M:%S', ns / 1000000000, 'unixepoch') || "
             "printf('.%09dZ', ns % 1000000000), NULL "
             "FROM (SELECT json_extract(s.json, '$.process.start_unix_ns') AS ns FROM stint_report s);"
             "INSERT INTO ANALYSIS_DETAILS SELECT 0, ns, 0, ns FROM (SELECT "
             "coalesce(json_extract(s.json, '$.process.wall_ns'), 0) AS ns FROM stint_report s);"
             "INSERT INTO PROCESSES SELECT pid << 24, pid, command FROM (SELECT "
             "json_extract(s.json, '$.process.pid') AS pid, json_extract(s.json, '$.process.command') AS command "
             "FROM stint_report s);");
}

/* Indexes for the joins that people write: from a kernel or copy to the call that launched it, by correlation; from
 * there to the ranges around it, by thread and time. */
void stint_schema_index(struct stint_sql *sql)
{
    (void)stint_sql_run(sql, "CREATE INDEX stint_calls_by_correlation ON CUPTI_ACTIVITY_KIND_RUNTIME(correlationId);"
                             "CREATE INDEX stint_kernels_by_correlation ON CUPTI_ACTIVITY_KIND_KERNEL(correlationId);"
                             "CREATE INDEX stint_copies_by_correlation ON CUPTI_ACTIVITY_KIND_MEMCPY(correlationId);"
                             "CREATE INDEX stint_sets_by_correlation ON CUPTI_ACTIVITY_KIND_MEMSET(correlationId);"
                             "CREATE INDEX stint_ranges_by_thread ON NVTX_EVENTS(globalTid, start);");
}
