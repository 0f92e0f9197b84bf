/* Which metrics there are, alone and in groups; which of them are counted; and how many times a kernel has to run for
 * them. */
#ifndef STINT_COUNTERS_COUNTER_PLAN_H
#define STINT_COUNTERS_COUNTER_PLAN_H

#include <stddef.h>

#include "base/arena.h"
#include "counters/range_abi.h"

/* CUPTI's functions for hardware counters, looked up in the CUPTI that is open. */

enum stint_range_function {
    STINT_RANGE_INITIALIZE,
    STINT_RANGE_SUPPORTED,
    STINT_RANGE_CHIP,
    STINT_RANGE_HOST_INITIALIZE,
    STINT_RANGE_HOST_END,
    STINT_RANGE_BASE_METRICS,
    STINT_RANGE_PROPERTIES,
    STINT_RANGE_ADD_METRICS,
    STINT_RANGE_IMAGE_SIZE,
    STINT_RANGE_IMAGE,
    STINT_RANGE_PASSES,
    STINT_RANGE_EVALUATE,
    STINT_RANGE_ENABLE,
    STINT_RANGE_DISABLE,
    STINT_RANGE_START,
    STINT_RANGE_PUSH,
    STINT_RANGE_POP,
    STINT_RANGE_STOP,
    STINT_RANGE_DATA_SIZE,
    STINT_RANGE_DATA_INITIALIZE,
    STINT_RANGE_DATA_INFO,
    STINT_RANGE_CONFIG,
    STINT_RANGE_DECODE,
    STINT_RANGE_FUNCTIONS
};

struct stint_range_api {
    int (*functions[STINT_RANGE_FUNCTIONS])(void *parameters);
    int (*result_string)(int result, const char **string);
    int result; /* of the last call */
    enum stint_range_function last_call;
};

/* Looks the functions up. Returns NULL, or the name of one that this CUPTI, which is then older than 12.6, lacks. */
const char *stint_range_open(struct stint_range_api *api, void *cupti);

/* Calls a function with its structure, whose size has been set. Returns 0, or -1 if it failed. */
int stint_range_call(struct stint_range_api *api, enum stint_range_function function, void *parameters);

/* Says which function failed, and what that means. */
void stint_range_explain(const struct stint_range_api *api, char *text, size_t size);

/* Functions of the CUDA driver that the program has loaded. */

/* Writes the function's address into a pointer to such functions, or NULL if there is none. */
void stint_driver_function(const char *name, void *pointer);

/* --------------------------------------------------------------------------------------------------- counter_plan.c */

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

/* Passes on each metric of the first device, by kind. CUDA has to be initialized; `cupti` is from dlopen. Returns 0, or
 * -1 and in `why` what prevents it. */
int stint_metric_list(void *cupti, stint_metric_list_fn *put, char *why, size_t size);

/* Which metrics belong to a group of counters. */

/* Returns the name of group `index`, "speed-of-light", and in *metrics its metrics, each ended by a blank; NULL beyond
 * the last. */
const char *stint_counter_group_at(size_t index, const char **metrics);

/* Returns the metrics of a group, each followed by a blank; NULL if there is no such group. */
const char *stint_counter_group(const char *name, size_t length);

/* -------------------------------------------------------------------------------------------------- range_session.c */

/* Counting kernels of one context: each that is to be counted is a range of its own, which CUPTI replays. */

struct stint_range_session {
    void *context;
    void *profiler; /* CUPTI's object; NULL: it could not be made */
    uint8_t *data;
    size_t bytes;
};

/* Prepares to count in a context. Returns 0, or -1 if a function failed. */
int stint_range_session(struct stint_range_session *session, struct stint_counter_plan *plan, void *context);

/* Ends that, in the same context. */
void stint_range_close(struct stint_range_session *session, struct stint_counter_plan *plan);

/* Before and after the launch of a kernel. The second waits until the kernel has run as often as it has to, and fills
 * `values`, one for each metric of the plan. Both return 0, or -1 if a function failed. */
int stint_range_begin(struct stint_range_session *session, struct stint_counter_plan *plan);
int stint_range_end(struct stint_range_session *session, struct stint_counter_plan *plan, double *values);

#endif
