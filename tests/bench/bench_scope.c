/* Measures what a scope costs, as a multiple of two bare clock reads. Prints minimum and median over rounds in which
 * all variants take turns, so that a noisy moment affects all of them.
 *
 *     bench_scope [--json] [--rounds N]
 */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "bench.h"
#include "stint/stint.h"

enum {
    LOOPS = 20000,
    NODES = 1000,
    THREADS = 64
}; /* short, so that some rounds are undisturbed also on a busy machine */

/* -------------------------------------------------------------------------------------- variants: LOOPS scopes each */

BENCH_CLOCK_PAIR(LOOPS)

static void scope(void)
{
    for (int i = 0; i < LOOPS; ++i) {
        STINT_SCOPE("scope");
        FENCE();
    }
}

static void scope_nohist(void)
{
    for (int i = 0; i < LOOPS; ++i) {
        STINT_SCOPE("scope without histogram");
        FENCE();
    }
}

static void scope_info(void)
{
    for (int i = 0; i < LOOPS; ++i) {
        STINT_SCOPE_INFO("scope with info", "layer");
        FENCE();
    }
}

static void scope_off(void)
{
    stint_set_enabled(0);
    scope();
    stint_set_enabled(1);
}

static void nested(void)
{
    for (int i = 0; i < LOOPS / 2; ++i) {
        STINT_SCOPE("outer");
        {
            STINT_SCOPE("inner");
            FENCE();
        }
    }
}

__attribute__((noinline)) static void shared_by_parents(void)
{
    STINT_SCOPE("shared");
    FENCE();
}

static void alternating(void)
{
    for (int i = 0; i < LOOPS / 4; ++i) {
        {
            STINT_SCOPE("left");
            shared_by_parents();
        }
        {
            STINT_SCOPE("right");
            shared_by_parents();
        }
    }
}

