/* Measures what a function compiled with -finstrument-functions costs, call and return, compared with a scope, with two
 * bare clock reads, and with the hooks of libc, which do nothing. Prints minimum and median over rounds in which all
 * variants take turns, so that a noisy moment affects all of them.
 *
 *     bench_functions [--json] [--rounds N]
 *
 * The whole file is compiled with -finstrument-functions; all functions except those to be measured opt out. */
#include <dlfcn.h>

#include "bench.h"
#include "stint/stint.h"

enum { LOOPS = 20000 }; /* short, so that some rounds are undisturbed also on a busy machine */

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

static struct {
    void (*enter)(void *function, void *call_site);
    void (*leave)(void *function, void *call_site);
} s_empty; /* hooks of libc */

__attribute__((noinline)) BENCH_PLAIN static void with_empty_hooks(void)
{
    void *call_site = __builtin_return_address(0);
    s_empty.enter(&s_empty, call_site);
    FENCE();
    s_empty.leave(&s_empty, call_site);
}

BENCH_PLAIN static void empty_hooks(void)
{
    for (int i = 0; i < LOOPS; ++i)
        with_empty_hooks();
}

/* Returns 0, or -1 if libc has no hooks. */
BENCH_PLAIN static int find_empty_hooks(void)
{
    void *libc = dlopen("libc.so.6", RTLD_NOW);
    void *enter = libc ? dlsym(libc, "__cyg_profile_func_enter") : NULL;
    void *leave = libc ? dlsym(libc, "__cyg_profile_func_exit") : NULL;
    if (!enter || !leave)
        return -1;
    memcpy(&s_empty.enter, &enter, sizeof enter);
    memcpy(&s_empty.leave, &leave, sizeof leave);
    return 0;
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
    BENCH_VARIANT("clock_pair_ns", clock_pair, 0),
    BENCH_VARIANT("scope_ns", scope, 0),
    BENCH_VARIANT("function_ns", function, 1.3),
    BENCH_VARIANT("hundred_functions_ns", hundred_functions, 1.3),
    BENCH_VARIANT("empty_hooks_ns", empty_hooks, 0),
    BENCH_VARIANT("function_off_ns", function_off, 0),
    BENCH_VARIANT("function_excluded_ns", function_excluded, 0),
};

enum { SCOPE = 1 }; /* limits are multiples of its cost */

BENCH_PLAIN int main(int argc, char **argv)
{
    struct bench bench = {"bench_functions", s_variants, sizeof s_variants / sizeof s_variants[0], LOOPS, 0, 0};
    if (bench_options(&bench, argc, argv))
        return 2;
    if (find_empty_hooks()) {
        fprintf(stderr, "bench_functions: libc has no hooks to compare with\n");
        return 1;
    }
    setenv("STINT_REPORT", "off", 0);
    setenv("STINT_FUNCTIONS", "all,!excluded", 1);
    bench_run(&bench);
    if (bench.json) {
        bench_json_begin(&bench);
        bench_json_end(&bench, SCOPE);
    } else {
        bench_table(&bench, 21, SCOPE, "x scope", "");
    }
    return 0;
}
