/* Opens a recording: scans its packets, learns its definitions, and makes the snapshot, from its report if
 * there is a complete one, else by replaying the events. What a killed program or a ring left out is completed
 * from what is there. */
#include "ctf/ctf.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/import.h"
#include "replay/replay.h"
#include "stat/numbers.h"

struct stint_ctf {
    struct stint_ctf_scan scan;
    struct stint_ctf_definitions definitions;
    struct stint_ctf_events events;
    struct stint_ctf_state state;
    struct stint_snapshot *snapshot;
    const char *failure; /* NULL: none */
};

int stint_ctf_is(const char *path)
{
    char metadata[PATH_MAX], line[sizeof STINT_CTF_FIRST_LINE];
    (void)snprintf(metadata, sizeof metadata, "%s/" STINT_CTF_METADATA, path);
    return stint_ctf_scan_metadata(&(struct stint_ctf_input){STINT_CTF_METADATA, metadata}, line, sizeof line) >= 0 &&
           strcmp(line, STINT_CTF_FIRST_LINE) == 0;
}

/* ---------------------------------------------------------------------------------------------------------- packets */

/* A report that cannot be read is as good as none: the events tell most of what it says. */
static int take_report(struct stint_ctf *ctf, struct stint_ctf_reader *reader)
{
    struct stint_import_error error;
    struct stint_ctf_report report;
    if (stint_ctf_read_id(reader) != STINT_CTF_REPORT || stint_ctf_read_fields(reader, STINT_CTF_REPORT, &report))
        return 0;
    stint_snapshot_free(ctf->snapshot);
    ctf->snapshot = NULL;
    (void)stint_import_json(report.json, strlen(report.json), &ctf->snapshot, &error);
    return 0;
}

static int take_packet(void *context, uint32_t file, uint64_t at, const struct stint_ctf_head *head,
                       struct stint_ctf_reader *reader)
{
    struct stint_ctf *ctf = context;
    if (head->stream == STINT_CTF_REPORTS)
        return take_report(ctf, reader);
    if (head->stream == STINT_CTF_DEFINITIONS)
        return stint_ctf_define(&ctf->definitions, head, reader);
    ctf->state.events += head->events;
    return stint_ctf_events_add(&ctf->events, file, at, head);
}

/* ------------------------------------------------------------------------------------- of a program that was killed */

/* Gives the builder the contexts, and has events refer to them. */
static void add_contexts(struct stint_ctf *ctf, struct stint_builder *builder)
{
    struct stint_ctf_known *all = ctf->definitions.contexts.items;
    for (size_t i = 0; i < ctf->definitions.contexts.count; i++) {
        const struct stint_ctf_known *parent = stint_ctf_known(&ctf->definitions, all[i].parent);
        struct stint_stat like = {
            .set = all[i].set, .name = all[i].name, .file = all[i].file, .function = "", .line = all[i].line};
        all[i].context = STINT_GPU_UNATTRIBUTED; /* also if it was only referred to */
        if (!all[i].name || (parent && parent->context == STINT_GPU_UNATTRIBUTED))
            continue;
        all[i].context = stint_builder_context(builder, parent ? parent->context : STINT_NO_PARENT,
                                               stint_builder_stat(builder, &like));
    }
}

/* What events do not tell, from the last report: devices, names, barriers, values. Threads only get their names. */
static void add_rest(struct stint_replay *replay, const struct stint_snapshot *report)
{
    struct stint_builder *builder = &replay->builder;
    replay->dropped = report->dropped;
    stint_builder_add(builder, STINT_ROWS_GPU, &report->gpu);
    for (size_t i = 0; i < report->gpu_device_count; i++)
        stint_builder_add(builder, STINT_ROWS_GPU_DEVICES, &report->gpu_devices[i]);
    for (size_t i = 0; i < report->gpu_memory_count; i++)
        stint_builder_add(builder, STINT_ROWS_GPU_MEMORY, &report->gpu_memory[i]);
    for (size_t i = 0; i < report->barrier_count; i++)
        stint_builder_add(builder, STINT_ROWS_BARRIERS, &report->barriers[i]);
    for (size_t i = 0; i < report->nvtx_value_count; i++)
        stint_builder_add(builder, STINT_ROWS_NVTX_VALUES, &report->nvtx_values[i]);
    for (size_t i = 0; i < report->nvtx_name_count; i++)
        stint_builder_add(builder, STINT_ROWS_NVTX_NAMES, &report->nvtx_names[i]);
    stint_builder_add(builder, STINT_ROWS_NVTX, &report->nvtx);
    for (size_t i = 0; i < report->thread_count; i++)
        if (!report->threads[i].exited)
            stint_replay_thread(replay, report->threads[i].pid, report->threads[i].tid, report->threads[i].name);
    stint_replay_sampled_threads(replay, report);
}

