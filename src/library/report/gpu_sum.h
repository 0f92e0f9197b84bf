/* Sums over what a snapshot says of GPUs that several formats state. */
#ifndef STINT_REPORT_GPU_SUM_H
#define STINT_REPORT_GPU_SUM_H

#include <stdint.h>

#include "stat/gpu_rows.h" /* stint_gpu_is_call */
#include "stat/gpu_words.h"
#include "stint/snapshot.h"

struct stint_gpu_sum {
    int any;                           /* GPUs did something */
    int spans;                         /* no collector saw it: times are those of STINT_GPU_SCOPE */
    uint64_t total_ns;                 /* of all devices: what 100 % is */
    uint64_t kernels;                  /* in the total */
    int calls;                         /* launches were timed */
    struct stint_gpu_use scopes;       /* charged to scopes; with the next two, the total */
    struct stint_gpu_use no_scope;     /* charged to none */
    struct stint_gpu_use unattributed; /* the launch was not seen */
};

struct stint_gpu_sum stint_gpu_summarize(const struct stint_snapshot *snapshot);

/* The time that a column GPU shows. */
uint64_t stint_gpu_shown_ns(const struct stint_gpu_sum *sum, const struct stint_gpu_use *use);

/* Whether GPUs did anything at all for a scope. */
int stint_gpu_is_used(const struct stint_gpu_use *use);

/* Whether activities of this kind occupy a device. */
static inline int stint_gpu_occupies(enum stint_gpu_kind kind)
{
    return kind <= STINT_GPU_UNIFIED;
}

/* Whether collecting was asked for and did not come about. */
int stint_gpu_has_failed(const struct stint_gpu_info *info);

/* A device by id; one that the snapshot does not describe has that id alone. */
struct stint_gpu_device stint_gpu_device_of(const struct stint_snapshot *snapshot, uint32_t id);

/* Adds `from` to `to`, whose count is 0 if it has nothing yet. Histograms and squares are left out. */
void stint_gpu_add_numbers(struct stint_numbers *to, const struct stint_numbers *from);

#endif
