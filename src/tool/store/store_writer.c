/* Writes a store: turns contexts, names and events into rows, and completes the file. */
#include "store/store.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole_file.h"
#include "ctf_writer/ctf_writer.h"
#include "stint/nvtx_stats.h"
#include "store/rows.h"

#define GLOBAL_SET "GlobalStatInfo"

/* The calling contexts that have been received, as rows refer to them. */
struct context {
    uint64_t path;
    uint32_t text;
    uint32_t domain;
};

static const struct stint_table_key s_context = STINT_TABLE_KEY(struct context, path);
static const struct stint_table_key s_thread = STINT_TABLE_KEY_WHOLE(int64_t);
static const struct stint_table_key s_domain = STINT_TABLE_KEY_WHOLE(uint32_t);

struct stint_store_writer {
    struct stint_sql sql;
    struct stint_strings strings;
    struct stint_rows rows;
    struct stint_arena arena;
    struct stint_table contexts; /* struct context */
    struct stint_table threads;  /* int64_t: globalTid of each thread */
    struct stint_table domains;  /* uint32_t: texts, for the ids from 1 on */
    int64_t pid;
    struct stint_sql_query insert_context;
    struct stint_sql_query insert_thread;
    struct stint_sql_query insert_domain;
    struct stint_sql_query insert_data;
    struct stint_sql_query insert_function;
    struct stint_instance_table data; /* of operations */
    uint32_t beyond;                  /* how much of it found no room there */
    struct stint_instance_room room;
    struct stint_whole_file file;
    char beside[PATH_MAX + STINT_WHOLE_FILE_MARK_SIZE]; /* its name until it is complete */
};

static int outcome(const struct stint_store_writer *writer)
{
    return writer->sql.failed ? -1 : 0;
}

/* --------------------------------------------------------------------------------------------------- what rows name */

static int64_t global_thread(int64_t pid, int64_t tid)
{
    return (pid & STINT_STORE_ID_MASK) << STINT_STORE_PID_SHIFT | (tid & STINT_STORE_ID_MASK);
}

static void put_little_endian(unsigned char *out, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        out[i] = (unsigned char)(value >> 8 * i);
}

/* Returns the thread's number; nvprof's id for it is written when the thread is seen for the first time. */
static int64_t thread_of(struct stint_store_writer *writer, int64_t pid, int64_t tid)
{
    int64_t thread = global_thread(pid, tid);
    size_t known = writer->threads.count;
    unsigned char object[12];
    if (!stint_table_take(&writer->threads, &s_thread, &writer->arena, &thread))
        (void)stint_sql_fail(&writer->sql, "there is not enough memory");
    if (writer->threads.count == known)
        return thread;
    put_little_endian(object, (uint64_t)pid, 4);
    put_little_endian(object + 4, (uint64_t)tid, 8);
    stint_sql_bind_i64(&writer->insert_thread, 1, thread);
    stint_sql_bind_blob(&writer->insert_thread, 2, object, sizeof object);
    stint_sql_do(&writer->insert_thread);
    return thread;
}

static uint32_t text_of(struct stint_store_writer *writer, const char *text)
{
    return stint_strings_id(&writer->strings, text, strlen(text));
}

static void insert_domain(struct stint_store_writer *writer, const char *name, uint32_t text, uint32_t id)
{
    stint_sql_bind_i64(&writer->insert_domain, 1, id);
    stint_sql_bind_text(&writer->insert_domain, 2, name, strlen(name));
    stint_sql_do(&writer->insert_domain);
    stint_rows_add_range(&writer->rows, &(struct stint_range_row){.thread = global_thread(writer->pid, 0),
                                                                  .context = STINT_ROW_UNKNOWN,
                                                                  .text = text,
                                                                  .domain = id,
                                                                  .type = STINT_STORE_DOMAIN});
}

