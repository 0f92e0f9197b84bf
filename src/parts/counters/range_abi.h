/* The part of CUPTI's range profiler that stint uses, declared here as CUPTI is in gpu/cupti.h. Every function takes
 * one structure, which begins with the size that the caller knows; tests/compile/range_abi.cpp compares all of it with
 * NVIDIA's headers where they are installed. */
#ifndef STINT_COUNTERS_RANGE_ABI_H
#define STINT_COUNTERS_RANGE_ABI_H

#include <stddef.h>
#include <stdint.h>

enum {
    STINT_RANGE_INVALID_METRIC_NAME = 17,
    STINT_RANGE_INSUFFICIENT_PRIVILEGES = 35,
    STINT_RANGE_MIG_NOT_SUPPORTED = 43
};

enum { STINT_RANGE_AUTO = 1, STINT_RANGE_USER = 2 };
enum { STINT_RANGE_KERNEL_REPLAY = 2, STINT_RANGE_USER_REPLAY = 3 };
enum { STINT_RANGE_PROFILING = 0, STINT_RANGE_IS_SUPPORTED = 3 };

/* cuptiProfilerInitialize */
struct stint_range_initialize {
    size_t size;
    void *reserved;
};

/* cuptiProfilerDeviceSupported; the members from `supported` to `wsl` are STINT_RANGE_IS_SUPPORTED, or not */
struct stint_range_supported {
    size_t size;
    void *reserved;
    int device;
    int supported;
    int architecture;
    int sli;
    int virtual_gpu;
    int confidential;
    int cmp;
    int wsl;
    int api;
};

/* cuptiDeviceGetChipName */
struct stint_range_chip {
    size_t size;
    void *reserved;
    size_t device;
    const char *name;
};

/* cuptiProfilerHostInitialize */
struct stint_range_host_initialize {
    size_t size;
    void *reserved;
    int type; /* 0: range profiler */
    const char *chip;
    const uint8_t *availability;
    void *host;
};

/* cuptiProfilerHostDeinitialize */
struct stint_range_host_end {
    size_t size;
    void *reserved;
    void *host;
};

/* cuptiProfilerHostGetBaseMetrics */
struct stint_range_base_metrics {
    size_t size;
    void *reserved;
    void *host;
    int type; /* 0 counter, 1 ratio, 2 throughput */
    const char **names;
    size_t count;
};

/* cuptiProfilerHostGetMetricProperties */
struct stint_range_properties {
    size_t size;
    void *reserved;
    void *host;
    const char *name;
    const char *description;
    const char *unit_of_hardware;
    const char *unit;
    int type;
};

/* cuptiProfilerHostConfigAddMetrics */
struct stint_range_add_metrics {
    size_t size;
    void *reserved;
    void *host;
    const char **names;
    size_t count;
};

/* cuptiProfilerHostGetConfigImageSize */
struct stint_range_image_size {
    size_t size;
    void *reserved;
    void *host;
    size_t bytes;
};

/* cuptiProfilerHostGetConfigImage */
struct stint_range_image {
    size_t size;
    void *reserved;
    void *host;
    size_t bytes;
    uint8_t *image;
};

/* cuptiProfilerHostGetNumOfPasses */
struct stint_range_passes {
    size_t size;
    void *reserved;
    size_t bytes;
    uint8_t *image;
    size_t passes;
};

/* cuptiProfilerHostEvaluateToGpuValues */
struct stint_range_evaluate {
    size_t size;
    void *reserved;
    void *host;
    const uint8_t *data;
    size_t bytes;
    size_t range;
    const char **names;
    size_t count;
    double *values;
};

/* cuptiRangeProfilerEnable */
struct stint_range_enable {
    size_t size;
    void *reserved;
    void *context;
    void *profiler;
};

/* cuptiRangeProfilerDisable, cuptiRangeProfilerStart, cuptiRangeProfilerPopRange */
struct stint_range_profiler {
    size_t size;
    void *reserved;
    void *profiler;
};

/* cuptiRangeProfilerGetCounterDataSize */
struct stint_range_data_size {
    size_t size;
    void *reserved;
    void *profiler;
    const char **names;
    size_t count;
    size_t ranges;
    uint32_t nodes;
    size_t bytes;
};

/* cuptiRangeProfilerCounterDataImageInitialize */
struct stint_range_data_initialize {
    size_t size;
    void *reserved;
    void *profiler;
    size_t bytes;
    uint8_t *data;
};

/* cuptiRangeProfilerSetConfig */
struct stint_range_config {
    size_t size;
    void *reserved;
    void *profiler;
    size_t image_bytes;
    const uint8_t *image;
    size_t data_bytes;
    uint8_t *data;
    int range;
    int replay;
    size_t ranges;
    uint16_t levels;
    uint16_t first_level;
    size_t pass;
    uint16_t level;
};

/* cuptiRangeProfilerPushRange */
struct stint_range_push {
    size_t size;
    void *reserved;
    void *profiler;
    const char *name;
};

/* cuptiRangeProfilerStop */
struct stint_range_stop {
    size_t size;
    void *reserved;
    void *profiler;
    size_t pass;
    size_t level;
    uint8_t all_passes;
};

/* cuptiRangeProfilerDecodeData */
struct stint_range_decode {
    size_t size;
    void *reserved;
    void *profiler;
    size_t dropped;
};

/* cuptiRangeProfilerGetCounterDataInfo */
struct stint_range_data_info {
    size_t size;
    void *reserved;
    const uint8_t *data;
    size_t bytes;
    size_t ranges;
};

/* What CUPTI calls the size of a structure ends with its last member, without padding. */
#define STINT_RANGE_SIZE(type, last) (offsetof(struct type, last) + sizeof(((struct type *)0)->last))

#endif
