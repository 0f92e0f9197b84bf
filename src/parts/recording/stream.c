/* The recording, on libstint's side: GPU events in chunks; the thread on which libstint_module.so is loaded and writes,
 * and what it needs of libstint; the end of the process, crashes and forked children. */
#include "recording/stream.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/process.h"
#include "contexts/contexts.h"
#include "gpu/activity_table.h"
#include "gpu/collector.h"
#include "gpu/timeline.h"
#include "modules/module.h"
#include "notes/note.h"
#include "record/registry.h"
#include "record/thread.h"
#include "support/own_thread.h"

#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_S UINT64_C(1000000000)

enum {
    CHUNKS = 1024, /* 32 MiB */
    PAUSE_MS = 20,
    MOST_PAUSES = 500, /* that somebody waits for a dump */
    PATIENCE_S = 10    /* in case the thread that waits keeps this one from writing */
};

static struct {
    int prepared;
    int has_thread;
    int begun;   /* that thread */
    int running; /* and does not rest */
    int waits;   /* threads wait for room instead of dropping events */
    int claimed; /* somebody writes the end */
    int ended;
    int told; /* that nothing can be written */
    char path[PATH_MAX];
    stint_recorder_fn *write;
    pthread_mutex_t gpu_lock;
    struct stint_chunk *gpu; /* of GPU events, being filled */
    struct stint_recording recording;
} s_stream = {.gpu_lock = PTHREAD_MUTEX_INITIALIZER, .recording.working = PTHREAD_MUTEX_INITIALIZER};

/* ------------------------------------------------------------------------------------------------------- GPU events */

enum { GPU_ROWS = sizeof((struct stint_chunk *)0)->rows / sizeof(struct stint_trace_event) };

/* Returns where the next event goes, or NULL if no chunk is free. Under the lock. */
static struct stint_trace_event *gpu_place(void)
{
    if (s_stream.gpu && s_stream.gpu->count == GPU_ROWS) {
        stint_chunks_put(s_stream.gpu);
        s_stream.gpu = NULL;
    }
    if (!s_stream.gpu) {
        s_stream.gpu = stint_chunks_get();
        if (!s_stream.gpu)
            return NULL;
        s_stream.gpu->kind = STINT_CHUNK_GPU;
    }
    return (struct stint_trace_event *)(void *)s_stream.gpu->rows + s_stream.gpu->count++;
}

static void keep_gpu_event(const struct stint_trace_event *event)
{
    pthread_mutex_lock(&s_stream.gpu_lock);
    struct stint_trace_event *place = gpu_place();
    if (place)
        *place = *event;
    pthread_mutex_unlock(&s_stream.gpu_lock);
    if (!place)
        stint_count_dropped(&stint_dropped.events);
}

/* What a device did comes from within the guard, but a call may come from a signal handler that interrupted stint. */
static void tell(const struct stint_trace_event *event)
{
    int guarded = stint_guard_begin();
    if (guarded || !event->event.api)
        keep_gpu_event(event);
    else
        stint_count_dropped(&stint_dropped.events);
    if (guarded)
        stint_guard_end();
}

static void hand_over_gpu(void)
{
    pthread_mutex_lock(&s_stream.gpu_lock);
    if (s_stream.gpu && s_stream.gpu->count) {
        stint_chunks_put(s_stream.gpu);
        s_stream.gpu = NULL;
    }
    pthread_mutex_unlock(&s_stream.gpu_lock);
}

/* ---------------------------------------------------------------------------------------------- for the recorder */

static void sweep(int running)
{
    if (stint_guard_begin()) {
        if (running)
            stint_notes_sweep_running();
        else
            stint_notes_sweep();
        stint_guard_end();
    }
    hand_over_gpu();
}

static void statistic(uint32_t id, struct stint_event_context *context)
{
    const struct stint_entry *entry = stint_registry_entry(id);
    context->set = entry->set->name;
    context->name = entry->name;
    context->file = entry->file;
    context->line = entry->line;
}

static int context_of(uint32_t path, struct stint_event_context *context)
{
    struct stint_path at = stint_path_at(path);
    if (!at.id)
        return -1;
    context->path = path;
    context->parent = at.parent == STINT_PATH_ROOT ? 0 : at.parent;
    statistic(at.id, context);
    return 0;
}

static void timeline(struct stint_timeline *made, const struct stint_timeline_clock *clock)
{
    stint_ledger_lock();
    stint_timeline_make(made, clock);
    stint_ledger_unlock();
}

static void log_line(void *context, enum stint_log_level level, const char *file, int line, const char *message)
{
    (void)context;
    stint_log_message(level, file, line, message);
}

