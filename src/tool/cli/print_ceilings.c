/* Measures for stint doctor what the device can do and what CUPTI costs, prints it, and keeps it for later reports. */
#include "cli/print_ceilings.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ceiling/ceilings.h"
#include "cli/trial.h"

static void put_line(const struct stint_ceilings *ceilings, const char *what, enum stint_ceiling first,
                     enum stint_ceiling last, double unit, const char *unit_name)
{
    const char *before = "";
    (void)printf("ok  %-10s ", what);
    for (unsigned i = first; i <= last; i++) {
        const char *word = stint_ceiling_word((enum stint_ceiling)i);
        if (!(ceilings->per_s[i] > 0))
            continue;
        word += strncmp(word, "tensor_", 7) == 0 ? 7 : 0;
        (void)printf("%s%s %.*f", before, word, unit < 1e12 ? 0 : 1, ceilings->per_s[i] / unit);
        before = ", ";
    }
    (void)printf("%s%s\n", *before ? " " : "", *before ? unit_name : "not measured: the driver took no kernel for it");
}

/* ------------------------------------------------------------------------------------------------------------ CUPTI */

enum { TRIALS = 9 }; /* a process may be a third faster than the next one */

struct trial {
    char failed[64];
    struct stint_cupti_cost cost;
};

static void try_cupti(void *result, const char *cupti)
{
    struct trial *trial = result;
    const char *failed = stint_cupti_measure(&trial->cost, cupti);
    (void)snprintf(trial->failed, sizeof trial->failed, "%s", failed ? failed : "");
}

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Returns 0, or -1 with the cause. */
static int run_trial(struct trial *trial, const char *cupti, char *reason, size_t size)
{
    int ended = stint_trial(try_cupti, cupti, trial, sizeof *trial);
    if (ended)
        stint_trial_reason(ended, reason, size);
    else if (trial->failed[0])
        (void)snprintf(reason, size, "%s failed", trial->failed);
    return ended || trial->failed[0] ? -1 : 0;
}

/* Takes the median of several trials. To be called before this process uses CUDA, which is of no use in a forked one
 * then. Returns 0, or -1 with the cause. */
static int measure_cupti(struct stint_cupti_cost *cost, const char *cupti, char *reason, size_t size)
{
    double kernel_ns[TRIALS], call_ns[TRIALS];
    for (int i = 0; i < TRIALS; i++) {
        struct trial trial;
        if (run_trial(&trial, cupti, reason, size))
            return -1;
        kernel_ns[i] = trial.cost.kernel_ns;
        call_ns[i] = trial.cost.call_ns;
    }
    qsort(kernel_ns, TRIALS, sizeof kernel_ns[0], compare);
    qsort(call_ns, TRIALS, sizeof call_ns[0], compare);
    *cost = (struct stint_cupti_cost){.kernel_ns = kernel_ns[TRIALS / 2], .call_ns = call_ns[TRIALS / 2]};
    (void)snprintf(reason, size, "launches and queries took no longer with it; other work may have slowed the others");
    return cost->kernel_ns > 0 && cost->call_ns > 0 ? 0 : -1;
}

/* Where there is no CUPTI, doctor has said so. */
static void add_cupti(struct stint_ceilings *ceilings, const char *cupti)
{
    struct stint_cupti_cost cost;
    char reason[128];
    if (!*cupti)
        return;
    if (measure_cupti(&cost, cupti, reason, sizeof reason)) {
        (void)printf("--  %-10s what it takes could not be measured: %s\n", "CUPTI", reason);
        return;
    }
    ceilings->per_s[STINT_CEILING_CUPTI_KERNELS] = 1e9 / cost.kernel_ns;
    ceilings->per_s[STINT_CEILING_CUPTI_CALLS] = 1e9 / cost.call_ns;
    (void)printf("ok  %-10s takes %.2f us for a kernel, %.0f ns for a call without one\n", "CUPTI",
                 cost.kernel_ns / 1e3, cost.call_ns);
}

/* ----------------------------------------------------------------------------------------------------------- device */

int stint_print_ceilings(const char *cupti)
{
    struct stint_ceilings ceilings = {.driver = 0};
    char reason[256], path[PATH_MAX];
    add_cupti(&ceilings, cupti);
    if (stint_ceilings_measure(&ceilings, reason, sizeof reason)) {
        (void)printf("NO  %-10s %s\n", "measuring", reason);
        return 0;
    }
    put_line(&ceilings, "memory", STINT_CEILING_COPY, STINT_CEILING_L2, 1e9, "GB/s");
    put_line(&ceilings, "computing", STINT_CEILING_FP64, STINT_CEILING_BF16, 1e12, "TFLOP/s");
    put_line(&ceilings, "tensor", STINT_CEILING_TENSOR_FP64, STINT_CEILING_TENSOR_BF16, 1e12, "TFLOP/s");
    int error = stint_ceilings_write(&ceilings);
    if (error)
        (void)printf("NO  %-10s %s\n", "kept", strerror(error));
    else if (stint_ceiling_path(path, sizeof path) == 0)
        (void)printf("ok  %-10s for %s in %s\n", "kept", ceilings.device, path);
    return !error;
}
