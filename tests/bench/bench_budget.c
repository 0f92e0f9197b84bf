/* What STINT_BUDGET makes of recording: programs of many short scopes, each run in a process of its own without scopes,
 * with all of them recorded, and with budgets, in turns. A row has the CPU time beside that without scopes, what the
 * report says of it, and for how many of the scopes the truth is within the error that the report states. The truth is
 * what the same functions without scopes take, in a loop of their own before; or of requests, what the program measures
 * itself.
 *
 *     bench_budget [--rounds N]
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "stint/stint.h"

enum { ROUNDS = 9, MOST_ROUNDS = 100, TREES = 300000, ENTRIES = 1 << 20, LOOK_UPS = 1000000, REQUESTS = 1000000 };

/* Each program twice, without scopes and with. */
#define NO_SCOPE(name)
#define PROGRAMS(prefix, SCOPE)                                                                                        \
    static uint64_t prefix##_short(uint64_t value)                                                                     \
    {                                                                                                                  \
        SCOPE("short leaf");                                                                                           \
        return work(value, 6);                                                                                         \
    }                                                                                                                  \
    static uint64_t prefix##_long(uint64_t value)                                                                      \
    {                                                                                                                  \
        SCOPE("long leaf");                                                                                            \
        return work(value, 10);                                                                                        \
    }                                                                                                                  \
    static uint64_t prefix##_inner(uint64_t value)                                                                     \
    {                                                                                                                  \
        SCOPE("inner");                                                                                                \
        for (int i = 0; i < 4; i++)                                                                                    \
            value = prefix##_long(prefix##_short(value));                                                              \
        return value;                                                                                                  \
    }                                                                                                                  \
    static uint64_t prefix##_outer(uint64_t value)                                                                     \
    {                                                                                                                  \
        SCOPE("outer");                                                                                                \
        for (int i = 0; i < 4; i++)                                                                                    \
            value = prefix##_inner(value);                                                                             \
        return work(value, 30);                                                                                        \
    }                                                                                                                  \
    /* Each key follows from the value of the one before, as requests of a client that waits do. */                    \
    static uint64_t prefix##_look_up(uint64_t key)                                                                     \
    {                                                                                                                  \
        SCOPE("look-up");                                                                                              \
        key = key * UINT64_C(6364136223846793005) + 1;                                                                 \
        return s_entries[key >> 44].value + key;                                                                       \
    }                                                                                                                  \
    /* Most take 100 ns, one in sixteen sixteen times as long: in no order. They are long enough to be timed. */       \
    static uint64_t prefix##_request(uint64_t value)                                                                   \
    {                                                                                                                  \
        SCOPE("request");                                                                                              \
        double begin = now_ms();                                                                                       \
        s_seed = s_seed * UINT64_C(6364136223846793005) + 1;                                                           \
        value = work(value, s_seed >> 60 ? 100 : 1600);                                                                \
        s_requests_ms += now_ms() - begin;                                                                             \
        return value;                                                                                                  \
    }

static struct entry {
    uint64_t value;
    uint64_t rest[7];
} * s_entries;

__attribute__((noinline)) static uint64_t work(uint64_t value, int steps)
{
    for (int i = 0; i < steps; i++) {
        value = value * value | 1;
        __asm__ volatile("" : "+r"(value));
    }
    return value;
}

static uint64_t s_seed = 1;
static double s_requests_ms;

static double now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

/* Two readings are within a request, of which what the program measures has one. */
static uint64_t read_clock(uint64_t value)
{
    return value + (now_ms() < 0);
}

PROGRAMS(plain, NO_SCOPE)
PROGRAMS(timed, STINT_SCOPE)

typedef uint64_t step_fn(uint64_t value);

enum { MOST_SCOPES = 4 };
static const struct program {
    const char *name;
    step_fn *plain;
    step_fn *timed;
    int steps;
    struct scope {
        const char *name;
        step_fn *alone;
        int activations; /* in a step; 0: what it took is in s_requests_ms */
    } scopes[MOST_SCOPES];
} s_programs[] = {
    {"tree of 10 ns leaves",
     plain_outer,
     timed_outer,
     TREES,
     {{"short leaf", plain_short, 16},
      {"long leaf", plain_long, 16},
      {"inner", plain_inner, 4},
      {"outer", plain_outer, 1}}},
    {"look-ups, a million entries", plain_look_up, timed_look_up, LOOK_UPS, {{"look-up", plain_look_up, 1}}},
    {"requests of 0.2 and 2 us", plain_request, timed_request, REQUESTS, {{"request", plain_request, 0}}}};

static const char *const s_budgets[] = {"plain", "all", "0.001%", "2%", "5%", "10%", "20%", "50%"};
enum { BUDGETS = sizeof s_budgets / sizeof *s_budgets };

struct result {
    double ms;       /* of CPU time, by the child's own clock */
    double claim_ms; /* what the report says that recording took */
    double estimated, covered;
};

static double cpu_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static double ms_of(step_fn *step, int steps)
{
    double begin = cpu_ms();
    uint64_t value = 3;
    for (int i = 0; i < steps; i++)
        value = step(value);
    __asm__ volatile("" : : "r"(value));
    return cpu_ms() - begin;
}

