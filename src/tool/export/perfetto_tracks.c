/* What stands in front of the events of a Perfetto trace, its tracks, and the points of its counters. */
#include <stdio.h>
#include <string.h>

#include "export/perfetto.h"
#include "model/model.h"

/* TracePacket */
enum {
    CLOCK_SNAPSHOT = 6,
    TRACK_EVENT = 11,
    SEQUENCE_FLAGS = 13,
    TRACK_DESCRIPTOR = 60,
    DEFAULTS = 59,
    FIRST_ON_SEQUENCE = 87,
    GPU_INFO = 128
};

/* Clocks: times are written in a clock of the file's own, which began with the recording. */
enum { REALTIME = 1, OWN_CLOCK = 64 };

/* Kinds of tracks. */
enum kind { PROCESS_TRACK = 1, DEVICE_TRACK, BUSY_TRACK, LANE_TRACK, CURVE_TRACK, KINDS = 8 };

/* Returns what identifies a track: a small number, because it is in every event. */
static uint64_t uuid_of(enum kind kind, uint64_t number)
{
    return number * KINDS + kind;
}

/* TrackDescriptor */
enum { UUID = 1, NAME = 2, PROCESS = 3, THREAD = 4, PARENT = 5, COUNTER = 8 };

/* ------------------------------------------------------------------------------------------------------------- head */

static void put_clock(struct stint_proto *proto, uint64_t clock, uint64_t ns)
{
    enum { CLOCKS = 1, CLOCK_ID = 1, TIMESTAMP = 2 };
    STINT_PROTO_MESSAGE(proto, CLOCKS, {CLOCK_ID, .value = clock}, {TIMESTAMP, .value = ns});
}

/* Readers align traces of several machines by the time of day. */
static void put_clocks(struct stint_perfetto *perfetto)
{
    enum { PRIMARY = 2 };
    stint_perfetto_begin(perfetto);
    size_t message = stint_proto_begin(&perfetto->packet, CLOCK_SNAPSHOT);
    put_clock(&perfetto->packet, REALTIME, perfetto->walk.snapshot->process.start_unix_ns);
    put_clock(&perfetto->packet, OWN_CLOCK, 0);
    stint_proto_u64(&perfetto->packet, PRIMARY, REALTIME);
    stint_proto_end(&perfetto->packet, message);
    stint_perfetto_end(perfetto);
}

static void put_defaults(struct stint_perfetto *perfetto)
{
    enum { CLOCK_ID = 58, CLEARED = 1 };
    stint_perfetto_begin(perfetto);
    stint_proto_u64(&perfetto->packet, SEQUENCE_FLAGS, CLEARED);
    stint_proto_u64(&perfetto->packet, FIRST_ON_SEQUENCE, 1);
    size_t message = stint_proto_begin(&perfetto->packet, DEFAULTS);
    stint_proto_u64(&perfetto->packet, CLOCK_ID, OWN_CLOCK);
    stint_perfetto_sampling(perfetto);
    stint_proto_end(&perfetto->packet, message);
    stint_perfetto_intern_fixed(perfetto);
    stint_perfetto_end(perfetto);
}

static void put_gpu(struct stint_proto *proto, const struct stint_gpu_device *device)
{
    enum { GPUS = 1, GPU_NAME = 1, VENDOR = 2, MODEL = 3, ARCHITECTURE = 4 };
    char text[STINT_WORDS_SIZE];
    size_t message = stint_proto_begin(proto, GPUS);
    (void)snprintf(text, sizeof text, "%.128s #%u", *device->name ? device->name : "GPU", device->id);
    stint_proto_string(proto, GPU_NAME, text);
    stint_proto_string(proto, VENDOR, "NVIDIA");
    stint_proto_string(proto, MODEL, device->name);
    (void)snprintf(text, sizeof text, "sm_%u%u", device->compute_major, device->compute_minor);
    stint_proto_string(proto, ARCHITECTURE, device->compute_major ? text : "");
    stint_proto_end(proto, message);
}

/* Devices are identified by their position in the list. */
static void put_gpus(struct stint_perfetto *perfetto)
{
    enum { MOST = 64 };
    const struct stint_snapshot *snapshot = perfetto->walk.snapshot;
    uint32_t count = 0;
    for (size_t i = 0; i < snapshot->gpu_device_count; i++)
        if (snapshot->gpu_devices[i].id < MOST && snapshot->gpu_devices[i].id >= count)
            count = snapshot->gpu_devices[i].id + 1;
    if (!count)
        return;
    stint_perfetto_begin(perfetto);
    size_t message = stint_proto_begin(&perfetto->packet, GPU_INFO);
    for (uint32_t id = 0; id < count; id++) {
        struct stint_gpu_device device = stint_gpu_device_of(snapshot, id);
        put_gpu(&perfetto->packet, &device);
    }
    stint_proto_end(&perfetto->packet, message);
    stint_perfetto_end(perfetto);
}