static int64_t pid_of(const struct stint_ctf *ctf)
{
    return ctf->snapshot ? ctf->snapshot->process.pid : ctf->definitions.process.pid;
}

/* Of two threads with one number, the later one's name is taken. */
static void add_ended_threads(const struct stint_ctf *ctf, struct stint_replay *replay)
{
    const struct stint_ctf_thread *ended = ctf->definitions.threads.items;
    for (size_t i = 0; i < ctf->definitions.threads.count; i++)
        stint_replay_thread(replay, pid_of(ctf), ended[i].tid, ended[i].name);
}

static struct stint_process process_of(const struct stint_ctf *ctf, struct stint_builder *builder)
{
    struct stint_process process = ctf->snapshot ? ctf->snapshot->process : ctf->definitions.process;
    process.wall_ns = 0; /* until the last event */
    process.command = stint_builder_text(builder, process.command ? process.command : "");
    process.host = stint_builder_text(builder, process.host ? process.host : "");
    process.clock = stint_builder_text(builder, process.clock ? process.clock : "");
    return process;
}

static stint_ctf_watch_fn *s_watch;

void stint_ctf_watch(stint_ctf_watch_fn *watch)
{
    s_watch = watch;
}

static uint64_t activations(const struct stint_snapshot *snapshot)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < snapshot->stat_count; i++)
        stint_sum_up(&sum, snapshot->stats[i].numbers.count);
    return sum;
}

/* Makes the snapshot from all events, since the report, if there is one, is older; unless it has more than events that
 * are left: others are damaged, or what they refer to. */
static int rebuild(struct stint_ctf *ctf)
{
    struct stint_event_source *source = &ctf->events.source;
    if (s_watch)
        source = s_watch(source, ctf->state.events);
    struct stint_replay replay;
    struct stint_event event;
    stint_replay_begin(&replay, 1, 0);
    add_contexts(ctf, &replay.builder);
    add_ended_threads(ctf, &replay);
    stint_ctf_add_chains(&ctf->definitions, &replay);
    if (ctf->snapshot)
        add_rest(&replay, ctf->snapshot);
    int more = source->begin(source) ? -1 : 1;
    while (more > 0 && (more = source->next(source, &event)) > 0)
        stint_replay_add(&replay, &event);
    if (more < 0 && source != &ctf->events.source)
        (void)snprintf(ctf->events.source.reason, sizeof ctf->events.source.reason, "%s", source->reason);
    if (replay.dropped.events < ctf->definitions.discarded)
        replay.dropped.events = ctf->definitions.discarded;
    struct stint_process process = process_of(ctf, &replay.builder);
    struct stint_snapshot *rebuilt = stint_replay_end(&replay, &process);
    int knows_less = rebuilt && ctf->snapshot && activations(rebuilt) < activations(ctf->snapshot);
    stint_snapshot_free(knows_less ? rebuilt : ctf->snapshot);
    if (!knows_less)
        ctf->snapshot = rebuilt;
    return more || !rebuilt ? -1 : 0;
}

/* Has only events refer to contexts of the builder that came later than the report. */
static int add_late_contexts(struct stint_ctf *ctf, struct stint_builder *builder)
{
    struct stint_ctf_known *all = ctf->definitions.contexts.items;
    size_t count = ctf->definitions.contexts.count;
    char *is_late = stint_arena_alloc(&ctf->definitions.arena, count + 1);
    if (!is_late || stint_ctf_find_contexts(&ctf->definitions, ctf->snapshot))
        return -1;
    for (size_t i = 0; i < count; i++)
        is_late[i] = all[i].context == STINT_GPU_UNATTRIBUTED;
    add_contexts(ctf, builder);
    for (size_t i = 0; i < count; i++)
        if (!is_late[i])
            all[i].context = STINT_GPU_UNATTRIBUTED;
    return 0;
}

