/* A program that does too much of everything:
 *
 *     bench_soak [DIVISOR]
 *
 * 10^9 scopes, on four threads; 10^6 threads, eight at a time; 10^5 dynamic names, twenty times each, of which
 * STINT_MAX_NAMES keeps some. With a divisor there are fewer scopes and threads; 1000 is the test bench.soak. After
 * each part, what the snapshot counts has to be what the program counted, and memory what it was after a tenth of the
 * part. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "stint/stint.h"

enum { NAMES = 100000, PASSES = 20, AT_A_TIME = 8, INSIDE = 3, WORKERS = 4, NESTED = 9 };

/* Pages of threads' stacks and of the C library's heap come and go, and a histogram gets another 64 bytes when it has
 * the first sample in another part of its range: 65 536 of them are not complete after two samples. */
enum { SLACK_KIB = 256, SLACK_PERCENT = 10 };

static int s_failed;

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Resident memory that is no file's. */
static long resident_kib(void)
{
    char line[128];
    long kib = -1;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "RssAnon: %ld", &kib) == 1)
            break;
    if (file)
        fclose(file);
    return kib;
}

static void expect(const char *what, uint64_t found, uint64_t expected)
{
    if (found == expected)
        return;
    printf("  FAILED: %s: %" PRIu64 " instead of %" PRIu64 "\n", what, found, expected);
    s_failed = 1;
}

static uint64_t count_of(const struct stint_snapshot *snapshot, const char *name)
{
    const struct stint_stat *stat = stint_snapshot_find(snapshot, NULL, name);
    return stat ? stat->numbers.count : 0;
}

static struct stint_snapshot *take(void)
{
    struct stint_snapshot *snapshot;
    if (stint_snapshot_take(&snapshot)) {
        printf("  FAILED: no snapshot\n");
        exit(1);
    }
    return snapshot;
}

/* With STINT_CHECKPOINT there may be a snapshot of stint's own at the moment, and soon not any more. */
static long resident_again_kib(long most_kib)
{
    static const struct timespec moment = {0, 50000000};
    long kib = resident_kib();
    for (int i = 0; kib > most_kib && i < 200; i++) {
        nanosleep(&moment, NULL);
        long now_kib = resident_kib();
        kib = now_kib < kib ? now_kib : kib;
    }
    return kib;
}

/* A part that is done ten times, the first time as a warm-up. */
static void run_part(const char *title, uint64_t events, void (*tenth)(void))
{
    double begin_s = now_s();
    stint_snapshot_free(take());
    tenth();
    stint_snapshot_free(take());
    long warm_kib = resident_kib();
    for (int i = 1; i < 10; i++)
        tenth();
    stint_snapshot_free(take());
    double took_s = now_s() - begin_s;
    long most_kib = warm_kib + SLACK_KIB + warm_kib * SLACK_PERCENT / 100;
    long end_kib = resident_again_kib(most_kib);
    printf("%s: %.1f s, %.1f ns each; %ld KiB after a tenth, %ld KiB at the end\n", title, took_s,
           took_s * 1e9 / (double)events, warm_kib, end_kib);
    if (end_kib > most_kib) {
        printf("  FAILED: memory grows\n");
        s_failed = 1;
    }
    fflush(stdout);
}

/* ------------------------------------------------------------------------------------------------------------ names */

static void run_names(void)
{
    char name[32];
    for (int pass = 0; pass < PASSES / 10; pass++)
        for (int i = 0; i < NAMES; i++) {
            (void)snprintf(name, sizeof name, "name %d", i);
            STINT_SCOPE_DYNAMIC(name);
        }
}

