/* Which launches are counted. */
#ifndef STINT_COUNTERS_KERNEL_CHOICE_H
#define STINT_COUNTERS_KERNEL_CHOICE_H

#include <stddef.h>
#include <stdint.h>

#include "model/counting.h"

struct stint_kernel_choice {
    const char *kernels; /* patterns separated by commas, those behind ! exclude; NULL: all */
    const char *scopes;  /* patterns: one of the scopes around the launch has to match; NULL: all */
    uint64_t first;      /* of the launches of each kernel, counted from 1 */
    uint64_t last;
};

enum { STINT_KERNEL_LAUNCHES = 8 }; /* how many are counted unless something else is asked for */

/* Reads STINT_COUNTERS_KERNELS, STINT_COUNTERS_SCOPES and STINT_COUNTERS_LAUNCHES ("3", "2-5" or "all"). */
struct stint_kernel_choice stint_kernel_choice(void);

/* Whether the patterns choose the kernel: by its whole name, without what C++ adds around it, or without its
 * namespaces, with or without template arguments. */
int stint_kernel_is_among(const char *patterns, const char *name);

/* The same for scopes, whose names have no such parts. */
int stint_scope_name_is_among(const char *patterns, const char *name);

/* Reads launches. Returns 0, or -1 if the text is none of the above. */
int stint_kernel_launches(struct stint_kernel_choice *choice, const char *text);

/* Returns why a kernel of that name is never replayed, or NULL. */
const char *stint_kernel_waits(const char *name);

/* The scopes around a launch. */

/* As in struct stint_counting_host. */
typedef const char *stint_scope_name_fn(uint32_t path, uint32_t *parent);

/* Writes "outer/inner". Returns its length, 0 outside of scopes. */
size_t stint_scope_path(char *out, size_t size, stint_scope_name_fn *scope, uint32_t path);

/* Whether the patterns choose one of the scopes; without patterns all are chosen. */
int stint_scope_is_among(const char *patterns, stint_scope_name_fn *scope, uint32_t path);

/* --------------------------------------------------------------------------------------------------- kernel_shape.c */

/* How a kernel is launched, and how many of its blocks a multiprocessor has room for. */

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
