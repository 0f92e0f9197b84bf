/* Reads recordings of other tools: gives rows their scopes, and makes statistics and events of them. */
#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "replay/open.h"
#include "replay/replay.h"
#include "stint/gpu.h"
#include "store/foreign_dialect.h"

struct stint_foreign {
    struct stint_event_source source; /* has to be the first member */
    struct stint_sql sql;
    const struct stint_foreign_dialect *dialect;
    struct stint_foreign_rows rows;
    struct stint_foreign_names names;
    struct stint_snapshot *snapshot;
    struct stint_process process;
    int64_t origin_ns;           /* in the file's clock */
    struct stint_dropped rest;   /* takes counts of later readings, which have been counted already */
    struct stint_replay *replay; /* while the file is read for the first time; NULL otherwise */
    struct stint_foreign_scopes scopes;
    struct stint_launches launches;
    struct stint_gpu_event gpu; /* GPU part of the current event */
    int64_t pid;                /* of rows that name no process; 0: there are several processes, or none is known */
    struct stint_array pids;    /* int64_t: processes of calls that were read */
    uint64_t ambiguous;         /* activities that several processes may have launched */
    uint64_t row_count;         /* that were read, whether or not they are events */
    uint64_t unknown;           /* ranges of a kind that is not known */
    char left_out[400];         /* "12 rows of MPI_EVENTS"; "": nothing */
    char call[STINT_FOREIGN_MOST_NAME + 1];
};

static int say_no_memory(struct stint_foreign *foreign)
{
    return stint_sql_fail(&foreign->sql, "there is not enough memory");
}

/* ----------------------------------------------------------------------------------------------------------- ranges */

static void add_value(struct stint_foreign *foreign, const struct stint_event *event, double value)
{
    struct stint_nvtx_value like = {
        .set = event->set, .name = event->name, .field = "", .count = 1, .sum = value, .min = value, .max = value};
    stint_builder_add(&foreign->replay->builder, STINT_ROWS_NVTX_VALUES, &like);
}

/* A payload has one of six types; the columns of the others are NULL. */
static void add_payload(struct stint_foreign *foreign, const struct stint_foreign_stream *row,
                        const struct stint_event *event)
{
    for (int column = STINT_FOREIGN_UNSIGNED; column <= STINT_FOREIGN_FLOAT; column++) {
        if (!stint_foreign_has(row, (enum stint_foreign_column)column)) {
            (void)stint_foreign_i64(row, (enum stint_foreign_column)column);
            continue;
        }
        if (column == STINT_FOREIGN_UNSIGNED)
            add_value(foreign, event, (double)(uint64_t)stint_foreign_i64(row, STINT_FOREIGN_UNSIGNED));
        else
            add_value(foreign, event, stint_foreign_double(row, (enum stint_foreign_column)column));
        return;
    }
}

/* An event whose name is missing is shown nevertheless. */
static void require_name(struct stint_event *event, uint64_t *unnamed)
{
    if (event->name && event->name[0])
        return;
    event->name = "(unnamed)";
    *unnamed += 1;
}

/* Each of these functions returns whether the row is an event. Its times and its owner have been read already. */
static int read_range(struct stint_foreign *foreign, const struct stint_foreign_stream *row, struct stint_event *event)
{
    int is_other = foreign->dialect->kind_of_range(row, &event->kind);
    foreign->unknown += is_other > 0;
    foreign->row_count -= is_other < 0;
    if (is_other)
        return 0;
    const struct stint_foreign_domain *domain = foreign->dialect->domain(&foreign->names, row, event->pid);
    struct stint_open_thread *thread = stint_foreign_thread_at(&foreign->scopes, event);
    event->name = stint_foreign_read_range(&foreign->names, row);
    event->text = foreign->names.whole;
    event->category = stint_foreign_u32(row, STINT_FOREIGN_CATEGORY);
    event->color = stint_foreign_bits(row, STINT_FOREIGN_COLOR);
    require_name(event, &foreign->names.dropped->unnamed);
    event->set = event->kind == STINT_EVENT_MARK    ? domain->marks
                 : event->kind == STINT_EVENT_RANGE ? domain->start_end
                                                    : domain->push_pop;
    if (event->kind == STINT_EVENT_MARK)
        event->end_ns = event->start_ns;
    event->is_running &= event->kind != STINT_EVENT_MARK;
    event->context = stint_foreign_context_around(&foreign->scopes, thread, event);
    if (event->kind == STINT_EVENT_SCOPE && !stint_foreign_scope_open(&foreign->scopes, event, thread))
        return 0;
    if (foreign->replay)
        add_payload(foreign, row, event);
    return 1;
}

