/* From chunks of notes, GPU events and samples to events for the writer of a recording. Whatever an event refers to, a
 * context, a module or a call chain, is told before it, once. */
#include "recorder/emit.h"

#include <string.h>
#include <time.h>

#include "base/log.h"
#include "base/process.h"
#include "ctf_writer/ctf_writer.h"
#include "support/annotation.h"

static int fail(struct stint_emitter *emitter, const char *reason)
{
    STINT_LOG(STINT_LOG_WARNING, "STINT_TRACE: %s cannot be written: %s", emitter->path, reason);
    emitter->failed = 1;
    return -1;
}

/* ---------------------------------------------------------------------------------------------------------- opening */

int stint_emit_open(struct stint_emitter *emitter)
{
    char command[4096], host[256], reason[256];
    struct stint_event_process process = {
        .pid = emitter->pid, .command = command, .host = host, .start_unix_ns = emitter->host->clock().start_unix_ns};
    if (emitter->writer || emitter->failed)
        return emitter->failed ? -1 : 0;
    stint_process_command(command, sizeof command);
    stint_process_host(host, sizeof host);
    emitter->writer = stint_ctf_writer_open(emitter->path, &process, reason, sizeof reason);
    return emitter->writer ? 0 : fail(emitter, reason);
}

/* There are fewer paths than nodes, and the number of a parent is less than those of its children. */
static int tell_paths(struct stint_emitter *emitter, uint32_t path)
{
    if (!emitter->told)
        emitter->told = STINT_RECORDED_ROOT;
    while (emitter->told < path) {
        struct stint_event_context context;
        (void)emitter->host->context(++emitter->told, &context);
        if (emitter->writer->context(emitter->writer, &context))
            return fail(emitter, emitter->writer->reason);
    }
    return 0;
}

static int give(struct stint_emitter *emitter, const struct stint_event *event)
{
    emitter->events++;
    return emitter->writer->event(emitter->writer, event) ? fail(emitter, emitter->writer->reason) : 0;
}

/* ------------------------------------------------------------------------------------------------------------- rows */

static enum stint_event_kind kind_of(const struct stint_i_noted *note, const char *set)
{
    static const char marks[] = STINT_NVTX_MARK_SET;
    if (stint_note_is_scope(note))
        return STINT_EVENT_SCOPE;
    return strncmp(set, marks, sizeof marks - 1) != 0 ? STINT_EVENT_RANGE : STINT_EVENT_MARK;
}

/* Collects what the rows after a note say: its look, and its text. */
static void read_more(const struct stint_i_noted *note, char *text, struct stint_event *event)
{
    const struct stint_i_noted *row = note + stint_note_text_at(note);
    uint32_t length = stint_note_text_length(note);
    unsigned char operation[STINT_I_OP_BYTES];
    void *to = note->form & STINT_NOTE_OPERATION ? (void *)operation : text;
    char *bytes = to;
    if (note->form & STINT_NOTE_LOOK) {
        event->color = (uint32_t)note[1].start;
        event->category = (uint32_t)note[1].span;
    }
    for (uint32_t at = 0; at < length; at += STINT_NOTE_TEXT_BYTES)
        memcpy(bytes + at, row++, length - at < STINT_NOTE_TEXT_BYTES ? length - at : STINT_NOTE_TEXT_BYTES);
    if (note->form & STINT_NOTE_OPERATION)
        (void)stint_operation_text(text, STINT_NOTE_TEXT_MOST + 1, event->name, operation);
    else
        text[length] = '\0';
    event->text = length ? text : NULL;
}

static int give_note(struct stint_emitter *emitter, int64_t tid, const struct stint_i_noted *note,
                     const struct stint_event_context *entry)
{
    char text[STINT_NOTE_TEXT_MOST + 1];
    struct stint_event event = {
        .kind = kind_of(note, entry->set),
        .start_ns = stint_axis_ns(&emitter->axis, note->start),
        .end_ns = stint_axis_ns(&emitter->axis, note->start + note->span),
        .pid = emitter->pid,
        .tid = tid,
        .context = note->path,
        .name = entry->name,
        .set = entry->set,
    };
    read_more(note, text, &event);
    return tell_paths(emitter, note->path) || give(emitter, &event) ? -1 : 0;
}

static int give_value(struct stint_emitter *emitter, int64_t tid, const struct stint_i_noted *note)
{
    struct stint_event_context entry;
    emitter->host->statistic(note->path, &entry);
    struct stint_event event = {
        .kind = STINT_EVENT_VALUE,
        .start_ns = stint_axis_ns(&emitter->axis, note->start),
        .pid = emitter->pid,
        .tid = tid,
        .name = entry.name,
        .set = entry.set,
        .field = (const char *)(uintptr_t)note[1].start, /* NOLINT(performance-no-int-to-ptr): it was a pointer */
    };
    event.end_ns = event.start_ns;
    memcpy(&event.value, &note->span, sizeof event.value);
    return give(emitter, &event);
}

