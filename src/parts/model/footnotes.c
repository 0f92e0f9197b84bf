/* Footnotes of reports on what parts collected: barriers, ranges, functions, samples, GPUs. Each appears only if it
 * applies. */
#include <string.h>

#include "model/model.h"
#include "report/line.h"
#include "report/summary.h"
#include "stint/gpu.h"

enum { BARRIER_MOST = 60, RANGE_MOST = 80, REASON_MOST = 400 };

/* "barrier gradients: 9 rounds of 10, gap 90.02 ms on average, slowest in 8 of them: 3" */
static void note_barrier(struct stint_line *line, const struct stint_snapshot *snapshot,
                         const struct stint_barrier_stat *barrier)
{
    const struct stint_barrier_part *total = &barrier->total;
    stint_line_string(line, "barrier ");
    if (strcmp(barrier->set, snapshot->sets[0]) != 0) {
        stint_line_escaped(line, barrier->set, BARRIER_MOST);
        stint_line_string(line, "/");
    }
    stint_line_escaped(line, barrier->name, BARRIER_MOST);
    stint_line_say(line, ": %ju round%s of %ju, gap %s on average", total->rounds, total->rounds == 1 ? "" : "s",
                   (uintmax_t)barrier->participants,
                   stint_time_text((double)total->gap_ns / (double)total->rounds).text);
    if (barrier->slowest_count)
        stint_line_say(line, ", slowest in %ju of them: %ju", barrier->slowest[0].rounds,
                       (uintmax_t)barrier->slowest[0].participant);
}

static void note_refused(struct stint_line *line, const struct stint_nvtx_info *nvtx)
{
    stint_line_say(line, "NVTX: %ju extension%s of an unknown kind or version not recorded (use a newer stint)",
                   nvtx->refused, nvtx->refused == 1 ? "" : "s");
}

/* "NVTX: NVTX:NCCL/init and 2 other ranges are still open although …" */
static void note_outlived(struct stint_line *line, const struct stint_nvtx_info *nvtx)
{
    uint64_t others = nvtx->outlived;
    stint_line_string(line, "NVTX: ");
    if (nvtx->outlived_name && *nvtx->outlived_name) {
        stint_line_escaped(line, nvtx->outlived_set, RANGE_MOST);
        stint_line_string(line, "/");
        stint_line_escaped(line, nvtx->outlived_name, RANGE_MOST);
        stint_line_string(line, --others ? " and " : " is");
        if (others)
            stint_line_count(line, others, "other range are", "other ranges are");
    } else {
        stint_line_count(line, others, "range is", "ranges are");
    }
    stint_line_string(line, " still open although the range around has ended: what follows on the thread is shown "
                            "below (pop it, or hide it with --exclude)");
}

static void note_tiny(struct stint_line *line, const struct stint_process *process)
{
    stint_line_say(line, "%ju call%s of %ju function%s left out: recording takes longer (STINT_FUNCTIONS=all)",
                   process->tiny_calls, process->tiny_calls == 1 ? "" : "s", process->tiny_functions,
                   process->tiny_functions == 1 ? "" : "s");
}

/* "functions: 1234567 calls of 37 functions not recorded, which …; 5000 calls of functions excluded by name" */
static void note_left_out(struct stint_line *line, const struct stint_process *process)
{
    stint_line_string(line, "functions: ");
    if (process->tiny_functions)
        note_tiny(line, process);
    stint_line_string(line, process->tiny_functions && process->excluded_calls ? "; " : "");
    if (process->excluded_calls)
        stint_line_say(line, "%ju call%s of functions excluded by name", process->excluded_calls,
                       process->excluded_calls == 1 ? "" : "s");
}

static void add_samples(struct stint_line *line, uint64_t count, const char *what)
{
    if (count)
        stint_line_say(line, ", %ju%s", count, what);
}

/* "samples: 251 of 996 ms of CPU time (1.00 s used, 997 per second requested), 3 without callers" */
static void note_samples(struct stint_line *line, const struct stint_sample_info *info)
{
    stint_line_say(line, "samples: %ju of %s of %s (", info->samples, stint_time_text((double)info->time_ns).text,
                   info->wall ? "time that passed" : "CPU time");
    if (info->cpu_ns && !info->wall)
        stint_line_say(line, "%s used, ", stint_time_text((double)info->cpu_ns).text);
    stint_line_say(line, "%ju per second requested)", (uintmax_t)info->hz);
    add_samples(line, info->leaves, " without callers");
    add_samples(line, info->cut, " without outermost callers");
    add_samples(line, info->deep, " with more than 512 frames");
    add_samples(line, info->crowded, " counted in a caller, for want of room");
    add_samples(line, info->unsampled, info->unsampled == 1 ? " thread not sampled" : " threads not sampled");
}