static void check_names(void)
{
    struct stint_snapshot *snapshot = take();
    uint64_t counted = 0;
    size_t names = 0;
    for (size_t i = 0; i < snapshot->stat_count; i++)
        if (strncmp(snapshot->stats[i].name, "name ", 5) == 0) {
            names++;
            counted += snapshot->stats[i].numbers.count;
            expect(snapshot->stats[i].name, snapshot->stats[i].numbers.count, PASSES);
        }
    printf("  %zu names kept; %" PRIu64 " scopes counted, %" PRIu64 " dropped\n", names, counted,
           snapshot->dropped.names);
    expect("scopes with names", counted + snapshot->dropped.names, (uint64_t)NAMES * PASSES);
    if (!snapshot->dropped.names || !names)
        expect("names beyond the bound", names, 0);
    stint_snapshot_free(snapshot);
}

/* ---------------------------------------------------------------------------------------------------------- threads */

static uint64_t s_threads; /* in a tenth */

static void *run_thread(void *argument)
{
    STINT_SCOPE("thread");
    for (int i = 0; i < INSIDE; i++) {
        STINT_SCOPE("inside");
    }
    return argument;
}

static void run_threads(void)
{
    pthread_t threads[AT_A_TIME];
    for (uint64_t made = 0; made < s_threads; made += AT_A_TIME) {
        for (int i = 0; i < AT_A_TIME; i++)
            if (pthread_create(&threads[i], NULL, run_thread, NULL)) {
                perror("pthread_create");
                exit(1);
            }
        for (int i = 0; i < AT_A_TIME; i++)
            pthread_join(threads[i], NULL);
    }
}

static void check_threads(void)
{
    struct stint_snapshot *snapshot = take();
    uint64_t exits = 0;
    for (size_t i = 0; i < snapshot->thread_count; i++)
        exits += snapshot->threads[i].exits;
    expect("threads", count_of(snapshot, "thread"), 10 * s_threads);
    expect("scopes of threads", count_of(snapshot, "inside"), 10 * s_threads * INSIDE);
    expect("threads that exited", exits, 10 * (s_threads + WORKERS));
    expect("scopes of threads that were dropped", snapshot->dropped.threads, 0);
    stint_snapshot_free(snapshot);
}

/* ----------------------------------------------------------------------------------------------------------- scopes */

static uint64_t s_outer; /* of a thread, in a tenth */

static void *run_worker(void *argument)
{
    for (uint64_t i = 0; i < s_outer; i++) {
        STINT_SCOPE("outer");
        for (int k = 0; k < NESTED; k++) {
            STINT_SCOPE("inner");
        }
    }
    return argument;
}

static void run_scopes(void)
{
    pthread_t workers[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        if (pthread_create(&workers[i], NULL, run_worker, NULL))
            exit(1);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
}

static void check_scopes(void)
{
    struct stint_snapshot *snapshot = take();
    uint64_t outer = 10 * WORKERS * s_outer;
    expect("outer scopes", count_of(snapshot, "outer"), outer);
    expect("inner scopes", count_of(snapshot, "inner"), outer * NESTED);
    expect("scopes without memory", snapshot->dropped.memory, 0);
    expect("contexts beyond the bound", snapshot->dropped.nodes, 0);
    stint_snapshot_free(snapshot);
}

int main(int count, char **arguments)
{
    uint64_t divisor = count > 1 ? strtoull(arguments[1], NULL, 10) : 1;
    if (!divisor) {
        fprintf(stderr, "bench_soak [DIVISOR]\n");
        return 2;
    }
    s_outer = UINT64_C(100000000) / (1 + NESTED) / WORKERS / divisor;
    s_threads = (UINT64_C(100000) / divisor + AT_A_TIME - 1) / AT_A_TIME * AT_A_TIME;
    run_part("scopes", 10 * WORKERS * s_outer * (1 + NESTED), run_scopes);
    check_scopes();
    run_part("threads", 10 * s_threads, run_threads);
    check_threads();
    run_part("names", (uint64_t)NAMES * PASSES, run_names);
    check_names();
    printf(s_failed ? "FAILED\n" : "all as it has to be\n");
    return s_failed;
}
