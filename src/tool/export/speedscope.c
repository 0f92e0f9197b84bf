/* speedscope's own JSON: a profile for each thread and stream that has events, and the calling contexts by host time,
 * GPU time and bytes. The format needs all events of a thread together, so they are kept in a temporary file until all
 * have been read. */
#include "export/speedscope.h"

#include <errno.h>

#include "export/event_words.h"
#include "export/format.h"
#include "export/protobuf.h"
#include "export/spool.h"
#include "export/stacks.h"
#include "export/tracks.h"
#include "report/gpu_sum.h"
#include "report/label.h"

/* The profile of a lane. */
struct profile {
    struct stint_spool_list *events; /* each the begin or end of a slice: frame and time, as numbers */
    struct stint_array open;         /* size_t: the frames of its open slices */
    uint64_t last_ns;                /* time of the last event that was kept, or written */
};

struct scope {
    const struct stint_export_job *job;
    struct stint_out *out;
    struct stint_frames frames;
    struct stint_tracks tracks;
    struct stint_array waiting; /* struct profile, by lane */
    struct stint_spool spool;
    struct stint_speedscope_samples samples;
    int spool_failed;
    uint64_t first_ns; /* the first time of all events */
    uint64_t last_ns;
    uint64_t at_ns; /* time of the last event that was written */
    int profiles;   /* a profile has been written, so that the next one needs a comma */
    int items;      /* the same for the items of a list */
};

/* ----------------------------------------------------------------------------------------------------------- frames */

static struct stint_frame frame_of_stat(const struct stint_snapshot *snapshot, size_t stat)
{
    const struct stint_stat *at = &snapshot->stats[stat];
    struct stint_label label = stint_label_of(snapshot, at);
    return (struct stint_frame){stint_gpu_is_call(at) ? "" : label.set, label.name, at->file, at->line};
}

static size_t frame_of_event(struct scope *scope, const struct stint_event *event)
{
    const struct stint_snapshot *snapshot = scope->job->snapshot;
    char buffer[STINT_WORDS_SIZE];
    struct stint_frame frame = {"", stint_words_event(buffer, event), "", 0};
    if (event->kind == STINT_EVENT_SCOPE && event->context < snapshot->context_count)
        frame = frame_of_stat(snapshot, snapshot->contexts[event->context].stat);
    else if (event->kind == STINT_EVENT_RANGE)
        frame.set = event->set;
    return stint_frames_find(&scope->frames, &frame);
}

/* ----------------------------------------------------------------------------------------------------------- events */

static int is_instant(const struct stint_event *event)
{
    return event->kind == STINT_EVENT_MARK ||
           (event->kind == STINT_EVENT_DEVICE && event->gpu->kind == STINT_GPU_FAULT);
}

static struct profile *profile_of(struct scope *scope, size_t lane)
{
    return (struct profile *)scope->waiting.items + lane;
}

/* Keeps an event for later: its frame, and the time since the event before it. Files may contain times that run
 * backwards. */
static void keep(struct scope *scope, struct profile *profile, size_t frame, int ends, uint64_t ns)
{
    uint8_t record[2 * STINT_PROTO_VARINT];
    uint64_t later_ns = ns > profile->last_ns ? ns - profile->last_ns : 0;
    size_t length = stint_proto_varint(record, (uint64_t)frame << 1 | (ends ? 1 : 0));
    length += stint_proto_varint(record + length, later_ns);
    profile->last_ns += later_ns;
    if (!scope->spool_failed && stint_spool_put(&scope->spool, profile->events, record, length))
        scope->spool_failed = errno;
}

static void close_slice(void *context, struct stint_lane *lane, uint64_t end_ns)
{
    struct scope *scope = context;
    struct profile *profile = profile_of(scope, (size_t)(lane - stint_tracks_lane(&scope->tracks, 0)));
    const size_t *open = profile->open.items;
    keep(scope, profile, open[--profile->open.count], 1, end_ns);
}

static void note_times(struct scope *scope, const struct stint_event *event)
{
    if (!scope->tracks.lanes.count || event->start_ns < scope->first_ns)
        scope->first_ns = event->start_ns;
    if (event->end_ns > scope->last_ns)
        scope->last_ns = event->end_ns;
}

/* Lanes are added one at a time, so at most one is new. */
static struct profile *find_profile(struct scope *scope, size_t lane)
{
    if (lane < scope->waiting.count)
        return profile_of(scope, lane);
    struct profile *profile = stint_array_add(&scope->waiting, &scope->tracks.arena, sizeof *profile);
    if (profile)
        profile->events = stint_spool_add(&scope->spool, &scope->tracks.arena);
    return profile && profile->events ? profile : NULL;
}

