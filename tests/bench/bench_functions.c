/* Measures what a function compiled with -finstrument-functions costs, call and return, compared with a scope and with
 * two bare clock reads. Prints minimum and median over rounds in which all variants take turns, so that a noisy moment
 * affects all of them.
 *
 *     bench_functions [--json] [--rounds N]
 *
 * The whole file is compiled with -finstrument-functions; all functions except those to be measured opt out. */
#include "bench.h"
#include "stint/stint.h"

enum { LOOPS = 200000 };

/* --------------------------------------------------------------------------------------- variants: LOOPS calls each */

BENCH_PLAIN BENCH_CLOCK_PAIR(LOOPS)

BENCH_PLAIN static void scope(void)
{
    for (int i = 0; i < LOOPS; ++i) {
        STINT_SCOPE("scope");
        FENCE();
    }
}

__attribute__((noinline)) static void instrumented(void)
{
    FENCE();
}

BENCH_PLAIN static void function(void)
{
    for (int i = 0; i < LOOPS; ++i)
        instrumented();
}

BENCH_PLAIN static void function_off(void)
{
    stint_set_enabled(0);
    function();
    stint_set_enabled(1);
}

/* Excluded by STINT_FUNCTIONS. */
__attribute__((noinline)) static void excluded(void)
{
    FENCE();
}

BENCH_PLAIN static void function_excluded(void)
{
    for (int i = 0; i < LOOPS; ++i)
        excluded();
}

#define FUNCTION(n)                                                                                                    \
    __attribute__((noinline)) static void function_##n(void)                                                           \
    {                                                                                                                  \
        FENCE();                                                                                                       \
    }
#define TEN(each, n)                                                                                                   \
    each(n##0) each(n##1) each(n##2) each(n##3) each(n##4) each(n##5) each(n##6) each(n##7) each(n##8) each(n##9)
#define HUNDRED(each)                                                                                                  \
    TEN(each, 0)                                                                                                       \
    TEN(each, 1) TEN(each, 2) TEN(each, 3) TEN(each, 4) TEN(each, 5) TEN(each, 6) TEN(each, 7) TEN(each, 8) TEN(each, 9)
#define CALL(n) function_##n();

HUNDRED(FUNCTION)

BENCH_PLAIN static void hundred_functions(void)
{
    for (int i = 0; i < LOOPS / 100; ++i) {
        HUNDRED(CALL)
    }
}

/* ----------------------------------------------------------------------------------------------------------- rounds */

static struct bench_variant s_variants[] = {
    BENCH_VARIANT("clock_pair_ns", clock_pair, 0),     BENCH_VARIANT("scope_ns", scope, 0),
    BENCH_VARIANT("function_ns", function, 1.5),       BENCH_VARIANT("hundred_functions_ns", hundred_functions, 0),
    BENCH_VARIANT("function_off_ns", function_off, 0), BENCH_VARIANT("function_excluded_ns", function_excluded, 0),
};

enum { SCOPE = 1 }; /* limits are multiples of its cost */

BENCH_PLAIN int main(int argc, char **argv)
{
    struct bench bench = {"bench_functions", s_variants, sizeof s_variants / sizeof s_variants[0], LOOPS, 0, 0};

    if (bench_options(&bench, argc, argv))
        return 2;
    setenv("STINT_REPORT", "off", 0);
    setenv("STINT_FUNCTIONS", "!excluded", 1);
    bench_run(&bench);
    if (bench.json) {
        bench_json_begin(&bench);
        bench_json_end(&bench, SCOPE);
    } else {
        bench_table(&bench, 21, SCOPE, "x scope", "");
    }
    return 0;
}
