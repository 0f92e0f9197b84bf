/* Reads all metrics of all GPUs some times a second in a thread, adds them up, and writes them as events. A table has
 * the function that reads each metric; counters become rates by the difference from the reading before. */
#include "system/system_view.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "model/model.h"
#include "stint/nvtx_stats.h"

/* What counters of a device showed last: of those that count bytes, only differences are told. */
struct counters {
    uint64_t bytes[STINT_SYSTEM_METRICS];
    uint64_t ns[STINT_SYSTEM_METRICS];
};

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

static const char *metric_name(enum stint_system_metric metric)
{
    static const char names[STINT_SYSTEM_METRICS][26] = {STINT_SYSTEM_ROWS(STINT_SYSTEM_NAME)};
    return names[metric];
}

/* A counter that has begun anew has no rate. */
static int as_rate(struct counters *counters, int metric, uint64_t ns, double *value)
{
    uint64_t bytes = (uint64_t)*value, before = counters->bytes[metric], before_ns = counters->ns[metric];
    counters->bytes[metric] = bytes;
    counters->ns[metric] = ns;
    if (!before_ns || ns <= before_ns || bytes < before)
        return -1;
    *value = (double)(bytes - before) * 1000 / (double)(ns - before_ns);
    return 0;
}

/* Reads a metric of a device, at the time `ns` of a steady clock. Returns 0, or -1 if the device does not tell, or a
 * counter is read for the first time. */
static int read_metric(const struct stint_nvml *nvml, void *device, enum stint_system_metric metric, uint64_t ns,
                       struct counters *counters, double *value)
{
    struct reading reading = {nvml, device};
    if (s_metrics[metric].read(&reading, s_metrics[metric].what, value))
        return -1;
    return s_metrics[metric].counts ? as_rate(counters, metric, ns, value) : 0;
}

/* --------------------------------------------------------------------------------------------------------- sampling */

enum { MOST_DEVICES = 64 };

/* The numbers of one device. */
struct device {
    void *handle;
    const char *name;
    struct counters counters;
    struct {
        uint64_t count;
        double sum, min, max;
    } sums[STINT_SYSTEM_METRICS];
};

struct stint_system_view {
    struct stint_nvml nvml;
    struct stint_event_writer *writer;
    uint64_t start_unix_ns;
    struct stint_arena *arena;
    struct device *devices;
    unsigned count;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int ends;
};

/* --------------------------------------------------------------------------------------------------------- samples */

static uint64_t now(clockid_t clock)
{
    struct timespec time;
    (void)clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
}

static void count(struct device *device, enum stint_system_metric metric, double value)
{
    if (!device->sums[metric].count || value < device->sums[metric].min)
        device->sums[metric].min = value;
    if (!device->sums[metric].count || value > device->sums[metric].max)
        device->sums[metric].max = value;
    device->sums[metric].sum += value;
    device->sums[metric].count++;
}

/* A recording that cannot be written any more says so when it ends. */
static void write_value(const struct stint_system_view *view, const struct device *device,
                        enum stint_system_metric metric, double value, uint64_t at_ns)
{
    struct stint_event event = {.kind = STINT_EVENT_VALUE,
                                .start_ns = at_ns,
                                .end_ns = at_ns,
                                .pid = getpid(),
                                .context = STINT_GPU_NO_SCOPE,
                                .name = device->name,
                                .set = STINT_SYSTEM_SET,
                                .field = metric_name(metric),
                                .value = value};
    (void)view->writer->event(view->writer, &event);
}

static void sample_device(const struct stint_system_view *view, struct device *device)
{
    for (enum stint_system_metric metric = 0; metric < STINT_SYSTEM_METRICS; metric++) {
        uint64_t unix_ns = now(CLOCK_REALTIME);
        double value;
        if (read_metric(&view->nvml, device->handle, metric, now(CLOCK_MONOTONIC), &device->counters, &value))
            continue;
        count(device, metric, value);
        if (view->writer && unix_ns >= view->start_unix_ns)
            write_value(view, device, metric, value, unix_ns - view->start_unix_ns);
    }
}

static void sample(const struct stint_system_view *view)
{
    for (unsigned i = 0; i < view->count; i++)
        sample_device(view, &view->devices[i]);
    if (view->writer)
        (void)view->writer->flush(view->writer);
}