static void add_scope(struct result *result, const struct stint_snapshot *snapshot, const struct scope *scope,
                      double truth_ms)
{
    const struct stint_stat *stat = stint_snapshot_find(snapshot, NULL, scope->name);
    if (!stat)
        return;
    const struct stint_numbers *numbers = &stat->numbers;
    double difference = 1e6 * truth_ms - (double)numbers->total_ns;
    result->claim_ms += 1e-6 * (double)numbers->left_out * snapshot->process.thinned_ns;
    result->claim_ms += 1e-6 * (double)(numbers->count - numbers->left_out) * snapshot->process.scope_ns;
    result->estimated += numbers->error_ns > 0;
    result->covered += numbers->error_ns > 0 && difference < numbers->error_ns && -difference < numbers->error_ns;
    if (getenv("BENCH_BUDGET_VERBOSE"))
        fprintf(stderr, "%-10s %10.2f +/- %6.2f ms, truth %10.2f\n", scope->name, 1e-6 * (double)numbers->total_ns,
                1e-6 * numbers->error_ns, truth_ms);
}

static struct result run_here(const struct program *program, const char *budget)
{
    struct stint_snapshot *snapshot;
    struct result result = {0};
    double truth_ms[MOST_SCOPES] = {0};
    (void)setenv("STINT_REPORT", "off", 1);
    if (strchr(budget, '%'))
        (void)setenv("STINT_BUDGET", budget, 1);
    s_entries = calloc(ENTRIES, sizeof *s_entries);
    for (int i = 0; s_entries && i < ENTRIES; i++)
        s_entries[i].value = (uint64_t)i;
    if (strcmp(budget, "plain") == 0)
        return (struct result){.ms = ms_of(program->plain, program->steps)};
    for (int i = 0; i < MOST_SCOPES && program->scopes[i].alone; i++)
        truth_ms[i] = ms_of(program->scopes[i].alone, program->steps) * program->scopes[i].activations;
    double reading_ms = ms_of(read_clock, REQUESTS);
    s_requests_ms = 0;
    result.ms = ms_of(program->timed, program->steps);
    if (stint_snapshot_take(&snapshot) != STINT_OK)
        return result;
    for (int i = 0; i < MOST_SCOPES && program->scopes[i].alone; i++)
        add_scope(&result, snapshot, &program->scopes[i],
                  program->scopes[i].activations ? truth_ms[i] : s_requests_ms + reading_ms);
    stint_snapshot_free(snapshot);
    return result;
}

static struct result run(const struct program *program, const char *budget)
{
    int fds[2], status;
    struct result result = {0};
    if (pipe(fds))
        exit(2);
    pid_t child = fork();
    if (!child) {
        result = run_here(program, budget);
        _exit(write(fds[1], &result, sizeof result) != sizeof result);
    }
    (void)close(fds[1]);
    if (child < 0 || read(fds[0], &result, sizeof result) != sizeof result || waitpid(child, &status, 0) != child ||
        status)
        exit(2);
    (void)close(fds[0]);
    return result;
}

static int compare(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static void measure(const struct program *program, int rounds)
{
    static double s_ms[BUDGETS][MOST_ROUNDS], s_claims[BUDGETS][MOST_ROUNDS];
    static struct result s_sums[BUDGETS];
    memset(s_sums, 0, sizeof s_sums);
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < BUDGETS; i++) {
            struct result result = run(program, s_budgets[i]);
            s_ms[i][round] = result.ms;
            s_claims[i][round] = result.claim_ms;
            s_sums[i].estimated += result.estimated;
            s_sums[i].covered += result.covered;
        }
    printf("%s\n%-10s %10s %10s %10s %10s %10s\n", program->name, "budget", "ms, least", "more, %", "median, %",
           "claimed, %", "covered");
    for (int i = 0; i < BUDGETS; i++) {
        qsort(s_ms[i], (size_t)rounds, sizeof *s_ms[i], compare);
        qsort(s_claims[i], (size_t)rounds, sizeof *s_claims[i], compare);
    }
    for (int i = 0; i < BUDGETS; i++)
        printf("%-10s %10.2f %10.1f %10.1f %10.1f %6.0f/%.0f\n", s_budgets[i], s_ms[i][0],
               100 * (s_ms[i][0] / s_ms[0][0] - 1), 100 * (s_ms[i][rounds / 2] / s_ms[0][rounds / 2] - 1),
               100 * s_claims[i][rounds / 2] / s_ms[0][rounds / 2], s_sums[i].covered, s_sums[i].estimated);
}

int main(int argc, char **argv)
{
    int rounds = argc > 2 && strcmp(argv[1], "--rounds") == 0 ? atoi(argv[2]) : ROUNDS;
    rounds = rounds < 1 ? 1 : rounds > MOST_ROUNDS ? MOST_ROUNDS : rounds;
    for (size_t i = 0; i < sizeof s_programs / sizeof *s_programs; i++)
        measure(&s_programs[i], rounds);
    return 0;
}
