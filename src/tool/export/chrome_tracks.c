/* Processes, threads, devices and streams of a Chrome trace. As in PyTorch's traces, a device is a process whose pid is
 * the device's number, and a stream is a thread whose tid is the stream's number. */
#include <stdio.h>
#include <string.h>

#include "base/process.h"
#include "base/text.h"
#include "export/encoder.h"
#include "model/model.h"
#include "verdict/verdict.h"

/* Above all thread ids that Linux assigns, and above the usual numbers of streams. */
enum { FIRST_VIRTUAL_ID = 1 << 23 };

/* Pids below DEVICES_MOST are devices; processes with such pids are moved up by MOVED_PID. */
enum { DEVICES_MOST = 128, MOVED_PID = 1 << 23 };

void stint_chrome_begin(struct stint_chrome *chrome, const char *phase)
{
    if (chrome->begun)
        STINT_CHROME_PUT(chrome, ",\n");
    chrome->begun = 1;
    STINT_CHROME_PUT(chrome, "{\"ph\": \"");
    stint_out_put(chrome->walk.out, phase, 1);
    STINT_CHROME_PUT(chrome, "\", ");
}

void stint_chrome_place(struct stint_chrome *chrome, int64_t pid, uint64_t tid, uint64_t ns)
{
    STINT_CHROME_PUT(chrome, "\"pid\": ");
    stint_out_i64(chrome->walk.out, pid);
    STINT_CHROME_PUT(chrome, ", \"tid\": ");
    stint_out_u64(chrome->walk.out, tid);
    STINT_CHROME_PUT(chrome, ", \"ts\": ");
    stint_out_thousandths(chrome->walk.out, ns);
}

/* ------------------------------------------------------------------------------------------------------------- head */

void stint_chrome_key(struct stint_chrome *chrome, const char *key, uint64_t value)
{
    STINT_CHROME_PUT(chrome, ", \"");
    stint_out_string(chrome->walk.out, key);
    STINT_CHROME_PUT(chrome, "\": ");
    stint_out_u64(chrome->walk.out, value);
}

static void put_device(struct stint_chrome *chrome, const struct stint_gpu_device *device)
{
    struct stint_kernel_launch launch = {
        .compute_major = device->compute_major, .compute_minor = device->compute_minor, .threads = 32, .registers = 1};
    uint64_t warps = stint_occupancy_of(&launch).most;
    STINT_CHROME_PUT(chrome, "{\"id\": ");
    stint_out_u64(chrome->walk.out, device->id);
    STINT_CHROME_PUT(chrome, ", \"name\": ");
    stint_out_json(chrome->walk.out, device->name);
    stint_chrome_key(chrome, "totalGlobalMem", device->memory_bytes);
    stint_chrome_key(chrome, "computeMajor", device->compute_major);
    stint_chrome_key(chrome, "computeMinor", device->compute_minor);
    if (warps) { /* the same for every such device */
        stint_chrome_key(chrome, "maxThreadsPerBlock", 1024);
        stint_chrome_key(chrome, "maxThreadsPerMultiprocessor", 32 * warps);
        stint_chrome_key(chrome, "regsPerBlock", 65536);
        stint_chrome_key(chrome, "regsPerMultiprocessor", 65536);
        stint_chrome_key(chrome, "sharedMemPerBlock", 49152);
    }
    stint_chrome_key(chrome, "warpSize", 32);
    stint_chrome_key(chrome, "numSms", device->multiprocessors);
    STINT_CHROME_PUT(chrome, "}");
}

static void put_devices(struct stint_chrome *chrome)
{
    const struct stint_snapshot *snapshot = chrome->walk.snapshot;
    STINT_CHROME_PUT(chrome, "\"deviceProperties\": [");
    for (size_t i = 0; i < snapshot->gpu_device_count; i++) {
        stint_out_string(chrome->walk.out, i ? ",\n  " : "\n  ");
        put_device(chrome, &snapshot->gpu_devices[i]);
    }
    STINT_CHROME_PUT(chrome, "],\n");
}

static uint64_t first_number(const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (stint_env_text(names[i]))
            return stint_env_number(names[i], UINT64_MAX, 0, UINT32_MAX);
    return UINT64_MAX;
}

