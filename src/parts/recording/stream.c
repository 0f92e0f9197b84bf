/* The thread that writes the recording: takes full chunks, reads the clocks, makes dumps and checkpoints, and finishes
 * at exit, in a crash and in a forked child. The program's threads never wait for the disk; if they are faster than it,
 * events are counted as lost. */
#include "recording/emit.h"

#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/process.h"
#include "gpu/collector.h"
#include "gpu/timeline.h"
#include "notes/note.h"
#include "record/registry.h"
#include "record/thread.h"
#include "support/own_thread.h"

#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_S UINT64_C(1000000000)

enum {
    CHUNKS = 1024,     /* 32 MiB */
    PAUSE_MS = 20,     /* until the next check for chunks: meanwhile a thread that ends a scope every 20 ns fills 730 */
    FIRST_LOOK_MS = 2, /* the clock's rate is known to about 1e-5 by then */
    CHECKPOINT_S = 5,
    MOST_PAUSES = 500, /* that somebody waits for a dump */
    PATIENCE_S = 10    /* in case the thread that waits keeps this one from writing */
};

enum { NONE, WANTED, MADE, FAILED };

static struct {
    int prepared;
    int running; /* there is a thread */
    int begun;   /* and it has begun */
    char path[PATH_MAX];
    stint_stream_report_fn *report;
    sem_t wake;
    uint64_t next_look_ns, next_checkpoint_ns;
    uint64_t period_ns;                  /* between two looks */
    int waits;                           /* threads wait for room instead of dropping events */
    uint64_t checked;                    /* events in the last checkpoint */
    const struct stint_sampler *sampler; /* NULL: no samples are taken */
    struct stint_emitter emitter;
    pthread_mutex_t working; /* held by the thread that writes */
    int forks;               /* threads that are about to fork */
    pthread_mutex_t gpu_lock;
    struct stint_chunk *gpu; /* of GPU events, being filled */
    struct stint_stream_end end;
    int end_wanted, ended;
    int signalled;         /* a signal asks for a dump */
    int dump;              /* NONE, or what has become of the one that somebody waits for */
    char dumped[PATH_MAX]; /* its path */
} s_stream = {.working = PTHREAD_MUTEX_INITIALIZER, .gpu_lock = PTHREAD_MUTEX_INITIALIZER};

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

/* ----------------------------------------------------------------------------------------------------------- chunks */

static void guarded(void (*sweep)(void))
{
    if (stint_guard_begin()) {
        sweep();
        stint_guard_end();
    }
}

static void sweep(void)
{
    guarded(stint_notes_sweep);
    hand_over_gpu();
}

static void write_samples(void)
{
    const struct stint_sampler *sampler = __atomic_load_n(&s_stream.sampler, __ATOMIC_ACQUIRE);
    if (sampler)
        stint_emit_samples(&s_stream.emitter, sampler);
}

/* There is room for 2^15, which with 100 threads is enough for 30 ms at the highest rate. */
static int has_many_samples(void)
{
    enum { MANY = 1 << 12 };
    const struct stint_sampler *sampler = __atomic_load_n(&s_stream.sampler, __ATOMIC_ACQUIRE);

    return sampler && sampler->waiting() >= MANY;
}

/* Writes a chunk that waits. Returns 0 if there is none. */
static int write_chunk(void)
{
    struct stint_chunk *chunk = stint_chunks_take();
    if (!chunk)
        return 0;
    stint_emit(&s_stream.emitter, chunk);
    stint_chunks_give_back(chunk);
    return 1;
}

/* ----------------------------------------------------------------------------------------------------------- thread */

/* The longer the clock has run, the better its rate is known. */
static void bend(uint64_t ahead_ns)
{
    struct stint_timeline_clock clock = stint_timeline_clock_now();
    stint_axis_bend(&s_stream.emitter.axis, &clock, (double)ahead_ns);
    stint_emit_clock(&s_stream.emitter);
}

static void check(uint64_t now)
{
    size_t length;
    if (now < s_stream.next_checkpoint_ns || s_stream.checked == s_stream.emitter.events)
        return;
    const char *report = s_stream.report(&length);
    if (report)
        stint_emit_checkpoint(&s_stream.emitter, report, length);
    s_stream.checked = s_stream.emitter.events;
    s_stream.next_checkpoint_ns = stint_clock_now_ns() + CHECKPOINT_S * NS_PER_S;
}

/* Writes no more chunks than are waiting now, because other threads may go on noting for as long as the process
 * lives. */
static void write_waiting(void)
{
    for (size_t left = stint_chunks_waiting(); left && write_chunk(); left--)
        continue;
}