/* Returns the number of a domain, which an event announces before it is used; 0 is the default domain. */
static uint32_t domain_of(struct stint_store_writer *writer, const char *name)
{
    uint32_t text = text_of(writer, name);
    size_t known = writer->domains.count;
    const uint32_t *row = stint_table_take(&writer->domains, &s_domain, &writer->arena, &text);
    uint32_t id = (uint32_t)(stint_table_position(&writer->domains, &s_domain, row) + 1);
    if (!row)
        (void)stint_sql_fail(&writer->sql, "there is not enough memory");
    else if (writer->domains.count > known)
        insert_domain(writer, name, text, id);
    return id;
}

/* Parses a set "NVTX" or "NVTX:domain", where `kind` is one of three words like NVTX. Returns whether the set is of
 * that kind. */
static int read_set(struct stint_store_writer *writer, const char *set, const char *kind, uint32_t *domain)
{
    size_t length = strlen(kind);
    if (strncmp(set, kind, length) != 0 || (set[length] && set[length] != ':'))
        return 0;
    *domain = set[length] ? domain_of(writer, set + length + 1) : 0;
    return 1;
}

/* Finds the text and the domain of a range. A scope is a range "name" or "set/name" of the domain "stint", as in Nsight
 * Systems. */
static void name_range(struct stint_store_writer *writer, const char *kind, const char *set, const char *name,
                       struct stint_range_row *row)
{
    char *text = NULL;
    if (read_set(writer, set, kind, &row->domain)) {
        row->text = text_of(writer, name);
        return;
    }
    row->domain = domain_of(writer, "stint");
    if (strcmp(set, GLOBAL_SET) == 0)
        row->text = text_of(writer, name);
    else if (asprintf(&text, "%s/%s", set, name) < 0)
        (void)stint_sql_fail(&writer->sql, "there is not enough memory");
    else
        row->text = text_of(writer, text);
    free(text);
}

int stint_store_writer_name(struct stint_store_writer *writer, const struct stint_nvtx_name *name)
{
    if (name->what != STINT_NVTX_CATEGORY)
        return outcome(writer);
    stint_rows_add_range(&writer->rows,
                         &(struct stint_range_row){.thread = global_thread(name->pid, 0),
                                                   .context = STINT_ROW_UNKNOWN,
                                                   .text = text_of(writer, name->name),
                                                   .domain = *name->domain ? domain_of(writer, name->domain) : 0,
                                                   .type = STINT_STORE_CATEGORY,
                                                   .category = (uint32_t)name->handle});
    return outcome(writer);
}

/* --------------------------------------------------------------------------------------------------------- contexts */

static void insert_context(struct stint_store_writer *writer, const struct stint_event_context *context)
{
    struct stint_sql_query *insert = &writer->insert_context;
    stint_sql_bind_i64(insert, 1, context->path);
    stint_sql_bind_i64(insert, 2, context->parent);
    stint_sql_bind_text(insert, 3, context->set, strlen(context->set));
    stint_sql_bind_text(insert, 4, context->name, strlen(context->name));
    stint_sql_bind_text(insert, 5, context->file, strlen(context->file));
    stint_sql_bind_i64(insert, 6, context->line);
    stint_sql_do(insert);
}

int stint_store_writer_context(struct stint_store_writer *writer, const struct stint_event_context *context)
{
    struct stint_range_row row = {0};
    name_range(writer, STINT_NVTX_SET, context->set, context->name, &row);
    struct context like = {.path = context->path, .text = row.text, .domain = row.domain};
    if (!stint_table_take(&writer->contexts, &s_context, &writer->arena, &like))
        (void)stint_sql_fail(&writer->sql, "there is not enough memory");
    insert_context(writer, context);
    return outcome(writer);
}

/* ----------------------------------------------------------------------------------------------------------- events */

static uint32_t context_of(const struct stint_event *event)
{
    if (event->context == STINT_GPU_UNATTRIBUTED)
        return STINT_ROW_UNKNOWN;
    return event->context < STINT_ROW_UNKNOWN ? (uint32_t)event->context : 0;
}

/* Returns the number of the operation's data, which is written when it is new, or each time if there is no room for it
 * in the table. */
