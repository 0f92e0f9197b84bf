/* A program that runs for a week, or for as many days as it is told, on a clock that only goes on as the program says:
 *
 *     STINT_CLOCK=monotonic bench_week [DAYS]
 *
 * Each minute has work of a second and of some milliseconds; each day is one scope, and all of them are in one more.
 * Each number of the snapshot has to be what the clock said, to the nanosecond, percentiles within 0.8 %. With
 * more than 105 days, times are beyond 2^53 ns, the last integer that every double can be, and beyond 2^32 ms. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "stint/stint.h"

enum { MINUTES = 24 * 60, CALLS = 5 };

#define MS UINT64_C(1000000)
#define SECOND UINT64_C(1000000000)
#define MINUTE (60 * SECOND)
#define DAY (MINUTES * MINUTE)

#define PERCENTILES_WITHIN 0.008

static uint64_t s_gone_on_ns;
static int s_failed;

/* Takes precedence over the C library's for stint, too. */
__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec *now)
{
    int failed = (int)syscall(SYS_clock_gettime, clock, now);
    if (clock != CLOCK_MONOTONIC && clock != CLOCK_REALTIME)
        return failed;
    uint64_t ns = __atomic_load_n(&s_gone_on_ns, __ATOMIC_RELAXED) + 3 * DAY;
    *now = (struct timespec){(time_t)(ns / SECOND), (long)(ns % SECOND)};
    if (clock == CLOCK_REALTIME)
        now->tv_sec += 1700000000;
    return failed;
}

static void go_on(uint64_t ns)
{
    __atomic_fetch_add(&s_gone_on_ns, ns, __ATOMIC_RELAXED);
}

static void expect(const char *what, uint64_t found, uint64_t expected)
{
    if (found == expected)
        return;
    printf("  FAILED: %s: %" PRIu64 " instead of %" PRIu64 "\n", what, found, expected);
    s_failed = 1;
}

static void expect_about(const char *what, double found, double expected)
{
    if (fabs(found - expected) <= expected * PERCENTILES_WITHIN)
        return;
    printf("  FAILED: %s: %.0f instead of about %.0f\n", what, found, expected);
    s_failed = 1;
}

/* --------------------------------------------------------------------------------------------------------- the work */

static void run_minute(void)
{
    STINT_SCOPE("minute");
    {
        STINT_SCOPE("second");
        go_on(SECOND);
    }
    for (unsigned i = 1; i <= CALLS; i++) {
        STINT_SCOPE("call");
        go_on(i * MS);
    }
    go_on(MINUTE - SECOND - CALLS * (CALLS + 1) / 2 * MS);
}

static void run_day(void)
{
    STINT_SCOPE("day");
    for (int i = 0; i < MINUTES; i++)
        run_minute();
}

/* -------------------------------------------------------------------------------------------------------- the check */

static const struct stint_stat *find(const struct stint_snapshot *snapshot, const char *name)
{
    const struct stint_stat *stat = stint_snapshot_find(snapshot, NULL, name);
    if (stat)
        return stat;
    printf("  FAILED: no %s\n", name);
    exit(1);
}

/* All activations of it took the same time. */
static void check_same(const struct stint_snapshot *snapshot, const char *name, uint64_t count, uint64_t ns,
                       uint64_t self_ns)
{
    const struct stint_numbers *numbers = &find(snapshot, name)->numbers;
    printf("%-7s %8" PRIu64 " x %14" PRIu64 " ns\n", name, numbers->count, ns);
    expect("calls", numbers->count, count);
    expect("total", numbers->total_ns, count * ns);
    expect("self", numbers->self_ns, count * self_ns);
    expect("min", numbers->min_ns, ns);
    expect("max", numbers->max_ns, ns);
    expect_about("median", (double)stint_numbers_percentile_ns(numbers, 0.5), (double)ns);
    expect_about("99th percentile", (double)stint_numbers_percentile_ns(numbers, 0.99), (double)ns);
    expect_about("standard deviation", stint_numbers_stddev_ns(numbers) + (double)ns, (double)ns);
}

static void check(uint64_t days)
{
    struct stint_snapshot *snapshot;
    if (stint_snapshot_take(&snapshot))
        exit(1);
    uint64_t calls_ns = CALLS * (CALLS + 1) / 2 * MS;
    check_same(snapshot, "second", days * MINUTES, SECOND, SECOND);
    check_same(snapshot, "minute", days * MINUTES, MINUTE, MINUTE - SECOND - calls_ns);
    check_same(snapshot, "day", days, DAY, 0);
    const struct stint_numbers *numbers = &find(snapshot, "call")->numbers;
    expect("calls", numbers->count, days * MINUTES * CALLS);
    expect("total of calls", numbers->total_ns, days * MINUTES * calls_ns);
    expect("shortest call", numbers->min_ns, MS);
    expect("longest call", numbers->max_ns, CALLS * MS);
    expect("time of the process", snapshot->process.wall_ns, days * DAY);
    stint_snapshot_free(snapshot);
}

int main(int count, char **arguments)
{
    uint64_t days = count > 1 ? strtoull(arguments[1], NULL, 10) : 7;
    const char *clock = getenv("STINT_CLOCK");
    if (!days || !clock || strcmp(clock, "monotonic") != 0) {
        (void)fprintf(stderr, "STINT_CLOCK=monotonic bench_week [DAYS]\n");
        return 2;
    }
    {
        STINT_SCOPE("all");
        for (uint64_t i = 0; i < days; i++)
            run_day();
    }
    check(days);
    printf(s_failed ? "FAILED\n" : "all as it has to be\n");
    return s_failed;
}