/* With everything up to now. */
static int make_dump(int asked)
{
    size_t length;
    sweep();
    write_waiting();
    write_samples();
    const char *report = s_stream.report(&length);
    return report ? stint_emit_dump(&s_stream.emitter, report, length, asked) : -1;
}

static void make_dumps(void)
{
    const struct stint_event_writer *writer = s_stream.emitter.writer;
    if (__atomic_load_n(&s_stream.dump, __ATOMIC_ACQUIRE) == WANTED) {
        int failed = make_dump(1);
        if (!failed)
            (void)snprintf(s_stream.dumped, sizeof s_stream.dumped, "%s", s_stream.emitter.writer->dumped);
        __atomic_store_n(&s_stream.dump, failed ? FAILED : MADE, __ATOMIC_RELEASE);
    }
    if (__atomic_exchange_n(&s_stream.signalled, 0, __ATOMIC_ACQUIRE))
        (void)make_dump(1);
    else if (writer && writer->wants_dump)
        (void)make_dump(0);
}

/* Reads the clocks less and less often, down to once a second. */
static void look(uint64_t now)
{
    if (now < s_stream.next_look_ns)
        return;
    s_stream.period_ns = s_stream.period_ns < NS_PER_S / 2 ? 2 * s_stream.period_ns : NS_PER_S;
    s_stream.next_look_ns = now + s_stream.period_ns;
    bend(s_stream.period_ns);
    sweep();
    write_samples();
}

static int end_is_wanted(void)
{
    return __atomic_load_n(&s_stream.end_wanted, __ATOMIC_ACQUIRE);
}

static void begin_axis(void)
{
    if (stint_clock_wall_ns() < FIRST_LOOK_MS * NS_PER_MS)
        (void)stint_wait_for_post(&s_stream.wake, FIRST_LOOK_MS);
    s_stream.period_ns = FIRST_LOOK_MS * NS_PER_MS;
    struct stint_timeline_clock clock = stint_timeline_clock_now();
    stint_axis_begin(&s_stream.emitter.axis, &clock);
}

/* Running activations are written last, and are no reason to make a file, because a forked child may have them from its
 * parent. Returns whether there is a file. */
static int write_the_rest(void)
{
    bend(NS_PER_S);
    sweep();
    write_waiting();
    write_samples();
    if (!s_stream.end.even_empty && !s_stream.emitter.events)
        return 0;
    guarded(stint_notes_sweep_running);
    write_waiting();
    return !stint_emit_open(&s_stream.emitter);
}

/* Returns 0 if there is nothing to do for the moment. */
static int work(void)
{
    uint64_t now = stint_clock_now_ns();
    look(now);
    make_dumps();
    if (has_many_samples())
        write_samples();
    if (write_chunk())
        return 1;
    check(now);
    return 0;
}

/* The process may fork between two pieces of work. This thread, which does not exist in the child, then holds nothing
 * that the child needs, and has left nothing half changed. */
static int work_unless_forking(void)
{
    if (__atomic_load_n(&s_stream.forks, __ATOMIC_ACQUIRE))
        return 0;
    pthread_mutex_lock(&s_stream.working);
    int busy = work();
    pthread_mutex_unlock(&s_stream.working);
    return busy;
}

static void prepare(void)
{
    char unused[256]; /* said when there is an event */
    pthread_mutex_lock(&s_stream.working);
    (void)stint_emit_prepare(unused, sizeof unused);
    pthread_mutex_unlock(&s_stream.working);
}

static void write_all(void)
{
    prepare();
    begin_axis();
    if (s_stream.waits)
        stint_chunks_set_patience(PATIENCE_S * NS_PER_S);
    while (!end_is_wanted())
        if (!work_unless_forking())
            (void)stint_wait_for_post(&s_stream.wake, PAUSE_MS);
    stint_chunks_set_patience(0);
    pthread_mutex_lock(&s_stream.working);
    int has_file = write_the_rest();
    pthread_mutex_unlock(&s_stream.working);
    if (has_file) /* may take long, so other threads may fork meanwhile */
        stint_emit_finish(&s_stream.emitter, s_stream.end.report, s_stream.end.length);
    __atomic_store_n(&s_stream.ended, 1, __ATOMIC_RELEASE);
}

/* There if the program runs under ThreadSanitizer. It sees what this thread has the C library read, but not what orders
 * that, unless stint is compiled with it, too. */
extern void AnnotateIgnoreReadsBegin(const char *file, int line) __attribute__((weak));
extern void AnnotateIgnoreReadsEnd(const char *file, int line) __attribute__((weak));

