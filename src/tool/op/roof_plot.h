/* A roofline as an SVG image: what is done in a second, by how much is computed for each byte that is moved, below what
 * memory and the units that compute allow (Williams et al., Roofline: an insightful visual performance model, 2009). */
#ifndef STINT_OP_ROOF_PLOT_H
#define STINT_OP_ROOF_PLOT_H

#include "base/array.h"
#include "base/text.h"

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

#endif