/* Says once that some are. */
static void say_lost(struct stint_emitter *emitter, const char *reason)
{
    if (!emitter->losing)
        STINT_LOG(STINT_LOG_WARNING, "STINT_TRACE: events are lost: %s", reason);
    emitter->losing = 1;
}

/* Returns 0, or -1 if the writer fails or there was no room for the path of the scope. */
static int emit_note(struct stint_emitter *emitter, int64_t tid, const struct stint_i_noted *note)
{
    if (note->form & STINT_NOTE_VALUE)
        return give_value(emitter, tid, note);
    struct stint_event_context context;
    if (emitter->host->context(note->path, &context) == 0)
        return give_note(emitter, tid, note, &context);
    say_lost(emitter, "there is no room for their calling contexts");
    return -1;
}

/* Gives the writer the scopes of known contexts that begin the rows, without a call for each. Returns how many these
 * are. */
static uint32_t give_scopes(struct stint_emitter *emitter, int64_t tid, const struct stint_i_noted *notes,
                            uint32_t rows)
{
    enum { MOST = 512 };
    struct stint_event_scope scopes[MOST];
    struct stint_event_writer *writer = emitter->writer;
    uint32_t count = 0;

    for (; count < rows && count < MOST && !notes[count].form && notes[count].path - 1 < emitter->told; count++)
        scopes[count] = (struct stint_event_scope){
            .start_ns = stint_axis_ns(&emitter->axis, notes[count].start),
            .end_ns = stint_axis_ns(&emitter->axis, notes[count].start + notes[count].span),
            .path = notes[count].path,
        };
    if (count && writer->scopes(writer, tid, scopes, count))
        (void)fail(emitter, writer->reason);
    emitter->events += count;
    return count;
}

/* Returns how many rows are no event that was lost. All rows of a note are within the same chunk. */
static uint32_t emit_notes(struct stint_emitter *emitter, const struct stint_chunk *chunk)
{
    const struct stint_i_noted *notes = (const struct stint_i_noted *)(const void *)chunk->rows;
    uint32_t given = 0, rows;
    for (uint32_t i = chunk->first; i < chunk->count; i += rows) {
        if (emitter->writer->scopes && !emitter->failed) {
            rows = give_scopes(emitter, chunk->tid, &notes[i], chunk->count - i);
            given += rows;
            if (rows)
                continue;
        }
        rows = stint_note_rows(&notes[i]);
        given += emitter->failed || emit_note(emitter, chunk->tid, &notes[i]) ? rows - 1 : rows;
    }
    return given;
}

/* Puts a call on the axis that scopes are on. */
static void place_call(const struct stint_emitter *emitter, struct stint_gpu_event *gpu)
{
    gpu->start_ns = stint_axis_ns(&emitter->axis, gpu->start_ns);
    gpu->end_ns = stint_axis_ns(&emitter->axis, gpu->end_ns);
}

/* Puts an activity after its launch, if the launch is on the axis. */
static void place_activity(const struct stint_emitter *emitter, const struct stint_timeline *timeline,
                           const struct stint_trace_event *traced, struct stint_gpu_event *gpu)
{
    uint64_t launch_ns = traced->launch ? stint_axis_ns(&emitter->axis, traced->launch) : 0;
    (void)emitter->host->place(timeline, traced, gpu);
    if (gpu->start_ns < launch_ns) {
        gpu->end_ns += launch_ns - gpu->start_ns;
        gpu->start_ns = launch_ns;
    }
}

static size_t context_of(uint32_t path)
{
    return path == STINT_RECORDED_NOWHERE ? STINT_GPU_UNATTRIBUTED : path == STINT_RECORDED_ROOT ? 0 : path;
}

static int emit_memory(struct stint_emitter *emitter, const struct stint_trace_event *traced)
{
    uint64_t at_ns = stint_axis_ns(&emitter->axis, traced->event.start_ns);
    return give(emitter, &(struct stint_event){.kind = STINT_EVENT_MEMORY,
                                               .start_ns = at_ns,
                                               .end_ns = at_ns,
                                               .pid = emitter->pid,
                                               .tid = traced->event.tid,
                                               .context = context_of((uint32_t)traced->event.context),
                                               .name = "",
                                               .set = "",
                                               .memory = &traced->memory});
}

