/* Measures how long programs take from their start to their end, in microseconds: one that does nothing, and the same
 * with stint. All take turns.
 *
 *     bench_start [--json] [--rounds N]
 *
 * Fails if a recording makes a program that has one scope more than 1 ms longer. */
#include <limits.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

enum { STARTS = 10, MOST_OF_TRACE_US = 1000 };

static char s_folder[] = "/dev/shm/bench_start.XXXXXX";
static char s_trace[PATH_MAX];

/* Returns the time of STARTS starts, with up to two variables in the environment. */
static uint64_t start(const char *program, const char *argument, const char *one, const char *other)
{
    const char *const arguments[] = {program, argument, NULL};
    const char *const variables[] = {one, other, NULL};
    const uint64_t begin = bench_now_ns();
    for (int i = 0; i < STARTS; ++i) {
        pid_t child;
        int status;
        if (posix_spawn(&child, program, NULL, NULL, (char *const *)arguments, (char *const *)variables) ||
            waitpid(child, &status, 0) != child || status != 0) {
            fprintf(stderr, "bench_start: %s does not run\n", program);
            exit(1);
        }
    }
    return (bench_now_ns() - begin) / 1000;
}

static uint64_t time_empty(void)
{
    return start(EMPTY, NULL, NULL, NULL);
}

static uint64_t time_linked(void)
{
    return start(SHARED, NULL, NULL, NULL);
}

static uint64_t time_preloaded(void)
{
    return start(EMPTY, NULL, "LD_PRELOAD=" PRELOADED, NULL);
}

static uint64_t time_scope(void)
{
    return start(SHARED, "scope", "STINT_REPORT=off", NULL);
}

static uint64_t time_scope_static(void)
{
    return start(STATIC, "scope", "STINT_REPORT=off", NULL);
}

static uint64_t time_report(void)
{
    return start(SHARED, "scope", "STINT_OUTPUT=/dev/null", NULL);
}

static uint64_t time_trace(void)
{
    return start(SHARED, "scope", "STINT_OUTPUT=/dev/null", s_trace);
}

static struct bench_variant s_variants[] = {
    {"empty_us", NULL, time_empty, 0, {0}},
    {"linked_us", NULL, time_linked, 0, {0}},
    {"preloaded_us", NULL, time_preloaded, 0, {0}},
    {"scope_us", NULL, time_scope, 0, {0}},
    {"scope_static_us", NULL, time_scope_static, 0, {0}},
    {"report_us", NULL, time_report, 0, {0}},
    {"trace_us", NULL, time_trace, 0, {0}},
};

enum { EMPTY_AT = 0, REPORT_AT = 5, TRACE_AT = 6 };

static void remove_folder(void)
{
    char command[sizeof s_folder + sizeof "rm -r "];
    snprintf(command, sizeof command, "rm -r %s", s_folder);
    (void)!system(command);
}

int main(int argc, char **argv)
{
    struct bench bench = {"bench_start", s_variants, sizeof s_variants / sizeof s_variants[0], STARTS, 0, 0};
    if (bench_options(&bench, argc, argv) || !mkdtemp(s_folder))
        return 2;
    atexit(remove_folder);
    snprintf(s_trace, sizeof s_trace, "STINT_TRACE=%s/run.stint", s_folder);
    bench_run(&bench);
    const double more_us = s_variants[TRACE_AT].ns[0] - s_variants[REPORT_AT].ns[0];
    if (bench.json) {
        bench_json_begin(&bench);
        bench_json_end(&bench, EMPTY_AT);
    } else {
        bench_table(&bench, 16, EMPTY_AT, "x empty", "");
        printf("a recording takes %.0f us more than a report, %d at most\n", more_us, MOST_OF_TRACE_US);
    }
    return more_us > MOST_OF_TRACE_US;
}
