/* Writes the recording: takes full chunks, reads the clocks, makes dumps and checkpoints, and finishes. The program's
 * threads never wait for the disk; if they are faster than it, events are counted as lost. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "recorder/emit.h"
#include "support/own_thread.h"

#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_S UINT64_C(1000000000)

enum {
    PAUSE_MS = 20,     /* until the next check for chunks: meanwhile a thread that ends a scope every 20 ns fills 730 */
    FIRST_LOOK_MS = 2, /* the clock's rate is known to about 1e-5 by then */
    CHECKPOINT_S = 5
};

static const struct stint_recording_host *s_host;
static struct stint_recording *s_recording;

static struct {
    uint64_t next_look_ns, next_checkpoint_ns;
    uint64_t period_ns; /* between two looks */
    uint64_t checked;   /* events in the last checkpoint */
    struct stint_emitter emitter;
} s_recorder;

/* ----------------------------------------------------------------------------------------------------------- chunks */

static void write_samples(void)
{
    const struct stint_sampler *sampler = __atomic_load_n(&s_recording->sampler, __ATOMIC_ACQUIRE);
    if (sampler)
        stint_emit_samples(&s_recorder.emitter, sampler);
}

/* There is room for 2^15, which with 100 threads is enough for 30 ms at the highest rate. */
static int has_many_samples(void)
{
    enum { MANY = 1 << 12 };
    const struct stint_sampler *sampler = __atomic_load_n(&s_recording->sampler, __ATOMIC_ACQUIRE);
    return sampler && sampler->waiting() >= MANY;
}

/* Writes a chunk that waits. Returns 0 if there is none. */
static int write_chunk(void)
{
    struct stint_chunk *chunk = s_host->take();
    if (!chunk)
        return 0;
    stint_emit(&s_recorder.emitter, chunk);
    s_host->give_back(chunk);
    return 1;
}

/* Writes no more chunks than are waiting now, because other threads may go on noting for as long as the process
 * lives. */
static void write_waiting(void)
{
    for (size_t left = s_host->waiting(); left && write_chunk(); left--)
        continue;
}

/* ----------------------------------------------------------------------------------------------------------- clocks */

/* The longer the clock has run, the better its rate is known. */
static void bend(uint64_t ahead_ns)
{
    struct stint_timeline_clock clock = s_host->clock();
    stint_axis_bend(&s_recorder.emitter.axis, &clock, (double)ahead_ns);
    stint_emit_clock(&s_recorder.emitter);
}

/* Reads the clocks less and less often, down to once a second. */
static void look(uint64_t now)
{
    if (now < s_recorder.next_look_ns)
        return;
    s_recorder.period_ns = s_recorder.period_ns < NS_PER_S / 2 ? 2 * s_recorder.period_ns : NS_PER_S;
    s_recorder.next_look_ns = now + s_recorder.period_ns;
    bend(s_recorder.period_ns);
    s_host->sweep(0);
    write_samples();
}

static void begin_axis(void)
{
    if (s_host->clock().ns < FIRST_LOOK_MS * NS_PER_MS)
        (void)stint_wait_for_post(&s_recording->wake, FIRST_LOOK_MS);
    s_recorder.period_ns = FIRST_LOOK_MS * NS_PER_MS;
    struct stint_timeline_clock clock = s_host->clock();
    stint_axis_begin(&s_recorder.emitter.axis, &clock);
}

/* ----------------------------------------------------------------------------------------------- checkpoints, dumps */

static void check(uint64_t now)
{
    size_t length;
    if (now < s_recorder.next_checkpoint_ns || s_recorder.checked == s_recorder.emitter.events)
        return;
    const char *report = s_host->report(&length);
    if (report)
        stint_emit_checkpoint(&s_recorder.emitter, report, length);
    s_recorder.checked = s_recorder.emitter.events;
    s_recorder.next_checkpoint_ns = stint_clock_now_ns() + CHECKPOINT_S * NS_PER_S;
}

/* With everything up to now. */
static int make_dump(int asked)
{
    size_t length;
    s_host->sweep(0);
    write_waiting();
    write_samples();
    const char *report = s_host->report(&length);
    return report ? stint_emit_dump(&s_recorder.emitter, report, length, asked) : -1;
}

static void make_dumps(void)
{
    const struct stint_event_writer *writer = s_recorder.emitter.writer;
    if (__atomic_load_n(&s_recording->dump, __ATOMIC_ACQUIRE) == STINT_DUMP_WANTED) {
        int failed = make_dump(1);
        if (!failed)
            (void)snprintf(s_recording->dumped, sizeof s_recording->dumped, "%s", s_recorder.emitter.writer->dumped);
        __atomic_store_n(&s_recording->dump, failed ? STINT_DUMP_FAILED : STINT_DUMP_MADE, __ATOMIC_RELEASE);
    }
    if (__atomic_exchange_n(&s_recording->signalled, 0, __ATOMIC_ACQUIRE))
        (void)make_dump(1);
    else if (writer && writer->wants_dump)
        (void)make_dump(0);
}

/* ------------------------------------------------------------------------------------------------------------- work */

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
    if (__atomic_load_n(&s_recording->forks, __ATOMIC_ACQUIRE))
        return 0;
    pthread_mutex_lock(&s_recording->working);
    int busy = work();
    pthread_mutex_unlock(&s_recording->working);
    return busy;
}

/* Running activations are written last, and are no reason to make a file, because a forked child may have them from its
 * parent. Returns whether there is a file. */
static int write_the_rest(void)
{
    bend(NS_PER_S);
    s_host->sweep(0);
    write_waiting();
    write_samples();
    if (!s_recording->end.even_empty && !s_recorder.emitter.events)
        return 0;
    s_host->sweep(1);
    write_waiting();
    return !stint_emit_open(&s_recorder.emitter);
}

static void begin(void)
{
    if (s_recorder.emitter.host) /* in a forked child */
        memset(&s_recorder, 0, sizeof s_recorder);
    s_recorder.emitter.host = s_host;
    s_recorder.emitter.path = s_recording->path;
    s_recorder.emitter.pid = s_recording->pid;
    begin_axis();
}

__attribute__((visibility("default"))) stint_recorder_fn stint_recorder_write;

int stint_recorder_write(const struct stint_recording_host *host, struct stint_recording *recording)
{
    if (host->version != STINT_RECORDER_VERSION)
        return -1;
    s_host = host;
    s_recording = recording;
    stint_log_set_sink(host->log, NULL);
    begin();
    while (!__atomic_load_n(&recording->end_wanted, __ATOMIC_ACQUIRE))
        if (!work_unless_forking())
            (void)stint_wait_for_post(&recording->wake, PAUSE_MS);
    pthread_mutex_lock(&recording->working);
    int has_file = write_the_rest();
    pthread_mutex_unlock(&recording->working);
    if (has_file) /* may take long, so other threads may fork meanwhile */
        stint_emit_finish(&s_recorder.emitter, recording->end.report, recording->end.length);
    return 0;
}
