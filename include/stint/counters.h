/* stint/counters.h - hardware counters of GPU kernels, read by the program itself: bytes at DRAM, instructions of a
 * type, shares of what the device can do.
 *
 *     const struct stint_counters_options options = {.metrics = "flops,dram__bytes_read"};
 *     struct stint_counter bytes;
 *
 *     if (stint_counters_start(&options))
 *         fprintf(stderr, "not counted: %s\n", stint_counters_reason());
 *     forward<<<grid, block>>>(...);
 *     stint_counters_stop();
 *     if (!stint_counters_read(STINT_COUNTERS_OF_KERNELS, "forward*", "dram__bytes_read", &bytes))
 *         printf("%.0f bytes in each launch\n", bytes.sum / (double)bytes.launches);
 *
 * Groups and metrics, and what they mean, are those of `stint run --counters` (docs/counters.md). CUPTI replays each
 * kernel that is counted as often as the metrics need passes, alone on the device, and restores what it overwrote. What
 * cannot be replayed, such as a kernel of a CUDA graph, runs as always and is skipped; stint_counters_reason says why.
 *
 * Values stay after a stop, and those of the next start are added to them. Snapshots have them, too (nvtx_stats.h), and
 * so do JSON and the report `counters`. stint_reset forgets them.
 *
 * If STINT_COUNTERS is set in the environment, as by `stint run --counters`, it says what is counted, for as long as
 * the program runs: a start or stop then changes nothing, and returns STINT_OK. Values can be read all the same.
 *
 * Cost. Before the first start: nothing. While counting: of each launch that is counted, its passes, waiting for them,
 * and saving memory, so do not time it; of others, a lock and a look-up. After a stop: that of collecting GPU activity
 * (gpu.h), which a start begins, and which goes on until stint_gpu_stop. The first start loads libstint_module.so.
 * Compiled out (STINT_WITH_PROFILER=0), the macro is nothing; its argument is type-checked but not evaluated. Functions
 * always exist, as those of gpu.h do; without a GPU they return STINT_ERROR_UNAVAILABLE.
 *
 * Threads: any; start and stop on one at a time. Kernels of all threads are counted, one after the other: a thread that
 * launches one, starts, stops or reads meanwhile waits. No function may be called from a callback of CUPTI or a signal
 * handler. A forked child counts nothing. */
#ifndef STINT_COUNTERS_H
#define STINT_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

#include "stint/config.h"
#include "stint/detail/api.h"
#include "stint/detail/unevaluated.h"
#include "stint/status.h"

STINT_EXTERN_C_BEGIN

/** What to count. Members that are NULL choose all. Patterns are separated by commas; * is any text, ? any character,
 *  and those that begin with ! exclude: "gemm*,!gemm_small*". */
struct stint_counters_options {
    size_t size;          /* sizeof(struct stint_counters_options); 0: that of version 0.1 */
    const char *metrics;  /* groups ("flops", "memory", "all") and metrics ("dram__bytes_read"), separated by commas */
    const char *kernels;  /* patterns of kernels: "convolve", with or without namespaces, arguments, parameters */
    const char *scopes;   /* patterns: one of the scopes around the launch has to match */
    const char *launches; /* of each kernel, counted from 1 at the start: "3", "2-5" */
};

/** Values of a metric: one for each launch that was counted. Plain data. */
struct stint_counter {
    uint64_t launches;
    double sum; /* of metrics that add up; the mean is sum / launches */
    double min;
    double max;
};

enum stint_counters_of {
    STINT_COUNTERS_OF_KERNELS, /* by the kernel's name */
    STINT_COUNTERS_OF_SCOPES   /* by the scopes around the launch: "step/forward" */
};

