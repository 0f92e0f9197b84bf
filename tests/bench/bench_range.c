/* What NVTX annotations cost while no tool is attached. Prints minimum and median over rounds in which all variants
 * take turns, so that a noisy moment meets them all.
 *
 *     bench_range [--json] [--rounds N]
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "stint/annotate.h"

enum { LOOPS = 2000000, MAX_ROUNDS = 1000 };

STINT_DOMAIN_DEFINE(s_domain, "bench");

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* Keeps the compiler from moving work across, or out of, the measured loop. */
#define FENCE() __asm__ volatile("" ::: "memory")

/* -------------------------------------------------------------------------------------- variants: LOOPS events each */

static void empty_loop(void)
{
    for (int i = 0; i < LOOPS; ++i)
        FENCE();
}

static void clock_pair(void)
{
    uint64_t sum = 0;

    for (int i = 0; i < LOOPS; ++i) {
        const uint64_t begin = stint_i_ticks();

        FENCE();
        sum += stint_i_ticks() - begin;
    }
    __asm__ volatile("" ::"r"(sum));
}

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

static struct variant {
    const char *key;
    void (*run)(void);
    double limit; /* ns; 0: none */
    double ns[MAX_ROUNDS];
} s_variants[] = {
    {"empty_loop_ns", empty_loop, 0, {0}},
    {"clock_pair_ns", clock_pair, 0, {0}},
    {"range_ns", range, 2.5, {0}},
    {"range_in_ns", range_in, 2.5, {0}},
    {"range_payload_ns", range_payload, 0, {0}},
    {"range_dynamic_ns", range_dynamic, 0, {0}},
    {"mark_ns", mark, 0, {0}},
};

enum { VARIANTS = sizeof s_variants / sizeof s_variants[0] };

static double time_variant(const struct variant *variant)
{
    const uint64_t begin = now_ns();

    variant->run();
    return (double)(now_ns() - begin) / LOOPS;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void run_rounds(int rounds)
{
    for (int round = -1; round < rounds; ++round) /* the first warms up */
        for (int i = 0; i < VARIANTS; ++i)
            s_variants[i].ns[round < 0 ? 0 : round] = time_variant(&s_variants[i]);
    for (int i = 0; i < VARIANTS; ++i)
        qsort(s_variants[i].ns, (size_t)rounds, sizeof(double), compare);
}

/* ----------------------------------------------------------------------------------------------------------- output */

static void print_json(int rounds)
{
    printf("{\n");
    for (int i = 0; i < VARIANTS; ++i)
        printf("  \"%s\": %.3f,\n", s_variants[i].key, s_variants[i].ns[0]);
    printf("  \"nvtx\": %d,\n  \"rounds\": %d,\n  \"median\": {", STINT_HAS_NVTX, rounds);
    for (int i = 0; i < VARIANTS; ++i)
        printf("%s\"%s\": %.3f", i ? ", " : "", s_variants[i].key, s_variants[i].ns[rounds / 2]);
    printf("}\n}\n");
}

static void print_table(int rounds)
{
    printf("%-18s %9s %9s %7s   %d rounds of %d, NVTX %s\n", "", "min", "median", "limit", rounds, LOOPS,
           STINT_HAS_NVTX ? "compiled in" : "not found");
    for (int i = 0; i < VARIANTS; ++i) {
        printf("%-18s %9.3f %9.3f", s_variants[i].key, s_variants[i].ns[0], s_variants[i].ns[rounds / 2]);
        if (s_variants[i].limit > 0)
            printf(" %7.2f", s_variants[i].limit);
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    int rounds = 25, json = 0;

    for (int i = 1; i < argc; ++i) {
        if (!strcmp(argv[i], "--json")) {
            json = 1;
        } else if (!strcmp(argv[i], "--rounds") && i + 1 < argc && atoi(argv[i + 1]) >= 9 &&
                   atoi(argv[i + 1]) <= MAX_ROUNDS) {
            rounds = atoi(argv[++i]);
        } else {
            fprintf(stderr, "usage: bench_range [--json] [--rounds N]   N from 9 to %d\n", MAX_ROUNDS);
            return 2;
        }
    }
    run_rounds(rounds);
    (json ? print_json : print_table)(rounds);
    return 0;
}
