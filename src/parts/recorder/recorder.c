/* Writes the recording: takes full chunks, reads the clocks, makes dumps and checkpoints, and finishes. The program's
 * threads never wait for the disk; if they are faster than it, events are counted as lost. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "ctf_writer/ctf_output.h"
#include "recorder/emit.h"
#include "support/own_thread.h"

#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_S UINT64_C(1000000000)

enum {
    PAUSE_MS = 20,     /* until the next check for chunks: meanwhile a thread that ends a scope every 20 ns fills 730 */
    FIRST_LOOK_MS = 2, /* the clock's rate is known to about 1e-5 by then */
    CHECKPOINT_S = 5
};

/* Programs may load several copies of libstint, as plugins bring them along: they share this library, and each makes a
 * recording of its own. */
struct recorder {
    struct stint_arena arena; /* that this is in */
    struct stint_recording *recording;
    uint64_t next_look_ns, next_checkpoint_ns;
    uint64_t period_ns; /* between two looks */
    uint64_t checked;   /* events in the last checkpoint */
    struct stint_emitter emitter;
};

/* ----------------------------------------------------------------------------------------------------------- chunks */

static void write_samples(struct recorder *recorder)
{
    const struct stint_sampler *sampler = __atomic_load_n(&recorder->recording->sampler, __ATOMIC_ACQUIRE);
    if (sampler)
        stint_emit_samples(&recorder->emitter, sampler);
}

/* There is room for 2^15, which with 100 threads is enough for 30 ms at the highest rate. */
static int has_many_samples(struct recorder *recorder)
{
    enum { MANY = 1 << 12 };
    const struct stint_sampler *sampler = __atomic_load_n(&recorder->recording->sampler, __ATOMIC_ACQUIRE);
    return sampler && sampler->waiting() >= MANY;
}

/* Writes a chunk that waits. Returns 0 if there is none. */
static int write_chunk(struct recorder *recorder)
{
    struct stint_chunk *chunk = recorder->emitter.host->take();
    if (!chunk)
        return 0;
    stint_emit(&recorder->emitter, chunk);
    recorder->emitter.host->give_back(chunk);
    return 1;
}

/* Writes no more chunks than are waiting now, because other threads may go on noting for as long as the process
 * lives. */
static void write_waiting(struct recorder *recorder)
{
    for (size_t left = recorder->emitter.host->waiting(); left && write_chunk(recorder); left--)
        continue;
}

/* ----------------------------------------------------------------------------------------------------------- clocks */

/* The longer the clock has run, the better its rate is known. */
static void bend(struct recorder *recorder, uint64_t ahead_ns)
{
    struct stint_timeline_clock clock = recorder->emitter.host->clock();
    stint_axis_bend(&recorder->emitter.axis, &clock, (double)ahead_ns);
    stint_emit_clock(&recorder->emitter);
}

/* Reads the clocks less and less often, down to once a second. */
static void look(struct recorder *recorder, uint64_t now)
{
    if (now < recorder->next_look_ns)
        return;
    recorder->period_ns = recorder->period_ns < NS_PER_S / 2 ? 2 * recorder->period_ns : NS_PER_S;
    recorder->next_look_ns = now + recorder->period_ns;
    bend(recorder, recorder->period_ns);
    recorder->emitter.host->sweep(0);
    write_samples(recorder);
}

static void begin_axis(struct recorder *recorder)
{
    if (recorder->emitter.host->clock().ns < FIRST_LOOK_MS * NS_PER_MS)
        (void)stint_wait_for_post(&recorder->recording->wake, FIRST_LOOK_MS);
    recorder->period_ns = FIRST_LOOK_MS * NS_PER_MS;
    struct stint_timeline_clock clock = recorder->emitter.host->clock();
    stint_axis_begin(&recorder->emitter.axis, &clock);
}

/* ----------------------------------------------------------------------------------------------- checkpoints, dumps */

static void check(struct recorder *recorder, uint64_t now)
{
    size_t length;
    if (now < recorder->next_checkpoint_ns || recorder->checked == recorder->emitter.events)
        return;
    const char *report = recorder->emitter.host->report(&length);
    if (report)
        stint_emit_checkpoint(&recorder->emitter, report, length);
    recorder->checked = recorder->emitter.events;
    recorder->next_checkpoint_ns = stint_clock_now_ns() + CHECKPOINT_S * NS_PER_S;
}

/* With everything up to now. */
static int make_dump(struct recorder *recorder, int asked)
{
    size_t length;
    recorder->emitter.host->sweep(0);
    write_waiting(recorder);
    write_samples(recorder);
    const char *report = recorder->emitter.host->report(&length);
    return report ? stint_emit_dump(&recorder->emitter, report, length, asked) : -1;
}

