/* Rooflines: the plot, the roofs of a device, and those of a recording. */
#ifndef STINT_OP_OP_ROOFLINE_H
#define STINT_OP_OP_ROOFLINE_H

#include "base/arena.h"
#include "base/text.h"
#include "ceiling/ceilings.h"
#include "op/op_scan.h"
#include "op/op_sum.h"
#include "stint/snapshot.h"

/* A roofline as an SVG image: what is done in a second, by how much is computed for each byte that is moved, below what
 * memory and the units that compute allow (Williams et al., Roofline: an insightful visual performance model, 2009). */

enum { STINT_ROOFS = 16, STINT_ROOF_NAME_SIZE = 128 };

struct stint_roof {
    const char *type; /* "fp16" */
    int is_tensor;    /* of Tensor Cores */
    int is_measured;  /* not computed from clocks and units */
    double flops_per_s;
};

/* A circle. What is computed and moved at least is another one, without area, if it is known: 0 otherwise. */
struct stint_roof_point {
    char name[STINT_ROOF_NAME_SIZE];
    double intensity, rate;
    double share;      /* of the time */
    const char *bound; /* "memory", "compute", "launch", "latency"; NULL: not known */
    const char *why;   /* what that is exactly; NULL: as `bound` says */
    double least_intensity, least_rate;
    double excess; /* how many times the bytes are moved that have to be; 0: not known */
};

/* Zero it to begin. */
struct stint_roof_plot {
    struct stint_roof roofs[STINT_ROOFS];
    size_t roof_count;
    double bandwidth; /* bytes for each second; 0: unknown */
    int is_bandwidth_measured;
    struct stint_array points; /* struct stint_roof_point, the most expensive ones first */
    const char *without;       /* what it says if there is none */
};

void stint_roof_plot_put(const struct stint_roof_plot *plot, struct stint_text *text);

/* ----------------------------------------------------------------------------------------------------------- device */

/* What the roofs of a device are: measured, if that was done, or computed from its clocks and units. */

/* Returns the FLOPs for each second with numbers of that type, without sparsity, at the clock that the device has at
 * most; 0 if the device, the type or the use of Tensor Cores is not known. With Tensor Cores fp32 means tf32. */
double stint_op_peak(const struct stint_gpu_device *device, enum stint_op_type type, enum stint_op_tensor_cores use);

struct stint_roof_device {
    struct stint_gpu_device device;
    struct stint_ceilings ceilings;
};

struct stint_roof_device stint_roof_device(const struct stint_gpu_device *device);

/* The roof of a type, without units if it is not known. */
struct stint_roof stint_roof_of(const struct stint_roof_device *device, enum stint_op_type type,
                                enum stint_op_tensor_cores use);

/* Adds it, unless the plot has it, or it is not known. */
void stint_roof_add(struct stint_roof_plot *plot, const struct stint_roof *roof);

/* Sets the bandwidth. */
void stint_roof_memory(struct stint_roof_plot *plot, const struct stint_roof_device *device);

/* -------------------------------------------------------------------------------------------------------- recording */

/* Writes an SVG image with the roofs of the first kernel's device for each type that was used, measured ones if there
 * are any: a circle for each kernel by its counters, if FLOPs and bytes were counted; else for each operation by its
 * cost. Returns 0, or -1 without memory. */
int stint_op_roofline_put(const struct stint_op_rows *rows, struct stint_text *text);

/* Whether FLOPs and bytes of a kernel were counted. */
int stint_kernel_points_any(const struct stint_snapshot *snapshot);

/* Whether the circles are kernels. */
int stint_op_roofline_has_kernels(const struct stint_op_rows *rows);

#endif
