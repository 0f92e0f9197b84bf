/* Places slices on the lanes of their tracks, and says how busy devices were. */
#include "export/tracks.h"

#include "model/model.h"

void stint_tracks_free(struct stint_tracks *tracks)
{
    stint_arena_free(&tracks->arena);
}

/* ----------------------------------------------------------------------------------------------------------- tracks */

static enum stint_track_kind kind_of(enum stint_gpu_kind kind)
{
    switch (kind) {
    case STINT_GPU_UNIFIED:
    case STINT_GPU_FAULT:
        return STINT_TRACK_UNIFIED;
    case STINT_GPU_SPAN:
        return STINT_TRACK_SPANS;
    case STINT_GPU_SYNC:
        return STINT_TRACK_WAITS;
    case STINT_GPU_OVERHEAD:
        return STINT_TRACK_OVERHEAD;
    default:
        return STINT_TRACK_STREAM;
    }
}

static struct stint_track track_of_device(const struct stint_event *event)
{
    struct stint_track track = {.kind = kind_of(event->gpu->kind), .pid = event->pid};
    if (track.kind == STINT_TRACK_OVERHEAD)
        return track;
    track.device = event->gpu->device;
    if (track.kind == STINT_TRACK_UNIFIED)
        return track;
    track.context = event->gpu->device_context;
    track.stream = event->gpu->stream;
    return track;
}

struct stint_track stint_track_of(const struct stint_event *event)
{
    if (event->kind == STINT_EVENT_DEVICE)
        return track_of_device(event);
    if (event->kind == STINT_EVENT_RANGE)
        return (struct stint_track){.kind = STINT_TRACK_RANGES, .pid = event->pid};
    return (struct stint_track){.kind = STINT_TRACK_THREAD, .pid = event->pid, .tid = event->tid};
}

static const struct stint_table_key s_lane = STINT_TABLE_KEY(struct stint_lane, track.kind, track.pid, track.tid,
                                                             track.device, track.context, track.stream, number);

/* ------------------------------------------------------------------------------------------------------------ lanes */

static void close_until(struct stint_tracks *tracks, struct stint_lane *lane, uint64_t start_ns)
{
    const uint64_t *ends = lane->ends.items;
    while (lane->ends.count && ends[lane->ends.count - 1] <= start_ns) {
        lane->ends.count--;
        if (tracks->closed)
            tracks->closed(tracks->context, lane, ends[lane->ends.count]);
    }
}

static int fits(const struct stint_lane *lane, uint64_t end_ns)
{
    const uint64_t *ends = lane->ends.items;
    return !lane->ends.count || ends[lane->ends.count - 1] >= end_ns;
}

/* Returns the position of a lane, which is added if it is missing; STINT_INDEX_NONE without memory. */
static size_t lane_of(struct stint_tracks *tracks, const struct stint_track *track, size_t number)
{
    struct stint_lane like = {.track = *track, .number = number, .next = STINT_INDEX_NONE};
    return stint_table_position(&tracks->lanes, &s_lane,
                                stint_table_take(&tracks->lanes, &s_lane, &tracks->arena, &like));
}

static int open_slice(struct stint_tracks *tracks, size_t position, uint64_t end_ns)
{
    struct stint_lane *lane = stint_tracks_lane(tracks, position);
    const uint64_t *around = lane->ends.items;
    uint64_t *end;
    if (!fits(lane, end_ns))
        end_ns = around[lane->ends.count - 1];
    end = stint_array_add(&lane->ends, &tracks->arena, sizeof *end);
    if (!end)
        return -1;
    *end = end_ns;
    return 0;
}

/* Returns the first lane of the track that has room, or a new one, or, at the limit, the last one. */
static size_t find_lane(struct stint_tracks *tracks, size_t position, uint64_t start_ns, uint64_t end_ns)
{
    for (;;) {
        struct stint_lane *lane = stint_tracks_lane(tracks, position);
        close_until(tracks, lane, start_ns);
        if (fits(lane, end_ns) || lane->number + 1 == STINT_LANES_MOST)
            return position;
        if (lane->next == STINT_INDEX_NONE) {
            struct stint_track track = lane->track;
            size_t next = lane_of(tracks, &track, lane->number + 1);
            if (next != STINT_INDEX_NONE)
                stint_tracks_lane(tracks, position)->next = next;
            return next;
        }
        position = lane->next;
    }
}