static int add_event(void *context, const struct stint_event *event)
{
    struct scope *scope = context;
    if (event->kind == STINT_EVENT_SAMPLE)
        return stint_speedscope_sample(&scope->samples, event);
    if (stint_event_is_point(event) || is_instant(event))
        return 0;
    struct stint_track track = stint_track_of(event);
    note_times(scope, event);
    size_t lane = stint_tracks_place(&scope->tracks, &track, event->start_ns, event->end_ns);
    struct profile *profile = lane == STINT_INDEX_NONE ? NULL : find_profile(scope, lane);
    size_t *frame = profile ? stint_array_add(&profile->open, &scope->tracks.arena, sizeof *frame) : NULL;
    if (!frame)
        return -1;
    *frame = frame_of_event(scope, event);
    if (*frame == STINT_INDEX_NONE)
        return -1;
    keep(scope, profile, *frame, 0, event->start_ns);
    return 0;
}

/* --------------------------------------------------------------------------------------------------------- profiles */

static void put_events(void *context, const uint8_t *bytes, size_t length)
{
    struct scope *scope = context;
    for (const uint8_t *at = bytes; at < bytes + length;) {
        uint64_t what = stint_proto_read_varint(&at);
        scope->at_ns += stint_proto_read_varint(&at);
        stint_out_string(scope->out, scope->items ? ",\n{\"type\": \"" : "\n{\"type\": \"");
        scope->items = 1;
        stint_out_string(scope->out, what & 1 ? "C\", \"frame\": " : "O\", \"frame\": ");
        stint_out_u64(scope->out, what >> 1);
        stint_out_string(scope->out, ", \"at\": ");
        stint_out_u64(scope->out, scope->at_ns);
        stint_out_string(scope->out, "}");
    }
}

/* "GPU 0 stream 7", or "thread 4711 (train)"; with the process if there are several. */
static void put_track_name(struct scope *scope, const struct stint_track *track)
{
    char name[STINT_WORDS_SIZE];
    if (track->pid != scope->job->snapshot->process.pid) {
        stint_out_string(scope->out, "process ");
        stint_out_i64(scope->out, track->pid);
        stint_out_string(scope->out, " ");
    }
    if (track->kind >= STINT_TRACK_STREAM && track->kind <= STINT_TRACK_UNIFIED) {
        stint_out_string(scope->out, "GPU ");
        stint_out_u64(scope->out, track->device);
        stint_out_string(scope->out, " ");
    }
    stint_words_track(name, scope->job->snapshot, track);
    stint_out_json_part(scope->out, name);
}

static void put_lane_name(struct scope *scope, const struct stint_lane *lane)
{
    stint_out_string(scope->out, "\"");
    put_track_name(scope, &lane->track);
    if (lane->number) {
        stint_out_string(scope->out, ", overlapping ");
        stint_out_u64(scope->out, lane->number);
    }
    stint_out_string(scope->out, "\"");
}

static void begin_profile(struct scope *scope, const char *type)
{
    stint_out_string(scope->out, scope->profiles ? ",\n{\"type\": \"" : "\n{\"type\": \"");
    stint_out_string(scope->out, type);
    stint_out_string(scope->out, "\", \"name\": ");
    scope->profiles = 1;
    scope->items = 0;
}

static void put_values(struct scope *scope, const char *unit, uint64_t start, uint64_t end)
{
    stint_out_string(scope->out, ", \"unit\": \"");
    stint_out_string(scope->out, unit);
    stint_out_string(scope->out, "\", \"startValue\": ");
    stint_out_u64(scope->out, start);
    stint_out_string(scope->out, ", \"endValue\": ");
    stint_out_u64(scope->out, end);
}

static int put_lane(struct scope *scope, size_t lane)
{
    begin_profile(scope, "evented");
    put_lane_name(scope, stint_tracks_lane(&scope->tracks, lane));
    put_values(scope, "nanoseconds", scope->first_ns, scope->last_ns);
    stint_out_string(scope->out, ", \"events\": [");
    scope->at_ns = 0;
    int failed = stint_spool_read(&scope->spool, profile_of(scope, lane)->events, put_events, scope);
    stint_out_string(scope->out, "]}");
    return failed;
}

static int put_profile(struct scope *scope, const struct stint_speedscope_profile *profile)
{
    struct stint_track track = {.kind = STINT_TRACK_THREAD, .pid = profile->pid, .tid = profile->tid};
    begin_profile(scope, "sampled");
    stint_out_string(scope->out, "\"samples of ");
    put_track_name(scope, &track);
    stint_out_string(scope->out, "\"");
    put_values(scope, "nanoseconds", 0, profile->end_ns);
    return stint_speedscope_put_samples(&scope->samples, profile);
}

/* Returns 0, or an error number. */
static int put_profiles(struct scope *scope)
{
    const struct stint_speedscope_profile *profiles = scope->samples.profiles.items;
    int failed = scope->samples.failed;
    for (size_t i = 0; i < scope->samples.profiles.count && !failed; i++)
        failed = put_profile(scope, &profiles[i]) ? errno : 0;
    return failed;
}

