/* What parts and the program know of what parts collect: rows, their order and words, sums, merging. */
#ifndef STINT_MODEL_MODEL_H
#define STINT_MODEL_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "report/line.h"
#include "report/report.h"
#include "report/summary.h"
#include "stat/builder.h"
#include "stat/members.h"
#include "stat/numbers.h"
#include "stat/order.h"
#include "stint/barrier.h"
#include "stint/gpu_stats.h"
#include "stint/samples.h"
#include "stint/snapshot.h"
#include "stint/statset.h"

/* ------------------------------------------------------------------------------------------------------ gpu_words.c */

/* The words for directions of copies, for waits and for kinds of memory, each in one row. */

enum {
    STINT_GPU_DIRECTIONS = STINT_GPU_PTOP + 1,
    STINT_GPU_WAITS = STINT_GPU_WAIT_CONTEXT + 1,
    STINT_GPU_MEMORY_KINDS = STINT_GPU_MEMORY_MANAGED_STATIC + 1
};

/* The word in JSON for an event that is a call. */
enum { STINT_WORD_API = STINT_GPU_KINDS };

/* Without pointers, so that the rows need no relocation. */
struct stint_gpu_direction_words {
    char constant[8];  /* as in CUPTI's and Nsight Systems' enumerators: "HTOD" */
    char copy[20];     /* the name of such an activity: "[CUDA memcpy HtoD]" */
    char move[36];     /* the name of such a move of unified memory */
    char timeline[12]; /* what PyTorch's profiler calls such a copy: "Memcpy HtoD" */
    char nsys[20];     /* "Host-to-Device" */
    char nvprof[20];   /* "Host To Device", for unified memory */
    int nsys_move;     /* Nsight Systems' number of such a move; 0: there are none in this direction. Copies have the
                          enumerator's own number */
};

struct stint_gpu_wait_words {
    char constant[20]; /* "EVENT_SYNCHRONIZE" */
    char name[28];     /* of such an activity: "[CUDA event synchronize]" */
    char timeline[20]; /* what PyTorch's profiler calls it: "Event Sync" */
    char nsys[20];     /* "Event sync" */
};

/* ROW(constant, word, name): the enumerator without STINT_GPU_MEMORY_, the word in JSON reports, and the name that
 * people read. */
#define STINT_GPU_MEMORY_ROWS(ROW)                                                                                     \
    ROW(UNKNOWN, "unknown", "Unknown")                                                                                 \
    ROW(PAGEABLE, "pageable", "Pageable")                                                                              \
    ROW(PINNED, "pinned", "Pinned")                                                                                    \
    ROW(DEVICE, "device", "Device")                                                                                    \
    ROW(ARRAY, "array", "Array")                                                                                       \
    ROW(MANAGED, "managed", "Managed")                                                                                 \
    ROW(DEVICE_STATIC, "device_static", "Device Static")                                                               \
    ROW(MANAGED_STATIC, "managed_static", "Managed Static")

/* Both are indexed by the enumerator. */
extern const struct stint_gpu_direction_words stint_gpu_direction_words[STINT_GPU_DIRECTIONS];
extern const struct stint_gpu_wait_words stint_gpu_wait_words[STINT_GPU_WAITS];

/* Returns the name of copies, sets, moves of unified memory, and waits; NULL if activities of this kind have
 * names of their own. */
enum stint_gpu_fault {
    STINT_GPU_FAULT_HOST,
    STINT_GPU_FAULT_DEVICE,
    STINT_GPU_FAULT_THRASHING, /* several devices, or the host, use a page again and again */
    STINT_GPU_FAULTS
};
extern const char stint_gpu_fault_names[STINT_GPU_FAULTS][40];

const char *stint_gpu_name(enum stint_gpu_kind kind, enum stint_gpu_direction direction, enum stint_gpu_wait wait);

/* The reverse, for names that were read from a file; 0 (unknown) if the name does not tell. */
enum stint_gpu_direction stint_gpu_direction_of(enum stint_gpu_kind kind, const char *name);
enum stint_gpu_wait stint_gpu_wait_of(enum stint_gpu_kind kind, const char *name);

/* Returns "Device Static"; "" if the kind is unknown. */
const char *stint_gpu_memory_name(enum stint_gpu_memory_kind kind);

/* ------------------------------------------------------------------------------------------------------- gpu_rows.c */

/* Rows of what GPUs did: adding and ordering them, and what statistics and contexts have of them. */

/* Derives, from the charges and the calls of CUDA's API, what each of the snapshot's contexts and statistics had GPUs
 * do. Returns 0, or -1 if there is no memory. */
int stint_gpu_derive_use(struct stint_snapshot *snapshot, struct stint_builder *builder);

/* Whether activities of this kind occupy a device. */
static inline int stint_gpu_occupies(enum stint_gpu_kind kind)
{
    return kind <= STINT_GPU_UNIFIED;
}

/* Returns whether a statistic is a call of the C library in which threads may wait. */
int stint_stat_is_os_call(const struct stint_stat *stat);

