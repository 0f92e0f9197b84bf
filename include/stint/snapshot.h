/* stint/snapshot.h - everything recorded up to one moment, as one immutable value: plain arrays to iterate.
 *
 *     struct stint_snapshot *snapshot;
 *     if (!stint_snapshot_take(&snapshot)) {
 *         for (size_t i = 0; i < snapshot->stat_count; ++i)
 *             use(&snapshot->stats[i]);
 *         stint_snapshot_free(snapshot);
 *     }
 *
 * A snapshot does not change while recording goes on. Times are in nanoseconds. Threads keep recording while it is
 * taken, so each number is exact for the moment at which it was read; if no thread records meanwhile, all numbers are
 * of the same moment.
 */
#ifndef STINT_SNAPSHOT_H
#define STINT_SNAPSHOT_H

#include <stddef.h>
#include <stdint.h>

#include "stint/config.h"
#include "stint/detail/api.h"
#include "stint/dropped.h"
#include "stint/gpu_stats.h"
#include "stint/numbers.h"
#include "stint/nvtx_stats.h"
#include "stint/rank_stats.h"
#include "stint/samples.h"
#include "stint/status.h"

STINT_EXTERN_C_BEGIN

/** One statistic (set, name), over all calling contexts and threads. Ordered by descending total, then name. */
struct stint_stat {
    const char *set;
    const char *name;
    const char *file;     /* of the call site that registered it; "" if none */
    const char *function; /* of that call site; "" if none */
    uint32_t line;        /* of that call site; 0 if none */
    int by_thread;        /* stint_statset_set_thread_info */
    struct stint_numbers numbers;
    struct stint_gpu_use gpu;      /* work launched while it ran, by enclosed scopes too; nested activations once */
    struct stint_gpu_use gpu_self; /* work launched while it was the innermost scope */
    const struct stint_spread *gpu_spread; /* between ranks, of stint_gpu_use_ns(&gpu); NULL: none, or not told apart */
};

/** One node of the calling-context tree, over all threads. In pre-order, siblings by descending total, then name. */
struct stint_context {
    size_t stat;    /* index in stats */
    size_t parent;  /* index in contexts, less than this one's; STINT_NO_PARENT for a root */
    uint32_t depth; /* 0 for a root */
    struct stint_numbers numbers;
    struct stint_gpu_use gpu; /* as in struct stint_stat */
    struct stint_gpu_use gpu_self;
};

#define STINT_NO_PARENT ((size_t)-1)

/** A thread that recorded. All threads that have exited share one entry, with exited = 1 and tid = 0. The last three
 *  members are 0 without STINT_CPU=on; they count from the thread's beginning, also after a reset. */
struct stint_thread {
    int64_t pid;
    int64_t tid;
    int exited;
    char name[16];      /* as the operating system has it; "" if unknown */
    char state[16];     /* when the snapshot was taken: "running", "sleeping", "disk sleep"; "" if unknown */
    uint64_t exits;     /* in the entry for exited threads: how many they are, 0 if unknown; else 0 */
    uint64_t cpu_ns;    /* time that it ran */
    uint64_t waits;     /* context switches because it waited for something */
    uint64_t preempted; /* context switches because another thread was to run */
};

/** A thread's part of a statistic, without numbers.bins. Ordered by stat, then thread. */
struct stint_thread_stat {
    size_t thread; /* index in threads */
    size_t stat;   /* index in stats */
    struct stint_numbers numbers;
};

/** What recording one activation cost, as it was measured when the snapshot was taken. */
struct stint_cost {
    double whole_ns;  /* 0: not measured, or the same as that of a scope */
    double inside_ns; /* the part of it that is in the activation's own time */
};

/** The recording process and its clock. A merged snapshot has those of its first part, but the sums of samples
 *  that were added, and of calls and functions that were left out. */