/* ------------------------------------------------------------------------------------------------------------ calls */

static int read_os_call(struct stint_foreign *foreign, const struct stint_foreign_stream *row,
                        struct stint_event *event)
{
    static const char set[] = STINT_OS_SET;
    event->kind = STINT_EVENT_SCOPE;
    event->set = set;
    event->name = stint_foreign_name_of_id(&foreign->names, stint_foreign_i64(row, STINT_FOREIGN_NAME));
    require_name(event, &foreign->names.dropped->unnamed);
    return stint_foreign_scope_open(&foreign->scopes, event, stint_foreign_thread_at(&foreign->scopes, event));
}

/* Returns 0, or -1 without memory. */
static int note_process(struct stint_foreign *foreign, int64_t pid)
{
    const int64_t *pids = foreign->pids.items;
    for (size_t i = 0; i < foreign->pids.count; i++)
        if (pids[i] == pid)
            return 0;
    int64_t *row = stint_array_add(&foreign->pids, &foreign->scopes.arena, sizeof *row);
    if (row)
        *row = pid;
    return row ? 0 : -1;
}

static int read_call(struct stint_foreign *foreign, const struct stint_foreign_stream *row, struct stint_event *event)
{
    event->kind = STINT_EVENT_CALL;
    event->name = foreign->dialect->call(&foreign->names, row, foreign->call, sizeof foreign->call);
    require_name(event, &foreign->names.dropped->unnamed);
    struct stint_open_thread *thread = stint_foreign_thread_at(&foreign->scopes, event);
    if (thread && stint_call_is_launch(event->name))
        stint_helpers_see_launch(thread);
    event->context = stint_foreign_context_around(&foreign->scopes, thread, event);
    foreign->gpu.api = 1;
    foreign->gpu.tid = event->tid;
    foreign->gpu.correlation = stint_foreign_u64(row, STINT_FOREIGN_CORRELATION);
    if (stint_launches_put(&foreign->launches, event->pid, foreign->gpu.correlation, event->context) ||
        note_process(foreign, event->pid))
        (void)say_no_memory(foreign);
    return 1;
}

/* ---------------------------------------------------------------------------------------------------------- devices */

/* Returns the process of an activity that names none: the one that has launched something with its correlation; 0 if
 * there are several. */
static int64_t launching_process(struct stint_foreign *foreign, uint64_t correlation)
{
    const int64_t *pids = foreign->pids.items;
    int64_t found = 0;
    size_t count = 0;
    if (foreign->pid)
        return foreign->pid;
    for (size_t i = 0; i < foreign->pids.count; i++)
        if (stint_launches_find(&foreign->launches, pids[i], correlation) != STINT_GPU_UNATTRIBUTED) {
            found = pids[i];
            count++;
        }
    foreign->ambiguous += count > 1;
    return count == 1 ? found : 0;
}

/* The activity is unattributed if its launch is not in the file, or is more than STINT_LAUNCHES calls earlier. */
static int read_device(struct stint_foreign *foreign, const struct stint_foreign_stream *row, struct stint_event *event)
{
    struct stint_gpu_event *gpu = &foreign->gpu;
    event->kind = STINT_EVENT_DEVICE;
    event->tid = 0;
    event->name = stint_foreign_read_device(foreign->dialect, &foreign->names, row, gpu);
    if (!event->pid)
        event->pid = launching_process(foreign, gpu->correlation);
    require_name(event, &foreign->names.dropped->unnamed);
    if (foreign->replay && stint_foreign_has(row, STINT_FOREIGN_MANGLED))
        stint_foreign_add_mangled(&foreign->names, event->name, stint_foreign_i64(row, STINT_FOREIGN_MANGLED));
    event->context = stint_launches_find(&foreign->launches, event->pid, gpu->correlation);
    return 1;
}