/** Begins to count the kernels that are launched from now on. Collects GPU activity (gpu.h), if nothing does yet.
 *
 *  Devices are asked at once if a CUDA context is current on the calling thread: call cudaFree(NULL) before to know. If
 *  there is none yet, they are asked at the first launch, and stint_counters_status tells.
 *
 *  @param options copied.
 *  @return STINT_OK: counting.
 *          STINT_ERROR_INVALID_ARGUMENT: there are no metrics in the options, `launches` is not understood, or the
 *          device has no such metric; stint_counters_reason says which.
 *          STINT_ERROR_PERMISSION: the driver lets only administrators read counters.
 *          STINT_ERROR_BUSY: counting already; stop first. Or the caller is a signal handler that interrupted stint.
 *          STINT_ERROR_UNAVAILABLE, STINT_ERROR_TAKEN, STINT_ERROR_CUDA, STINT_ERROR_NO_MEMORY: as stint_gpu_start;
 *          the first also if CUPTI is older than 12.6, if it does not support the device, or without
 *          libstint_module.so. */
STINT_API enum stint_status stint_counters_start(const struct stint_counters_options *options);

/** Stops counting, and releases the device's counters for other profilers. Waits for a kernel that is being counted.
 *
 *  @return STINT_OK; STINT_ERROR_NOT_STARTED. */
STINT_API enum stint_status stint_counters_stop(void);

/** Returns STINT_OK while counting; STINT_ERROR_NOT_STARTED before the first start and after a stop; otherwise why
 *  nothing is counted, as stint_counters_start returns it. */
STINT_API enum stint_status stint_counters_status(void);

/** Returns the reason for that status as a sentence that also says what to do; else why the last kernel was skipped, or
 *  why stint_counters_read found nothing, or "". The text is valid until the calling thread's next call. */
STINT_API const char *stint_counters_reason(void);

/** Adds up what was counted since the program began or stint_reset.
 *
 *  @param of       what `names` are.
 *  @param names    patterns; NULL: all. "step" selects kernels launched by that scope itself; those launched in scopes
 *                  within it are selected by "step/" followed by an asterisk.
 *  @param metric   its name, with or without its suffix: "dram__bytes_read.sum", "dram__bytes_read".
 *  @param counter  all members are set to 0 if there is no value.
 *  @return STINT_OK; STINT_ERROR_NOT_FOUND: nothing of that name was counted; STINT_ERROR_INVALID_ARGUMENT: `of`
 *          is none of the above, or `metric` or `counter` is NULL. */
STINT_API enum stint_status stint_counters_read(enum stint_counters_of of, const char *names, const char *metric,
                                                struct stint_counter *counter);

/** STINT_COUNTERS(metrics) - counts kernels that are launched from here to the end of the block, however the block is
 *  left. Does nothing if counting has begun before, or cannot begin. A declaration: it needs a block. */
#if STINT_WITH_PROFILER
#define STINT_COUNTERS(metrics) STINT_I_COUNTERS(__COUNTER__, metrics)
#else
#define STINT_COUNTERS(metrics) STINT_I_UNEVALUATED(stint_i_counters_begin(metrics))
#endif

/* What the macro expands to. Implementation detail. */
static inline int stint_i_counters_begin(const char *metrics)
{
    const struct stint_counters_options options = {sizeof(options), metrics, STINT_I_NULL, STINT_I_NULL, STINT_I_NULL};
    return stint_counters_start(&options) == STINT_OK;
}

static inline void stint_i_counters_end(const int *begun)
{
    if (*begun)
        (void)stint_counters_stop();
}

STINT_EXTERN_C_END

#ifdef __cplusplus

namespace stint {
namespace detail {

class counters {
public:
    explicit counters(const char *metrics) noexcept : begun_(stint_i_counters_begin(metrics)) {}
    ~counters() { stint_i_counters_end(&begun_); }
    counters(const counters &) = delete;
    counters &operator=(const counters &) = delete;

private:
    int begun_;
};

} // namespace detail
} // namespace stint

#define STINT_I_COUNTERS(uid, metrics) const ::stint::detail::counters STINT_I_CAT(stint_counters_, uid)(metrics)

#else

#define STINT_I_COUNTERS(uid, metrics)                                                                                 \
    const int STINT_I_CAT(stint_counters_, uid) STINT_I_CLEANUP(stint_i_counters_end) = stint_i_counters_begin(metrics)

#endif

#endif
