/* What benchmarks share. Variants take turns in rounds, so that a noisy moment affects all of them. Results are the
 * minimum and the median of each, as a table or as JSON.
 *
 *     bench_NAME [--json] [--rounds N]
 */
#ifndef STINT_TESTS_BENCH_H
#define STINT_TESTS_BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* For files compiled with -finstrument-functions. */
#define BENCH_PLAIN __attribute__((no_instrument_function))

/* Keeps the compiler from moving work across, or out of, the measured loop. */
#define FENCE() __asm__ volatile("" ::: "memory")

enum { BENCH_LEAST_ROUNDS = 9, BENCH_MOST_ROUNDS = 1000, BENCH_NO_BASE = -1 };

struct bench_variant {
    const char *key;
    void (*run)(void);
    uint64_t (*time)(void);       /* used instead of `run`: returns the ns that it took */
    double limit;                 /* shown in the table; 0: none */
    double ns[BENCH_MOST_ROUNDS]; /* per loop; sorted after all rounds */
};

#define BENCH_VARIANT(key, run, limit)                                                                                 \
    {                                                                                                                  \
        key, run, NULL, limit,                                                                                         \
        {                                                                                                              \
            0                                                                                                          \
        }                                                                                                              \
    }

struct bench {
    const char *name;
    struct bench_variant *variants;
    int count;
    int loops; /* number of loops of a variant */
    int rounds;
    int json;
};

BENCH_PLAIN static inline uint64_t bench_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* Two bare reads of the clock as a scope makes them, the second one ordered, `loops` times: the unit that everything is
 * compared with. Needs stint/detail/record.h. */
#define BENCH_CLOCK_PAIR(loops)                                                                                        \
    static void clock_pair(void)                                                                                       \
    {                                                                                                                  \
        uint64_t sum = 0;                                                                                              \
                                                                                                                       \
        for (int i = 0; i < (loops); ++i) {                                                                            \
            const uint64_t begin = stint_i_ticks();                                                                    \
                                                                                                                       \
            FENCE();                                                                                                   \
            sum += stint_i_ordered_ticks() - begin;                                                                    \
        }                                                                                                              \
        __asm__ volatile("" ::"r"(sum));                                                                               \
    }

/* Reads the arguments. Returns 0, or the exit code if they are wrong. */
BENCH_PLAIN static inline int bench_options(struct bench *bench, int argc, char **argv)
{
    bench->rounds = 25;
    for (int i = 1; i < argc; ++i) {
        if (!strcmp(argv[i], "--json")) {
            bench->json = 1;
        } else if (!strcmp(argv[i], "--rounds") && i + 1 < argc && atoi(argv[i + 1]) >= BENCH_LEAST_ROUNDS &&
                   atoi(argv[i + 1]) <= BENCH_MOST_ROUNDS) {
            bench->rounds = atoi(argv[++i]);
        } else {
            fprintf(stderr, "usage: %s [--json] [--rounds N]   N from %d to %d\n", bench->name, BENCH_LEAST_ROUNDS,
                    BENCH_MOST_ROUNDS);
            return 2;
        }
    }
    return 0;
}

BENCH_PLAIN static inline double bench_time(const struct bench_variant *variant, int loops)
{

    if (variant->time)
        return (double)variant->time() / loops;
    uint64_t begin = bench_now_ns();
    variant->run();
    return (double)(bench_now_ns() - begin) / loops;
}

BENCH_PLAIN static inline int bench_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

BENCH_PLAIN static inline void bench_run(struct bench *bench)
{
    for (int round = -1; round < bench->rounds; ++round) /* the first round warms up */
        for (int i = 0; i < bench->count; ++i)
            bench->variants[i].ns[round < 0 ? 0 : round] = bench_time(&bench->variants[i], bench->loops);
    for (int i = 0; i < bench->count; ++i)
        qsort(bench->variants[i].ns, (size_t)bench->rounds, sizeof(double), bench_compare);
}

BENCH_PLAIN static inline double bench_median(const struct bench *bench, int variant)
{
    return bench->variants[variant].ns[bench->rounds / 2];
}

/* Returns the minimum of a variant as a multiple of the minimum of the variant number `base`. */
BENCH_PLAIN static inline double bench_ratio(const struct bench *bench, int variant, int base)
{
    return bench->variants[variant].ns[0] / bench->variants[base].ns[0];
}

/* Writes the beginning of the object, with the minima; the benchmark may add members of its own after it. */
BENCH_PLAIN static inline void bench_json_begin(const struct bench *bench)
{
    printf("{\n");
    for (int i = 0; i < bench->count; ++i)
        printf("  \"%s\": %.3f,\n", bench->variants[i].key, bench->variants[i].ns[0]);
}

/* Writes the end, with medians, and with ratios if there is a base. */
BENCH_PLAIN static inline void bench_json_end(const struct bench *bench, int base)
{
    printf("  \"rounds\": %d,\n  \"median\": {", bench->rounds);
    for (int i = 0; i < bench->count; ++i)
        printf("%s\"%s\": %.3f", i ? ", " : "", bench->variants[i].key, bench_median(bench, i));
    if (base != BENCH_NO_BASE) {
        printf("},\n  \"ratio\": {");
        for (int i = 0; i < bench->count; ++i)
            printf("%s\"%s\": %.3f", i ? ", " : "", bench->variants[i].key, bench_ratio(bench, i, base));
    }
    printf("}\n}\n");
}

/* Writes a table with `width` columns for names. `ratio` is the title of the column of ratios, if there is a base;
 * `note` is appended to the first line. */
BENCH_PLAIN static inline void bench_table(const struct bench *bench, int width, int base, const char *ratio,
                                           const char *note)
{
    const int ratio_width = strlen(ratio) > 9 ? (int)strlen(ratio) : 9;
    printf("%-*s %9s %9s", width, "", "min", "median");
    if (base != BENCH_NO_BASE)
        printf(" %*s", ratio_width, ratio);
    printf(" %7s   %d rounds of %d%s\n", "limit", bench->rounds, bench->loops, note);
    for (int i = 0; i < bench->count; ++i) {
        printf("%-*s %9.3f %9.3f", width, bench->variants[i].key, bench->variants[i].ns[0], bench_median(bench, i));
        if (base != BENCH_NO_BASE)
            printf(" %*.3f", ratio_width, bench_ratio(bench, i, base));
        if (bench->variants[i].limit > 0)
            printf(" %7.2f", bench->variants[i].limit);
        printf("\n");
    }
}

#endif
