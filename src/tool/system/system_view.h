/* What the machine's GPUs consume and how fast they run, sampled by a thread, and the library that says so. */
#ifndef STINT_SYSTEM_SYSTEM_VIEW_H
#define STINT_SYSTEM_SYSTEM_VIEW_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/event_writer.h"

/* ----------------------------------------------------------------------------------------------------------- nvml.c */

/* The part of NVML that is used: libnvidia-ml.so.1, which comes with the driver, opened at run time. */

enum { STINT_NVML_OK = 0 };

/* Types of clocks. */
enum { STINT_NVML_CLOCK_SM = 1, STINT_NVML_CLOCK_MEMORY = 2 };

/* Bits of the reasons why clocks are lower than they could be. */
enum {
    STINT_NVML_POWER_CAP = 0x4,
    STINT_NVML_HARDWARE_SLOWDOWN = 0x8, /* heat, or power supply */
    STINT_NVML_SOFTWARE_HEAT = 0x20,
    STINT_NVML_HARDWARE_HEAT = 0x40,
    STINT_NVML_POWER_BRAKE = 0x80
};

/* Fields that nvmlDeviceGetFieldValues takes. */
enum {
    STINT_NVML_NVLINK_SENT = 138, /* KiB, summed over links if the scope is STINT_NVML_ALL_LINKS */
    STINT_NVML_NVLINK_RECEIVED = 139,
    STINT_NVML_PCIE_SENT = 197, /* bytes */
    STINT_NVML_PCIE_RECEIVED = 198
};

#define STINT_NVML_ALL_LINKS UINT32_MAX

enum { STINT_NVML_DOUBLE = 0, STINT_NVML_UNSIGNED = 1 }; /* types of values; all others are 64-bit integers */

struct stint_nvml_memory {
    unsigned long long total;
    unsigned long long free;
    unsigned long long used;
};

struct stint_nvml_utilization {
    unsigned gpu; /* percent of the time in which a kernel ran */
    unsigned memory;
};

struct stint_nvml_field {
    unsigned field;
    unsigned scope;
    long long timestamp;
    long long latency_us;
    int type;
    int result;
    union {
        double number;
        unsigned small;
        unsigned long long large;
    } value;
};

/* Each returns STINT_NVML_OK or another nvmlReturn_t. Devices are pointers. The optional ones may be NULL. */
struct stint_nvml {
    int (*init)(void);
    int (*shutdown)(void);
    const char *(*error)(int result);
    int (*count)(unsigned *count);
    int (*device)(unsigned index, void **device);
    int (*power)(void *device, unsigned *milliwatts);
    int (*clock)(void *device, int type, unsigned *mhz);
    int (*temperature)(void *device, int sensor, unsigned *celsius);
    int (*fan)(void *device, unsigned *percent);
    int (*memory)(void *device, struct stint_nvml_memory *memory);
    int (*utilization)(void *device, struct stint_nvml_utilization *utilization);
    int (*slowdowns)(void *device, unsigned long long *reasons);
    int (*fields)(void *device, int count, struct stint_nvml_field *fields);
};

/* Opens and initializes NVML. Returns 0, or -1 with the cause in `reason`. */
int stint_nvml_open(struct stint_nvml *nvml, char *reason, size_t size);

/* NVML stays loaded. */
void stint_nvml_close(const struct stint_nvml *nvml);

/* ---------------------------------------------------------------------------------------------------- system_view.c */

/* What the machine's GPUs consume and how fast they run while a program does, sampled by a thread. */

struct stint_system_view;

/* Begins to sample, STINT_SYSTEM_HZ times a second. `writer`, which may be NULL, gets each number as an event, with
 * times since `start_unix_ns`; until the end nobody else may use it. Names are in the arena. Returns NULL with the
 * cause in `reason`. */
struct stint_system_view *stint_system_view_begin(struct stint_event_writer *writer, uint64_t start_unix_ns,
                                                  struct stint_arena *arena, char *reason, size_t size);

enum { STINT_SYSTEM_HZ = 10 };

/* Samples once more, and ends. Adds the numbers of all samples to `values`, an array of struct stint_nvtx_value in the
 * arena: in the set STINT_SYSTEM_SET, by GPU ("GPU 0") and metric. */
void stint_system_view_end(struct stint_system_view *view, struct stint_array *values);

#endif