void stint_gpu_note_left_out(struct stint_line *line, const struct stint_gpu_info *info)
{
    static const struct {
        unsigned what;
        char name[56];
    } parts[] = {{STINT_GPU_API, "calls of CUDA"},
                 {STINT_GPU_EVERY_CALL, "queries and other short calls of CUDA"},
                 {STINT_GPU_FEWER_QUERIES, "some queries that the program made of the driver"},
                 {STINT_GPU_SYNCS, "waits"},
                 {STINT_GPU_MEMORY, "allocations"},
                 {STINT_GPU_UNIFIED_MEMORY, "moves of managed memory"},
                 {STINT_GPU_OVERHEADS, "CUPTI's own cost"}};
    unsigned missing = (STINT_GPU_EVERYTHING & ~info->what) | (info->what & STINT_GPU_FEWER_QUERIES);
    if (!info->collected || !info->cupti_version || !missing)
        return;
    if (missing & STINT_GPU_API)
        missing &= ~(unsigned)STINT_GPU_EVERY_CALL;
    stint_line_string(line, "GPU: not recorded: ");
    for (size_t i = 0, named = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (missing & parts[i].what) {
            stint_line_string(line, named++ ? ", " : "");
            stint_line_string(line, parts[i].name);
        }
    stint_line_string(line, " (STINT_GPU=all records all that CUPTI offers)");
}

void stint_gpu_note_unmeasured(struct stint_line *line, const struct stint_snapshot *snapshot)
{
    enum { NAMES = 4, NAME_MOST = 80 };
    uint64_t left = stint_gpu_unmeasured(snapshot);
    if (!left)
        return;
    stint_line_say(line, "GPU: %ju %s not measured", left, left == 1 ? "launch was" : "launches were");
    for (size_t i = 0, named = 0; i < snapshot->gpu_activity_count && named < NAMES; i++) {
        const struct stint_gpu_activity *activity = &snapshot->gpu_activities[i];
        if (activity->kind != STINT_GPU_UNMEASURED)
            continue;
        stint_line_say(line, "%s%ju ", named++ ? ", " : ": ", activity->numbers.count);
        stint_line_escaped(line, activity->name, NAME_MOST);
        left -= activity->numbers.count;
    }
    if (left)
        stint_line_say(line, ", and %ju other%s", left, left == 1 ? "" : "s");
}

static void note_failure(struct stint_line *line, const struct stint_gpu_info *gpu)
{
    stint_line_string(line, "GPU: ");
    stint_line_escaped(line, gpu->reason, REASON_MOST);
}

static void put(struct stint_line *line, struct stint_text *text, const struct stint_layout *layout)
{
    stint_line_put(line, text, layout, STINT_LINE_DIM);
}

void stint_frame_notes_of_parts(struct stint_text *text, struct stint_line *line, const struct stint_snapshot *snapshot,
                                const struct stint_layout *layout, enum stint_note_place place)
{
    switch (place) {
    case STINT_NOTE_FIRST:
        for (size_t i = 0; i < snapshot->barrier_count; i++) {
            if (snapshot->barriers[i].total.rounds)
                note_barrier(line, snapshot, &snapshot->barriers[i]);
            put(line, text, layout);
        }
        break;
    case STINT_NOTE_OPEN:
        if (snapshot->nvtx.outlived)
            note_outlived(line, &snapshot->nvtx);
        break;
    case STINT_NOTE_LAST:
        if (snapshot->process.tiny_functions || snapshot->process.excluded_calls)
            note_left_out(line, &snapshot->process);
        put(line, text, layout);
        if (snapshot->sampling.sampled)
            note_samples(line, &snapshot->sampling);
        put(line, text, layout);
        stint_gpu_note_left_out(line, &snapshot->gpu);
        break;
    case STINT_NOTE_LOSSES:
        if (stint_gpu_has_failed(&snapshot->gpu))
            note_failure(line, &snapshot->gpu);
        put(line, text, layout);
        stint_gpu_note_unmeasured(line, snapshot);
        put(line, text, layout);
        if (snapshot->nvtx.refused)
            note_refused(line, &snapshot->nvtx);
        break;
    }
    put(line, text, layout);
}
