/* Measures what NVTX annotations cost while no tool is attached. Prints minimum and median over rounds in which all
 * variants take turns, so that a noisy moment affects all of them.
 *
 *     bench_range [--json] [--rounds N]
 */
#include "bench.h"
#include "stint/annotate.h"

enum { LOOPS = 2000000 };

STINT_DOMAIN_DEFINE(s_domain, "bench");

/* -------------------------------------------------------------------------------------- variants: LOOPS events each */

static void empty_loop(void)
{
    for (int i = 0; i < LOOPS; ++i)
        FENCE();
}

BENCH_CLOCK_PAIR(LOOPS)

static void range(void)
{
    for (int i = 0; i < LOOPS; ++i) {
        STINT_RANGE("range", STINT_COLOR_GREEN, 1);
        FENCE();
    }
}

static void range_in(void)
{
    for (int i = 0; i < LOOPS; ++i) {
        STINT_RANGE_IN(&s_domain, "range", STINT_COLOR_GREEN, 1);
        FENCE();
    }
}

static void range_payload(void)
{
    for (int i = 0; i < LOOPS; ++i) {
        STINT_RANGE("range with payload", STINT_COLOR_GREEN, 1, i);
        FENCE();
    }
}

static void range_dynamic(void)
{
    static const char *const names[] = {"even", "odd"};
    for (int i = 0; i < LOOPS; ++i) {
        STINT_RANGE_DYNAMIC(names[i & 1], STINT_COLOR_GREEN, 1);
        FENCE();
    }
}

static void mark(void)
{
    for (int i = 0; i < LOOPS; ++i) {
        STINT_MARK("mark");
        FENCE();
    }
}

/* ----------------------------------------------------------------------------------------------------------- rounds */

static struct bench_variant s_variants[] = {
    BENCH_VARIANT("empty_loop_ns", empty_loop, 0),
    BENCH_VARIANT("clock_pair_ns", clock_pair, 0),
    BENCH_VARIANT("range_ns", range, 2.5),
    BENCH_VARIANT("range_in_ns", range_in, 2.5),
    BENCH_VARIANT("range_payload_ns", range_payload, 0),
    BENCH_VARIANT("range_dynamic_ns", range_dynamic, 0),
    BENCH_VARIANT("mark_ns", mark, 0),
};

int main(int argc, char **argv)
{
    struct bench bench = {"bench_range", s_variants, sizeof s_variants / sizeof s_variants[0], LOOPS, 0, 0};
    if (bench_options(&bench, argc, argv))
        return 2;
    bench_run(&bench);
    if (!bench.json) {
        bench_table(&bench, 18, BENCH_NO_BASE, "", STINT_HAS_NVTX ? ", NVTX compiled in" : ", NVTX not found");
        return 0;
    }
    bench_json_begin(&bench);
    printf("  \"nvtx\": %d,\n", STINT_HAS_NVTX);
    bench_json_end(&bench, BENCH_NO_BASE);
    return 0;
}
