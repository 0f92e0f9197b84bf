/* Builds a snapshot: rows are added in any order, are found again by their contents, and are put into the canonical
 * order at the end. A failure is remembered: further additions are harmless, and the end reports the failure. */
#ifndef STINT_STAT_BUILDER_H
#define STINT_STAT_BUILDER_H

#include "base/arena.h"
#include "base/array.h"
#include "base/index.h"
#include "stat/members.h"
#include "stint/statset.h"

struct stint_snapshot_memory;

struct stint_builder {
    struct stint_snapshot_memory *memory; /* the snapshot and its arena; NULL after a failure to begin */
    struct stint_array sets;              /* const char * */
    struct stint_array stats;             /* struct stint_stat */
    struct stint_array contexts;          /* struct stint_context */
    struct stint_array threads;           /* struct stint_thread */
    struct stint_array thread_stats;      /* struct stint_thread_stat */
    struct stint_array barriers;          /* struct stint_barrier_stat, `slowest` with a place for each participant */
    struct stint_index stat_index;
    struct stint_index context_index;
    struct stint_gpu_info gpu;
    struct stint_array gpu_devices;    /* struct stint_gpu_device */
    struct stint_array gpu_memory;     /* struct stint_gpu_memory */
    struct stint_array gpu_activities; /* struct stint_gpu_activity */
    struct stint_array gpu_charges;    /* struct stint_gpu_charge */
    struct stint_array gpu_instances;  /* struct stint_gpu_instance */
    struct stint_array gpu_events;     /* struct stint_gpu_event */
    struct stint_array gpu_names;      /* const char *, of activities and events, each once */
    struct stint_index gpu_activity_index;
    struct stint_index gpu_charge_index;
    struct stint_index gpu_name_index;
    struct stint_nvtx_info nvtx;
    struct stint_array nvtx_values; /* struct stint_nvtx_value */
    struct stint_array nvtx_names;  /* struct stint_nvtx_name */
    struct stint_index nvtx_value_index;
    struct stint_index nvtx_name_index;
    struct stint_array processes; /* struct stint_merged_process */
    struct stint_sample_info sampling;
    struct stint_array samples[STINT_SAMPLE_LISTS]; /* the snapshot's lists of samples */
    int failed;
};

void stint_builder_begin(struct stint_builder *builder);

/* Memory of snapshots that were freed, for others: where many are made one after the other, mapping memory anew would
 * take longer than filling it. Zeroed, there is none. */
struct stint_spare_memory {
    struct stint_arena arenas[16];
    size_t count;
};

/* As stint_builder_begin, in spare memory if there is any. */
void stint_builder_begin_in(struct stint_builder *builder, struct stint_spare_memory *spare);

/* Frees the snapshot, which may be NULL; its memory becomes spare, if there is not much yet. */
void stint_snapshot_recycle(struct stint_snapshot *snapshot, struct stint_spare_memory *spare);

void stint_spare_memory_free(struct stint_spare_memory *spare);

/* Each finds or adds a row and returns its position, which is valid until the end. Texts are copied; numbers start at
 * zero. */
size_t stint_builder_set(struct stint_builder *builder, const char *name);
size_t stint_builder_stat(struct stint_builder *builder, const struct stint_stat *like);
size_t stint_builder_context(struct stint_builder *builder, size_t parent, size_t stat);

/* Each adds a row. */
size_t stint_builder_thread(struct stint_builder *builder, const struct stint_thread *thread);
void stint_builder_thread_stat(struct stint_builder *builder, size_t thread, size_t stat,
                               const struct stint_numbers *numbers);

/* Each adds to the numbers of a row. */
void stint_builder_add_stat(struct stint_builder *builder, size_t stat, const struct stint_numbers *numbers);
void stint_builder_add_context(struct stint_builder *builder, size_t context, const struct stint_numbers *numbers);

/* Adds a barrier statistic to that of the same set, name, kind and number of participants, or as a new row. Parts of
 * `like` without rounds are skipped. */
void stint_builder_barrier(struct stint_builder *builder, const struct stint_barrier_stat *like);

/* GPUs (stat/gpu_rows.c). `like` is a row as in a snapshot, but refers to activities and contexts by their positions in
 * this builder; texts are copied.
 *
 * Devices, memory and charges are added to the row for the same thing, or become a new row. An activity is the row of
 * the same kind, name, mangled name, device, context and stream, found or added with zero numbers; the second of its
 * functions adds numbers and bytes to the row. Instances and events are added as they are, an instance after its
 * parent. A charge or an event whose context is missing is unattributed; one whose instance is missing has none. What
 * contexts and statistics had GPUs do is derived from the charges at the end. */
void stint_builder_gpu_info(struct stint_builder *builder, const struct stint_gpu_info *info);
void stint_builder_gpu_device(struct stint_builder *builder, const struct stint_gpu_device *like);
void stint_builder_gpu_memory(struct stint_builder *builder, const struct stint_gpu_memory *like);
size_t stint_builder_gpu_activity(struct stint_builder *builder, const struct stint_gpu_activity *like);
void stint_builder_add_gpu_activity(struct stint_builder *builder, size_t activity,
                                    const struct stint_gpu_activity *like);
void stint_builder_gpu_charge(struct stint_builder *builder, const struct stint_gpu_charge *like);
size_t stint_builder_gpu_instance(struct stint_builder *builder, size_t parent, size_t context);
void stint_builder_gpu_event(struct stint_builder *builder, const struct stint_gpu_event *like);

/* NVTX (stat/nvtx_rows.c): each adds to the row for the same thing, or adds a new row; texts are copied. Values without
 * a number are skipped. */
void stint_builder_nvtx_info(struct stint_builder *builder, const struct stint_nvtx_info *info);
void stint_builder_nvtx_value(struct stint_builder *builder, const struct stint_nvtx_value *like);
void stint_builder_nvtx_name(struct stint_builder *builder, const struct stint_nvtx_name *like);

/* Samples (stat/sample_rows.c): the first adds up how threads were sampled, the second adds a row of one of the kinds
 * STINT_ROWS_SAMPLE_…, which refers to others by their positions in this builder, and returns its position. Texts are
 * copied. */
void stint_builder_sampling(struct stint_builder *builder, const struct stint_sample_info *info);
size_t stint_builder_sample(struct stint_builder *builder, enum stint_row_kind kind, const void *row);

/* Adds all samples of a snapshot, whose contexts have the positions `contexts` in this builder. */
void stint_builder_samples_of(struct stint_builder *builder, const struct stint_snapshot *snapshot,
                              const size_t *contexts);

/* Adds a process to those whose snapshots are merged (stat/processes.c). Texts are copied. */
void stint_builder_process(struct stint_builder *builder, const struct stint_merged_process *like);

/* For the files of this stage: returns a new zeroed row of `size` bytes, or NULL after a failure; and a copy of the
 * text, or "" after a failure. */
void *stint_builder_row(struct stint_builder *builder, struct stint_array *rows, size_t size);
const char *stint_builder_text(struct stint_builder *builder, const char *text);

/* Returns the arena for whatever the caller wants to live as long as the snapshot; NULL after a failure. */
struct stint_arena *stint_builder_arena(struct stint_builder *builder);

/* Returns the snapshot in canonical order, without rows for things that neither ended, nor are running, nor launched
 * anything, or NULL after a failure. Texts of `process` must live in the builder's arena. */
struct stint_snapshot *stint_builder_end(struct stint_builder *builder, const struct stint_process *process,
                                         const struct stint_dropped *dropped);

#endif
