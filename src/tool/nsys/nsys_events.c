/* Events as rows of Nsight Systems' tables, for reports on what is in no such database: traces that snapshots have, and
 * parts of recordings that filters leave. */
#include <sqlite3.h>
#include <string.h>

#include "model/event.h"
#include "model/model.h"
#include "nsys/nsys.h"
#include "stint/nvtx_stats.h"
#include "store/schema.h"

enum { KERNELS, COPIES, SETS, CALLS, FAULTS, RANGES, TEXTS, TEXT_OF, SCOPES, INSERTS };

/* Parameters have the order of tables.sql. */
static const char *const s_inserts[INSERTS] = {
    [KERNELS] = "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
    [COPIES] = "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
    [SETS] = "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
    [CALLS] = "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?,?,?,?,?,?)",
    [FAULTS] = "INSERT INTO stint_device_events VALUES (?,?,?,?,?,?)",
    [RANGES] = "INSERT INTO NVTX_EVENTS VALUES (?,?,?,?,?,?,?)",
    [TEXTS] = "INSERT OR IGNORE INTO StringIds(value) VALUES (?)",
    [TEXT_OF] = "SELECT id FROM StringIds WHERE value = ?",
    [SCOPES] = "INSERT INTO temp.report_event_scopes VALUES (?,?,?,?)",
};

struct adding {
    struct stint_nsys *nsys;
    sqlite3_stmt *inserts[INSERTS];
    struct stint_nsys_insert row; /* the current one */
};

static void begin_row(struct adding *adding, int insert)
{
    adding->row = (struct stint_nsys_insert){adding->nsys, adding->inserts[insert], 1};
}

static void put_place(struct adding *adding, size_t place)
{
    if (place == SIZE_MAX)
        stint_nsys_put_text(&adding->row, NULL);
    else
        stint_nsys_put_i64(&adding->row, (int64_t)place);
}

/* Returns the number of a text in StringIds. */
static int64_t text_id(struct adding *adding, const char *text)
{
    sqlite3_stmt *insert = adding->inserts[TEXTS], *find = adding->inserts[TEXT_OF];
    int64_t id = 0;
    (void)sqlite3_bind_text(insert, 1, text, -1, SQLITE_STATIC);
    (void)sqlite3_step(insert);
    (void)sqlite3_reset(insert);
    (void)sqlite3_bind_text(find, 1, text, -1, SQLITE_STATIC);
    if (sqlite3_step(find) == SQLITE_ROW)
        id = sqlite3_column_int64(find, 0);
    else
        stint_nsys_fail(adding->nsys);
    (void)sqlite3_reset(find);
    return id;
}

static int64_t global_id(int64_t pid, int64_t tid)
{
    return (int64_t)((uint64_t)pid << 24 | ((uint64_t)tid & 0xffffff));
}

/* As in databases that stint writes: the position + 1; 0: none; NULL: not known. */
static void put_context(struct adding *adding, size_t context)
{
    if (context == STINT_GPU_UNATTRIBUTED)
        stint_nsys_put_text(&adding->row, NULL);
    else
        stint_nsys_put_i64(&adding->row, context == STINT_GPU_NO_SCOPE ? 0 : (int64_t)context + 1);
}

/* ------------------------------------------------------------------------------------------------------------ rows */

static void put_times(struct adding *adding, const struct stint_event *event)
{
    stint_nsys_put_u64(&adding->row, event->start_ns);
    stint_nsys_put_u64(&adding->row, event->end_ns);
}

static void put_device(struct adding *adding, const struct stint_event *event)
{
    const struct stint_gpu_event *gpu = event->gpu;
    put_times(adding, event);
    stint_nsys_put_i64(&adding->row, gpu->device);
    stint_nsys_put_i64(&adding->row, gpu->device_context);
    stint_nsys_put_i64(&adding->row, gpu->stream);
    stint_nsys_put_u64(&adding->row, gpu->correlation);
    stint_nsys_put_i64(&adding->row, global_id(event->pid, 0));
}

/* Instances are those of the snapshot that the event is in. */
static void put_origin(struct adding *adding, const struct stint_event *event)
{
    put_context(adding, event->context);
    put_place(adding, adding->nsys->events ? SIZE_MAX : event->gpu->instance);
    stint_nsys_put_end(&adding->row);
}