/* ----------------------------------------------------------------------------------------------------------- events */

static int is_host(const struct stint_foreign_stream *row)
{
    return row->table->kind <= STINT_FOREIGN_DRIVER;
}

/* Returns whether the times are possible. CUPTI writes 0 to 0 if it has no times. What the host had not ended ends with
 * the recording. */
static int read_times(struct stint_foreign *foreign, const struct stint_foreign_stream *row, struct stint_event *event)
{
    int64_t start = row->start, end = row->has_end ? row->end : foreign->rows.last;
    if (start < foreign->origin_ns || start > foreign->rows.last || end > foreign->rows.last || end < start ||
        (!is_host(row) && (!row->has_end || (!start && !end)))) {
        foreign->names.dropped->gpu_invalid++;
        return 0;
    }
    event->start_ns = (uint64_t)(start - foreign->origin_ns);
    event->end_ns = (uint64_t)(end - foreign->origin_ns);
    event->is_running = !row->has_end;
    return 1;
}

static int read_row(struct stint_foreign *foreign, const struct stint_foreign_stream *row, struct stint_event *event)
{
    *event = (struct stint_event){.name = "", .set = "", .context = STINT_GPU_NO_SCOPE};
    foreign->gpu = (struct stint_gpu_event){.instance = STINT_GPU_NO_INSTANCE};
    if (!read_times(foreign, row, event))
        return 0;
    foreign->dialect->owner(row, event);
    if (row->table->kind == STINT_FOREIGN_RANGE)
        return read_range(foreign, row, event);
    if (row->table->kind == STINT_FOREIGN_OS)
        return read_os_call(foreign, row, event);
    int is_event = is_host(row) ? read_call(foreign, row, event) : read_device(foreign, row, event);
    foreign->gpu.name = event->name;
    foreign->gpu.start_ns = event->start_ns;
    foreign->gpu.end_ns = event->end_ns;
    foreign->gpu.context = event->context;
    event->gpu = &foreign->gpu;
    return is_event;
}

static int next(struct stint_event_source *source, struct stint_event *event)
{
    struct stint_foreign *foreign = (struct stint_foreign *)(void *)source;
    const struct stint_foreign_stream *row;
    while ((row = stint_foreign_rows_next(&foreign->rows))) {
        foreign->row_count++;
        if (!read_row(foreign, row, event))
            continue;
        /* Not all reports have what is still running, but all say what is without an end. */
        foreign->names.dropped->abandoned += (uint64_t)event->is_running;
        return 1;
    }
    if (foreign->scopes.open.failed)
        (void)say_no_memory(foreign);
    if (!foreign->sql.failed)
        return 0;
    (void)snprintf(source->reason, sizeof source->reason, "%s", foreign->sql.reason);
    return -1;
}

static int begin(struct stint_event_source *source)
{
    struct stint_foreign *foreign = (struct stint_foreign *)(void *)source;
    stint_open_free(&foreign->scopes.open);
    foreign->scopes.open = (struct stint_open_threads){0};
    stint_launches_free(&foreign->launches);
    foreign->launches = (struct stint_launches){0};
    foreign->pids.count = 0;
    foreign->ambiguous = foreign->row_count = foreign->unknown = 0;
    stint_foreign_rows_begin(&foreign->rows);
    return 0;
}

/* ------------------------------------------------------------------------------------------------ the first reading */

/* Returns the time of day of the origin; 0, which is unknown, if it is impossible. */
static uint64_t first_unix_ns(uint64_t base_ns, int64_t origin_ns)
{
    return origin_ns >= 0 || base_ns > (uint64_t)-origin_ns ? base_ns + (uint64_t)origin_ns : 0;
}