/* ---------------------------------------------------------------------------------------------------------- thread */

static struct timespec time_of_next(void)
{
    enum { SECOND = 1000000000, PERIOD = SECOND / STINT_SYSTEM_HZ };
    struct timespec time;
    (void)clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec += PERIOD;
    time.tv_sec += time.tv_nsec / SECOND;
    time.tv_nsec %= SECOND;
    return time;
}

/* The lock is held but for the waits. */
static void *work(void *context)
{
    struct stint_system_view *view = context;
    pthread_mutex_lock(&view->lock);
    while (!view->ends) {
        struct timespec at = time_of_next();
        sample(view);
        while (!view->ends && pthread_cond_timedwait(&view->changed, &view->lock, &at) == 0)
            ;
    }
    sample(view);
    pthread_mutex_unlock(&view->lock);
    return NULL;
}

/* Signals are for the thread that waits for the program. */
static int start_thread(struct stint_system_view *view)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&view->thread, NULL, work, view);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

/* --------------------------------------------------------------------------------------------------- begin and end */

static void find_devices(struct stint_system_view *view, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct device *device = &view->devices[view->count];
        char name[24];
        if (view->nvml.device(i, &device->handle))
            continue; /* lost, or not for this user */
        int length = snprintf(name, sizeof name, "GPU %u", i);
        device->name = stint_arena_copy(view->arena, name, (size_t)length);
        view->count += device->name != NULL;
    }
}

static int open_devices(struct stint_system_view *view, char *reason, size_t size)
{
    unsigned count = 0;
    if (stint_nvml_open(&view->nvml, reason, size))
        return -1;
    int result = view->nvml.count(&count);
    if (count > MOST_DEVICES)
        count = MOST_DEVICES;
    view->devices = calloc(count + 1, sizeof *view->devices);
    if (view->devices && !result)
        find_devices(view, count);
    if (view->count)
        return 0;
    (void)snprintf(reason, size, "NVML finds no GPU%s%s", result ? ": " : "", result ? view->nvml.error(result) : "");
    stint_nvml_close(&view->nvml);
    free(view->devices);
    return -1;
}

struct stint_system_view *stint_system_view_begin(struct stint_event_writer *writer, uint64_t start_unix_ns,
                                                  struct stint_arena *arena, char *reason, size_t size)
{
    struct stint_system_view *view = calloc(1, sizeof *view);
    (void)snprintf(reason, size, "there is not enough memory");
    if (!view)
        return NULL;
    view->writer = writer;
    view->start_unix_ns = start_unix_ns;
    view->arena = arena;
    (void)pthread_mutex_init(&view->lock, NULL);
    (void)pthread_cond_init(&view->changed, NULL);
    if (open_devices(view, reason, size) == 0) {
        if (!start_thread(view))
            return view;
        (void)snprintf(reason, size, "a thread cannot be started");
        stint_nvml_close(&view->nvml);
        free(view->devices);
    }
    free(view);
    return NULL;
}

static void add_values(const struct device *device, struct stint_array *values, struct stint_arena *arena)
{
    for (enum stint_system_metric metric = 0; metric < STINT_SYSTEM_METRICS; metric++) {
        struct stint_nvtx_value *value;
        if (!device->sums[metric].count)
            continue;
        value = stint_array_add(values, arena, sizeof *value);
        if (!value)
            return;
        *value = (struct stint_nvtx_value){.set = STINT_SYSTEM_SET,
                                           .name = device->name,
                                           .field = metric_name(metric),
                                           .count = device->sums[metric].count,
                                           .sum = device->sums[metric].sum,
                                           .min = device->sums[metric].min,
                                           .max = device->sums[metric].max};
    }
}

void stint_system_view_end(struct stint_system_view *view, struct stint_array *values)
{
    pthread_mutex_lock(&view->lock);
    view->ends = 1;
    pthread_cond_signal(&view->changed);
    pthread_mutex_unlock(&view->lock);
    pthread_join(view->thread, NULL);
    for (unsigned i = 0; i < view->count; i++)
        add_values(&view->devices[i], values, view->arena);
    stint_nvml_close(&view->nvml);
    free(view->devices);
    free(view);
}