static int emit_activity(struct stint_emitter *emitter, const struct stint_timeline *timeline,
                         const struct stint_trace_event *traced)
{
    struct stint_gpu_event gpu = traced->event;
    struct stint_event event = {.pid = emitter->pid, .set = ""};
    if (gpu.api)
        place_call(emitter, &gpu);
    else
        place_activity(emitter, timeline, traced, &gpu);
    event.kind = gpu.api ? STINT_EVENT_CALL : STINT_EVENT_DEVICE;
    event.start_ns = gpu.start_ns;
    event.end_ns = gpu.end_ns;
    event.tid = gpu.tid;
    event.name = gpu.name;
    event.context = gpu.context = context_of((uint32_t)traced->event.context);
    gpu.instance = STINT_GPU_NO_INSTANCE;
    event.gpu = &gpu;
    return give(emitter, &event);
}

static int emit_gpu_event(struct stint_emitter *emitter, const struct stint_timeline *timeline,
                          const struct stint_trace_event *traced)
{
    uint32_t path = (uint32_t)traced->event.context;
    if (path > STINT_RECORDED_ROOT && tell_paths(emitter, path))
        return -1;
    return traced->is_memory ? emit_memory(emitter, traced) : emit_activity(emitter, timeline, traced);
}

static void make_timeline(const struct stint_emitter *emitter, struct stint_timeline *timeline)
{
    struct stint_timeline_clock clock = stint_axis_clock(&emitter->axis, emitter->host->clock().start_unix_ns);
    emitter->host->timeline(timeline, &clock);
}

static uint32_t emit_gpu(struct stint_emitter *emitter, const struct stint_chunk *chunk)
{
    const struct stint_trace_event *events = (const struct stint_trace_event *)(const void *)chunk->rows;
    struct stint_timeline timeline;
    uint32_t given = 0;
    make_timeline(emitter, &timeline);
    for (uint32_t i = chunk->first; i < chunk->count && !emitter->failed; i++)
        given += (uint32_t)!emit_gpu_event(emitter, &timeline, &events[i]);
    return given;
}

static void give_name(struct stint_emitter *emitter, const struct stint_chunk *chunk)
{
    struct stint_event_writer *writer = emitter->writer;
    if (chunk->name[0] && writer->thread && !emitter->failed && writer->thread(writer, chunk->tid, chunk->name))
        (void)fail(emitter, writer->reason);
}

/* Returns how many events this loses. */
static uint64_t flush(struct stint_emitter *emitter)
{
    struct stint_event_writer *writer = emitter->writer;
    uint64_t before = emitter->lost;
    if (writer->flush(writer))
        say_lost(emitter, writer->reason);
    emitter->lost = writer->lost;
    return emitter->lost - before;
}

void stint_emit(struct stint_emitter *emitter, const struct stint_chunk *chunk)
{
    uint64_t lost = chunk->count - chunk->first;
    if (!stint_emit_open(emitter)) {
        lost -= chunk->kind == STINT_CHUNK_GPU ? emit_gpu(emitter, chunk) : emit_notes(emitter, chunk);
        give_name(emitter, chunk);
        lost += flush(emitter);
    }
    __atomic_add_fetch(emitter->host->lost, lost, __ATOMIC_RELAXED);
}

/* ---------------------------------------------------------------------------------------------------------- samples */

static int is_told(const unsigned char *told, uint32_t number)
{
    return told[number / 8] >> number % 8 & 1;
}

static void note_told(unsigned char *told, uint32_t number)
{
    told[number / 8] |= (unsigned char)(1 << number % 8);
}

static int tell_module(struct stint_emitter *emitter, const struct stint_sampler *sampler, uint32_t number)
{
    struct stint_event_writer *writer = emitter->writer;
    struct stint_sample_module module = sampler->module(number);
    if (is_told(emitter->told_modules, number))
        return 0;
    note_told(emitter->told_modules, number);
    return writer->module(writer, number, &module) ? fail(emitter, writer->reason) : 0;
}

static int tell_chain(struct stint_emitter *emitter, const struct stint_sampler *sampler, uint32_t number)
{
    struct stint_event_writer *writer = emitter->writer;
    struct stint_event_chain chains[STINT_SAMPLER_FRAMES];
    size_t count = 0;
    for (; number && !is_told(emitter->told_chains, number) && count < STINT_SAMPLER_FRAMES;
         number = chains[count++].parent)
        chains[count] = sampler->chain(number);
    while (count-- > 0) {
        if (tell_module(emitter, sampler, chains[count].module))
            return -1;
        if (writer->chain(writer, &chains[count]))
            return fail(emitter, writer->reason);
        note_told(emitter->told_chains, chains[count].chain);
    }
    return 0;
}