static int is_in_context(const struct stint_event *event)
{
    return event->kind != STINT_EVENT_SAMPLE && event->context != STINT_GPU_UNATTRIBUTED &&
           event->context != STINT_GPU_NO_SCOPE;
}

/* Events of other contexts, some of which may have been overwritten, cannot be added to the report. */
static void count_later(struct stint_ctf_state *state, const struct stint_event *event, uint64_t report_ns)
{
    if (event->end_ns <= report_ns)
        return;
    state->later_events++;
    if (event->end_ns > state->later_ns)
        state->later_ns = event->end_ns;
}

/* Counts the events of such contexts. */
static struct stint_snapshot *count_late(struct stint_ctf *ctf)
{
    static const struct stint_process none = {.command = "", .host = "", .clock = ""};
    struct stint_event_source *source = &ctf->events.source;
    struct stint_replay replay;
    struct stint_event event;
    stint_replay_begin(&replay, 1, 0);
    int more = add_late_contexts(ctf, &replay.builder) || source->begin(source) ? -1 : 1;
    while (more > 0 && (more = source->next(source, &event)) > 0)
        if (is_in_context(&event))
            stint_replay_add(&replay, &event);
        else
            count_later(&ctf->state, &event, ctf->snapshot->process.wall_ns);
    struct stint_snapshot *late = stint_replay_end(&replay, &none);
    if (more == 0)
        return late;
    stint_snapshot_free(late);
    return NULL;
}

/* Adds up what is there and what was missing, which is freed; NULL: there is no memory for it. */
static int complete_by(struct stint_ctf *ctf, struct stint_snapshot *missing)
{
    struct stint_snapshot *merged = NULL;
    if (missing)
        (void)stint_snapshot_merge(ctf->snapshot, missing, &merged);
    stint_snapshot_free(missing);
    if (!merged)
        return -1;
    stint_snapshot_free(ctf->snapshot);
    ctf->snapshot = merged;
    return 0;
}

/* Adds to the report of a ring, whose first events are gone, the contexts that it does not know: of these, all events
 * came later. Their threads are in the report. */
static int complete_report(struct stint_ctf *ctf)
{
    struct stint_snapshot *late = count_late(ctf);
    if (late)
        late->thread_count = late->thread_stat_count = 0;
    return complete_by(ctf, late);
}

/* A program that was killed has at most a report that is older than its last events. */
static int complete_snapshot(struct stint_ctf *ctf)
{
    if (ctf->snapshot && ctf->state.has_ended)
        return 0;
    return ctf->snapshot && ctf->state.overwritten_events ? complete_report(ctf) : rebuild(ctf);
}

/* ------------------------------------------------------------------------------------------------- names of threads */

/* A number is that of another thread again, if there is one now. */
static int is_alive(const struct stint_snapshot *snapshot, int64_t tid)
{
    for (size_t i = 0; i < snapshot->thread_count; i++)
        if (!snapshot->threads[i].exited && snapshot->threads[i].tid == tid)
            return 1;
    return 0;
}

static int is_named(const struct stint_snapshot *snapshot, int64_t tid)
{
    for (size_t i = 0; i < snapshot->nvtx_name_count; i++)
        if (snapshot->nvtx_names[i].what == STINT_NVTX_THREAD && (int64_t)snapshot->nvtx_names[i].handle == tid)
            return 1;
    return 0;
}

/* Returns a snapshot with nothing but the names of threads that have ended, as if NVTX had given them. */
static struct stint_snapshot *names_of_ended(const struct stint_ctf *ctf)
{
    static const struct stint_process none = {.command = "", .host = "", .clock = ""};
    static const struct stint_dropped nothing;
    const struct stint_ctf_thread *ended = ctf->definitions.threads.items;
    struct stint_builder builder;
    stint_builder_begin(&builder);
    for (size_t i = 0; i < ctf->definitions.threads.count; i++)
        if (!is_alive(ctf->snapshot, ended[i].tid) && !is_named(ctf->snapshot, ended[i].tid))
            stint_builder_add(&builder, STINT_ROWS_NVTX_NAMES,
                              &(struct stint_nvtx_name){.pid = pid_of(ctf),
                                                        .what = STINT_NVTX_THREAD,
                                                        .domain = "",
                                                        .handle = (uint64_t)ended[i].tid,
                                                        .name = ended[i].name});
    return stint_builder_end(&builder, &none, &nothing);
}