struct stint_process {
    int64_t pid;
    char rank[16];       /* among the processes that a launcher such as mpirun or torchrun started; "" if it has none */
    uint32_t ranks;      /* of which this is the sum, if they were told apart (rank_stats.h); 0: they were not */
    const char *command; /* program and arguments, separated by spaces; "" if unknown */
    const char *host;
    uint64_t start_unix_ns; /* when stint was first used, wall-clock time */
    uint64_t wall_ns;       /* from then to this snapshot */
    const char *clock;      /* "tsc", "cntvct" or "monotonic"; "unordered tsc" with STINT_CLOCK=fast */
    double clock_hz;        /* ticks per second */
    double clock_read_ns;   /* measured cost of one clock read; 0: not measured */
    double scope_ns;        /* measured cost of one scope; 0: not measured */
    double inside_ns;       /* the part of scope_ns that is in the scope's own time; 0: no cost is taken off times */
    struct stint_cost function; /* of one function compiled with -finstrument-functions */
    struct stint_cost range;    /* of one NVTX range that is pushed and popped */
    struct stint_cost call;     /* of one CUDA API call, or one launch if calls are not recorded; without CUPTI's */
    double added_ns;            /* what one call of stint_statset_add cost; 0: not measured, or there was none */
    uint64_t added_samples;     /* how many there were, of the activations that are counted */
    double left_out_ns;         /* what one call of a function costs that is not recorded; 0: not measured */
    uint64_t excluded_calls;    /* of functions that STINT_FUNCTIONS excludes by their names */
    double budget;              /* STINT_BUDGET: the share of each thread's time that recording may cost; 0: any */
    double thinned_ns;          /* what an activation costs that is left out for that, */
    double thinned_hooks_ns;    /* and one of a function */
    uint64_t tiny_calls; /* of functions that STINT_FUNCTIONS=!tiny left out, since recording took longer than they, */
    uint64_t tiny_functions; /* and how many functions these are */
    uint64_t spare[8];       /* 0; for later releases */
};

/** One of the processes whose snapshots were merged. Ordered by start, then pid. */
struct stint_merged_process {
    int64_t pid;
    char rank[16];
    const char *command;
    uint64_t start_unix_ns; /* this and the next as in struct stint_process */
    uint64_t wall_ns;
    uint64_t gpu_ns; /* of its kernels, copies and memsets, and of its moves of unified memory */
    uint64_t kernels;
    uint64_t dropped; /* of all kinds together */
};

enum stint_barrier_kind {
    STINT_BARRIER_END = 0,  /* participants arrive; the last to arrive is the slowest */
    STINT_BARRIER_DELTA = 1 /* participants report a duration; the one with the longest is the slowest */
};

/** The rounds of a barrier in which one participant was the slowest, or all its rounds. The members whose names end in
 *  _gap_ns are sums over these rounds, except min_gap_ns and max_gap_ns. */
struct stint_barrier_part {
    uint32_t participant; /* its id; 0 for all rounds */
    uint64_t rounds;
    uint64_t gap_ns;     /* from the first arrival to the last; of durations, from the shortest to the longest */
    uint64_t min_gap_ns; /* 0 while rounds is 0 */
    uint64_t max_gap_ns;
    uint64_t second_gap_ns;   /* from the second arrival to the last; this and the next two are 0 for durations */
    uint64_t last_two_gap_ns; /* from the last arrival but one to the last */
    uint64_t middle_gap_ns;   /* from the middle arrival, number n/2 counted from 0, to the last */
};

/** A barrier statistic (barrier.h). Ordered by set, the global one first, then by name. */
struct stint_barrier_stat {
    const char *set;
    const char *name; /* with its tag */
    enum stint_barrier_kind kind;
    uint32_t participants;
    uint32_t pending;                         /* participants that the round under way has had so far */
    uint64_t rounds;                          /* finished ones, including the first, which is in no number below */
    struct stint_barrier_part total;          /* all rounds but the first */
    const struct stint_barrier_part *slowest; /* who was the slowest at least once; by descending rounds, then id */
    size_t slowest_count;
};