static void add_kernel(struct adding *adding, const struct stint_event *event)
{
    const struct stint_gpu_event *gpu = event->gpu;
    int64_t name = text_id(adding, event->name);
    begin_row(adding, KERNELS);
    put_device(adding, event);
    stint_nsys_put_i64(&adding->row, name);
    stint_nsys_put_i64(&adding->row, gpu->registers);
    for (size_t i = 0; i < 3; i++)
        stint_nsys_put_i64(&adding->row, gpu->grid[i]);
    for (size_t i = 0; i < 3; i++)
        stint_nsys_put_i64(&adding->row, gpu->block[i]);
    stint_nsys_put_i64(&adding->row, gpu->static_shared);
    stint_nsys_put_i64(&adding->row, gpu->dynamic_shared);
    put_origin(adding, event);
}

static void add_copy(struct adding *adding, const struct stint_event *event)
{
    const struct stint_gpu_event *gpu = event->gpu;
    int64_t name = text_id(adding, event->name);
    begin_row(adding, COPIES);
    put_device(adding, event);
    stint_nsys_put_u64(&adding->row, gpu->bytes);
    stint_nsys_put_i64(&adding->row, stint_nsys_copy(gpu->kind, gpu->direction));
    stint_nsys_put_i64(&adding->row, stint_nsys_memory(gpu->source));
    stint_nsys_put_i64(&adding->row, stint_nsys_memory(gpu->destination));
    stint_nsys_put_i64(&adding->row, (int64_t)gpu->address); /* of 64 bits, whatever they are */
    stint_nsys_put_i64(&adding->row, name);
    put_origin(adding, event);
}

static void add_set(struct adding *adding, const struct stint_event *event)
{
    int64_t name = text_id(adding, event->name);
    begin_row(adding, SETS);
    put_device(adding, event);
    stint_nsys_put_u64(&adding->row, event->gpu->bytes);
    stint_nsys_put_i64(&adding->row, stint_nsys_memory(event->gpu->destination));
    stint_nsys_put_i64(&adding->row, name);
    put_origin(adding, event);
}

static void add_fault(struct adding *adding, const struct stint_event *event)
{
    int64_t name = text_id(adding, event->name);
    begin_row(adding, FAULTS);
    put_times(adding, event);
    stint_nsys_put_i64(&adding->row, event->gpu->kind);
    stint_nsys_put_i64(&adding->row, name);
    stint_nsys_put_u64(&adding->row, event->gpu->bytes);
    stint_nsys_put_i64(&adding->row, (int64_t)event->gpu->address);
    stint_nsys_put_end(&adding->row);
}

static void add_call(struct adding *adding, const struct stint_event *event)
{
    int64_t name = text_id(adding, event->name);
    begin_row(adding, CALLS);
    put_times(adding, event);
    stint_nsys_put_i64(&adding->row, global_id(event->pid, event->tid));
    stint_nsys_put_u64(&adding->row, event->gpu->correlation);
    stint_nsys_put_i64(&adding->row, name);
    put_context(adding, event->context);
    stint_nsys_put_end(&adding->row);
}

/* The domain is in front of the text. */
static void add_range(struct adding *adding, const struct stint_event *event)
{
    enum { PUSH_POP = 59, START_END = 60 };
    char name[8192];
    const char *style = stint_nsys_range_style(event->set, event->name);
    if (!style)
        return;
    const char *text = stint_nsys_range_name(adding->nsys->snapshot, event->set,
                                             event->text ? event->text : event->name, name, sizeof name);
    int64_t id = text_id(adding, text);
    begin_row(adding, RANGES);
    put_times(adding, event);
    stint_nsys_put_i64(&adding->row, strcmp(style, "StartEnd") == 0 ? START_END : PUSH_POP);
    stint_nsys_put_i64(&adding->row, global_id(event->pid, event->tid));
    if (event->end_tid)
        stint_nsys_put_i64(&adding->row, global_id(event->pid, event->end_tid));
    else
        stint_nsys_put_text(&adding->row, NULL);
    stint_nsys_put_i64(&adding->row, id);
    put_context(adding, event->context);
    stint_nsys_put_end(&adding->row);
}

static void add_event(struct adding *adding, const struct stint_event *event)
{
    static void (*const adders[STINT_GPU_KINDS])(struct adding * adding, const struct stint_event *event) = {
        [STINT_GPU_KERNEL] = add_kernel, [STINT_GPU_COPY] = add_copy,   [STINT_GPU_SET] = add_set,
        [STINT_GPU_UNIFIED] = add_copy,  [STINT_GPU_FAULT] = add_fault,
    };
    if (event->kind == STINT_EVENT_SCOPE || event->kind == STINT_EVENT_RANGE)
        add_range(adding, event);
    else if (event->kind == STINT_EVENT_CALL)
        add_call(adding, event);
    else if (event->kind == STINT_EVENT_DEVICE && adders[event->gpu->kind])
        adders[event->gpu->kind](adding, event);
}

