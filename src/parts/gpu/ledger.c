/* Where everything that is known about GPUs comes together: each activity gets its scope, is checked, and is added to
 * all tables; what cannot be measured or attributed is counted instead of lost. One lock for all, taken by readers of
 * records and never by a launch. */
#include "gpu/activity_table.h"

#include <pthread.h>

#include "base/process.h"
#include "contexts/contexts.h"
#include "gpu/callback.h"
#include "gpu/correlate.h"
#include "gpu/timeline.h"
#include "record/registry.h"
#include "record/thread.h"

static struct {
    pthread_mutex_t lock;
    int guarded; /* guarded by the thread that has the lock */
    int started;
    uint64_t reading_ns;
} s_ledger = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ------------------------------------------------------------------------------------------------------------- lock */

/* The guard is entered first, because otherwise a signal handler might wait for the thread that it interrupted. */
void stint_ledger_lock(void)
{
    int guarded = stint_guard_begin();
    pthread_mutex_lock(&s_ledger.lock);
    s_ledger.guarded = guarded;
}

void stint_ledger_unlock(void)
{
    int guarded = s_ledger.guarded;
    pthread_mutex_unlock(&s_ledger.lock);
    if (guarded)
        stint_guard_end();
}

int stint_ledger_try_lock(void)
{
    int guarded = stint_guard_begin();
    if (!pthread_mutex_trylock(&s_ledger.lock)) {
        s_ledger.guarded = guarded;
        return 1;
    }
    if (guarded)
        stint_guard_end();
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ start */

static int start_tables(size_t limit)
{
    if (s_ledger.started)
        return 0;
    if (stint_activities_start(limit) || stint_memory_start(limit))
        return -1;
    s_ledger.started = 1;
    return 0;
}

int stint_ledger_start(size_t limit, size_t events)
{
    stint_names_start();
    stint_ledger_lock();
    int failed = start_tables(limit) || stint_trace_start(events) || stint_instance_start(events);
    stint_ledger_unlock();
    return failed ? -1 : 0;
}

/* ------------------------------------------------------------------------------------------------------- activities */

/* CUPTI leaves both times 0 if it could not collect them. It is known to swap them, or lose one, after many records. */
static int is_timed(const struct stint_activity *activity)
{
    return activity->end != 0 && activity->end >= activity->start;
}

static uint64_t duration_of(const struct stint_activity *activity)
{
    return activity->end - activity->start;
}

static const char *name_of(const struct stint_activity *activity)
{
    return activity->name ? activity->name : stint_name_of_kind(activity->kind, activity->what);
}

static struct stint_activity_entry *row_of(const struct stint_activity *activity)
{
    struct stint_activity_key key = {
        .kind = activity->kind,
        .name = stint_names_id(activity->kind, name_of(activity), !stint_activities_are_full()),
        .device = activity->device,
        .context = activity->context,
        .stream = activity->stream,
    };
    struct stint_activity_entry *row = key.name == STINT_NAME_NONE ? NULL : stint_activities_find(&key);
    if (row && !row->name) {
        row->mangled = stint_names_mangled(key.name);
        row->what = activity->what;
        row->name = stint_names_text(key.name);
    }
    return row;
}

static void trace(const struct stint_activity *activity, const struct stint_activity_entry *row, uint32_t path,
                  uint64_t launch)
{
    struct stint_trace_event traced = {.launch = launch};
    traced.instance = activity->correlation ? stint_instance_of(activity->correlation) : 0;
    traced.event = (struct stint_gpu_event){
        .kind = activity->kind,
        .direction = stint_activity_direction(activity->kind, activity->what),
        .wait = stint_activity_wait(activity->kind, activity->what),
        .name = row->name,
        .start_ns = activity->start,
        .end_ns = activity->start + duration_of(activity),
        .correlation = activity->correlation,
        .context = path,
        .device = activity->device,
        .device_context = activity->context,
        .stream = activity->stream,
        .grid = {activity->grid[0], activity->grid[1], activity->grid[2]},
        .block = {activity->block[0], activity->block[1], activity->block[2]},
        .registers = activity->registers,
        .static_shared = activity->static_shared,
        .dynamic_shared = activity->dynamic_shared,
        .graph = activity->graph,
        .graph_node = activity->graph_node,
        .captured = stint_graph_node_call(activity->graph_node),
        .bytes = activity->bytes,
        .address = activity->address,
        .source = activity->source,
        .destination = activity->destination,
        .peer_device = activity->peer_device,
        .peer_context = activity->peer_context,
        .peer = activity->peer,
    };
    stint_trace_put(&traced);
}

/* Whether the activity was launched while recording was held back; when it ran does not matter. */
static int is_held(const struct stint_activity *activity, uint32_t path)
{
    return path == STINT_PATH_HELD || (path == STINT_PATH_NONE && stint_pause_at(activity->start));
}

/* Returns NULL, and counts that, if there is no room. */
static const struct stint_activity_entry *add_to_row(const struct stint_activity *activity, uint32_t path, uint64_t ns)
{
    struct stint_activity_entry *row = row_of(activity);
    if (row)
        stint_activities_add(row, path, ns, activity->bytes);
    else
        stint_count_dropped(&stint_dropped.gpu_activities);
    return row;
}

static int is_launched(enum stint_gpu_kind kind)
{
    return kind == STINT_GPU_KERNEL || kind == STINT_GPU_COPY || kind == STINT_GPU_SET;
}

/* What a device was doing when it failed has a record without times, and so has what ran before, if CUPTI had not
 * handed it over yet. */
static void add_unmeasured(const struct stint_activity *activity, uint32_t path)
{
    (void)add_to_row(&(struct stint_activity){.kind = STINT_GPU_UNMEASURED,
                                              .name = name_of(activity),
                                              .device = activity->device,
                                              .context = activity->context,
                                              .stream = activity->stream},
                     path, 0);
}

void stint_ledger_add(const struct stint_activity *activity)
{
    int traced = stint_trace_is_on();
    uint64_t launch = 0;
    if (!s_ledger.started)
        return;
    uint32_t path =
        activity->path ? activity->path : stint_correlate_get(activity->correlation, traced ? &launch : NULL);
    if (is_held(activity, path))
        return;
    if (!is_timed(activity)) {
        if (is_launched(activity->kind))
            add_unmeasured(activity, path);
        else
            stint_count_dropped(&stint_dropped.gpu_invalid);
        return;
    }
    const struct stint_activity_entry *row = add_to_row(activity, path, duration_of(activity));
    if (row && traced)
        trace(activity, row, path, launch);
}

static void add_missing(uint32_t path)
{
    if (path != STINT_PATH_HELD)
        add_unmeasured(&(struct stint_activity){.kind = STINT_GPU_UNMEASURED}, path);
}

/* If CUPTI has dropped records, that is why they are missing, and it has said how many. */
void stint_ledger_add_missing(void)
{
    if (s_ledger.started && !__atomic_load_n(&stint_dropped.gpu_records, __ATOMIC_RELAXED))
        stint_correlate_missing(add_missing);
}

/* ---------------------------------------------------------------------------------------------------- other records */

void stint_ledger_allocate(const struct stint_allocation *allocation)
{
    if (s_ledger.started)
        stint_memory_note(allocation);
}

void stint_ledger_device(const struct stint_gpu_device *device)
{
    stint_devices_note(device);
}

void stint_ledger_count_dropped(uint64_t count)
{
    __atomic_add_fetch(&stint_dropped.gpu_records, count, __ATOMIC_RELAXED);
}

void stint_ledger_count_unknown(void)
{
    stint_count_dropped(&stint_dropped.gpu_unknown);
}

uint64_t stint_ledger_reading(uint64_t ns)
{
    return s_ledger.reading_ns += ns;
}

void stint_ledger_align(uint64_t ticks_before, uint64_t cupti_ns, uint64_t ticks_after)
{
    stint_timeline_align(ticks_before, cupti_ns, ticks_after);
    stint_pause_align(ticks_before, cupti_ns);
}

void stint_ledger_trace_call(const char *name, uint64_t start, uint64_t end, uint32_t correlation, uint32_t path,
                             int64_t tid)
{
    struct stint_trace_event traced = {.launch = 0};
    traced.event = (struct stint_gpu_event){
        .api = 1,
        .name = name,
        .start_ns = start,
        .end_ns = end,
        .correlation = correlation,
        .context = path,
        .tid = tid,
    };
    stint_trace_put(&traced);
}

/* ----------------------------------------------------------------------------------------------------------- forget */

__attribute__((cold)) static void forget_activities(void)
{
    if (s_ledger.started)
        stint_activities_forget();
    s_ledger.reading_ns = 0;
    stint_trace_forget();
    stint_instance_forget();
    if (!stint_trace_is_told())
        stint_names_forget(); /* last, because the others refer to names */
}

void stint_ledger_reset(void)
{
    forget_activities();
    stint_memory_reset();
}

void stint_ledger_after_fork(void)
{
    pthread_mutex_init(&s_ledger.lock, NULL);
    forget_activities();
    stint_memory_forget();
    stint_devices_forget();
    stint_timeline_forget();
}

/* ---------------------------------------------------------------------------------------------------------- collect */

void stint_ledger_collect(struct stint_builder *builder, int emergency)
{
    int locked = stint_lock_for(&s_ledger.lock, emergency);
    if (s_ledger.started)
        stint_ledger_add_rows(builder);
    if (locked)
        pthread_mutex_unlock(&s_ledger.lock);
}
