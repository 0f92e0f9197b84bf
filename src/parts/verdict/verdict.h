/* What a kernel's counters say it is bound by. docs/counters.md has the rules as a table. */
#ifndef STINT_VERDICT_VERDICT_H
#define STINT_VERDICT_VERDICT_H

#include "verdict/kernel_figures.h"

enum stint_bound {
    STINT_BOUND_UNKNOWN, /* the counters for it are missing */
    STINT_BOUND_LAUNCH,  /* it is over before a launch takes effect */
    STINT_BOUND_GRID,    /* it has too few blocks for the device */
    STINT_BOUND_DRAM,
    STINT_BOUND_L2,
    STINT_BOUND_L1,
    STINT_BOUND_SHARED, /* as L1, and most of what L1 does is shared memory */
    STINT_BOUND_FP64,
    STINT_BOUND_FMA,
    STINT_BOUND_ALU,
    STINT_BOUND_XU,
    STINT_BOUND_TENSOR,
    STINT_BOUND_ISSUE, /* no pipe, but the issue of instructions */
    STINT_BOUND_REGISTERS,
    STINT_BOUND_SHARED_SIZE,
    STINT_BOUND_BLOCK_SIZE,
    STINT_BOUND_LATENCY,
    STINT_BOUNDS
};

enum stint_certainty { STINT_UNSURE, STINT_LIKELY, STINT_SURE };

struct stint_verdict {
    enum stint_bound bound;
    enum stint_certainty certainty;
    double share;          /* what it has of the device's best, or of the occupancy, in percent; NAN: none */
    enum stint_bound next; /* the second most used; UNKNOWN: none is close */
    double next_share;
    const char *stall;  /* of LATENCY: what warps wait for most; NULL if that was not counted */
    double stall_share; /* of all stalls, in percent */
};

struct stint_verdict stint_verdict(const struct stint_kernel_figures *figures);

/* "the fp64 pipe", "probably", and what to try. */
const char *stint_bound_name(enum stint_bound bound);
const char *stint_certainty_word(enum stint_certainty certainty);
const char *stint_verdict_advice(const struct stint_verdict *verdict, const struct stint_kernel_figures *figures);

enum stint_precision {
    STINT_PRECISION_FINE,   /* no fp64 instructions, or they were not counted */
    STINT_PRECISION_FP64,   /* there are some */
    STINT_PRECISION_SUSPECT /* and the kernel's arguments are of another type */
};

/* Whether a kernel computes in a precision that its arguments do not have. */
enum stint_precision stint_precision(const struct stint_kernel_figures *figures);

#endif
