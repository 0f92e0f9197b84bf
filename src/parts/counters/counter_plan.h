/* Which metrics are counted, and how many times a kernel has to run for them. */
#ifndef STINT_COUNTERS_COUNTER_PLAN_H
#define STINT_COUNTERS_COUNTER_PLAN_H

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

/* Schedules metrics in an object of CUPTI's that has none yet: each call that adds some begins a pass of its own.
 * Returns 0, or -1 if a function failed or there is no memory. */
int stint_counter_schedule(struct stint_counter_schedule *schedule, struct stint_range_api *api, void *host,
                           const struct stint_array *names, struct stint_arena *arena);

/* Adds a name to one of the plan's arrays unless it is there. Returns -1 without memory. */
int stint_counter_keep(struct stint_counter_plan *plan, struct stint_array *names, const char *name);

/* Makes CUPTI's object for a chip. Returns NULL if that failed. */
void *stint_counter_host(struct stint_range_api *api, const char *chip);

#endif
