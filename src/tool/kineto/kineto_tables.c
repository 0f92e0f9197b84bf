/* Writes events of a trace of torch.profiler as rows of tables like those of Nsight Systems. */
#include "kineto/kineto.h"

#include <stdio.h>
#include <string.h>

#include "model/model.h"
#include "store/schema.h"

/* -------------------------------------------------------------------------------------------------------------- SQL */

#define TIMES "start INTEGER, \"end\" INTEGER, "
#define PLACE "deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId INTEGER, "

/* Rows are inserted with values for all columns in this order. */
static const struct {
    const char *name;
    const char *columns;
} s_tables[STINT_KINETO_TABLES] = {
    [STINT_KINETO_STRINGS] = {"KINETO_STRINGS", "id INTEGER PRIMARY KEY, value TEXT"},
    [STINT_KINETO_RANGES] = {"NVTX_EVENTS",
                             TIMES "globalTid INTEGER, eventType INTEGER, domainId INTEGER, textId INTEGER, text TEXT"},
    [STINT_KINETO_CALLS] = {"CUPTI_ACTIVITY_KIND_RUNTIME",
                            TIMES "globalTid INTEGER, correlationId INTEGER, nameId INTEGER"},
    [STINT_KINETO_KERNELS] = {"CUPTI_ACTIVITY_KIND_KERNEL",
                              TIMES PLACE "demangledName INTEGER, gridX INTEGER, gridY INTEGER, gridZ INTEGER, "
                                          "blockX INTEGER, blockY INTEGER, blockZ INTEGER, "
                                          "registersPerThread INTEGER, staticSharedMemory INTEGER"},
    [STINT_KINETO_COPIES] = {"CUPTI_ACTIVITY_KIND_MEMCPY",
                             TIMES PLACE "copyKind INTEGER, bytes INTEGER, srcKind INTEGER, dstKind INTEGER"},
    [STINT_KINETO_SETS] = {"CUPTI_ACTIVITY_KIND_MEMSET", TIMES PLACE "bytes INTEGER, memKind INTEGER"},
    [STINT_KINETO_SYNCS] = {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", TIMES PLACE "syncType INTEGER"},
    [STINT_KINETO_THREADS] = {"ThreadNames", "globalTid INTEGER, nameId INTEGER"},
    [STINT_KINETO_PROCESSES] = {"PROCESSES", "pid INTEGER, name TEXT"},
    [STINT_KINETO_GPUS] = {"TARGET_INFO_GPU",
                           "id INTEGER, name TEXT, computeMajor INTEGER, computeMinor INTEGER, smCount INTEGER, "
                           "clockRate INTEGER, totalMemory INTEGER, memoryBandwidth INTEGER"},
    [STINT_KINETO_FACTS_TABLE] = {"KINETO_FACTS", "name TEXT, value TEXT"},
    [STINT_KINETO_PHASES] = {"KINETO_PHASES",
                             "globalTid INTEGER, time INTEGER, nameId INTEGER, kind INTEGER, row INTEGER"},
    [STINT_KINETO_DEVICES] = {"TARGET_INFO_CUDA_DEVICE", "gpuId INTEGER, cudaId INTEGER"},
};

static void create(struct stint_sql *sql, int table)
{
    char text[512];
    (void)snprintf(text, sizeof text, "CREATE TABLE %s(%s)", s_tables[table].name, s_tables[table].columns);
    (void)stint_sql_run(sql, text);
}

static int column_count(int table)
{
    int count = 1;
    for (const char *at = s_tables[table].columns; *at; at++)
        count += *at == ',';
    return count;
}

static struct stint_sql_query insert_into(struct stint_sql *sql, int table)
{
    char text[160], values[] = ", ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?";
    (void)snprintf(text, sizeof text, "INSERT INTO %s VALUES (%.*s)", s_tables[table].name, 3 * column_count(table) - 2,
                   values + 2);
    return stint_sql_query(sql, text);
}

void stint_kineto_tables_begin(struct stint_kineto_tables *tables, struct stint_sql *sql)
{
    *tables = (struct stint_kineto_tables){.sql = sql};
    (void)stint_sql_run(sql, "BEGIN");
    for (int i = 0; i < STINT_KINETO_TABLES; i++)
        create(sql, i);
    for (int i = 0; i < STINT_KINETO_TABLES; i++)
        tables->insert[i] = insert_into(sql, i);
}

/* ---------------------------------------------------------------------------------------------------------- numbers */

static const struct stint_table_key s_string = STINT_TABLE_KEY_WHOLE_COPYING(const char *);
static const struct stint_table_key s_id = STINT_TABLE_KEY_WHOLE(int64_t);

/* Returns the position of the row like this one, which is added if it is new. */
static int64_t position_of(struct stint_kineto_tables *tables, struct stint_table *rows,
                           const struct stint_table_key *key, const void *like)
{
    const void *row = stint_table_take(rows, key, &tables->arena, like);
    if (!row)
        (void)stint_sql_fail(tables->sql, "there is not enough memory");
    return row ? (int64_t)stint_table_position(rows, key, row) : 0;
}

/* Returns the text's number. */
static int64_t number_of(struct stint_kineto_tables *tables, const char *text)
{
    struct stint_sql_query *insert = &tables->insert[STINT_KINETO_STRINGS];
    size_t known = tables->strings.count;
    int64_t number = position_of(tables, &tables->strings, &s_string, &text);
    if (tables->strings.count > known) {
        stint_sql_bind_i64(insert, 1, number);
        stint_sql_bind_text(insert, 2, text, strlen(text));
        stint_sql_do(insert);
    }
    return number;
}

/* A globalTid has 24 bits for a thread, and as many for a process. Old traces have the addresses of pthreads, and
 * others have texts: these are numbered from above. */
static int64_t short_id(struct stint_kineto_tables *tables, int64_t id)
{
    if (id >= 0 && id <= STINT_STORE_ID_MASK / 2)
        return id;
    return STINT_STORE_ID_MASK - position_of(tables, &tables->ids, &s_id, &id) % (STINT_STORE_ID_MASK / 2);
}

static int64_t thread_of(struct stint_kineto_tables *tables, const struct stint_kineto_event *event)
{
    return short_id(tables, event->pid) << STINT_STORE_PID_SHIFT | short_id(tables, event->tid);
}

/* ------------------------------------------------------------------------------------------------------------- rows */

/* The columns of a row, in their order. */
struct row {
    struct stint_sql_query *query;
    int count;
};

static void put(struct row *row, uint64_t value)
{
    stint_sql_bind_i64(row->query, ++row->count, value > INT64_MAX ? INT64_MAX : (int64_t)value);
}

static void put_text(struct row *row, const char *text)
{
    stint_sql_bind_text(row->query, ++row->count, text, strlen(text));
}

static void put_null(struct row *row)
{
    stint_sql_bind_null(row->query, ++row->count);
}

static struct row row_in(struct stint_kineto_tables *tables, enum stint_kineto_table table)
{
    return (struct row){&tables->insert[table], 0};
}

static void put_i64(struct row *row, int64_t value)
{
    stint_sql_bind_i64(row->query, ++row->count, value);
}

static struct row timed_row(struct stint_kineto_tables *tables, enum stint_kineto_table table,
                            const struct stint_kineto_event *event)
{
    struct row row = row_in(tables, table);
    put_i64(&row, event->start_ns);
    if (event->has_end)
        put_i64(&row, event->end_ns);
    else
        put_null(&row);
    return row;
}

/* Whose process launched it, the correlation says: a device's pid is its number. */
static struct row device_row(struct stint_kineto_tables *tables, enum stint_kineto_table table,
                             const struct stint_kineto_event *event)
{
    struct row row = timed_row(tables, table, event);
    put(&row, event->device);
    put(&row, event->context);
    put(&row, event->stream);
    put(&row, event->correlation);
    return row;
}

static void add_range(struct stint_kineto_tables *tables, const struct stint_kineto_event *event)
{
    static char s_text[1 << 16]; /* what is longer is cut: the name, and what tells instances apart, come first */
    struct row row = timed_row(tables, STINT_KINETO_RANGES, event);
    (void)stint_kineto_text(event, s_text, sizeof s_text);
    put_i64(&row, thread_of(tables, event));
    put(&row, STINT_STORE_PUSH_POP);
    put(&row, event->kind == STINT_KINETO_PYTHON);
    if (strcmp(s_text, event->name) == 0) {
        put_i64(&row, number_of(tables, event->name));
        put_null(&row);
    } else {
        put_null(&row);
        put_text(&row, s_text);
    }
    stint_sql_do(row.query);
}

static void add_call(struct stint_kineto_tables *tables, const struct stint_kineto_event *event)
{
    struct row row = timed_row(tables, STINT_KINETO_CALLS, event);
    put_i64(&row, thread_of(tables, event));
    put(&row, event->correlation);
    put_i64(&row, number_of(tables, event->name));
    stint_sql_do(row.query);
}

static void add_kernel(struct stint_kineto_tables *tables, const struct stint_kineto_event *event)
{
    struct row row = device_row(tables, STINT_KINETO_KERNELS, event);
    put_i64(&row, number_of(tables, event->name));
    for (int i = 0; i < 3; i++)
        put(&row, event->grid[i]);
    for (int i = 0; i < 3; i++)
        put(&row, event->block[i]);
    put(&row, event->registers);
    put(&row, event->shared);
    stint_sql_do(row.query);
}

/* "Memcpy HtoD (Pageable -> Device)", "Memset (Device)": the memory is between `before` and `after`. */
static uint64_t memory_in(const char *name, const char *before, const char *after)
{
    const char *at = strstr(name, before);
    if (at)
        at += strlen(before);
    for (int i = STINT_GPU_MEMORY_KINDS - 1; at && i > 0; i--) {
        const char *word = stint_gpu_memory_name((enum stint_gpu_memory_kind)i);
        if (strncmp(at, word, strlen(word)) == 0 && strncmp(at + strlen(word), after, strlen(after)) == 0)
            return (uint64_t)stint_nsys_memory((enum stint_gpu_memory_kind)i);
    }
    return (uint64_t)stint_nsys_memory(STINT_GPU_MEMORY_UNKNOWN);
}

static void add_copy(struct stint_kineto_tables *tables, const struct stint_kineto_event *event)
{
    struct row row = device_row(tables, STINT_KINETO_COPIES, event);
    put(&row, (uint64_t)stint_kineto_direction(event->name));
    put(&row, event->bytes);
    put(&row, memory_in(event->name, "(", " ->"));
    put(&row, memory_in(event->name, "-> ", ")"));
    stint_sql_do(row.query);
}

static void add_set(struct stint_kineto_tables *tables, const struct stint_kineto_event *event)
{
    struct row row = device_row(tables, STINT_KINETO_SETS, event);
    put(&row, event->bytes);
    put(&row, memory_in(event->name, "(", ")"));
    stint_sql_do(row.query);
}

static void add_sync(struct stint_kineto_tables *tables, const struct stint_kineto_event *event)
{
    struct row row = device_row(tables, STINT_KINETO_SYNCS, event);
    put(&row, (uint64_t)stint_kineto_wait(event->name));
    stint_sql_do(row.query);
}

/* "thread 4711 (pt_autograd_0)"; streams of devices have titles, too. */
static void add_thread(struct stint_kineto_tables *tables, const struct stint_kineto_event *event)
{
    char name[64];
    size_t length = strlen(event->title);
    const char *bracket = strchr(event->title, '(');
    if (strncmp(event->title, "thread ", 7) != 0 || !bracket || event->title[length - 1] != ')')
        return;
    (void)snprintf(name, sizeof name, "%.*s", (int)(event->title + length - 1 - bracket - 1), bracket + 1);
    struct row row = row_in(tables, STINT_KINETO_THREADS);
    put_i64(&row, thread_of(tables, event));
    put_i64(&row, number_of(tables, name));
    stint_sql_do(row.query);
}

static void add_process(struct stint_kineto_tables *tables, const struct stint_kineto_event *event)
{
    struct row row = row_in(tables, STINT_KINETO_PROCESSES);
    put_i64(&row, short_id(tables, event->pid));
    put_text(&row, event->title);
    stint_sql_do(row.query);
}

/* -------------------------------------------------------------------------------------------------------------- add */

/* In KINETO_PHASES: what an end has in place of a kind of row, and what has no name there. */
enum { NO_KIND = -1, NO_NAME = -1 };

static int is_of_thread(const struct stint_kineto_event *event)
{
    return event->kind == STINT_KINETO_RANGE || event->kind == STINT_KINETO_PYTHON || event->kind == STINT_KINETO_CALL;
}

/* Keeps a beginning or an end: those of a thread need not be in the order of their times. */
static void add_phase(struct stint_kineto_tables *tables, const struct stint_kineto_event *event, int64_t kind,
                      int64_t number)
{
    struct row row = row_in(tables, STINT_KINETO_PHASES);
    put_i64(&row, thread_of(tables, event));
    put_i64(&row, event->start_ns);
    put_i64(&row, *event->name ? number_of(tables, event->name) : NO_NAME);
    put_i64(&row, kind);
    put_i64(&row, number);
    stint_sql_do(row.query);
}

void stint_kineto_add(struct stint_kineto_tables *tables, const struct stint_kineto_event *event)
{
    static const struct {
        void (*add)(struct stint_kineto_tables *tables, const struct stint_kineto_event *event);
        enum stint_kineto_table table;
    } s_kinds[] = {
        [STINT_KINETO_THREAD] = {add_thread, STINT_KINETO_THREADS},
        [STINT_KINETO_PROCESS] = {add_process, STINT_KINETO_PROCESSES},
        [STINT_KINETO_RANGE] = {add_range, STINT_KINETO_RANGES},
        [STINT_KINETO_PYTHON] = {add_range, STINT_KINETO_RANGES},
        [STINT_KINETO_CALL] = {add_call, STINT_KINETO_CALLS},
        [STINT_KINETO_KERNEL] = {add_kernel, STINT_KINETO_KERNELS},
        [STINT_KINETO_COPY] = {add_copy, STINT_KINETO_COPIES},
        [STINT_KINETO_SET] = {add_set, STINT_KINETO_SETS},
        [STINT_KINETO_SYNC] = {add_sync, STINT_KINETO_SYNCS},
    };
    int64_t number = 0;
    if (is_of_thread(event)) {
        tables->is_several |= tables->has_pid && event->pid != tables->pid;
        tables->has_pid = 1;
        tables->pid = event->pid;
    }
    if (s_kinds[event->kind].add) {
        s_kinds[event->kind].add(tables, event);
        number = ++tables->rows[s_kinds[event->kind].table];
    }
    if (event->phase == STINT_KINETO_BEGIN || event->phase == STINT_KINETO_END)
        add_phase(tables, event, event->phase == STINT_KINETO_END ? NO_KIND : (int64_t)s_kinds[event->kind].table,
                  number);
}

void stint_kineto_add_device(struct stint_kineto_tables *tables, const struct stint_kineto_device *device)
{
    struct row row = row_in(tables, STINT_KINETO_GPUS);
    put(&row, device->id);
    put_text(&row, device->name);
    put(&row, device->compute_major);
    put(&row, device->compute_minor);
    put(&row, device->multiprocessors);
    put(&row, 0); /* the clock is not in the trace */
    put(&row, device->memory_bytes);
    put(&row, 0); /* nor is the bandwidth */
    stint_sql_do(row.query);
    row = row_in(tables, STINT_KINETO_DEVICES);
    put(&row, device->id);
    put(&row, device->id);
    stint_sql_do(row.query);
}

static void add_fact(struct stint_kineto_tables *tables, const char *name, const char *value)
{
    struct row row = row_in(tables, STINT_KINETO_FACTS_TABLE);
    put_text(&row, name);
    put_text(&row, value);
    stint_sql_do(row.query);
}

static void add_number(struct stint_kineto_tables *tables, const char *name, int64_t number)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%lld", (long long)number);
    add_fact(tables, name, text);
}