static int tell_sampling(struct stint_emitter *emitter, const struct stint_sampler *sampler)
{
    struct stint_sample_info info = sampler->info();
    if (emitter->told_sampling)
        return 0;
    emitter->told_sampling = 1;
    return emitter->writer->sampling(emitter->writer, &info) ? fail(emitter, emitter->writer->reason) : 0;
}

static int give_sample(struct stint_emitter *emitter, const struct stint_sampler *sampler,
                       const struct stint_waiting_sample *sample)
{
    struct stint_event event = {
        .kind = STINT_EVENT_SAMPLE,
        .start_ns = stint_axis_ns(&emitter->axis, sample->ticks),
        .pid = emitter->pid,
        .tid = sample->tid,
        .context = context_of(sample->path),
        .name = "",
        .set = "",
        .sample = {sample->chain, sample->time_ns},
    };
    event.end_ns = event.start_ns;
    if (sample->path > STINT_RECORDED_ROOT && tell_paths(emitter, sample->path))
        return -1;
    return tell_chain(emitter, sampler, sample->chain) || give(emitter, &event) ? -1 : 0;
}

/* Returns how many of the samples are lost. */
static uint64_t give_samples(struct stint_emitter *emitter, const struct stint_sampler *sampler,
                             const struct stint_waiting_sample *samples, size_t count)
{
    size_t given = 0;
    if (stint_emit_open(emitter) || (emitter->writer->sampling && tell_sampling(emitter, sampler)))
        return count;
    while (emitter->writer->sampling && given < count && !give_sample(emitter, sampler, &samples[given]))
        given++;
    return count - given;
}

void stint_emit_samples(struct stint_emitter *emitter, const struct stint_sampler *sampler)
{
    struct stint_waiting_sample samples[256];
    uint64_t lost = 0;
    size_t left = sampler->waiting(), count = sizeof samples / sizeof samples[0];
    /* No more than are waiting now, because threads go on. */
    for (; left && count == sizeof samples / sizeof samples[0]; left -= count < left ? count : left) {
        count = sampler->take(samples, sizeof samples / sizeof samples[0], &lost);
        lost += give_samples(emitter, sampler, samples, count);
    }
    if (emitter->writer)
        lost += flush(emitter);
    __atomic_add_fetch(emitter->host->lost, lost, __ATOMIC_RELAXED);
}

/* ----------------------------------------------------------------------------------------------------------- clocks */

static uint64_t read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

void stint_emit_clock(struct stint_emitter *emitter)
{
    uint64_t before = emitter->host->clock().ticks;
    struct stint_event_clock clock = {.monotonic_ns = read_clock(CLOCK_MONOTONIC),
                                      .unix_ns = read_clock(CLOCK_REALTIME)};
    struct stint_timeline timeline;
    clock.ns = stint_axis_ns(&emitter->axis, before + (emitter->host->clock().ticks - before) / 2);
    make_timeline(emitter, &timeline);
    if (timeline.count)
        clock.cupti_ns = clock.ns + (uint64_t)timeline.distance[timeline.count - 1];
    if (emitter->writer && !emitter->failed && emitter->writer->clock(emitter->writer, &clock))
        (void)fail(emitter, emitter->writer->reason);
}

/* ---------------------------------------------------------------------------------------------------------- reports */

void stint_emit_checkpoint(struct stint_emitter *emitter, const char *report, size_t length)
{
    if (emitter->writer && !emitter->failed && emitter->writer->checkpoint(emitter->writer, report, length))
        (void)fail(emitter, emitter->writer->reason);
}

int stint_emit_dump(struct stint_emitter *emitter, const char *report, size_t length, int asked)
{
    struct stint_event_writer *writer = emitter->writer;
    if (!writer || emitter->failed || !writer->dump)
        return -1;
    int failed = writer->dump(writer, report, length, asked);
    if (failed)
        STINT_LOG(STINT_LOG_WARNING, "STINT_TRACE: %s", writer->reason);
    else if (!asked && writer->dumped[0])
        STINT_LOG(STINT_LOG_INFO, "STINT_DUMP_SLOW: a scope was slow: the events before are in %.256s", writer->dumped);
    return failed;
}

void stint_emit_finish(struct stint_emitter *emitter, const char *report, size_t length)
{
    struct stint_event_writer *writer = emitter->writer;
    const char *reason = writer ? writer->reason : "";
    emitter->writer = NULL;
    if (writer && writer->finish(writer, report, length) && !emitter->failed)
        (void)fail(emitter, reason);
}