_Static_assert((int)STINT_RECORDED_NOWHERE == (int)STINT_PATH_NONE && (int)STINT_RECORDED_ROOT == (int)STINT_PATH_ROOT,
               "the recorder knows paths that are none of a scope");

static const struct stint_recording_host s_host = {
    .version = STINT_RECORDER_VERSION,
    .must_rest = stint_must_rest,
    .take = stint_chunks_take,
    .give_back = stint_chunks_give_back,
    .waiting = stint_chunks_waiting,
    .sweep = sweep,
    .context = context_of,
    .statistic = statistic,
    .clock = stint_timeline_clock_now,
    .timeline = timeline,
    .place = stint_trace_place,
    .report = stint_recording_report,
    .log = log_line,
    .lost = &stint_dropped.events,
};

/* ----------------------------------------------------------------------------------------------------------- thread */

static int end_is_wanted(void)
{
    return __atomic_load_n(&s_stream.recording.end_wanted, __ATOMIC_SEQ_CST);
}

/* A child of fork must not have to load the module: another thread of its parent may have been about to load something.
 * Returns 0, or -1: `reason` says why. */
static int load(char *reason, size_t size)
{
    pthread_mutex_lock(&s_stream.recording.working);
    void *function = s_stream.write ? NULL : stint_module_find(STINT_RECORDER, reason, size);
    if (function)
        memcpy(&s_stream.write, &function, sizeof s_stream.write);
    pthread_mutex_unlock(&s_stream.recording.working);
    return s_stream.write ? 0 : -1;
}

static uint64_t count_events(const struct stint_chunk *chunk)
{
    const struct stint_i_noted *notes = (const struct stint_i_noted *)(const void *)chunk->rows;
    uint64_t count = 0;
    if (chunk->kind == STINT_CHUNK_GPU)
        return chunk->count;
    for (uint32_t i = chunk->first; i < chunk->count; i += stint_note_rows(&notes[i]))
        count++;
    return count;
}

static uint64_t lose_chunks(void)
{
    uint64_t lost = 0;
    for (struct stint_chunk *chunk; (chunk = stint_chunks_take()); stint_chunks_give_back(chunk))
        lost += count_events(chunk);
    __atomic_add_fetch(&stint_dropped.events, lost, __ATOMIC_RELAXED);
    return lost;
}

/* Nobody writes: this is said when there is an event, and all are counted. Returns 0 if the thread must rest. */
static int lose_all(const char *reason)
{
    for (int last = 0; !last;) {
        if (stint_must_rest(s_stream.recording.thread))
            return 0;
        last = end_is_wanted();
        if (last)
            sweep(0);
        if ((lose_chunks() || (last && s_stream.recording.end.even_empty)) && !s_stream.told) {
            STINT_LOG(STINT_LOG_WARNING, "STINT_TRACE: %s cannot be written: %s", s_stream.path, reason);
            s_stream.told = 1;
        }
        if (!last)
            (void)stint_wait_for_post(&s_stream.recording.wake, PAUSE_MS);
    }
    return 1;
}

/* Writes until the end is wanted, or the thread must rest. */
static void write_all(void)
{
    char reason[512] = "libstint_module.so has another version";
    int fails = load(reason, sizeof reason) || s_stream.write(&s_host, &s_stream.recording);
    if (fails ? lose_all(reason) : !s_stream.recording.rest)
        __atomic_store_n(&s_stream.ended, 1, __ATOMIC_RELEASE);
}

static void write_end(void)
{
    if (!__atomic_exchange_n(&s_stream.claimed, 1, __ATOMIC_SEQ_CST))
        write_all();
}

/* Whoever wants the end while the thread rests, or is about to, writes it: the thread or the one that wants it sees
 * what the other has set. */
static void write_until_rest(void)
{
    if (!end_is_wanted())
        write_all();
    if (__atomic_load_n(&s_stream.ended, __ATOMIC_ACQUIRE))
        return;
    __atomic_store_n(&s_stream.running, 0, __ATOMIC_SEQ_CST);
    if (end_is_wanted())
        write_end();
}

static void *run(void *unused)
{
    stint_own_thread("stint-trace");
    __atomic_store_n(&s_stream.running, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&s_stream.begun, 1, __ATOMIC_RELEASE);
    write_until_rest();
    return unused;
}

/* ------------------------------------------------------------------------------------------------------------- ends */

static int wake(void)
{
    return sem_post(&s_stream.recording.wake);
}

static struct stint_resting s_thread = {.run = run, .wake = wake};

