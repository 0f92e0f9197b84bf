/* The part of the mock's CUPTI that counts what kernels do: the range profiler of CUPTI 13.0, for kernels that are
 * replayed one by one, or run once in a range of the program's. Every metric has the value that MOCK_COUNTERS, a list
 * "metric=value,...", gives it; without one, the length of its name, but gpu__time_duration.sum is the kernel's time.
 * Names that begin with "no" do not exist.
 *
 * Like the real one it fails with 999 after a metric that does not exist was added, and counts nothing if two kernels
 * are launched into one range that is replayed. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "counters/range_abi.h"
#include "gpu_mock/mock.h"

enum { UNKNOWN = 999, INVALID = 1, INVALID_OPERATION = 7, MAGIC = 0x57717431 };
enum { MOST_METRICS = 256, METRICS_IN_A_PASS = 5 };

struct host {
    int spoiled;
    size_t passes;
};

struct image {
    size_t passes;
};

struct data {
    int magic;
    size_t ranges;
    uint64_t ns;
};

static struct {
    int initialized;
    int enabled;
    int started;
    int is_user; /* ranges are pushed and popped */
    int pushed;
    int submitted; /* the pass of a user range has been counted, so it has to be configured again */
    int kernels;   /* since the start */
    long stops;
    uint64_t ns;
    struct data *data; /* where results go */
    struct host host;
} s_range;

static int fails(const char *option)
{
    return (int)mock_option(option);
}