void stint_perfetto_closed(void *context, struct stint_lane *lane, uint64_t end_ns)
{
    enum { TYPE = 9, TRACK = 11, SLICE_END = 2 };
    struct stint_perfetto *perfetto = context;
    stint_perfetto_begin_at(perfetto, end_ns);
    STINT_PROTO_MESSAGE(&perfetto->packet, TRACK_EVENT, {TYPE, .value = SLICE_END}, {TRACK, .value = lane->id});
    stint_perfetto_end(perfetto);
}

void stint_perfetto_head(struct stint_perfetto *perfetto)
{
    put_clocks(perfetto);
    put_defaults(perfetto);
    put_gpus(perfetto);
}

/* ----------------------------------------------------------------------------------------------------------- tracks */

static size_t begin_track(struct stint_perfetto *perfetto, uint64_t uuid, const char *name, uint64_t parent)
{
    stint_perfetto_begin(perfetto);
    size_t message = stint_proto_begin(&perfetto->packet, TRACK_DESCRIPTOR);
    stint_proto_u64(&perfetto->packet, UUID, uuid);
    if (name)
        stint_proto_string(&perfetto->packet, NAME, name);
    if (parent)
        stint_proto_u64(&perfetto->packet, PARENT, parent);
    return message;
}

static void end_track(struct stint_perfetto *perfetto, size_t message)
{
    stint_proto_end(&perfetto->packet, message);
    stint_perfetto_end(perfetto);
}

void stint_perfetto_process(struct stint_walk *walk, int64_t pid, size_t number)
{
    enum { PID = 1, COMMAND_LINE = 2, PROCESS_NAME = 6 };
    struct stint_perfetto *perfetto = (struct stint_perfetto *)walk;
    const struct stint_process *process = &walk->snapshot->process;
    char name[STINT_WORDS_SIZE];
    stint_words_process(name, walk->snapshot, pid);
    size_t track = begin_track(perfetto, uuid_of(PROCESS_TRACK, number), pid ? NULL : name, 0);
    size_t message = pid ? stint_proto_begin(&perfetto->packet, PROCESS) : 0;
    if (message) {
        stint_proto_u64(&perfetto->packet, PID, (uint64_t)pid);
        stint_proto_string(&perfetto->packet, PROCESS_NAME, name);
        if (pid == process->pid)
            stint_proto_string(&perfetto->packet, COMMAND_LINE, process->command);
        stint_proto_end(&perfetto->packet, message);
    }
    end_track(perfetto, track);
}

static void put_counter(struct stint_perfetto *perfetto, uint64_t uuid, const char *name, const char *unit,
                        uint64_t parent)
{
    enum { UNIT_NAME = 6 };
    size_t track = begin_track(perfetto, uuid, name, parent);
    STINT_PROTO_MESSAGE(&perfetto->packet, COUNTER, {UNIT_NAME, .text = unit});
    end_track(perfetto, track);
}

/* A device has a track that holds others, and one for how busy it is. */
void stint_perfetto_device(struct stint_walk *walk, uint32_t id)
{
    struct stint_perfetto *perfetto = (struct stint_perfetto *)walk;
    char name[STINT_WORDS_SIZE];
    stint_words_device(name, walk->snapshot, id);
    end_track(perfetto, begin_track(perfetto, uuid_of(DEVICE_TRACK, id), name, 0));
    put_counter(perfetto, uuid_of(BUSY_TRACK, id), "busy", "%", uuid_of(DEVICE_TRACK, id));
}

static int is_on_device(enum stint_track_kind kind)
{
    return kind == STINT_TRACK_SPANS || kind == STINT_TRACK_WAITS || kind == STINT_TRACK_UNIFIED;
}

