/* How a kernel is launched, and how many of its blocks a multiprocessor has room for. */
#ifndef STINT_COUNTERS_KERNEL_SHAPE_H
#define STINT_COUNTERS_KERNEL_SHAPE_H

#include "model/counting.h"

enum { STINT_SHAPE_MOST = 12 };

/* A number with the name that Nsight Compute gives it. */
struct stint_shape_value {
    const char *metric;
    double value;
};

struct stint_kernel_shape {
    struct stint_shape_value values[STINT_SHAPE_MOST];
    size_t count; /* 0: the call is none whose parameters are known */
};

/* What is on a multiprocessor. */
struct stint_multiprocessor {
    int count;
    int threads;
    int shared;
    int registers;
    int blocks;
    int reserved; /* shared memory, of each block */
};

struct stint_shape_need {
    unsigned threads; /* of a block */
    int registers;    /* of a thread */
    int shared;       /* of a block */
};

/* How many blocks there is room for, by what limits them. */
struct stint_shape_limits {
    int registers;
    int shared;
    int warps;
};

struct stint_shape_limits stint_shape_limits(const struct stint_multiprocessor *has,
                                             const struct stint_shape_need *needs);

/* Reads the parameters of a launch, and asks the driver about the kernel and the device that is current. */
void stint_kernel_shape(struct stint_kernel_shape *shape, const struct stint_counted_call *call);

#endif