/* Reports know only threads that have not ended. */
static int complete_names(struct stint_ctf *ctf)
{
    return ctf->definitions.threads.count ? complete_by(ctf, names_of_ended(ctf)) : 0;
}

/* --------------------------------------------------------------------------------------------------- open and close */

static int fail(struct stint_ctf *ctf, const char *why)
{
    ctf->failure = why;
    return -1;
}

static void judge(struct stint_ctf *ctf)
{
    ctf->state.has_ended = ctf->definitions.has_end;
    ctf->state.lacks_report = ctf->state.has_ended && !ctf->snapshot;
    ctf->state.is_cut = ctf->definitions.discarded || ctf->state.lacks_report;
    ctf->state.damaged_bytes = ctf->scan.damaged_bytes;
    ctf->state.empty_files = ctf->scan.empty_files;
    ctf->state.missing_events = ctf->scan.missing_events;
    if (ctf->definitions.ring_bytes)
        ctf->state.overwritten_events = ctf->scan.events_before;
    else
        ctf->state.missing_events += ctf->scan.events_before;
    uint64_t seen = ctf->state.events + ctf->state.overwritten_events;
    if (ctf->definitions.has_end && ctf->definitions.events > seen)
        ctf->state.missing_events = ctf->definitions.events - seen;
}

static int read_all(struct stint_ctf *ctf)
{
    ctf->scan.packet = take_packet;
    ctf->scan.context = ctf;
    stint_ctf_events_begin(&ctf->events, &ctf->scan, &ctf->definitions);
    if (stint_ctf_scan(&ctf->scan))
        return fail(ctf, ctf->scan.reason);
    judge(ctf);
    if (!ctf->definitions.has_process && !ctf->snapshot)
        return fail(ctf, "it has no description of its process");
    if (!ctf->definitions.has_process)
        ctf->definitions.process.pid = ctf->snapshot->process.pid;
    if (complete_snapshot(ctf) || complete_names(ctf) || stint_ctf_find_chains(&ctf->definitions, &ctf->snapshot))
        return fail(ctf, ctf->events.source.reason[0] ? ctf->events.source.reason : "there is not enough memory");
    ctf->snapshot->dropped.events += ctf->state.missing_events;
    return stint_ctf_find_contexts(&ctf->definitions, ctf->snapshot) ? fail(ctf, "there is not enough memory") : 0;
}

static int find_inputs(struct stint_ctf *ctf, const char *path)
{
    if (stint_ctf_inputs_find(&ctf->scan.files, &ctf->scan.arena, path) == 0)
        return 0;
    return fail(ctf, strerror(errno));
}

struct stint_ctf *stint_ctf_open(const char *path, char *reason, size_t size)
{
    struct stint_ctf *ctf = calloc(1, sizeof *ctf);
    if (!ctf) {
        (void)snprintf(reason, size, "there is not enough memory");
        return NULL;
    }
    if (find_inputs(ctf, path) == 0 && read_all(ctf) == 0)
        return ctf;
    (void)snprintf(reason, size, "%s", ctf->failure);
    stint_ctf_close(ctf);
    return NULL;
}

struct stint_ctf_state stint_ctf_state(const struct stint_ctf *ctf)
{
    return ctf->state;
}

struct stint_snapshot *stint_ctf_snapshot(const struct stint_ctf *ctf)
{
    return ctf->snapshot;
}

struct stint_snapshot *stint_ctf_take_snapshot(struct stint_ctf *ctf)
{
    struct stint_snapshot *snapshot = ctf->snapshot;
    ctf->snapshot = NULL;
    return snapshot;
}

struct stint_event_source *stint_ctf_events(struct stint_ctf *ctf)
{
    return &ctf->events.source;
}

void stint_ctf_close(struct stint_ctf *ctf)
{
    if (!ctf)
        return;
    stint_ctf_events_free(&ctf->events);
    stint_snapshot_free(ctf->snapshot);
    stint_arena_free(&ctf->definitions.arena);
    stint_arena_free(&ctf->scan.arena);
    free(ctf);
}
