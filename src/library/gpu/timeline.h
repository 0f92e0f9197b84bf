/* One axis for host and devices: ns since the process' start. Samples say what CUPTI's clock read between two readings
 * of stint's; what happened between two samples is put there by linear interpolation, what was before the first or
 * behind the last keeps that one's distance. */
#ifndef STINT_GPU_TIMELINE_H
#define STINT_GPU_TIMELINE_H

#include <stddef.h>
#include <stdint.h>

/* Keeps a sample. Under the ledger's lock. Of those within STINT_TIMELINE_NEAR_NS, the one with the closest readings
 * stays; when room runs out, every other goes. A sample whose readings are in the wrong order is passed over. */
void stint_timeline_align(uint64_t ticks_before, uint64_t cupti_ns, uint64_t ticks_after);

enum { STINT_TIMELINE_SAMPLES = 128, STINT_TIMELINE_NEAR_NS = 10000000 };

void stint_timeline_forget(void);

/* Stint's clock as it is known when somebody looks: at `ticks`, the process was `ns` old. */
struct stint_timeline_clock {
    uint64_t ticks;
    uint64_t ns;
    double ns_per_tick;
    uint64_t start_unix_ns; /* where there is no sample, CUPTI's clock is taken for the wall clock */
};

struct stint_timeline_clock stint_timeline_clock_now(void);

/* The samples, on that clock. */
struct stint_timeline {
    struct stint_timeline_clock clock;
    size_t count;
    double error_ns;
    uint64_t cupti_ns[STINT_TIMELINE_SAMPLES];
    int64_t distance[STINT_TIMELINE_SAMPLES]; /* of cupti_ns to the axis */
};

/* Under the lock. error_ns: half the widest sample, and how far off any sample is from the line through its neighbours;
 * with two samples, by how much they differ. */
void stint_timeline_make(struct stint_timeline *timeline, const struct stint_timeline_clock *clock);

/* ns since the process' start; negative: before it. */
int64_t stint_timeline_of_ticks(const struct stint_timeline *timeline, uint64_t ticks);
int64_t stint_timeline_of_cupti(const struct stint_timeline *timeline, uint64_t cupti_ns);

#endif