static void make_dumps(struct recorder *recorder)
{
    const struct stint_event_writer *writer = recorder->emitter.writer;
    if (__atomic_load_n(&recorder->recording->dump, __ATOMIC_ACQUIRE) == STINT_DUMP_WANTED) {
        int failed = make_dump(recorder, 1);
        if (!failed)
            (void)snprintf(recorder->recording->dumped, sizeof recorder->recording->dumped, "%s",
                           recorder->emitter.writer->dumped);
        __atomic_store_n(&recorder->recording->dump, failed ? STINT_DUMP_FAILED : STINT_DUMP_MADE, __ATOMIC_RELEASE);
    }
    if (__atomic_exchange_n(&recorder->recording->signaled, 0, __ATOMIC_ACQUIRE))
        (void)make_dump(recorder, 1);
    else if (writer && writer->wants_dump)
        (void)make_dump(recorder, 0);
}

/* ------------------------------------------------------------------------------------------------------------- work */

/* Returns 0 if there is nothing to do for the moment. */
static int work(struct recorder *recorder)
{
    uint64_t now = stint_clock_now_ns();
    look(recorder, now);
    make_dumps(recorder);
    if (has_many_samples(recorder))
        write_samples(recorder);
    if (write_chunk(recorder))
        return 1;
    check(recorder, now);
    return 0;
}

/* The process may fork between two pieces of work. This thread, which does not exist in the child, then holds nothing
 * that the child needs, and has left nothing half changed. */
static int work_unless_forking(struct recorder *recorder)
{
    if (__atomic_load_n(&recorder->recording->forks, __ATOMIC_ACQUIRE))
        return 0;
    pthread_mutex_lock(&recorder->recording->working);
    int busy = work(recorder);
    pthread_mutex_unlock(&recorder->recording->working);
    return busy;
}

/* Running activations are written last, and are no reason to make a file, because a forked child may have them from its
 * parent. Returns whether there is a file. */
static int write_the_rest(struct recorder *recorder)
{
    bend(recorder, NS_PER_S);
    recorder->emitter.host->sweep(0);
    write_waiting(recorder);
    write_samples(recorder);
    if (!recorder->recording->end.even_empty && !recorder->emitter.events)
        return 0;
    recorder->emitter.host->sweep(1);
    write_waiting(recorder);
    return !stint_emit_open(&recorder->emitter);
}

/* Returns 1 when the end is wanted, 0 if the thread must rest. */
static int write_until_end(struct recorder *recorder)
{
    struct stint_recording *recording = recorder->recording;
    while (!__atomic_load_n(&recording->end_wanted, __ATOMIC_ACQUIRE)) {
        if (recorder->emitter.host->must_rest(recording->thread))
            return 0;
        if (!work_unless_forking(recorder))
            (void)stint_wait_for_post(&recording->wake, PAUSE_MS);
    }
    return 1;
}

static void write_end(struct recorder *recorder)
{
    struct stint_recording *recording = recorder->recording;
    pthread_mutex_lock(&recording->working);
    int has_file = write_the_rest(recorder);
    pthread_mutex_unlock(&recording->working);
    if (has_file) /* may take long, so other threads may fork meanwhile */
        stint_emit_finish(&recorder->emitter, recording->end.report, recording->end.length);
}

static struct recorder *begin_recording(const struct stint_recording_host *host, struct stint_recording *recording)
{
    struct stint_arena arena = {0};
    struct recorder *recorder = stint_arena_alloc(&arena, sizeof *recorder);
    if (!recorder) {
        STINT_LOG(STINT_LOG_WARNING, "STINT_TRACE: there is no memory to write %s: nothing is recorded",
                  recording->path);
        return NULL;
    }
    recorder->arena = arena;
    recorder->emitter.host = host;
    recorder->recording = recording;
    recorder->emitter.path = recording->path;
    recorder->emitter.pid = recording->pid;
    begin_axis(recorder);
    return recorder;
}

__attribute__((visibility("default"))) stint_recorder_fn stint_recorder_write;

int stint_recorder_write(const struct stint_recording_host *host, struct stint_recording *recording)
{
    if (host->version != STINT_RECORDER_VERSION)
        return -1;
    if (recording->is_kept) {
        stint_ctf_folder_keep(recording->path, recording->owner);
        return 0;
    }
    stint_log_set_sink(host->log, NULL);
    struct recorder *recorder = recording->rest ? recording->rest : begin_recording(host, recording);
    recording->rest = NULL;
    if (recorder && write_until_end(recorder)) {
        write_end(recorder);
        struct stint_arena arena = recorder->arena;
        stint_arena_free(&arena);
    } else {
        recording->rest = recorder;
    }
    return 0;
}