static void describe(struct stint_foreign *foreign)
{
    struct stint_process *process = &foreign->process;
    *process = (struct stint_process){.command = "", .host = "", .clock = ""};
    foreign->origin_ns = foreign->rows.first;
    if (foreign->dialect->starts_at_0 && foreign->origin_ns > 0)
        foreign->origin_ns = 0;
    foreign->dialect->describe(&foreign->sql, &foreign->names, foreign->replay, process);
    foreign->pid = process->pid;
    if (process->start_unix_ns || !foreign->dialect->starts_at_0)
        process->start_unix_ns = first_unix_ns(process->start_unix_ns, foreign->origin_ns);
    stint_builder_add(&foreign->replay->builder, STINT_ROWS_GPU,
                      &(struct stint_gpu_info){.collected = 1,
                                               .reason = "",
                                               .what = STINT_GPU_ACTIVITIES | STINT_GPU_API | STINT_GPU_SYNCS});
}

/* Describes the process that has events. If there are several, it is the first, and its pid is set to 0. */
static void name_process(struct stint_foreign *foreign, int64_t pid, int is_several)
{
    foreign->process.pid = is_several ? 0 : pid;
    if (foreign->dialect->command)
        foreign->process.command = foreign->dialect->command(&foreign->sql, foreign->replay, pid);
}

static void name_kernels(struct stint_foreign *foreign)
{
    struct stint_builder *builder = &foreign->replay->builder;
    struct stint_gpu_activity *rows = builder->rows[STINT_ROWS_GPU_ACTIVITIES].items;
    for (size_t i = 0; i < builder->rows[STINT_ROWS_GPU_ACTIVITIES].count; i++) {
        const char *mangled =
            rows[i].kind == STINT_GPU_KERNEL ? stint_foreign_mangled(&foreign->names, rows[i].name) : NULL;
        if (mangled)
            rows[i].mangled = stint_builder_text(builder, mangled);
    }
}

/* A file that has nothing is one, but not one of which nothing can be read. */
static int say_nothing_is_left(struct stint_foreign *foreign)
{
    uint64_t rows = foreign->row_count + foreign->rows.malformed;
    if (*foreign->left_out)
        return stint_sql_fail(&foreign->sql, "it has nothing that can be shown: left out: %s", foreign->left_out);
    return rows ? stint_sql_fail(&foreign->sql,
                                 "it has nothing that can be shown: none of its %llu row%s has valid times",
                                 (unsigned long long)rows, rows == 1 ? "" : "s")
                : 0;
}

static void leave_out(struct stint_foreign *foreign, uint64_t count, const char *what)
{
    size_t used = strlen(foreign->left_out);
    if (count)
        (void)snprintf(foreign->left_out + used, sizeof foreign->left_out - used, "%s%llu %s", used ? ", " : "",
                       (unsigned long long)count, what);
}

/* Reads the whole file once, for the statistics. */
static int read_all(struct stint_foreign *foreign)
{
    struct stint_replay replay;
    struct stint_event event;
    int more, is_several = 0;
    int64_t pid = 0;
    uint64_t count = 0;
    stint_replay_begin(&replay, 1, 0);
    foreign->replay = &replay;
    foreign->scopes.builder = &replay.builder;
    foreign->names.dropped = foreign->scopes.dropped = &replay.dropped;
    describe(foreign);
    if (stint_helpers_find(&foreign->scopes.helpers, &foreign->scopes.arena, &replay.open, replay.names.items))
        replay.builder.failed = 1;
    (void)begin(&foreign->source);
    while ((more = next(&foreign->source, &event)) > 0) {
        count++;
        is_several |= pid && event.pid != pid;
        pid = pid ? pid : event.pid;
        stint_replay_add(&replay, &event);
    }
    name_process(foreign, pid, is_several);
    name_kernels(foreign);
    replay.dropped.gpu_invalid += foreign->rows.malformed;
    replay.dropped.impossible += foreign->rows.impossible.count;
    replay.dropped.nvtx_depth += foreign->scopes.open.too_deep;
    foreign->snapshot = stint_replay_end(&replay, &foreign->process);
    foreign->replay = NULL;
    foreign->scopes.builder = NULL;
    foreign->names.dropped = foreign->scopes.dropped = &foreign->rest;
    if (more)
        return -1;
    if (!foreign->snapshot || stint_foreign_contexts_find(&foreign->scopes, foreign->snapshot))
        return say_no_memory(foreign);
    foreign->process = foreign->snapshot->process;
    leave_out(foreign, foreign->unknown, "of unknown kinds of ranges");
    return count ? 0 : say_nothing_is_left(foreign);
}