/* Returns whether a statistic is STINT_ADOPTED. */
int stint_stat_is_adopted(const struct stint_stat *stat);

/* Adds `from` to `into`. */
void stint_gpu_use_merge(struct stint_gpu_use *into, const struct stint_gpu_use *from);

/* Adds a charge of an activity of this kind to `use`. */
void stint_gpu_use_add(struct stint_gpu_use *use, enum stint_gpu_kind kind, const struct stint_gpu_charge *charge);

/* What the tables name (gpu_order.c). */
stint_row_order_fn stint_order_by_keys, stint_order_activities, stint_order_events;

/* Returns the position of an activity, added without numbers if it is new. */
static inline size_t stint_builder_gpu_activity(struct stint_builder *builder, const struct stint_gpu_activity *like)
{
    return stint_builder_find(builder, STINT_ROWS_GPU_ACTIVITIES, like);
}

/* Adds to its numbers and bytes. */
static inline void stint_builder_add_gpu_activity(struct stint_builder *builder, size_t activity,
                                                  const struct stint_gpu_activity *like)
{
    if (!builder->failed && like->numbers.count)
        stint_builder_merge(builder, STINT_ROWS_GPU_ACTIVITIES,
                            stint_builder_row(builder, STINT_ROWS_GPU_ACTIVITIES, activity), like);
}

/* -------------------------------------------------------------------------------------------------------- gpu_sum.c */

/* Sums of a snapshot's GPU activity that several formats need, besides those of report/summary.h. */

/* Whether collecting was requested but failed. */
int stint_gpu_has_failed(const struct stint_gpu_info *info);

/* The number of launches that were not measured, because their device failed or CUPTI lost their records. */
uint64_t stint_gpu_unmeasured(const struct stint_snapshot *snapshot);

/* If there are any, writes "GPU: 2 launches were not measured: 1 add(int *), 1 copy(int *)" (footnotes.c). */
void stint_gpu_note_unmeasured(struct stint_line *line, const struct stint_snapshot *snapshot);

/* If parts of GPU activity were not recorded, writes which (footnotes.c). Other tools' recordings do not say. */
void stint_gpu_note_left_out(struct stint_line *line, const struct stint_gpu_info *info);

/* A device by id; if the snapshot does not describe it, only the id is set. */
struct stint_gpu_device stint_gpu_device_of(const struct stint_snapshot *snapshot, uint32_t id);

/* Returns the bytes per second that such copies could reach; 0 if unknown. A copy within a device both reads and writes
 * its memory, so it can reach half the bandwidth. */
double stint_gpu_peak(const struct stint_gpu_activity *copy, const struct stint_gpu_device *device);

/* Adds `from` to `to`, whose count is 0 if it is empty. Histograms and sums of squares are not added. */
void stint_gpu_add_numbers(struct stint_numbers *to, const struct stint_numbers *from);

/* --------------------------------------------------------------------------------------------------- barrier_rows.c */

/* What rows of barriers take to be added up. */

/* Adds `from` to `into`, and takes over its participant. */
void stint_barrier_part_add(struct stint_barrier_part *into, const struct stint_barrier_part *from);

/* -------------------------------------------------------------------------------------------------- barrier_table.c */

/* Barrier tables, as PaddlePaddle prints them. */

/* What is shown; the same for all that print. */
struct stint_barrier_display {
    enum stint_barrier_show show;
    unsigned lowest; /* how many participants are shown at most */
};

struct stint_barrier_display stint_barrier_get_display(void);

/* The share of rounds from which it is considered unusual that one participant was the slowest; 0 if all barriers are
 * shown. */
float stint_barrier_threshold(uint32_t participants, enum stint_barrier_show show);

/* Writes the table, each line ended by '\n', if the barrier is to be shown. */
void stint_report_barrier(struct stint_text *text, const struct stint_barrier_stat *barrier,
                          const struct stint_barrier_display *display);

/* ----------------------------------------------------------------------------------------------------- call_names.c */

/* Tells from the names of CUDA's functions what these do. The names may be those of callbacks ("cuLaunchKernel_ptsz"),
 * of cuptiGetCallbackName ("cudaLaunchKernel_v7000"), or those that reports show. */

/* What a call does, if it matters: calls that do nothing of this are queries, or set something up. */
enum stint_call_kind {
    STINT_CALL_OTHER,
    STINT_CALL_LAUNCH, /* a kernel */
    STINT_CALL_COPY,   /* also within unified memory */
    STINT_CALL_SET,
    STINT_CALL_ALLOCATE, /* or free, map, register memory */
    STINT_CALL_WAIT,
    STINT_CALL_LOAD,  /* code, or a context; or unload it */
    STINT_CALL_GRAPH, /* capture, build, instantiate or launch one */
    STINT_CALL_KINDS
};

enum stint_call_kind stint_call_kind(const char *name);

/* Whether a call of the function launches a kernel or a graph. */
int stint_call_is_launch(const char *name);

/* Whether it belongs to the driver's interface: cuLaunchKernel, not cudaLaunchKernel or __cudaLaunchKernel. */
int stint_call_is_driver(const char *name);

