/* Measures what CUPTI takes for what it reports: launches empty kernels and makes queries, first without CUPTI, then
 * with it. Nothing of what it reports is looked at. About half a second. The process should end afterwards, because
 * CUDA stays slower in it. */
#ifndef STINT_CEILING_CUPTI_MEASURE_H
#define STINT_CEILING_CUPTI_MEASURE_H

struct stint_cupti_cost {
    double kernel_ns; /* CPU time, of all threads: for a kernel's record and the report of its launch */
    double call_ns;   /* for the report of a call that launches nothing */
};

/* With the CUPTI at that path, and the first device. A cost may be less than 0 on a machine whose speed changes.
 * Returns NULL, or what failed: the name of a function, or "CUDA". */
const char *stint_cupti_measure(struct stint_cupti_cost *cost, const char *cupti);

#endif