static int has_size(const void *parameters, size_t size, const char *function)
{
    if (*(const size_t *)parameters == size)
        return 1;
    mock_misuse(function);
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ host */

MOCK_API int cuptiProfilerInitialize(struct stint_range_initialize *initialize);
MOCK_API int cuptiProfilerDeviceSupported(struct stint_range_supported *device);
MOCK_API int cuptiDeviceGetChipName(struct stint_range_chip *chip);
MOCK_API int cuptiProfilerHostInitialize(struct stint_range_host_initialize *host);
MOCK_API int cuptiProfilerHostDeinitialize(struct stint_range_host_end *end);
MOCK_API int cuptiProfilerHostGetBaseMetrics(struct stint_range_base_metrics *metrics);
MOCK_API int cuptiProfilerHostGetMetricProperties(struct stint_range_properties *properties);
MOCK_API int cuptiProfilerHostConfigAddMetrics(struct stint_range_add_metrics *metrics);
MOCK_API int cuptiProfilerHostGetConfigImageSize(struct stint_range_image_size *size);
MOCK_API int cuptiProfilerHostGetConfigImage(struct stint_range_image *image);
MOCK_API int cuptiProfilerHostGetNumOfPasses(struct stint_range_passes *passes);
MOCK_API int cuptiProfilerHostEvaluateToGpuValues(struct stint_range_evaluate *evaluate);

int cuptiProfilerInitialize(struct stint_range_initialize *initialize)
{
    s_range.initialized = has_size(initialize, STINT_RANGE_SIZE(stint_range_initialize, reserved), "initialize");
    return fails("range_initialize");
}

int cuptiProfilerDeviceSupported(struct stint_range_supported *device)
{
    if (!has_size(device, STINT_RANGE_SIZE(stint_range_supported, api), "supported") || !s_range.initialized)
        return INVALID;
    device->supported = device->architecture = device->sli = device->virtual_gpu = STINT_RANGE_IS_SUPPORTED;
    device->confidential = device->cmp = device->wsl = STINT_RANGE_IS_SUPPORTED;
    if (fails("unsupported"))
        device->supported = device->architecture = 1;
    return 0;
}

int cuptiDeviceGetChipName(struct stint_range_chip *chip)
{
    chip->name = "GH100";
    return has_size(chip, STINT_RANGE_SIZE(stint_range_chip, name), "chip") ? 0 : INVALID;
}

int cuptiProfilerHostInitialize(struct stint_range_host_initialize *host)
{
    if (!has_size(host, STINT_RANGE_SIZE(stint_range_host_initialize, host), "host") || strcmp(host->chip, "GH100"))
        return INVALID;
    s_range.host = (struct host){0};
    host->host = &s_range.host;
    return 0;
}

int cuptiProfilerHostDeinitialize(struct stint_range_host_end *end)
{
    return has_size(end, STINT_RANGE_SIZE(stint_range_host_end, host), "host end") && end->host ? 0 : INVALID;
}

static const char *s_counters[] = {"dram__bytes_read", "sm__inst_executed"};
static const char *s_ratios[] = {"lts__t_sector_hit_rate"};
static const char *s_throughputs[] = {"sm__throughput"};

int cuptiProfilerHostGetBaseMetrics(struct stint_range_base_metrics *metrics)
{
    metrics->names = metrics->type == 0 ? s_counters : metrics->type == 1 ? s_ratios : s_throughputs;
    metrics->count = metrics->type == 0 ? 2 : 1;
    return has_size(metrics, STINT_RANGE_SIZE(stint_range_base_metrics, count), "metrics") ? 0 : INVALID;
}

static int exists(const char *name)
{
    return strstr(name, "__") && strncmp(name, "no", 2) != 0;
}

int cuptiProfilerHostGetMetricProperties(struct stint_range_properties *properties)
{
    if (!has_size(properties, STINT_RANGE_SIZE(stint_range_properties, type), "properties"))
        return INVALID;
    properties->description = "what the mock counts";
    properties->unit = "thing";
    properties->unit_of_hardware = "mock";
    return exists(properties->name) ? 0 : STINT_RANGE_INVALID_METRIC_NAME;
}

/* A metric whose name begins with "wide" needs two passes of its own. */
static size_t passes_of(const struct stint_range_add_metrics *metrics)
{
    size_t narrow = 0, wide = 0;
    for (size_t i = 0; i < metrics->count; ++i)
        if (strncmp(metrics->names[i], "wide", 4) == 0)
            ++wide;
        else
            ++narrow;
    return (narrow + METRICS_IN_A_PASS - 1) / METRICS_IN_A_PASS + 2 * wide;
}

int cuptiProfilerHostConfigAddMetrics(struct stint_range_add_metrics *metrics)
{
    struct host *host = metrics->host;
    if (!has_size(metrics, STINT_RANGE_SIZE(stint_range_add_metrics, count), "add") || host->spoiled)
        return UNKNOWN;
    if (host->passes)
        mock_misuse("metrics were added twice: each time begins a new pass");
    host->passes = passes_of(metrics);
    for (size_t i = 0; i < metrics->count; ++i)
        if (!exists(metrics->names[i])) {
            host->spoiled = 1;
            return STINT_RANGE_INVALID_METRIC_NAME;
        }
    return 0;
}

int cuptiProfilerHostGetConfigImageSize(struct stint_range_image_size *size)
{
    size->bytes = sizeof(struct image);
    return has_size(size, STINT_RANGE_SIZE(stint_range_image_size, bytes), "image size") ? 0 : INVALID;
}

int cuptiProfilerHostGetConfigImage(struct stint_range_image *image)
{
    if (!has_size(image, STINT_RANGE_SIZE(stint_range_image, image), "image") || image->bytes != sizeof(struct image))
        return INVALID;
    *(struct image *)(void *)image->image = (struct image){((struct host *)image->host)->passes};
    return 0;
}

int cuptiProfilerHostGetNumOfPasses(struct stint_range_passes *passes)
{
    passes->passes = ((const struct image *)(const void *)passes->image)->passes;
    return has_size(passes, STINT_RANGE_SIZE(stint_range_passes, passes), "passes") ? 0 : INVALID;
}

/* Without replay, CUPTI has no numbers of metrics for which it patches kernels, and does not say so. */
static double value_of(const char *metric, uint64_t ns)
{
    const char *at = getenv("MOCK_COUNTERS");
    const size_t length = strlen(metric);
    if (s_range.is_user && strstr(metric, "__sass_"))
        return 0;
    for (; at && *at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (!strncmp(at, metric, length) && at[length] == '=')
            return atof(at + length + 1);
    return strcmp(metric, "gpu__time_duration.sum") == 0 ? (double)ns : (double)length;
}

int cuptiProfilerHostEvaluateToGpuValues(struct stint_range_evaluate *evaluate)
{
    const struct data *data = (const void *)evaluate->data;
    if (!has_size(evaluate, STINT_RANGE_SIZE(stint_range_evaluate, values), "evaluate") || data->magic != MAGIC ||
        evaluate->range >= data->ranges)
        return INVALID;
    for (size_t i = 0; i < evaluate->count; ++i)
        evaluate->values[i] = value_of(evaluate->names[i], data->ns);
    return 0;
}

/* ----------------------------------------------------------------------------------------------------------- device */

int mock_in_callback(void); /* cupti.c */

MOCK_API int cuptiRangeProfilerEnable(struct stint_range_enable *enable);
MOCK_API int cuptiRangeProfilerDisable(struct stint_range_profiler *profiler);
MOCK_API int cuptiRangeProfilerStart(struct stint_range_profiler *profiler);
MOCK_API int cuptiRangeProfilerPushRange(struct stint_range_push *push);
MOCK_API int cuptiRangeProfilerPopRange(struct stint_range_profiler *profiler);
MOCK_API int cuptiRangeProfilerStop(struct stint_range_stop *stop);
MOCK_API int cuptiRangeProfilerGetCounterDataSize(struct stint_range_data_size *size);
MOCK_API int cuptiRangeProfilerCounterDataImageInitialize(struct stint_range_data_initialize *initialize);
MOCK_API int cuptiRangeProfilerGetCounterDataInfo(struct stint_range_data_info *info);
MOCK_API int cuptiRangeProfilerSetConfig(struct stint_range_config *config);
MOCK_API int cuptiRangeProfilerDecodeData(struct stint_range_decode *decode);

int cuptiRangeProfilerEnable(struct stint_range_enable *enable)
{
    if (!has_size(enable, STINT_RANGE_SIZE(stint_range_enable, profiler), "enable") || !s_range.initialized)
        return INVALID;
    if (mock_in_callback())
        mock_misuse("the range profiler was enabled from a callback");
    if (fails("range_enable"))
        return fails("range_enable");
    if (s_range.enabled)
        mock_misuse("the range profiler was enabled twice");
    s_range.enabled = 1;
    enable->profiler = &s_range;
    return 0;
}

int cuptiRangeProfilerDisable(struct stint_range_profiler *profiler)
{
    s_range.enabled = 0;
    return has_size(profiler, STINT_RANGE_SIZE(stint_range_profiler, profiler), "disable") ? 0 : INVALID;
}

int cuptiRangeProfilerGetCounterDataSize(struct stint_range_data_size *size)
{
    size->bytes = sizeof(struct data);
    return has_size(size, STINT_RANGE_SIZE(stint_range_data_size, bytes), "data size") ? 0 : INVALID;
}

int cuptiRangeProfilerCounterDataImageInitialize(struct stint_range_data_initialize *initialize)
{
    if (!has_size(initialize, STINT_RANGE_SIZE(stint_range_data_initialize, data), "initialize data") ||
        initialize->bytes != sizeof(struct data))
        return INVALID;
    *(struct data *)(void *)initialize->data = (struct data){.magic = MAGIC};
    return 0;
}

int cuptiRangeProfilerSetConfig(struct stint_range_config *config)
{
    const int is_user = config->range == STINT_RANGE_USER;
    if (!has_size(config, STINT_RANGE_SIZE(stint_range_config, level), "config") || config->ranges != 1 ||
        config->range != (is_user ? STINT_RANGE_USER : STINT_RANGE_AUTO) ||
        config->replay != (is_user ? STINT_RANGE_USER_REPLAY : STINT_RANGE_KERNEL_REPLAY) ||
        config->data_bytes != sizeof(struct data) || config->image_bytes != sizeof(struct image))
        return INVALID;
    if (is_user && ((const struct image *)(const void *)config->image)->passes != 1)
        mock_misuse("a user range would have to run more than once");
    s_range.is_user = is_user;
    s_range.submitted = 0;
    s_range.data = (struct data *)(void *)config->data;
    return fails("range_config");
}

int cuptiRangeProfilerStart(struct stint_range_profiler *profiler)
{
    if (!has_size(profiler, STINT_RANGE_SIZE(stint_range_profiler, profiler), "start") || s_range.started)
        mock_misuse("a range was started twice");
    if (fails("range_start"))
        return fails("range_start");
    if (s_range.submitted)
        mock_misuse("a user range was started after its last pass");
    s_range.started = 1;
    s_range.kernels = 0;
    return 0;
}

int cuptiRangeProfilerPushRange(struct stint_range_push *push)
{
    if (!has_size(push, STINT_RANGE_SIZE(stint_range_push, name), "push") || !s_range.is_user || !s_range.started ||
        s_range.pushed || !push->name)
        mock_misuse("a range was pushed where none can be");
    s_range.pushed = !fails("range_push");
    return fails("range_push");
}

int cuptiRangeProfilerPopRange(struct stint_range_profiler *profiler)
{
    if (!has_size(profiler, STINT_RANGE_SIZE(stint_range_profiler, profiler), "pop") || !s_range.pushed)
        mock_misuse("a range was popped that had not been pushed");
    s_range.pushed = 0;
    return 0;
}

int cuptiRangeProfilerStop(struct stint_range_stop *stop)
{
    if (!has_size(stop, STINT_RANGE_SIZE(stint_range_stop, all_passes), "stop") || !s_range.started) {
        mock_misuse("a range was stopped that had not been started");
        return INVALID_OPERATION;
    }
    while (fails("range_hang"))
        (void)pause(); /* as for a kernel that never ends */
    s_range.started = 0;
    s_range.submitted = s_range.is_user;
    if (s_range.pushed)
        mock_misuse("a range was stopped that had not been popped");
    stop->all_passes = 1;
    return s_range.stops++ < mock_option("range_stops") ? UNKNOWN : 0;
}

int cuptiRangeProfilerDecodeData(struct stint_range_decode *decode)
{
    if (!has_size(decode, STINT_RANGE_SIZE(stint_range_decode, dropped), "decode"))
        return INVALID;
    s_range.data->ranges = s_range.is_user ? s_range.kernels > 0 : s_range.kernels == 1;
    s_range.data->ns = s_range.ns;
    return fails("range_decode");
}

int cuptiRangeProfilerGetCounterDataInfo(struct stint_range_data_info *info)
{
    info->ranges = ((const struct data *)(const void *)info->data)->ranges;
    return has_size(info, STINT_RANGE_SIZE(stint_range_data_info, ranges), "data info") ? 0 : INVALID;
}

/* The driver has launched a kernel. */
void mock_range_kernel(uint64_t ns);

void mock_range_kernel(uint64_t ns)
{
    if (!s_range.started)
        return;
    ++s_range.kernels;
    s_range.ns = ns;
}