static uint32_t data_of(struct stint_store_writer *writer, const struct stint_instance *instance)
{
    int is_new = 1;
    uint32_t number = stint_instance_number(&writer->data, instance, &is_new);
    if (!number)
        number = STINT_INSTANCE_MOST + ++writer->beyond;
    if (is_new) {
        stint_sql_bind_i64(&writer->insert_data, 1, number);
        stint_sql_bind_text(&writer->insert_data, 2, instance->data, instance->length);
        stint_sql_do(&writer->insert_data);
    }
    return number;
}

/* Takes the text of an operation apart. Returns 0 if it is to be kept as it is, for PyProf reads texts like "conv2d,
 * seq = 54". */
static int add_operation(struct stint_store_writer *writer, const struct stint_event *event,
                         struct stint_range_row *row)
{
    struct stint_instance instance;
    if (!stint_instance_split(&instance, &writer->room, event->name, event->text) ||
        (!instance.op_id && (!instance.length || *instance.data == '{')))
        return 0;
    row->has_seq = instance.has_seq != 0;
    row->seq = instance.seq;
    row->op_id = instance.op_id;
    row->data = instance.length ? data_of(writer, &instance) : 0;
    return 1;
}

static void add_range(struct stint_store_writer *writer, const struct stint_event *event)
{
    static const char *const kinds[] = {
        [STINT_EVENT_SCOPE] = STINT_NVTX_SET,
        [STINT_EVENT_RANGE] = STINT_NVTX_START_END_SET,
        [STINT_EVENT_MARK] = STINT_NVTX_MARK_SET,
    };
    static const uint32_t types[] = {
        [STINT_EVENT_SCOPE] = STINT_STORE_PUSH_POP,
        [STINT_EVENT_RANGE] = STINT_STORE_START_END,
        [STINT_EVENT_MARK] = STINT_STORE_MARK,
    };
    struct stint_range_row row = {.start_ns = event->start_ns,
                                  .end_ns = event->end_ns,
                                  .thread = thread_of(writer, event->pid, event->tid),
                                  .end_thread = event->end_tid ? global_thread(event->pid, event->end_tid) : 0,
                                  .context = context_of(event),
                                  .type = types[event->kind],
                                  .category = event->category,
                                  .color = event->color};
    const struct context *context =
        event->kind == STINT_EVENT_SCOPE
            ? stint_table_find(&writer->contexts, &s_context, &(struct context){.path = row.context})
            : NULL;
    if (context) {
        row.text = context->text;
        row.domain = context->domain;
    } else {
        name_range(writer, kinds[event->kind], event->set, event->name, &row);
    }
    if (event->text && !add_operation(writer, event, &row))
        row.text = stint_strings_annotated_id(&writer->strings, event->text, strlen(event->text));
    stint_rows_add_range(&writer->rows, &row);
}

static void add_gpu(struct stint_store_writer *writer, const struct stint_event *event)
{
    struct stint_gpu_row row = {.event = *event->gpu, .context = context_of(event)};
    row.event.start_ns = event->start_ns;
    row.event.end_ns = event->end_ns;
    row.event.name = event->name;
    row.name = text_of(writer, event->name);
    row.thread =
        event->kind == STINT_EVENT_CALL ? thread_of(writer, event->pid, event->tid) : global_thread(event->pid, 0);
    stint_rows_add_gpu(&writer->rows, &row);
}

static void add_os_call(struct stint_store_writer *writer, const struct stint_event *event)
{
    struct stint_gpu_row row = {.event = {.start_ns = event->start_ns, .end_ns = event->end_ns},
                                .of = STINT_ROW_OF_OS_CALL,
                                .thread = thread_of(writer, event->pid, event->tid),
                                .context = context_of(event),
                                .name = text_of(writer, event->name)};
    stint_rows_add_gpu(&writer->rows, &row);
}