static void *run(void *unused)
{
    int is_seen_in_part = 0;
#ifndef __SANITIZE_THREAD__
    is_seen_in_part = AnnotateIgnoreReadsBegin && AnnotateIgnoreReadsEnd;
#endif
    stint_own_thread("stint-trace");
    __atomic_store_n(&s_stream.begun, 1, __ATOMIC_RELEASE);
    if (is_seen_in_part)
        AnnotateIgnoreReadsBegin(STINT_LOG_FILE, __LINE__);
    write_all();
    if (is_seen_in_part)
        AnnotateIgnoreReadsEnd(STINT_LOG_FILE, __LINE__);
    return unused;
}

/* ------------------------------------------------------------------------------------------------------------- ends */

static void set_path(const char *path)
{
    (void)snprintf(s_stream.path, sizeof s_stream.path, "%s", path);
    s_stream.emitter.path = s_stream.path;
    s_stream.emitter.pid = getpid();
}

int stint_stream_prepare(const char *path, stint_stream_report_fn *report)
{
    if (stint_chunks_start(CHUNKS) || sem_init(&s_stream.wake, 0, 0))
        return -1;
    s_stream.report = report;
    s_stream.waits = stint_env_switch("STINT_TRACE_WAIT", 0);
    set_path(path);
    stint_notes_start();
    stint_trace_tell(tell);
    s_stream.prepared = 1;
    return 0;
}

void stint_stream_add_sampler(const struct stint_sampler *sampler)
{
    __atomic_store_n(&s_stream.sampler, sampler, __ATOMIC_RELEASE);
}

void stint_stream_run(void)
{
    if (!s_stream.prepared || s_stream.running || end_is_wanted())
        return;
    s_stream.running = !stint_detach(run, NULL, NULL);
}

void stint_stream_finish(const struct stint_stream_end *end)
{
    if (!s_stream.prepared || end_is_wanted())
        return;
    s_stream.end = *end;
    __atomic_store_n(&s_stream.end_wanted, 1, __ATOMIC_RELEASE);
    if (s_stream.running)
        (void)sem_post(&s_stream.wake);
    else
        write_all();
}

int stint_stream_wait(uint64_t limit_ns)
{
    return end_is_wanted() ? stint_wait_for_flag(&s_stream.ended, limit_ns) : 0;
}

void stint_stream_want_dump(void)
{
    __atomic_store_n(&s_stream.signalled, 1, __ATOMIC_RELEASE);
}

const char *stint_stream_dump(void)
{
    static const struct timespec moment = {0, PAUSE_MS * (long)NS_PER_MS};
    int state = WANTED;
    if (!__atomic_load_n(&s_stream.begun, __ATOMIC_ACQUIRE) || end_is_wanted())
        return NULL;
    __atomic_store_n(&s_stream.dump, WANTED, __ATOMIC_RELEASE);
    for (int i = 0; i < MOST_PAUSES && (state = __atomic_load_n(&s_stream.dump, __ATOMIC_ACQUIRE)) == WANTED; i++)
        nanosleep(&moment, NULL);
    return state == MADE ? s_stream.dumped : NULL;
}

/* Waits until the thread has begun, because a thread that begins allocates memory, too. Then waits for the work in
 * progress, but not for longer than a second, because the disk may be slow. */
int stint_stream_before_fork(void)
{
    struct timespec until;
    if (!s_stream.running || stint_wait_for_flag(&s_stream.begun, NS_PER_S))
        return 0;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    __atomic_add_fetch(&s_stream.forks, 1, __ATOMIC_ACQ_REL);
    int locked = !pthread_mutex_timedlock(&s_stream.working, &until);
    __atomic_sub_fetch(&s_stream.forks, 1, __ATOMIC_ACQ_REL);
    return locked;
}

void stint_stream_after_fork_in_parent(int locked)
{
    if (locked)
        pthread_mutex_unlock(&s_stream.working);
}

void stint_stream_after_fork(const char *path)
{
    if (!s_stream.prepared)
        return;
    s_stream.running = s_stream.begun = 0;
    s_stream.gpu = NULL;
    s_stream.end_wanted = s_stream.ended = s_stream.dump = s_stream.signalled = 0;
    s_stream.checked = 0;
    s_stream.forks = 0;
    pthread_mutex_init(&s_stream.working, NULL);
    pthread_mutex_init(&s_stream.gpu_lock, NULL);
    (void)sem_init(&s_stream.wake, 0, 0);
    stint_notes_after_fork();
    s_stream.emitter = (struct stint_emitter){.path = NULL};
    set_path(path);
}
