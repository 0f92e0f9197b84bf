/* Asks the device for its metrics in a process of its own, and prints them by kind. */
#include "cli/device_metrics.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "cli/locate.h"
#include "cli/probe.h"
#include "cli/trial.h"
#include "counters/counter_plan.h"

static const char *const s_titles[STINT_METRIC_KINDS] = {
    [STINT_METRIC_COUNTER] = "Counters: with .sum, .avg, .min or .max, and these with .per_second or "
                             ".pct_of_peak_sustained_elapsed",
    [STINT_METRIC_RATIO] = "Ratios: with .ratio, .pct or .max_rate",
    [STINT_METRIC_THROUGHPUT] = "Throughputs: with .avg.pct_of_peak_sustained_elapsed",
};

static int s_title = STINT_METRIC_KINDS; /* the last one that was printed */

static void put(enum stint_metric_kind kind, const char *name, const char *description)
{
    if ((int)kind != s_title)
        (void)printf("\n%s\n", s_titles[kind]);
    s_title = (int)kind;
    (void)printf("    %s%s%s\n", name, *description ? ":  " : "", description);
}

static void say(const char *why)
{
    (void)printf("\nMetrics of the device are not listed: %s\n", why);
}

static void list(void *result, const char *path)
{
    int *is_over = result;
    char why[512] = "its driver or CUPTI cannot be loaded; stint doctor says more";
    int (*init)(unsigned flags) = NULL;
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL), *cupti = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *found = driver ? dlsym(driver, "cuInit") : NULL;
    memcpy(&init, &found, sizeof init);
    if (!cupti || !init || init(0) || stint_metric_list(cupti, put, why, sizeof why))
        say(why);
    (void)fflush(stdout);
    *is_over = 1;
}

void stint_device_metrics_list(void)
{
    struct stint_located library = stint_locate_library();
    struct stint_probe probe;
    int is_over;
    if (stint_probe(&probe, library.path) || probe.library[0] || probe.status || !probe.cupti[0]) {
        say(probe.library[0]  ? probe.library
            : probe.reason[0] ? probe.reason
                              : "asking the device failed; stint doctor says more");
        return;
    }
    (void)printf("\nMetrics of %s, each to be named with a suffix, or without for the first one:\n", probe.device);
    if (stint_trial(list, probe.cupti, &is_over, sizeof is_over))
        say("asking the device failed; stint doctor says more");
}