/** Everything recorded up to one moment. */
struct stint_snapshot {
    size_t size; /* sizeof(struct stint_snapshot) in the library that made it */
    struct stint_process process;
    const char *const *sets; /* names: sets[0] is "GlobalStatInfo", the others are ordered by name */
    size_t set_count;
    const struct stint_stat *stats;
    size_t stat_count;
    const struct stint_context *contexts;
    size_t context_count;
    const struct stint_thread *threads;
    size_t thread_count;
    const struct stint_thread_stat *thread_stats;
    size_t thread_stat_count;
    struct stint_dropped dropped;
    const struct stint_barrier_stat *barriers;
    size_t barrier_count;
    struct stint_gpu_info gpu;
    const struct stint_gpu_device *gpu_devices;
    size_t gpu_device_count;
    const struct stint_gpu_memory *gpu_memory;
    size_t gpu_memory_count;
    const struct stint_gpu_activity *gpu_activities;
    size_t gpu_activity_count;
    const struct stint_gpu_charge *gpu_charges;
    size_t gpu_charge_count;
    const struct stint_gpu_instance *gpu_instances;
    size_t gpu_instance_count;
    const struct stint_gpu_event *gpu_events;
    size_t gpu_event_count;
    struct stint_nvtx_info nvtx;
    const struct stint_nvtx_value *nvtx_values;
    size_t nvtx_value_count;
    const struct stint_nvtx_name *nvtx_names;
    size_t nvtx_name_count;
    const struct stint_merged_process *processes; /* none if the snapshot is of one process */
    size_t process_count;
    struct stint_sample_info sampling;
    const struct stint_sample_module *sample_modules; /* these five lists are stint/samples.h's */
    size_t sample_module_count;
    const struct stint_sample_frame *sample_frames;
    size_t sample_frame_count;
    const struct stint_sample_stack *sample_stacks;
    size_t sample_stack_count;
    const struct stint_sample_thread *sample_threads;
    size_t sample_thread_count;
    const struct stint_sample_count *sample_counts;
    size_t sample_count_count;
};

/** The set whose statistics are CUDA API calls, if they are recorded (gpu.h). In the calling-context tree a call
 *  stands below the scope that made it, and is not part of that scope's self time. */
#define STINT_API_SET "CUDA API"

/** The set whose statistics are calls of the C library in which threads may wait, if they are recorded
 *  (`stint run --osrt`). They stand below the scope that made them, like calls of CUDA. */
#define STINT_OS_SET "OS runtime"

/** The name, in the global set, of the context below a scope that has what other threads did for it (docs/gpu.md). */
#define STINT_ADOPTED "(other threads)"

/** Takes a snapshot of every set. Statistics without any activation, ended or running, are left out, unless GPU work is
 *  charged to them.
 *
 *  @param snapshot receives it; NULL on failure. Free it with stint_snapshot_free.
 *  @return STINT_OK; STINT_ERROR_INVALID_ARGUMENT: snapshot is NULL; STINT_ERROR_NO_MEMORY;
 *          STINT_ERROR_BUSY: the caller is a signal handler that interrupted stint.
 *  Cost: snapshot_us_per_1000_nodes in docs/overhead.md. Registering a thread or a name waits until it is taken. */
STINT_API enum stint_status stint_snapshot_take(struct stint_snapshot **snapshot);

/** Adds up two snapshots, of two processes or runs for example. Sets, statistics and calling contexts are matched by
 *  name, threads are listed one after the other, and counts of what was dropped add up. Merging is associative, and
 *  commutative except for stint_snapshot.process; merging with an empty snapshot changes nothing.
 *
 *  GPUs: activities, charges and memory add up, and so do peaks of memory, as if all processes had reached them at the
 *  same time. Status and reason are those of the first part that collected. Where the parts have different devices
 *  under one id, the device of the first part is kept. Events move to the time axis of the first part; events before
 *  its start are moved to its start. NVTX: values of the same set, name and field add up. Processes are listed one
 *  after the other; a snapshot without a process id and a start is of none.
 *
 *  @param merged receives a new snapshot that shares no memory with the two; NULL on failure.
 *  @return STINT_OK; STINT_ERROR_INVALID_ARGUMENT: an argument is NULL; STINT_ERROR_NO_MEMORY. */
STINT_API enum stint_status stint_snapshot_merge(const struct stint_snapshot *a, const struct stint_snapshot *b,
                                                 struct stint_snapshot **merged);

/** Frees a snapshot; NULL is ignored. */
STINT_API void stint_snapshot_free(struct stint_snapshot *snapshot);

/** Returns the statistic (set, name) of a snapshot, or NULL if it has none. If `set` is NULL, the global set is meant.
 *  The statistic lives as long as the snapshot. */
STINT_API const struct stint_stat *stint_snapshot_find(const struct stint_snapshot *snapshot, const char *set,
                                                       const char *name);

STINT_EXTERN_C_END

#endif