/* --------------------------------------------------------------------------------------------------------- contexts */

/* Returns the statistic of the scope, of another thread, that what happens in the context is done for; SIZE_MAX: there
 * is none. */
static size_t waiting(const struct stint_snapshot *snapshot, size_t context)
{
    while (context < snapshot->context_count) {
        int is_adopted = stint_stat_is_adopted(&snapshot->stats[snapshot->contexts[context].stat]);
        context = snapshot->contexts[context].parent;
        if (is_adopted && context < snapshot->context_count)
            return snapshot->contexts[context].stat;
    }
    return SIZE_MAX;
}

/* Events may be of another snapshot than the one that is reported, if only a part of it is. */
static void add_contexts(struct adding *adding)
{
    const struct stint_nsys *nsys = adding->nsys;
    const struct stint_snapshot *snapshot = nsys->events ? nsys->events->snapshot : nsys->snapshot;
    for (size_t i = 0; i < snapshot->context_count && !nsys->status; i++) {
        begin_row(adding, SCOPES);
        stint_nsys_put_i64(&adding->row, (int64_t)i + 1);
        put_place(adding, snapshot == nsys->snapshot ? i : SIZE_MAX);
        put_place(adding, snapshot->contexts[i].stat);
        put_place(adding, waiting(snapshot, i));
        stint_nsys_put_end(&adding->row);
    }
}

/* -------------------------------------------------------------------------------------------------------------- all */

static void add_of_snapshot(struct adding *adding)
{
    const struct stint_snapshot *snapshot = adding->nsys->snapshot;
    for (size_t i = 0; i < snapshot->gpu_event_count && !adding->nsys->status; i++) {
        const struct stint_gpu_event *gpu = &snapshot->gpu_events[i];
        add_event(adding, &(struct stint_event){.kind = gpu->api ? STINT_EVENT_CALL : STINT_EVENT_DEVICE,
                                                .start_ns = gpu->start_ns,
                                                .end_ns = gpu->end_ns,
                                                .pid = gpu->pid,
                                                .tid = gpu->tid,
                                                .context = gpu->context,
                                                .name = gpu->name,
                                                .set = "",
                                                .gpu = gpu});
    }
}

static void add_of_source(struct adding *adding, struct stint_event_source *source)
{
    struct stint_event event;
    int more = source->begin(source) ? -1 : 1;
    while (more > 0 && !adding->nsys->status && (more = source->next(source, &event)) > 0)
        add_event(adding, &event);
    if (more < 0 && !adding->nsys->status)
        adding->nsys->status = STINT_ERROR_IO;
}

/* Without ranges, only what the snapshot has is of interest, if it has a trace: it knows which scopes launched it. */
static int has_more_than_snapshot(const struct adding *adding)
{
    sqlite3_stmt *any = NULL;
    (void)sqlite3_prepare_v2(adding->nsys->database, "SELECT 1 FROM NVTX_EVENTS", -1, &any, NULL);
    int has_ranges = sqlite3_step(any) == SQLITE_ROW;
    (void)sqlite3_finalize(any);
    return has_ranges || !adding->nsys->snapshot->gpu_event_count;
}

void stint_nsys_add_events(struct stint_nsys *nsys)
{
    struct adding adding = {.nsys = nsys};
    int from_source = nsys->events != NULL;
    for (int i = 0; i < INSERTS; i++)
        if (!nsys->status && sqlite3_prepare_v2(nsys->database, s_inserts[i], -1, &adding.inserts[i], NULL))
            stint_nsys_fail(nsys);
    if (!nsys->status && from_source)
        add_of_source(&adding, nsys->events->source);
    if (!nsys->status && from_source && !has_more_than_snapshot(&adding)) {
        stint_nsys_run(nsys, "DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL; DELETE FROM CUPTI_ACTIVITY_KIND_MEMCPY; "
                             "DELETE FROM CUPTI_ACTIVITY_KIND_MEMSET; DELETE FROM CUPTI_ACTIVITY_KIND_RUNTIME; "
                             "DELETE FROM stint_device_events");
        nsys->events = NULL;
        from_source = 0;
    }
    if (!nsys->status && !from_source)
        add_of_snapshot(&adding);
    if (!nsys->status)
        add_contexts(&adding);
    for (int i = 0; i < INSERTS; i++)
        (void)sqlite3_finalize(adding.inserts[i]);
}