/* The rank is known if the launcher sets it. Programs that read many ranks search for the text `"rank": `, with the
 * space. */
static void put_rank(struct stint_chrome *chrome)
{
    static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK",    "PMI_RANK",
                                        "MV2_COMM_WORLD_RANK",  "SLURM_PROCID", "RANK"};
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_SIZE",    "PMI_SIZE",
                                        "MV2_COMM_WORLD_SIZE",  "SLURM_NTASKS", "WORLD_SIZE"};
    uint64_t rank = first_number(ranks, sizeof ranks / sizeof ranks[0]);
    uint64_t size = first_number(sizes, sizeof sizes / sizeof sizes[0]);
    if (rank == UINT64_MAX)
        return;
    STINT_CHROME_PUT(chrome, "\"distributedInfo\": {\"backend\": \"nccl\"");
    stint_chrome_key(chrome, "rank", rank);
    if (size != UINT64_MAX)
        stint_chrome_key(chrome, "world_size", size);
    STINT_CHROME_PUT(chrome, "},\n");
}

int stint_chrome_head(struct stint_walk *walk)
{
    struct stint_chrome *chrome = (struct stint_chrome *)walk;
    const struct stint_process *process = &walk->snapshot->process;
    chrome->virtual_id = FIRST_VIRTUAL_ID;
    STINT_CHROME_PUT(chrome, "{\n\"schemaVersion\": 1,\n");
    put_devices(chrome);
    put_rank(chrome);
    STINT_CHROME_PUT(chrome, "\"displayTimeUnit\": \"ms\",\n\"baseTimeNanoseconds\": ");
    stint_out_u64(chrome->walk.out, process->start_unix_ns);
    STINT_CHROME_PUT(chrome, ",\n\"traceName\": ");
    stint_out_json(chrome->walk.out, process->command);
    STINT_CHROME_PUT(chrome, ",\n\"traceEvents\": [\n");
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ lanes */

static int is_on_device(enum stint_track_kind kind)
{
    return kind >= STINT_TRACK_STREAM && kind <= STINT_TRACK_UNIFIED;
}

static int64_t pid_of(const struct stint_track *track)
{
    if (is_on_device(track->kind))
        return (int64_t)track->device;
    return track->pid >= 0 && track->pid < DEVICES_MOST ? track->pid + MOVED_PID : track->pid;
}

/* Whether one of the lanes before is of that process or device. */
static int is_named(struct stint_chrome *chrome, size_t position, int64_t pid)
{
    for (size_t i = 0; i < position; i++)
        if (stint_tracks_lane(&chrome->walk.tracks, i)->pid == pid)
            return 1;
    return 0;
}

/* Streams of two contexts or processes may have the same number. */
static int is_taken(struct stint_chrome *chrome, size_t position, int64_t pid, uint64_t id)
{
    for (size_t i = 0; i < position; i++) {
        const struct stint_lane *lane = stint_tracks_lane(&chrome->walk.tracks, i);
        if (lane->pid == pid && lane->id == id)
            return 1;
    }
    return 0;
}

static uint64_t id_of(struct stint_chrome *chrome, size_t position, const struct stint_lane *lane)
{
    const struct stint_track *track = &lane->track;
    if (lane->number == 0 && track->kind == STINT_TRACK_THREAD && track->tid > 0)
        return (uint64_t)track->tid;
    if (lane->number == 0 && track->kind == STINT_TRACK_STREAM &&
        !is_taken(chrome, position, pid_of(track), track->stream))
        return track->stream;
    return chrome->virtual_id++;
}

/* Writes what a lane or its process is called and, if that is NULL, where it is shown. */
static void put_about(struct stint_chrome *chrome, const char *what, const struct stint_lane *lane, const char *text,
                      uint64_t index)
{
    stint_chrome_begin(chrome, "M");
    STINT_CHROME_PUT(chrome, "\"name\": \"");
    stint_out_string(chrome->walk.out, what);
    STINT_CHROME_PUT(chrome, "\", ");
    stint_chrome_place(chrome, lane->pid, lane->id, 0);
    stint_out_string(chrome->walk.out, text ? ", \"args\": {\"name\": " : ", \"args\": {\"sort_index\": ");
    if (text)
        stint_out_json(chrome->walk.out, text);
    else
        stint_out_u64(chrome->walk.out, index);
    STINT_CHROME_PUT(chrome, "}}");
}

/* Devices are shown below processes. */
static void put_process(struct stint_chrome *chrome, const struct stint_lane *lane)
{
    enum { BELOW_PROCESSES = 5000000 };
    char text[STINT_WORDS_SIZE];
    int on_device = is_on_device(lane->track.kind);
    if (on_device)
        stint_words_device(text, chrome->walk.snapshot, lane->track.device);
    else
        stint_words_process(text, chrome->walk.snapshot, lane->track.pid);
    put_about(chrome, "process_name", lane, text, 0);
    put_about(chrome, "process_sort_index", lane, NULL,
              on_device ? (uint64_t)BELOW_PROCESSES + lane->track.device : (uint64_t)lane->track.pid);
}

/* Rows that would otherwise look the same say what distinguishes them: an overlapping lane, or a stream of another
 * context. */
static void name_thread(struct stint_chrome *chrome, const struct stint_lane *lane, char *text)
{
    const struct stint_track *track = &lane->track;
    stint_words_track(text, chrome->walk.snapshot, track);
    size_t used = strlen(text), room = STINT_WORDS_SIZE - used;
    if (lane->number)
        (void)snprintf(text + used, room, ", overlapping %zu", lane->number);
    else if (track->kind == STINT_TRACK_STREAM && lane->id != track->stream)
        (void)snprintf(text + used, room, ", context %u of process %lld", track->context, (long long)track->pid);
}

/* What belongs to a thread or a stream is shown next to it, everything else below. */
static uint64_t sort_index_of(const struct stint_lane *lane)
{
    switch (lane->track.kind) {
    case STINT_TRACK_THREAD:
        return (uint64_t)lane->track.tid;
    case STINT_TRACK_STREAM:
    case STINT_TRACK_SPANS:
    case STINT_TRACK_WAITS:
        return lane->track.stream;
    default:
        return lane->id;
    }
}

int stint_chrome_lane(struct stint_walk *walk, struct stint_lane *lane, size_t position)
{
    struct stint_chrome *chrome = (struct stint_chrome *)walk;
    char text[STINT_WORDS_SIZE];
    lane->pid = pid_of(&lane->track);
    lane->id = id_of(chrome, position, lane);
    if (!is_named(chrome, position, lane->pid))
        put_process(chrome, lane);
    name_thread(chrome, lane, text);
    put_about(chrome, "thread_name", lane, text, 0);
    put_about(chrome, "thread_sort_index", lane, NULL, sort_index_of(lane));
    return 0;
}

/* ----------------------------------------------------------------------------------------------------------- curves */

/* Begins a point, up to its value. */
static void begin_point(struct stint_chrome *chrome, int64_t pid, uint64_t ns, const char *curve, const char *what)
{
    stint_chrome_begin(chrome, "C");
    STINT_CHROME_PUT(chrome, "\"name\": ");
    stint_out_json(chrome->walk.out, curve);
    STINT_CHROME_PUT(chrome, ", ");
    stint_chrome_place(chrome, pid, 0, ns);
    STINT_CHROME_PUT(chrome, ", \"args\": {");
    stint_out_json(chrome->walk.out, what);
    STINT_CHROME_PUT(chrome, ": ");
}

int stint_chrome_point(struct stint_walk *walk, const struct stint_event *event, const struct stint_words_point *point)
{
    struct stint_chrome *chrome = (struct stint_chrome *)walk;
    struct stint_track track = {.kind = STINT_TRACK_THREAD, .pid = event->pid};
    char digits[STINT_NUMBER_SIZE];
    begin_point(chrome, event->memory ? (int64_t)event->memory->device : pid_of(&track), event->start_ns, point->curve,
                point->what);
    stint_out_put(walk->out, digits, stint_number_exact(digits, point->value));
    STINT_CHROME_PUT(chrome, "}}");
    return 0;
}

void stint_chrome_busy(void *context, uint32_t device, uint64_t start_ns, double percent)
{
    struct stint_chrome *chrome = context;
    begin_point(chrome, (int64_t)device, start_ns, "busy", "%");
    stint_out_number(chrome->walk.out, percent);
    STINT_CHROME_PUT(chrome, "}}");
}
