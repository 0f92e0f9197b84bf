/* What a function compiled with -finstrument-functions costs, call and return, beside a scope and two bare clock reads.
 * Prints minimum and median over rounds in which all variants take turns, so that a noisy moment meets them all.
 *
 *     bench_functions [--json] [--rounds N]
 *
 * The whole file is compiled with -finstrument-functions, and all but the functions to be measured opt out. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "stint/stint.h"

#define PLAIN __attribute__((no_instrument_function))

enum { LOOPS = 200000, MAX_ROUNDS = 1000 };

/* Keeps the compiler from moving work across, or out of, the measured loop. */
#define FENCE() __asm__ volatile("" ::: "memory")

PLAIN static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* ------------------------------------------------------------------------------------------ variants: LOOPS calls each */

PLAIN static void clock_pair(void)
{
    uint64_t sum = 0;

    for (int i = 0; i < LOOPS; ++i) {
        const uint64_t begin = stint_i_ticks();

        FENCE();
        sum += stint_i_ticks() - begin;
    }
    __asm__ volatile("" ::"r"(sum));
}

PLAIN static void scope(void)
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

PLAIN static void function(void)
{
    for (int i = 0; i < LOOPS; ++i)
        instrumented();
}

PLAIN static void function_off(void)
{
    stint_set_enabled(0);
    function();
    stint_set_enabled(1);
}

/* STINT_FUNCTIONS leaves it out. */
__attribute__((noinline)) static void excluded(void)
{
    FENCE();
}

PLAIN static void function_excluded(void)
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

PLAIN static void hundred_functions(void)
{
    for (int i = 0; i < LOOPS / 100; ++i) {
        HUNDRED(CALL)
    }
}

/* ------------------------------------------------------------------------------------------------------------- rounds */

static struct variant {
    const char *key;
    void (*run)(void);
    double limit; /* times scope_ns; 0: none */
    double ns[MAX_ROUNDS];
} s_variants[] = {
    {"clock_pair_ns", clock_pair, 0, {0}},     {"scope_ns", scope, 0, {0}},
    {"function_ns", function, 1.5, {0}},       {"hundred_functions_ns", hundred_functions, 0, {0}},
    {"function_off_ns", function_off, 0, {0}}, {"function_excluded_ns", function_excluded, 0, {0}},
};

enum { VARIANTS = sizeof s_variants / sizeof s_variants[0], SCOPE = 1 };

PLAIN static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

PLAIN static void run_rounds(int rounds)
{
    for (int round = -1; round < rounds; ++round) /* the first warms up */
        for (int i = 0; i < VARIANTS; ++i) {
            const uint64_t begin = now_ns();

            s_variants[i].run();
            s_variants[i].ns[round < 0 ? 0 : round] = (double)(now_ns() - begin) / LOOPS;
        }
    for (int i = 0; i < VARIANTS; ++i)
        qsort(s_variants[i].ns, (size_t)rounds, sizeof(double), compare);
}

PLAIN static void print_json(int rounds)
{
    printf("{\n");
    for (int i = 0; i < VARIANTS; ++i)
        printf("  \"%s\": %.3f,\n", s_variants[i].key, s_variants[i].ns[0]);
    printf("  \"rounds\": %d,\n  \"median\": {", rounds);
    for (int i = 0; i < VARIANTS; ++i)
        printf("%s\"%s\": %.3f", i ? ", " : "", s_variants[i].key, s_variants[i].ns[rounds / 2]);
    printf("},\n  \"ratio\": {");
    for (int i = 0; i < VARIANTS; ++i)
        printf("%s\"%s\": %.3f", i ? ", " : "", s_variants[i].key, s_variants[i].ns[0] / s_variants[SCOPE].ns[0]);
    printf("}\n}\n");
}

PLAIN static void print_table(int rounds)
{
    printf("%-21s %9s %9s %9s %7s   %d rounds of %d\n", "", "min", "median", "x scope", "limit", rounds, LOOPS);
    for (int i = 0; i < VARIANTS; ++i) {
        printf("%-21s %9.3f %9.3f %9.3f", s_variants[i].key, s_variants[i].ns[0], s_variants[i].ns[rounds / 2],
               s_variants[i].ns[0] / s_variants[SCOPE].ns[0]);
        if (s_variants[i].limit > 0)
            printf(" %7.2f", s_variants[i].limit);
        printf("\n");
    }
}

PLAIN int main(int argc, char **argv)
{
    int rounds = 25, json = 0;

    for (int i = 1; i < argc; ++i) {
        if (!strcmp(argv[i], "--json")) {
            json = 1;
        } else if (!strcmp(argv[i], "--rounds") && i + 1 < argc && atoi(argv[i + 1]) >= 9 &&
                   atoi(argv[i + 1]) <= MAX_ROUNDS) {
            rounds = atoi(argv[++i]);
        } else {
            fprintf(stderr, "usage: bench_functions [--json] [--rounds N]   N from 9 to %d\n", MAX_ROUNDS);
            return 2;
        }
    }
    setenv("STINT_REPORT", "off", 0);
    setenv("STINT_FUNCTIONS", "!excluded", 1);
    run_rounds(rounds);
    (json ? print_json : print_table)(rounds);
    return 0;
}