static enum stint_export_result put_lanes(struct scope *scope)
{
    enum stint_export_result result = stint_export_each(scope->job, add_event, scope);
    if (result)
        return result;
    stint_tracks_close(&scope->tracks);
    errno = scope->spool_failed;
    for (size_t i = 0; i < scope->waiting.count && !scope->spool_failed; i++)
        scope->spool_failed = put_lane(scope, i);
    if (!scope->spool_failed)
        errno = scope->spool_failed = put_profiles(scope);
    return !scope->spool_failed            ? STINT_EXPORT_DONE
           : scope->spool_failed == ENOMEM ? STINT_EXPORT_NO_MEMORY
                                           : STINT_EXPORT_NO_SPOOL;
}

static enum stint_export_result add_lanes(struct scope *scope)
{
    if (!scope->job->events)
        return STINT_EXPORT_DONE;
    if (stint_spool_open(&scope->spool))
        return STINT_EXPORT_NO_SPOOL;
    scope->tracks.closed = close_slice;
    scope->tracks.context = scope;
    scope->samples.spool = &scope->spool;
    scope->samples.frames = &scope->frames;
    enum stint_export_result result = STINT_EXPORT_NO_MEMORY;
    if (stint_functions_begin(&scope->samples.functions, scope->job) == 0)
        result = put_lanes(scope);
    int error = errno;
    stint_functions_free(&scope->samples.functions);
    stint_tracks_free(&scope->tracks);
    stint_spool_close(&scope->spool);
    errno = error;
    return result;
}

/* ------------------------------------------------------------------------------------------------- calling contexts */

static int put_sample_frame(struct scope *scope, const struct stint_frame *frame, int first)
{
    size_t number = stint_frames_find(&scope->frames, frame);
    if (number == STINT_INDEX_NONE)
        return -1;
    stint_out_put(scope->out, ", ", first ? 0 : 2);
    stint_out_u64(scope->out, number);
    return 0;
}

static int put_sample(void *context, const struct stint_stack *stack)
{
    struct scope *scope = context;
    const struct stint_snapshot *snapshot = scope->job->snapshot;
    int failed = 0;
    stint_out_string(scope->out, scope->items ? ",\n[" : "\n[");
    scope->items = 1;
    if (stack->bottom)
        failed = put_sample_frame(scope, &(struct stint_frame){"", stack->bottom, "", 0}, 1);
    for (size_t i = 0; i < stack->count && !failed; i++) {
        struct stint_frame frame = frame_of_stat(snapshot, snapshot->contexts[stack->contexts[i]].stat);
        failed = put_sample_frame(scope, &frame, i == 0);
    }
    if (stack->top && !failed)
        failed = put_sample_frame(scope, &(struct stint_frame){"", stack->top, "", 0}, 0);
    stint_out_string(scope->out, "]");
    return failed;
}

static int put_weight(void *context, const struct stint_stack *stack)
{
    struct scope *scope = context;
    stint_out_put(scope->out, ", ", scope->items ? 2 : 0);
    scope->items = 1;
    stint_out_u64(scope->out, stack->weight);
    return 0;
}

static int add_weight(void *context, const struct stint_stack *stack)
{
    uint64_t *sum = context;
    *sum += stack->weight;
    return 0;
}

/* A profile without stacks is left out, except that of the host: the format needs at least one profile. */
static int add_stacks(struct scope *scope, enum stint_weight weight)
{
    static const char *const names[STINT_WEIGHTS] = {"host time", "GPU time", "bytes"};
    const struct stint_snapshot *snapshot = scope->job->snapshot;
    uint64_t sum = 0;
    if (stint_stacks_each(snapshot, weight, add_weight, &sum))
        return -1;
    if (!sum && weight != STINT_WEIGHT_HOST)
        return 0;
    begin_profile(scope, "sampled");
    stint_out_json(scope->out, names[weight]);
    put_values(scope, weight == STINT_WEIGHT_BYTES ? "bytes" : "nanoseconds", 0, sum);
    stint_out_string(scope->out, ", \"samples\": [");
    if (stint_stacks_each(snapshot, weight, put_sample, scope))
        return -1;
    stint_out_string(scope->out, "],\n\"weights\": [");
    scope->items = 0;
    if (stint_stacks_each(snapshot, weight, put_weight, scope))
        return -1;
    stint_out_string(scope->out, "]}");
    return 0;
}

enum stint_export_result stint_export_speedscope(const struct stint_export_job *job)
{
    struct scope scope = {.job = job, .out = job->out};
    stint_out_string(job->out, "{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\",\n\"name\": ");
    stint_out_json(job->out, job->snapshot->process.command);
    stint_out_string(job->out, ",\n\"exporter\": \"stint\",\n\"profiles\": [");
    enum stint_export_result result = add_lanes(&scope);
    for (int weight = 0; weight < STINT_WEIGHTS && !result; weight++)
        result = add_stacks(&scope, (enum stint_weight)weight) ? STINT_EXPORT_NO_MEMORY : STINT_EXPORT_DONE;
    int error = errno;
    stint_out_string(job->out, "],\n\"shared\": {\"frames\": [");
    stint_frames_write(&scope.frames, job->out);
    stint_out_string(job->out, "]}}\n");
    stint_frames_free(&scope.frames);
    errno = error;
    return result;
}
