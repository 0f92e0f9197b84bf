/* What a device can do at most, as measured: how fast it copies, reads, and computes with numbers of each type; and how
 * much CUPTI can report of it, if nothing else is done. */
#ifndef STINT_CEILING_CEILINGS_H
#define STINT_CEILING_CEILINGS_H

enum stint_ceiling {
    STINT_CEILING_COPY, /* bytes that are read and written, device memory */
    STINT_CEILING_READ,
    STINT_CEILING_L2, /* bytes read */
    STINT_CEILING_FP64,
    STINT_CEILING_FP32,
    STINT_CEILING_FP16,
    STINT_CEILING_BF16,
    STINT_CEILING_TENSOR_FP64,
    STINT_CEILING_TENSOR_TF32,
    STINT_CEILING_TENSOR_FP16,
    STINT_CEILING_TENSOR_BF16,
    STINT_CEILING_CUPTI_KERNELS, /* launches that are reported, with records of their kernels, per second of CPU time */
    STINT_CEILING_CUPTI_CALLS,   /* the same of calls that launch nothing */
    STINT_CEILINGS
};

enum { STINT_CEILING_NAME_SIZE = 128 };

struct stint_ceilings {
    char device[STINT_CEILING_NAME_SIZE]; /* "NVIDIA H200" */
    int driver;                           /* the newest CUDA it supports: 13000 is 13.0 */
    double per_s[STINT_CEILINGS];         /* bytes, FLOPs, kernels or calls; 0: not measured */
};

/* "copy", "fp32", "tensor_fp16", ... */
const char *stint_ceiling_word(enum stint_ceiling ceiling);

#endif