void stint_kineto_add_rank(struct stint_kineto_tables *tables, const char *rank)
{
    add_fact(tables, "rank", rank);
}

/* ----------------------------------------------------------------------------------------------------------- phases */

/* A beginning that waits for its end. */
struct begun {
    int64_t name, kind, row;
};

/* Returns how many of those that wait are left by an end: one with a name ends what has it, and what is in there never
 * ends. -1: it ends nothing. */
static int64_t left_by(const struct stint_array *begun, int64_t name)
{
    const struct begun *rows = begun->items;
    int64_t left = (int64_t)begun->count - 1;
    while (name != NO_NAME && left >= 0 && rows[left].name != name)
        left--;
    return left;
}

static void end_row(struct stint_kineto_tables *tables, struct stint_sql_query *updates, const struct begun *begun,
                    int64_t time)
{
    struct stint_sql_query *update = &updates[begun->kind];
    char text[80];
    if (!begun->row)
        return;
    (void)snprintf(text, sizeof text, "UPDATE %s SET \"end\" = ?1 WHERE rowid = ?2", s_tables[begun->kind].name);
    if (!update->statement)
        *update = stint_sql_query(tables->sql, text);
    stint_sql_bind_i64(update, 1, time);
    stint_sql_bind_i64(update, 2, begun->row);
    stint_sql_do(update);
}