/* Whether it may put something on a device: a kernel, a graph, a copy, a set or a move of unified memory. */
int stint_call_is_work(const char *name);

/* ---------------------------------------------------------------------------------------------------------- merge.c */

/* Adding snapshots to a builder. */

/* The snapshot's rows that are added: those of `kinds`, a bit for each; of those of the kind `adapted`, a copy that
 * `adapt` has changed. */
struct stint_addition {
    uint64_t kinds;
    enum stint_row_kind adapted;
    void (*adapt)(const struct stint_addition *addition, void *row);
    const struct stint_snapshot *snapshot;
    int64_t shift_ns;            /* for adapt */
    struct stint_arena *scratch; /* emptied; NULL: one of its own */
};

#define STINT_ROWS_BIT(rows) (UINT64_C(1) << STINT_ROWS_##rows)

void stint_builder_add_snapshot(struct stint_builder *builder, const struct stint_addition *addition);

/* Merges snapshots, as stint_snapshot_merge does two, one after the other: the work of each does not depend on how many
 * came before. The first one's process is that of all. */
struct stint_merging {
    struct stint_builder builder;
    struct stint_process process;
    struct stint_arena scratch;
};

void stint_merging_begin(struct stint_merging *merging, const struct stint_snapshot *first);
void stint_merging_add(struct stint_merging *merging, const struct stint_snapshot *next);

/* Returns the sum; NULL without memory. */
struct stint_snapshot *stint_merging_end(struct stint_merging *merging);

/* Sums up the snapshot of one process. */
struct stint_merged_process stint_process_sum(const struct stint_snapshot *snapshot);

/* --------------------------------------------------------------------------------------------------------- spread.c */

/* How rows differ between ranks: struct stint_spread, of rows in a builder. Only code that merges ranks uses this;
 * libstint does not contain it. */

/* Adds a spread, which may be NULL, to that of a row in the builder, as its add_spread does. Ranks of the two have to
 * be different. */
stint_spread_add_fn stint_spread_add;

/* Returns the spread of a row that only this rank has. */
struct stint_spread stint_spread_of_rank(const struct stint_numbers *numbers, uint32_t rank, const char *host);

/* Of the totals of the ranks that have the row: the mean, and the population standard deviation. */
double stint_spread_mean_ns(const struct stint_numbers *numbers);
double stint_spread_stddev_ns(const struct stint_numbers *numbers);

/* --------------------------------------------------------------------------------------------------- function_names */

/* Names of functions at addresses that samples have, for what writes files of them. */

/* A function at an address. */
struct stint_function_name {
    const char *name; /* "0x1234" if nobody knows it */
    const char *file; /* of the source; "" if unknown */
    uint32_t line;    /* in it; 0: unknown */
};

/* Knows the names of functions, as the program `stint` does. */
struct stint_function_names {
    /* Fills `found`, with room for `most`, with the function at an address of the module, as the module's file states
     * it, and with those that it was inlined into, the innermost first. Returns how many there are, one at least. Texts
     * stay valid. */
    size_t (*find)(void *context, const struct stint_sample_module *module, uint64_t address,
                   struct stint_function_name *found, size_t most);
    void *context;
};

/* ----------------------------------------------------------------------------------------------------- system_words */

/* What is sampled of GPUs, each with its unit: the fields of values in the set STINT_SYSTEM_SET. */

/* ROW(constant, name): in the order of strcmp, which is that of a snapshot. */
#define STINT_SYSTEM_ROWS(ROW)                                                                                         \
    ROW(BUSY, "GPU busy (%)")                                                                                          \
    ROW(LINK_RECEIVED, "NVLink received (MB/s)")                                                                       \
    ROW(LINK_SENT, "NVLink sent (MB/s)")                                                                               \
    ROW(PCIE_RECEIVED, "PCIe received (MB/s)")                                                                         \
    ROW(PCIE_SENT, "PCIe sent (MB/s)")                                                                                 \
    ROW(CLOCK, "SM clock (MHz)")                                                                                       \
    ROW(FAN, "fan (%)")                                                                                                \
    ROW(MEMORY_BUSY, "memory busy (%)")                                                                                \
    ROW(MEMORY_CLOCK, "memory clock (MHz)")                                                                            \
    ROW(MEMORY, "memory used (MiB)")                                                                                   \
    ROW(POWER, "power (W)")                                                                                            \
    ROW(SLOWED_BY_HARDWARE, "slowed by hardware (%)")                                                                  \
    ROW(SLOWED_BY_HEAT, "slowed by heat (%)")                                                                          \
    ROW(SLOWED_BY_POWER, "slowed by power cap (%)")                                                                    \
    ROW(TEMPERATURE, "temperature (C)")

#define STINT_SYSTEM_ENUMERATOR(constant, name) STINT_SYSTEM_##constant,
#define STINT_SYSTEM_NAME(constant, name) [STINT_SYSTEM_##constant] = name,

enum stint_system_metric { STINT_SYSTEM_ROWS(STINT_SYSTEM_ENUMERATOR) STINT_SYSTEM_METRICS };

#endif
