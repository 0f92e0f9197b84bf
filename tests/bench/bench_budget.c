/* What STINT_BUDGET makes of recording: programs of many short scopes, each run in a process of its own without scopes,
 * with all of them recorded, and with budgets, in turns. A row has the CPU time beside that without scopes.
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

enum { ROUNDS = 9, MOST_ROUNDS = 100, TREES = 300000, ENTRIES = 1 << 20, LOOK_UPS = 1000000 };

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
    static uint64_t prefix##_tree(void)                                                                                \
    {                                                                                                                  \
        uint64_t value = 3;                                                                                            \
        for (int i = 0; i < TREES; i++) {                                                                              \
            SCOPE("outer");                                                                                            \
            for (int j = 0; j < 4; j++)                                                                                \
                value = prefix##_inner(value);                                                                         \
            value = work(value, 30);                                                                                   \
        }                                                                                                              \
        return value;                                                                                                  \
    }                                                                                                                  \
    /* Each key follows from the value of the one before, as requests of a client that waits do. */                    \
    static uint64_t prefix##_look_ups(void)                                                                            \
    {                                                                                                                  \
        uint64_t key = 1;                                                                                              \
        for (int i = 0; i < LOOK_UPS; i++) {                                                                           \
            SCOPE("look-up");                                                                                          \
            key = look_up(key * UINT64_C(6364136223846793005) + 1);                                                    \
        }                                                                                                              \
        return key;                                                                                                    \
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

static uint64_t look_up(uint64_t key)
{
    return s_entries[key >> 44].value + key;
}

PROGRAMS(plain, NO_SCOPE)
PROGRAMS(timed, STINT_SCOPE)

static const struct program {
    const char *name;
    uint64_t (*plain)(void);
    uint64_t (*timed)(void);
} s_programs[] = {{"tree of 10 ns leaves", plain_tree, timed_tree},
                  {"look-ups, a million entries", plain_look_ups, timed_look_ups}};

static const char *const s_budgets[] = {"plain", "all", "0.001%", "2%", "5%", "10%", "20%", "50%"};
enum { BUDGETS = sizeof s_budgets / sizeof *s_budgets };

/* Returns the ms of CPU time that the program took, by the child's own clock. */
static double run(const struct program *program, const char *budget)
{
    int fds[2], status;
    double ms = 0;
    if (pipe(fds))
        exit(2);
    pid_t child = fork();
    if (!child) {
        (void)setenv("STINT_REPORT", "off", 1);
        if (strchr(budget, '%'))
            (void)setenv("STINT_BUDGET", budget, 1);
        s_entries = calloc(ENTRIES, sizeof *s_entries);
        for (int i = 0; s_entries && i < ENTRIES; i++)
            s_entries[i].value = (uint64_t)i;
        clock_t begin = clock();
        uint64_t value = strcmp(budget, "plain") != 0 ? program->timed() : program->plain();
        ms = 1e3 * (double)(clock() - begin) / CLOCKS_PER_SEC + (value == 0 ? 1e-9 : 0);
        _exit(write(fds[1], &ms, sizeof ms) != sizeof ms);
    }
    (void)close(fds[1]);
    if (child < 0 || read(fds[0], &ms, sizeof ms) != sizeof ms || waitpid(child, &status, 0) != child || status)
        exit(2);
    (void)close(fds[0]);
    return ms;
}

static int compare(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static void measure(const struct program *program, int rounds)
{
    static double s_ms[BUDGETS][MOST_ROUNDS];
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < BUDGETS; i++)
            s_ms[i][round] = run(program, s_budgets[i]);
    printf("%s\n%-10s %10s %10s %10s\n", program->name, "budget", "ms, least", "more, %", "median, %");
    for (int i = 0; i < BUDGETS; i++)
        qsort(s_ms[i], (size_t)rounds, sizeof *s_ms[i], compare);
    for (int i = 0; i < BUDGETS; i++)
        printf("%-10s %10.2f %10.1f %10.1f\n", s_budgets[i], s_ms[i][0], 100 * (s_ms[i][0] / s_ms[0][0] - 1),
               100 * (s_ms[i][rounds / 2] / s_ms[0][rounds / 2] - 1));
}

int main(int argc, char **argv)
{
    int rounds = argc > 2 && strcmp(argv[1], "--rounds") == 0 ? atoi(argv[2]) : ROUNDS;
    rounds = rounds < 1 ? 1 : rounds > MOST_ROUNDS ? MOST_ROUNDS : rounds;
    for (size_t i = 0; i < sizeof s_programs / sizeof *s_programs; i++)
        measure(&s_programs[i], rounds);
    return 0;
}