/* Gives the rows that begin with a phase of their own their ends. */
static void match_phases(struct stint_kineto_tables *tables)
{
    struct stint_array begun = {0};
    struct stint_sql_query updates[STINT_KINETO_TABLES] = {{0}};
    struct stint_sql_query phases = stint_sql_query(tables->sql, "SELECT globalTid, time, nameId, kind, row FROM "
                                                                 "KINETO_PHASES ORDER BY globalTid, time, rowid");
    int64_t thread = 0;
    while (stint_sql_step(&phases)) {
        struct begun phase = {stint_sql_i64(&phases, 2), stint_sql_i64(&phases, 3), stint_sql_i64(&phases, 4)};
        if (stint_sql_i64(&phases, 0) != thread)
            begun.count = 0;
        thread = stint_sql_i64(&phases, 0);
        if (phase.kind != NO_KIND) {
            struct begun *row = stint_array_add(&begun, &tables->arena, sizeof *row);
            if (!row)
                (void)stint_sql_fail(tables->sql, "there is not enough memory");
            else
                *row = phase;
            continue;
        }
        int64_t left = left_by(&begun, phase.name);
        tables->ends += left < 0;
        if (left < 0)
            continue;
        begun.count = (size_t)left;
        end_row(tables, updates, (const struct begun *)begun.items + left, stint_sql_i64(&phases, 1));
    }
    stint_sql_end(&phases);
    for (int i = 0; i < STINT_KINETO_TABLES; i++)
        stint_sql_end(&updates[i]);
}

void stint_kineto_tables_end(struct stint_kineto_tables *tables)
{
    match_phases(tables);
    add_number(tables, "base", tables->base_ns);
    add_number(tables, "process", tables->is_several ? 0 : short_id(tables, tables->pid));
    add_number(tables, "left out", (int64_t)tables->left_out);
    add_number(tables, "impossible", (int64_t)tables->impossible);
    add_number(tables, "mismatched", (int64_t)tables->ends);
    for (int i = 0; i < STINT_KINETO_TABLES; i++)
        stint_sql_end(&tables->insert[i]);
    (void)stint_sql_run(tables->sql, "COMMIT");
    stint_arena_free(&tables->arena);
}
