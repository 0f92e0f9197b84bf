/* A table of metrics of a GPU, with the function that reads each. Counters become rates by the difference from the
 * reading before. */
#include "system/system_metric.h"

struct reading {
    const struct stint_nvml *nvml;
    void *device;
};

typedef int read_fn(const struct reading *reading, int what, double *value);

static int as_number(int result, double number, double *value)
{
    *value = number;
    return result == STINT_NVML_OK ? 0 : -1;
}

/* ---------------------------------------------------------------------------------------------------------- gauges */

static int read_power(const struct reading *reading, int what, double *value)
{
    unsigned milliwatts = 0;
    (void)what;
    int result = reading->nvml->power(reading->device, &milliwatts);
    return as_number(result, milliwatts / 1000.0, value);
}

static int read_clock(const struct reading *reading, int what, double *value)
{
    unsigned mhz = 0;
    int result = reading->nvml->clock(reading->device, what, &mhz);
    return as_number(result, mhz, value);
}

static int read_temperature(const struct reading *reading, int what, double *value)
{
    unsigned celsius = 0;
    int result = reading->nvml->temperature(reading->device, what, &celsius);
    return as_number(result, celsius, value);
}

static int read_fan(const struct reading *reading, int what, double *value)
{
    unsigned percent = 0;
    (void)what;
    int result = reading->nvml->fan(reading->device, &percent);
    return as_number(result, percent, value);
}

static int read_memory(const struct reading *reading, int what, double *value)
{
    enum { MIB = 1 << 20 };
    struct stint_nvml_memory memory = {0};
    (void)what;
    int result = reading->nvml->memory(reading->device, &memory);
    return as_number(result, (double)memory.used / MIB, value);
}

static int read_busy(const struct reading *reading, int memory, double *value)
{
    struct stint_nvml_utilization busy = {0};
    int result = reading->nvml->utilization(reading->device, &busy);
    return as_number(result, memory ? busy.memory : busy.gpu, value);
}

/* 0 or 100, so that the average is the share of the time. */
static int read_slowdown(const struct reading *reading, int bits, double *value)
{
    unsigned long long reasons = 0;
    if (!reading->nvml->slowdowns)
        return -1;
    int result = reading->nvml->slowdowns(reading->device, &reasons);
    return as_number(result, reasons & (unsigned)bits ? 100 : 0, value);
}

/* -------------------------------------------------------------------------------------------------------- counters */

static int read_field(const struct reading *reading, int field, double *value)
{
    int is_link = field == STINT_NVML_NVLINK_SENT || field == STINT_NVML_NVLINK_RECEIVED;
    struct stint_nvml_field read = {.field = (unsigned)field, .scope = is_link ? STINT_NVML_ALL_LINKS : 0};
    if (!reading->nvml->fields || reading->nvml->fields(reading->device, 1, &read) || read.result)
        return -1;
    *value = read.type == STINT_NVML_DOUBLE     ? read.value.number
             : read.type == STINT_NVML_UNSIGNED ? read.value.small
                                                : (double)read.value.large;
    *value *= is_link ? 1024 : 1;
    return 0;
}

/* --------------------------------------------------------------------------------------------------------- metrics */

enum {
    BY_POWER = STINT_NVML_POWER_CAP | STINT_NVML_POWER_BRAKE,
    BY_HEAT = STINT_NVML_SOFTWARE_HEAT | STINT_NVML_HARDWARE_HEAT,
    BY_HARDWARE = STINT_NVML_HARDWARE_SLOWDOWN
};

static const struct {
    read_fn *read;
    int what;
    int counts; /* bytes: shown as a rate in MB/s */
} s_metrics[STINT_SYSTEM_METRICS] = {
    [STINT_SYSTEM_BUSY] = {read_busy, 0, 0},
    [STINT_SYSTEM_LINK_RECEIVED] = {read_field, STINT_NVML_NVLINK_RECEIVED, 1},
    [STINT_SYSTEM_LINK_SENT] = {read_field, STINT_NVML_NVLINK_SENT, 1},
    [STINT_SYSTEM_PCIE_RECEIVED] = {read_field, STINT_NVML_PCIE_RECEIVED, 1},
    [STINT_SYSTEM_PCIE_SENT] = {read_field, STINT_NVML_PCIE_SENT, 1},
    [STINT_SYSTEM_CLOCK] = {read_clock, STINT_NVML_CLOCK_SM, 0},
    [STINT_SYSTEM_FAN] = {read_fan, 0, 0},
    [STINT_SYSTEM_MEMORY_BUSY] = {read_busy, 1, 0},
    [STINT_SYSTEM_MEMORY_CLOCK] = {read_clock, STINT_NVML_CLOCK_MEMORY, 0},
    [STINT_SYSTEM_MEMORY] = {read_memory, 0, 0},
    [STINT_SYSTEM_POWER] = {read_power, 0, 0},
    [STINT_SYSTEM_SLOWED_BY_HARDWARE] = {read_slowdown, BY_HARDWARE, 0},
    [STINT_SYSTEM_SLOWED_BY_HEAT] = {read_slowdown, BY_HEAT, 0},
    [STINT_SYSTEM_SLOWED_BY_POWER] = {read_slowdown, BY_POWER, 0},
    [STINT_SYSTEM_TEMPERATURE] = {read_temperature, 0, 0},
};

const char *stint_system_metric_name(enum stint_system_metric metric)
{
    static const char names[STINT_SYSTEM_METRICS][26] = {STINT_SYSTEM_ROWS(STINT_SYSTEM_NAME)};
    return names[metric];
}

/* A counter that has begun anew has no rate. */
static int as_rate(struct stint_system_counters *counters, int metric, uint64_t ns, double *value)
{
    uint64_t bytes = (uint64_t)*value, before = counters->bytes[metric], before_ns = counters->ns[metric];
    counters->bytes[metric] = bytes;
    counters->ns[metric] = ns;
    if (!before_ns || ns <= before_ns || bytes < before)
        return -1;
    *value = (double)(bytes - before) * 1000 / (double)(ns - before_ns);
    return 0;
}

int stint_system_metric_read(const struct stint_nvml *nvml, void *device, enum stint_system_metric metric, uint64_t ns,
                             struct stint_system_counters *counters, double *value)
{
    struct reading reading = {nvml, device};
    if (s_metrics[metric].read(&reading, s_metrics[metric].what, value))
        return -1;
    return s_metrics[metric].counts ? as_rate(counters, metric, ns, value) : 0;
}