static int is_same(const struct stint_track *a, const struct stint_track *b)
{
    return a->tid == b->tid && a->stream == b->stream && a->kind == b->kind && a->context == b->context &&
           a->device == b->device && a->pid == b->pid;
}

size_t stint_tracks_find(struct stint_tracks *tracks, const struct stint_track *track)
{
    size_t *recent = &tracks->recent[((uint64_t)track->tid + 8 * track->device + track->stream) % STINT_TRACKS_RECENT];
    if (*recent && is_same(&stint_tracks_lane(tracks, *recent - 1)->track, track))
        return *recent - 1;
    size_t position = lane_of(tracks, track, 0);
    if (position != STINT_INDEX_NONE)
        *recent = position + 1;
    return position;
}

size_t stint_tracks_place(struct stint_tracks *tracks, const struct stint_track *track, uint64_t start_ns,
                          uint64_t end_ns)
{
    size_t position = stint_tracks_find(tracks, track);
    if (position != STINT_INDEX_NONE)
        position = find_lane(tracks, position, start_ns, end_ns);
    if (position == STINT_INDEX_NONE || open_slice(tracks, position, end_ns))
        return STINT_INDEX_NONE;
    return position;
}

void stint_tracks_close(struct stint_tracks *tracks)
{
    for (size_t i = 0; i < tracks->lanes.count; i++)
        close_until(tracks, stint_tracks_lane(tracks, i), UINT64_MAX);
}

/* ----------------------------------------------------------------------------------------------------- busy devices */

enum { PIECES = 1000, LEAST_PIECE_NS = 1000 };

struct stint_busy *stint_busy_of(struct stint_array *devices, struct stint_arena *arena, uint32_t device,
                                 uint64_t wall_ns)
{
    struct stint_busy *busy = devices->items;
    for (size_t i = 0; i < devices->count; i++)
        if (busy[i].device == device)
            return &busy[i];
    busy = stint_array_add(devices, arena, sizeof *busy);
    if (!busy)
        return NULL;
    busy->device = device;
    busy->piece_ns = wall_ns / PIECES < LEAST_PIECE_NS ? LEAST_PIECE_NS : wall_ns / PIECES;
    return busy;
}

static void show_percent(struct stint_busy *busy, uint64_t piece, double percent, stint_busy_fn *show, void *context)
{
    if (busy->begun && percent == busy->shown)
        return;
    busy->begun = 1;
    busy->shown = percent;
    show(context, busy->device, piece * busy->piece_ns, percent);
}

/* Shows the current piece, and 0 % for the idle time after it; then begins another piece. */
static void turn_to(struct stint_busy *busy, uint64_t piece, stint_busy_fn *show, void *context)
{
    if (busy->ns)
        show_percent(busy, busy->piece, 100 * (double)busy->ns / (double)busy->piece_ns, show, context);
    if (busy->begun && piece > busy->piece + (busy->ns ? 1 : 0))
        show_percent(busy, busy->piece + (busy->ns ? 1 : 0), 0, show, context);
    busy->piece = piece;
    busy->ns = 0;
}

/* Adds a time that lies within one piece, or spans several, of which all but the first and the last are fully busy. */
static void add_alone(struct stint_busy *busy, uint64_t start_ns, uint64_t end_ns, stint_busy_fn *show, void *context)
{
    uint64_t first = start_ns / busy->piece_ns, last = (end_ns - 1) / busy->piece_ns;
    if (first != busy->piece)
        turn_to(busy, first, show, context);
    if (first == last) {
        busy->ns += end_ns - start_ns;
        return;
    }
    busy->ns += (first + 1) * busy->piece_ns - start_ns;
    turn_to(busy, first + 1, show, context);
    if (last > first + 1) {
        show_percent(busy, first + 1, 100, show, context);
        busy->piece = last;
    }
    busy->ns = end_ns - last * busy->piece_ns;
}

void stint_busy_add(struct stint_busy *busy, uint64_t start_ns, uint64_t end_ns, stint_busy_fn *show, void *context)
{
    start_ns = start_ns < busy->until_ns ? busy->until_ns : start_ns;
    if (end_ns <= start_ns)
        return;
    add_alone(busy, start_ns, end_ns, show, context);
    busy->until_ns = end_ns;
}

void stint_busy_end(struct stint_busy *busy, stint_busy_fn *show, void *context)
{
    if (busy->ns || busy->begun)
        turn_to(busy, busy->piece + 2, show, context);
}