static void put_thread(struct stint_perfetto *perfetto, const struct stint_lane *lane)
{
    enum { PID = 1, TID = 2, THREAD_NAME = 5 };
    const char *name = stint_words_thread(perfetto->walk.snapshot, lane->track.pid, lane->track.tid);
    size_t track = begin_track(perfetto, lane->id, NULL, 0);
    size_t message = stint_proto_begin(&perfetto->packet, THREAD);
    stint_proto_u64(&perfetto->packet, PID, (uint64_t)lane->track.pid);
    stint_proto_u64(&perfetto->packet, TID, (uint64_t)lane->track.tid);
    if (*name)
        stint_proto_string(&perfetto->packet, THREAD_NAME, name);
    stint_proto_end(&perfetto->packet, message);
    end_track(perfetto, track);
}

/* Lanes of one track have the same name, so that readers draw them together. */
int stint_perfetto_lane(struct stint_walk *walk, struct stint_lane *lane, size_t position)
{
    struct stint_perfetto *perfetto = (struct stint_perfetto *)walk;
    const struct stint_track *track = &lane->track;
    char name[STINT_WORDS_SIZE];
    size_t process = stint_walk_process(walk, track->pid);
    if (process == STINT_INDEX_NONE || (is_on_device(track->kind) && stint_walk_device(walk, track->device)))
        return -1;
    lane->id = uuid_of(LANE_TRACK, position);
    stint_words_track(name, perfetto->walk.snapshot, track);
    if (track->kind == STINT_TRACK_THREAD && track->tid && lane->number == 0)
        put_thread(perfetto, lane);
    else
        end_track(perfetto, begin_track(perfetto, lane->id, name,
                                        is_on_device(track->kind) ? uuid_of(DEVICE_TRACK, track->device)
                                                                  : uuid_of(PROCESS_TRACK, process)));
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------- busy */

static void put_point(struct stint_perfetto *perfetto, uint64_t track, uint64_t ns, double value)
{
    enum { TYPE = 9, TRACK = 11, VALUE = 44, COUNTER_EVENT = 4 };
    stint_perfetto_begin_at(perfetto, ns);
    size_t message = stint_proto_begin(&perfetto->packet, TRACK_EVENT);
    stint_proto_u64(&perfetto->packet, TYPE, COUNTER_EVENT);
    stint_proto_u64(&perfetto->packet, TRACK, track);
    stint_proto_double(&perfetto->packet, VALUE, value);
    stint_proto_end(&perfetto->packet, message);
    stint_perfetto_end(perfetto);
}

void stint_perfetto_busy(void *context, uint32_t device, uint64_t start_ns, double percent)
{
    put_point(context, uuid_of(BUSY_TRACK, device), start_ns, percent);
}

/* ----------------------------------------------------------------------------------------------------------- curves */

struct stint_perfetto_curve {
    const char *name;
    uint64_t parent; /* the track of its process or device */
};

static const struct stint_table_key s_curve = STINT_TABLE_KEY_COPYING(struct stint_perfetto_curve, name, parent);

/* Returns the number of a curve, from 0 on, after describing it to readers if it is new; STINT_INDEX_NONE if there is
 * no memory. */
static size_t find_curve(struct stint_perfetto *perfetto, const struct stint_perfetto_curve *like, const char *unit)
{
    size_t count = perfetto->curves.count;
    const void *curve = stint_table_take(&perfetto->curves, &s_curve, &perfetto->walk.tracks.arena, like);
    size_t at = stint_table_position(&perfetto->curves, &s_curve, curve);
    if (perfetto->curves.count > count)
        put_counter(perfetto, uuid_of(CURVE_TRACK, at), like->name, unit, like->parent);
    return at;
}

int stint_perfetto_point(struct stint_walk *walk, const struct stint_event *event,
                         const struct stint_words_point *point)
{
    struct stint_perfetto *perfetto = (struct stint_perfetto *)walk;
    char name[2 * STINT_WORDS_SIZE];
    struct stint_perfetto_curve curve = {.name = name};
    size_t process = event->memory ? 0 : stint_walk_process(walk, event->pid);
    if (process == STINT_INDEX_NONE || (event->memory && stint_walk_device(walk, event->memory->device)))
        return -1;
    curve.parent = event->memory ? uuid_of(DEVICE_TRACK, event->memory->device) : uuid_of(PROCESS_TRACK, process);
    (void)snprintf(name, sizeof name, "%s%s%.200s", point->curve, event->memory || !*event->field ? "" : " ",
                   event->memory ? "" : event->field);
    size_t at = find_curve(perfetto, &curve, event->memory ? "bytes" : "");
    if (at == STINT_INDEX_NONE)
        return -1;
    put_point(perfetto, uuid_of(CURVE_TRACK, at), event->start_ns, point->value);
    return 0;
}
