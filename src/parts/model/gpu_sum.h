/* Sums of a snapshot's GPU activity that several formats need, besides those of report/summary.h. */
#ifndef STINT_MODEL_GPU_SUM_H
#define STINT_MODEL_GPU_SUM_H

#include <stdint.h>

#include "model/gpu_rows.h" /* stint_gpu_is_call, stint_gpu_occupies */
#include "model/gpu_words.h"
#include "report/line.h"
#include "report/summary.h"
#include "stint/snapshot.h"

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

#endif
