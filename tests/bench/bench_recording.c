/* Threads that do nothing but end scopes, for as long as asked: run it with STINT_TRACE to see what rate a recording
 * keeps up with, and without to see what is possible.
 *
 *     STINT_TRACE=/dev/shm/run.stint bench_recording [THREADS [SECONDS [NS]]]
 *
 * Each thread enters two nested scopes and leaves them, and then works for NS nanoseconds. Prints scopes per second and
 * how many events were dropped. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "stint/stint.h"

enum { MOST_THREADS = 256, ROUND = 1000 };

static uint64_t s_end_ns, s_pause_ns;

static void work(void)
{
    const uint64_t until = bench_now_ns() + s_pause_ns;
    while (bench_now_ns() < until)
        continue;
}

static void *run(void *scopes)
{
    uint64_t count = 0;
    for (; bench_now_ns() < s_end_ns; count += 2 * (uint64_t)ROUND) {
        for (int i = 0; i < ROUND; ++i) {
            STINT_SCOPE("outer");
            {
                STINT_SCOPE("inner");
                FENCE();
            }
            if (s_pause_ns)
                work();
        }
    }
    *(uint64_t *)scopes = count;
    return NULL;
}

int main(int argc, char **argv)
{
    const int threads = argc > 1 ? atoi(argv[1]) : 4;
    const double seconds = argc > 2 ? atof(argv[2]) : 10;
    pthread_t ids[MOST_THREADS];
    uint64_t scopes[MOST_THREADS], sum = 0;
    struct stint_snapshot *snapshot;
    if (threads < 1 || threads > MOST_THREADS || seconds <= 0) {
        fprintf(stderr, "usage: bench_recording [THREADS [SECONDS [NS]]]\n");
        return 2;
    }
    setenv("STINT_REPORT", "off", 0);
    s_pause_ns = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
    s_end_ns = bench_now_ns() + (uint64_t)(seconds * 1e9);
    for (int i = 0; i < threads; ++i)
        if (pthread_create(&ids[i], NULL, run, &scopes[i]))
            return 1;
    for (int i = 0; i < threads; ++i) {
        pthread_join(ids[i], NULL);
        sum += scopes[i];
    }
    if (stint_snapshot_take(&snapshot))
        return 1;
    printf("%.2f M scopes/s, %" PRIu64 " of %" PRIu64 " dropped\n", (double)sum / seconds / 1e6,
           snapshot->dropped.events, sum);
    stint_snapshot_free(snapshot);
    return 0;
}