static void add_point(struct stint_store_writer *writer, const struct stint_event *event)
{
    struct stint_gpu_row row = {.event = {.start_ns = event->start_ns, .end_ns = event->end_ns},
                                .of = STINT_ROW_OF_MEMORY,
                                .thread = global_thread(event->pid, event->tid),
                                .context = context_of(event)};
    if (event->kind == STINT_EVENT_MEMORY) {
        row.memory = *event->memory;
    } else {
        row.of = STINT_ROW_OF_VALUE;
        row.set = text_of(writer, event->set);
        row.name = text_of(writer, event->name);
        row.field = text_of(writer, event->field);
        row.value = event->value;
    }
    stint_rows_add_gpu(&writer->rows, &row);
}

static void add_sample(struct stint_store_writer *writer, const struct stint_event *event)
{
    struct stint_gpu_row row = {.event = {.start_ns = event->start_ns, .end_ns = event->start_ns},
                                .of = STINT_ROW_OF_SAMPLE,
                                .sample = event->sample,
                                .thread = global_thread(event->pid, event->tid),
                                .context = context_of(event)};
    stint_rows_add_gpu(&writer->rows, &row);
}

int stint_store_writer_function(struct stint_store_writer *writer, const struct stint_store_function *function)
{
    struct stint_sql_query *insert = &writer->insert_function;
    uint32_t symbol = text_of(writer, function->name), module = text_of(writer, function->module);
    stint_sql_bind_i64(insert, 1, (int64_t)function->frame);
    stint_sql_bind_i64(insert, 2, (int64_t)function->depth);
    stint_sql_bind_i64(insert, 3, symbol);
    stint_sql_bind_i64(insert, 4, module);
    stint_sql_bind_i64(insert, 5, function->unresolved);
    stint_sql_do(insert);
    return outcome(writer);
}

int stint_store_writer_event(struct stint_store_writer *writer, const struct stint_event *event)
{
    if (event->kind == STINT_EVENT_SAMPLE)
        add_sample(writer, event);
    else if (stint_event_is_os_call(event))
        add_os_call(writer, event);
    else if (event->kind <= STINT_EVENT_MARK)
        add_range(writer, event);
    else if (stint_event_is_point(event))
        add_point(writer, event);
    else
        add_gpu(writer, event);
    return outcome(writer);
}

/* ----------------------------------------------------------------------------------------------------------- finish */

static void put_report(struct stint_store_writer *writer, const char *report, size_t length)
{
    struct stint_sql_query insert = stint_sql_query(&writer->sql, "INSERT INTO stint_report VALUES (1, ?1)");
    stint_sql_bind_text(&insert, 1, report, length);
    stint_sql_do(&insert);
    stint_sql_end(&insert);
    stint_schema_complete(&writer->sql);
}

/* Writes the names of threads, taken from the report. */
static void put_threads(struct stint_store_writer *writer)
{
    struct stint_sql_query names = stint_sql_query(
        &writer->sql,
        "SELECT pid, tid, name FROM stint_threads WHERE NOT exited AND name <> '' UNION "
        "SELECT pid, tid, name FROM stint_sample_threads WHERE NOT exited AND name <> '' ORDER BY pid, tid");
    struct stint_sql_query insert = stint_sql_query(&writer->sql, "INSERT INTO ThreadNames VALUES (?1, NULL, ?2)");
    while (stint_sql_step(&names)) {
        stint_sql_bind_i64(&insert, 1, text_of(writer, stint_sql_text(&names, 2)));
        stint_sql_bind_i64(&insert, 2, thread_of(writer, stint_sql_i64(&names, 0), stint_sql_i64(&names, 1)));
        stint_sql_do(&insert);
    }
    stint_sql_end(&insert);
    stint_sql_end(&names);
}

static void end_rows(struct stint_store_writer *writer)
{
    stint_rows_end(&writer->rows);
    stint_strings_end(&writer->strings);
    stint_sql_end(&writer->insert_context);
    stint_sql_end(&writer->insert_thread);
    stint_sql_end(&writer->insert_domain);
    stint_sql_end(&writer->insert_data);
    stint_sql_end(&writer->insert_function);
    stint_arena_free(&writer->data.arena);
    stint_arena_free(&writer->arena);
}