#define SITE(n)                                                                                                        \
    {                                                                                                                  \
        STINT_SCOPE("site " #n);                                                                                       \
        FENCE();                                                                                                       \
    }
#define TEN_SITES(n)                                                                                                   \
    SITE(n##0) SITE(n##1) SITE(n##2) SITE(n##3) SITE(n##4) SITE(n##5) SITE(n##6) SITE(n##7) SITE(n##8) SITE(n##9)

static void hundred_sites(void)
{
    for (int i = 0; i < LOOPS / 100; ++i) {
        TEN_SITES(0)
        TEN_SITES(1)
        TEN_SITES(2)
        TEN_SITES(3)
        TEN_SITES(4)
        TEN_SITES(5)
        TEN_SITES(6)
        TEN_SITES(7)
        TEN_SITES(8)
        TEN_SITES(9)
    }
}

static void dynamic(void)
{
    char name[] = "layer_00_forward";
    for (int i = 0; i < LOOPS; ++i) {
        name[6] = (char)('0' + i % 4);
        name[7] = (char)('0' + i % 10);
        STINT_SCOPE_DYNAMIC(name);
        FENCE();
    }
}

/* Each thread times its own loop, starting when both are ready; the slower thread is reported. */
struct racer {
    pthread_barrier_t *ready;
    uint64_t ns;
};

static void *race(void *argument)
{
    struct racer *racer = argument;
    pthread_barrier_wait(racer->ready);
    uint64_t begin = bench_now_ns();
    scope();
    racer->ns = bench_now_ns() - begin;
    return NULL;
}

static uint64_t time_two_threads(void)
{
    pthread_barrier_t ready;
    pthread_t other;
    struct racer racers[2] = {{&ready, 0}, {&ready, 0}};
    pthread_barrier_init(&ready, NULL, 2);
    pthread_create(&other, NULL, race, &racers[1]);
    race(&racers[0]);
    pthread_join(other, NULL);
    pthread_barrier_destroy(&ready);
    return racers[0].ns > racers[1].ns ? racers[0].ns : racers[1].ns;
}

/* ----------------------------------------------------------------------------------------------------------- rounds */

static struct bench_variant s_variants[] = {
    BENCH_VARIANT("clock_pair_ns", clock_pair, 0),
    BENCH_VARIANT("scope_ns", scope, 1.25),
    BENCH_VARIANT("scope_nohist_ns", scope_nohist, 1.12),
    BENCH_VARIANT("scope_info_ns", scope_info, 0),
    BENCH_VARIANT("scope_off_ns", scope_off, 0.05),
    BENCH_VARIANT("nested_ns", nested, 0),
    BENCH_VARIANT("alternating_ns", alternating, 0),
    BENCH_VARIANT("hundred_sites_ns", hundred_sites, 1.35),
    BENCH_VARIANT("dynamic_ns", dynamic, 1.9),
    {"two_threads_ns", NULL, time_two_threads, 0, {0}},
};

enum { CLOCK_PAIR = 0 }; /* limits are multiples of its cost */

static void run_rounds(struct bench *bench)
{
    stint_set_percentiles(0);
    scope_nohist();
    stint_set_percentiles(1);
    bench_run(bench);
}

/* --------------------------------------------------------------------------------------------- memory and snapshots */

static long resident_bytes(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%*d %ld", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

static void enter_nodes(const char *prefix, int count)
{
    for (int i = 0; i < count; ++i) {
        char name[64];
        snprintf(name, sizeof name, "%s %d", prefix, i);
        STINT_SCOPE_DYNAMIC(name);
        FENCE();
    }
}

/* Measures the nodes of one thread whose names are known already: this is the cost of a further thread. */
static void *measure_node_bytes(void *result)
{
    const int count = 10 * NODES;
    enter_nodes("node", 1); /* allocates the thread's own record and first chunk */
    long before = resident_bytes();
    enter_nodes("node", count);
    *(double *)result = (double)(resident_bytes() - before) / count;
    return NULL;
}

static double bytes_per_node(void)
{
    double bytes = 0;
    pthread_t thread;
    enter_nodes("node", 10 * NODES);
    pthread_create(&thread, NULL, measure_node_bytes, &bytes);
    pthread_join(thread, NULL);
    return bytes;
}

static double snapshot_us_per_1000_nodes(int rounds)
{
    double best = 1e300;
    for (int i = 0; i < rounds; ++i) {
        struct stint_snapshot *snapshot;
        const uint64_t begin = bench_now_ns();
        if (stint_snapshot_take(&snapshot))
            return 0;
        double us = (double)(bench_now_ns() - begin) / 1e3 / (double)snapshot->context_count * 1000;
        stint_snapshot_free(snapshot);
        best = us < best ? us : best;
    }
    return best;
}

static pthread_barrier_t s_entered, s_reported;

static void *hold_nodes(void *unused)
{
    (void)unused;
    enter_nodes("node", NODES);
    pthread_barrier_wait(&s_entered);
    pthread_barrier_wait(&s_reported);
    return NULL;
}

static int write_fd(void *context, const char *text, size_t length)
{
    return write(*(int *)context, text, length) == (ssize_t)length ? 0 : -1;
}

/* Measures a report as written at exit, while 64 threads are alive. */
static double report_ms(int rounds)
{
    pthread_t threads[THREADS];
    double best = 1e300;
    int null = open("/dev/null", O_WRONLY);
    stint_reset(STINT_RESET_ALL);
    pthread_barrier_init(&s_entered, NULL, THREADS + 1);
    pthread_barrier_init(&s_reported, NULL, THREADS + 1);
    for (int i = 0; i < THREADS; ++i)
        pthread_create(&threads[i], NULL, hold_nodes, NULL);
    pthread_barrier_wait(&s_entered);
    for (int i = 0; i < rounds; ++i) {
        struct stint_snapshot *snapshot;
        const uint64_t begin = bench_now_ns();
        if (stint_snapshot_take(&snapshot) || stint_report_write(snapshot, STINT_FORMAT_TABLE, NULL, write_fd, &null))
            return 0;
        stint_snapshot_free(snapshot);
        double ms = (double)(bench_now_ns() - begin) / 1e6;
        best = ms < best ? ms : best;
    }
    pthread_barrier_wait(&s_reported);
    for (int i = 0; i < THREADS; ++i)
        pthread_join(threads[i], NULL);
    close(null);
    return best;
}

/* ----------------------------------------------------------------------------------------------------------- output */

struct extra {
    const char *key;
    double value;
};

static void print_json(const struct bench *bench, const struct extra *extras, size_t extra_count)
{
    bench_json_begin(bench);
    for (size_t i = 0; i < extra_count; ++i)
        printf("  \"%s\": %.3f,\n", extras[i].key, extras[i].value);
    bench_json_end(bench, CLOCK_PAIR);
}

static void print_table(const struct bench *bench, const struct extra *extras, size_t extra_count)
{
    bench_table(bench, 18, CLOCK_PAIR, "x clock pair", "");
    for (size_t i = 0; i < extra_count; ++i)
        printf("%-32s %9.3f\n", extras[i].key, extras[i].value);
}

int main(int argc, char **argv)
{
    struct bench bench = {"bench_scope", s_variants, sizeof s_variants / sizeof s_variants[0], LOOPS, 0, 0};
    if (bench_options(&bench, argc, argv))
        return 2;
    setenv("STINT_REPORT", "off", 0);
    run_rounds(&bench);
    {
        const struct extra extras[] = {
            {"bytes_per_node", bytes_per_node()},
            {"snapshot_us_per_1000_nodes", snapshot_us_per_1000_nodes(bench.rounds)},
            {"report_ms_64_threads_1000_nodes", report_ms(bench.rounds)},
        };
        (bench.json ? print_json : print_table)(&bench, extras, sizeof extras / sizeof extras[0]);
    }
    return 0;
}