static void begin_recording(const char *path)
{
    (void)snprintf(s_stream.path, sizeof s_stream.path, "%s", path);
    s_stream.recording.path = s_stream.path;
    s_stream.recording.pid = getpid();
    s_stream.recording.thread = &s_thread;
    (void)sem_init(&s_stream.recording.wake, 0, 0);
}

int stint_stream_prepare(const char *path)
{
    if (stint_chunks_start(CHUNKS))
        return -1;
    begin_recording(path);
    stint_notes_start();
    stint_trace_tell(tell);
    s_stream.prepared = 1;
    return 0;
}

void stint_stream_add_sampler(const struct stint_sampler *sampler)
{
    __atomic_store_n(&s_stream.recording.sampler, sampler, __ATOMIC_RELEASE);
}

void stint_stream_run(void)
{
    if (!s_stream.prepared || s_stream.has_thread || end_is_wanted())
        return;
    s_stream.has_thread = !stint_detach_resting(&s_thread);
    if (s_stream.has_thread && stint_env_switch("STINT_TRACE_WAIT", 0))
        stint_chunks_set_patience(PATIENCE_S * NS_PER_S);
}

void stint_stream_finish(const struct stint_recording_end *end)
{
    if (!s_stream.prepared || end_is_wanted())
        return;
    s_stream.recording.end = *end;
    stint_chunks_set_patience(0);
    __atomic_store_n(&s_stream.recording.end_wanted, 1, __ATOMIC_SEQ_CST);
    if (s_stream.has_thread)
        (void)stint_wait_for_flag(&s_stream.begun, NS_PER_S);
    if (__atomic_load_n(&s_stream.running, __ATOMIC_SEQ_CST))
        (void)wake();
    else
        write_end();
}

int stint_stream_wait(uint64_t limit_ns)
{
    return end_is_wanted() ? stint_wait_for_flag(&s_stream.ended, limit_ns) : 0;
}

void stint_stream_want_dump(void)
{
    __atomic_store_n(&s_stream.recording.signaled, 1, __ATOMIC_RELEASE);
}

const char *stint_stream_dump(void)
{
    static const struct timespec moment = {0, PAUSE_MS * (long)NS_PER_MS};
    int state = STINT_DUMP_WANTED;
    if (!__atomic_load_n(&s_stream.begun, __ATOMIC_ACQUIRE) || end_is_wanted())
        return NULL;
    __atomic_store_n(&s_stream.recording.dump, STINT_DUMP_WANTED, __ATOMIC_RELEASE);
    for (int i = 0; i < MOST_PAUSES && state == STINT_DUMP_WANTED; i++) {
        nanosleep(&moment, NULL);
        state = __atomic_load_n(&s_stream.recording.dump, __ATOMIC_ACQUIRE);
    }
    return state == STINT_DUMP_MADE ? s_stream.recording.dumped : NULL;
}

/* Waits until the thread has begun, because a thread that begins allocates memory, too. Then waits for the work in
 * progress, but not for longer than a second, because the disk may be slow. */
int stint_stream_before_fork(void)
{
    struct timespec until;
    if (!s_stream.has_thread || stint_wait_for_flag(&s_stream.begun, NS_PER_S))
        return 0;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    __atomic_add_fetch(&s_stream.recording.forks, 1, __ATOMIC_ACQ_REL);
    int locked = !pthread_mutex_timedlock(&s_stream.recording.working, &until);
    __atomic_sub_fetch(&s_stream.recording.forks, 1, __ATOMIC_ACQ_REL);
    return locked;
}

void stint_stream_after_fork_in_parent(int locked)
{
    if (locked)
        pthread_mutex_unlock(&s_stream.recording.working);
}

void stint_stream_keep(uid_t owner)
{
    static struct stint_recording s_kept; /* the other may be about to begin on its thread */
    char reason[512];
    if (!s_stream.prepared || end_is_wanted() || load(reason, sizeof reason))
        return;
    int locked = stint_stream_before_fork();
    s_kept.path = s_stream.path;
    s_kept.is_kept = 1;
    s_kept.owner = owner;
    (void)s_stream.write(&s_host, &s_kept);
    stint_stream_after_fork_in_parent(locked);
}

void stint_stream_after_fork(const char *path)
{
    if (!s_stream.prepared)
        return;
    s_stream.has_thread = s_stream.running = s_stream.begun = s_stream.claimed = s_stream.ended = s_stream.told = 0;
    s_stream.gpu = NULL;
    s_stream.recording =
        (struct stint_recording){.working = PTHREAD_MUTEX_INITIALIZER, .sampler = s_stream.recording.sampler};
    pthread_mutex_init(&s_stream.gpu_lock, NULL);
    stint_notes_after_fork();
    begin_recording(path);
}