/* Adds what is known only at the end, and the indexes that make queries fast. */
static void complete(struct stint_store_writer *writer, const char *report, size_t length)
{
    stint_rows_flush(&writer->rows);
    put_report(writer, report, length);
    put_threads(writer);
    stint_schema_index(&writer->sql);
    (void)stint_sql_run(&writer->sql, "COMMIT");
}

int stint_store_writer_finish(struct stint_store_writer *writer, const char *report, size_t length, char *reason,
                              size_t size)
{
    if (report)
        complete(writer, report, length);
    end_rows(writer);
    stint_sql_close(&writer->sql);
    int failed = outcome(writer), error = stint_whole_file_close(&writer->file, failed || !report);
    if (failed)
        (void)snprintf(reason, size, "%s", writer->sql.reason);
    else if (report && error)
        (void)snprintf(reason, size, "%s", strerror(error));
    failed = failed || (report && error) ? -1 : 0;
    free(writer);
    return failed;
}

int stint_store_writer_keep(struct stint_store_writer *writer, struct stint_sql *to, char *reason, size_t size)
{
    stint_rows_flush(&writer->rows);
    stint_schema_index(&writer->sql);
    (void)stint_sql_run(&writer->sql, "COMMIT");
    end_rows(writer);
    int failed = outcome(writer);
    (void)snprintf(reason, size, "%s", writer->sql.reason);
    *to = writer->sql;
    free(writer);
    if (failed)
        stint_sql_close(to);
    return failed;
}

/* ------------------------------------------------------------------------------------------------------------- open */

static void begin(struct stint_store_writer *writer, int64_t pid)
{
    writer->pid = pid;
    (void)stint_sql_run(&writer->sql, "BEGIN");
    stint_schema_create(&writer->sql);
    stint_strings_begin(&writer->strings, &writer->sql);
    stint_rows_begin(&writer->rows, &writer->sql, &writer->strings);
    writer->insert_context =
        stint_sql_query(&writer->sql, "INSERT OR IGNORE INTO stint_contexts VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
    writer->insert_thread = stint_sql_query(&writer->sql, "INSERT INTO stint_thread_ids VALUES (?1, ?2)");
    writer->insert_domain = stint_sql_query(&writer->sql, "INSERT INTO stint_domains VALUES (?1, ?2)");
    writer->insert_data = stint_sql_query(&writer->sql, "INSERT INTO stint_operation_data VALUES (?1, ?2)");
    writer->insert_function =
        stint_sql_query(&writer->sql, "INSERT INTO stint_sample_functions VALUES (?1, ?2, ?3, ?4, ?5)");
}

struct stint_store_writer *stint_store_writer_open(const char *path, int64_t pid, char *reason, size_t size)
{
    if (path && stint_whole_file_is_special(path)) { /* SQLite cannot write it */
        (void)snprintf(reason, size, "it is not a regular file");
        return NULL;
    }
    struct stint_store_writer *writer = calloc(1, sizeof *writer);
    if (!writer) {
        (void)snprintf(reason, size, "there is not enough memory");
        return NULL;
    }
    int error = path ? stint_whole_file_open(&writer->file, path, STINT_FILE_NAMED) : 0;
    if (error) {
        (void)snprintf(reason, size, "%s", strerror(error));
        free(writer);
        return NULL;
    }
    (void)snprintf(writer->beside, sizeof writer->beside, "%s%s", writer->file.path, writer->file.mark); /* "": none */
    if (stint_sql_fill(&writer->sql, writer->beside) == 0)
        begin(writer, pid);
    if (outcome(writer) == 0)
        return writer;
    (void)snprintf(reason, size, "%s", writer->sql.reason);
    end_rows(writer);
    stint_sql_close(&writer->sql);
    if (path)
        (void)stint_whole_file_close(&writer->file, 1);
    free(writer);
    return NULL;
}
