/* Which metrics there are, alone and in groups; which of them are counted; and how many times a kernel has to run for
 * them. */
#ifndef STINT_COUNTERS_COUNTER_PLAN_H
#define STINT_COUNTERS_COUNTER_PLAN_H

#include <stddef.h>

#include "base/arena.h"
#include "base/array.h"
#include "counters/range_api.h"

/* What CUPTI makes of metrics that are counted together. */
struct stint_counter_schedule {
    uint8_t *image;
    size_t bytes;
    size_t passes;
};

struct stint_counter_plan {
    struct stint_range_api *api;
    void *host;                /* CUPTI's object */
    struct stint_array names;  /* const char *, each once */
    struct stint_array absent; /* const char *: what was asked for, but the device does not have */
    struct stint_counter_schedule schedule;
    int is_split;               /* 1: kernels run once, so only metrics of one pass are counted */
    size_t runs;                /* how many runs of the program count all metrics, if it is split */
    struct stint_array unsplit; /* const char *: metrics that only a replay of kernels counts, if it is split */
    struct stint_arena arena;
};

enum { STINT_PLAN_WHOLE = 0, STINT_COUNTER_SUFFIXES = 3 };

/* What a name without a suffix may get, the most usual first. */
extern const char *const stint_counter_suffixes[STINT_COUNTER_SUFFIXES];

/* Makes a plan for a chip, "GH100". `metrics` lists groups and names of metrics, separated by commas or blanks; "all"
 * is all groups. A name without a suffix, "dram__bytes_read", gets the most usual one that it can have. `run` is
 * STINT_PLAN_WHOLE for all of them, or says, from 1 on, which of the parts that one pass can count. Returns 0, or -1 if
 * a function failed (stint_range_explain) or no metric is left. */
int stint_counter_plan(struct stint_counter_plan *plan, struct stint_range_api *api, const char *chip,
                       const char *metrics, size_t run);

/* Which metrics a device has. */

/* In the order of CUPTI's types. */
enum stint_metric_kind { STINT_METRIC_COUNTER, STINT_METRIC_RATIO, STINT_METRIC_THROUGHPUT, STINT_METRIC_KINDS };

/* Names have no suffix; the description is "" if CUPTI has none. */
typedef void stint_metric_list_fn(enum stint_metric_kind kind, const char *name, const char *description);

/* Passes on each metric of the first device, by kind. CUDA has to be initialised; `cupti` is from dlopen. Returns 0, or
 * -1 and in `why` what prevents it. */
int stint_metric_list(void *cupti, stint_metric_list_fn *put, char *why, size_t size);

/* Which metrics belong to a group of counters. */

/* Returns the name of group `index`, "speed-of-light", and in *metrics its metrics, each ended by a blank; NULL beyond
 * the last. */
const char *stint_counter_group_at(size_t index, const char **metrics);

/* Returns the metrics of a group, each followed by a blank; NULL if there is no such group. */
const char *stint_counter_group(const char *name, size_t length);

#endif
