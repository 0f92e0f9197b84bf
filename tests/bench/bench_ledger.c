/* Measures what a record of GPU activity costs after CUPTI has delivered it: validating it, looking up its scope, and
 * adding it to its activity and charge. This does not happen on the launching thread, which only remembers the scope
 * (put_ns). Prints minimum and median over rounds in which all variants take turns, so that a noisy moment affects all
 * of them.
 *
 *     bench_ledger [--json] [--rounds N]
 */
#include "bench.h"
#include "contexts/contexts.h"
#include "gpu/activity_table.h"
#include "gpu/correlate.h"

enum { LOOPS = 1 << 18, KERNELS = 64, PATHS = 16, LIMIT = 65536 };

/* Mangled names of templates are long, and compared in full. */
#define NAME "_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_11FillFunctorIfEENS_6detail5ArrayIPcLi1EEEEEviT0_T1_"

static char s_names[KERNELS][160];

/* ------------------------------------------------------------------------------------- variants: LOOPS records each */

static uint32_t path_of(uint32_t i)
{
    return STINT_PATH_ROOT + 1 + i / KERNELS % PATHS;
}

static void put(void)
{
    for (uint32_t i = 1; i <= LOOPS; ++i)
        stint_correlate_put(i, path_of(i), i);
}

/* Adds LOOPS records of the first `kernels` kernels in turn, launched by the first `launches` launches in turn. */
static void add(uint32_t kernels, uint32_t launches)
{
    struct stint_activity activity = {.kind = STINT_GPU_KERNEL, .context = 1, .stream = 7};
    stint_ledger_lock();
    for (uint32_t i = 0; i < LOOPS; ++i) {
        activity.name = s_names[i % kernels];
        activity.start = UINT64_C(1790000000000000000) + i;
        activity.end = activity.start + 2000 + (i & 255);
        activity.correlation = 1 + i % launches;
        stint_ledger_add(&activity);
    }
    stint_ledger_unlock();
}

static void one_kernel(void)
{
    add(1, KERNELS - 1);
}

static void kernels(void)
{
    add(KERNELS, KERNELS - 1);
}

static void kernels_in_scopes(void)
{
    add(KERNELS, LOOPS);
}

static void copies(void)
{
    struct stint_activity activity = {.kind = STINT_GPU_COPY, .what = STINT_GPU_HTOD, .start = 1000, .bytes = 4096};
    stint_ledger_lock();
    for (uint32_t i = 0; i < LOOPS; ++i) {
        activity.end = 3000 + (i & 255);
        activity.correlation = 1 + i;
        stint_ledger_add(&activity);
    }
    stint_ledger_unlock();
}

/* ----------------------------------------------------------------------------------------------------------- rounds */

static struct bench_variant s_variants[] = {
    BENCH_VARIANT("put_ns", put, 0),
    BENCH_VARIANT("one_kernel_ns", one_kernel, 100),
    BENCH_VARIANT("kernels_64_ns", kernels, 100),
    BENCH_VARIANT("kernels_64_paths_16_ns", kernels_in_scopes, 100),
    BENCH_VARIANT("copies_ns", copies, 0),
};

int main(int argc, char **argv)
{
    struct bench bench = {"bench_ledger", s_variants, sizeof s_variants / sizeof s_variants[0], LOOPS, 0, 0};
    if (bench_options(&bench, argc, argv))
        return 2;
    for (int i = 0; i < KERNELS; ++i)
        snprintf(s_names[i], sizeof s_names[i], NAME "_%d", i);
    if (stint_correlate_start(0) || stint_ledger_start(LIMIT, 0)) {
        fprintf(stderr, "bench_ledger: no memory\n");
        return 1;
    }
    bench_run(&bench);
    if (!bench.json) {
        bench_table(&bench, 24, BENCH_NO_BASE, "", "");
        return 0;
    }
    bench_json_begin(&bench);
    bench_json_end(&bench, BENCH_NO_BASE);
    return 0;
}