/* --------------------------------------------------------------------------------------------------- open and close */

/* Returns the dialect, and the name of its table of strings. */
static const struct stint_foreign_dialect *dialect_of(struct stint_sql *sql, char *strings)
{
    static const struct stint_foreign_dialect *const dialects[] = {&stint_foreign_nsys, &stint_foreign_nvprof,
                                                                   &stint_foreign_kineto};
    for (size_t i = 0; i < sizeof dialects / sizeof dialects[0]; i++)
        if (stint_foreign_find_table(sql, dialects[i]->strings, strings))
            return dialects[i];
    (void)stint_sql_fail(sql, "this database is not a recording: it has neither the tables of stint nor those of "
                              "nsys export or nvprof -o");
    return NULL;
}

static int read_file(struct stint_foreign *foreign)
{
    char strings[STINT_FOREIGN_TABLE_NAME];
    foreign->dialect = foreign->sql.failed ? NULL : dialect_of(&foreign->sql, strings);
    if (!foreign->dialect ||
        stint_foreign_names_begin(&foreign->names, &foreign->sql, strings, foreign->dialect->string_id) ||
        stint_foreign_rows_find(&foreign->rows, &foreign->sql, foreign->dialect))
        return -1;
    stint_foreign_rows_left_out(&foreign->rows, foreign->dialect, foreign->left_out, sizeof foreign->left_out);
    return read_all(foreign);
}

static struct stint_foreign *new_foreign(char *reason, size_t size)
{
    struct stint_foreign *foreign = calloc(1, sizeof *foreign);
    if (!foreign) {
        (void)snprintf(reason, size, "there is not enough memory");
        return NULL;
    }
    foreign->source.begin = begin;
    foreign->source.next = next;
    foreign->names.dropped = foreign->scopes.dropped = &foreign->rest;
    return foreign;
}

/* Returns it if it can be read; otherwise frees it. */
static struct stint_foreign *checked(struct stint_foreign *foreign, char *reason, size_t size)
{
    if (read_file(foreign) == 0)
        return foreign;
    (void)snprintf(reason, size, "%s", foreign->sql.reason);
    stint_foreign_close(foreign);
    return NULL;
}

struct stint_foreign *stint_foreign_open(const char *path, char *reason, size_t size)
{
    struct stint_foreign *foreign = new_foreign(reason, size);
    if (!foreign)
        return NULL;
    (void)stint_sql_open(&foreign->sql, path);
    return checked(foreign, reason, size);
}

struct stint_foreign *stint_foreign_take(struct stint_sql *sql, char *reason, size_t size)
{
    struct stint_foreign *foreign = new_foreign(reason, size);
    if (!foreign) {
        stint_sql_close(sql);
        return NULL;
    }
    foreign->sql = *sql;
    return checked(foreign, reason, size);
}

struct stint_snapshot *stint_foreign_snapshot(const struct stint_foreign *foreign)
{
    return foreign->snapshot;
}

struct stint_event_source *stint_foreign_events(struct stint_foreign *foreign)
{
    return &foreign->source;
}

uint64_t stint_foreign_ambiguous(const struct stint_foreign *foreign)
{
    return foreign->ambiguous;
}

const char *stint_foreign_first_impossible(const struct stint_foreign *foreign)
{
    return foreign->rows.impossible.first;
}

const char *stint_foreign_left_out(const struct stint_foreign *foreign)
{
    return foreign->left_out;
}

void stint_foreign_close(struct stint_foreign *foreign)
{
    if (!foreign)
        return;
    stint_snapshot_free(foreign->snapshot);
    stint_foreign_rows_end(&foreign->rows);
    stint_foreign_names_end(&foreign->names);
    stint_sql_close(&foreign->sql);
    stint_open_free(&foreign->scopes.open);
    stint_launches_free(&foreign->launches);
    stint_arena_free(&foreign->scopes.arena);
    free(foreign);
}
