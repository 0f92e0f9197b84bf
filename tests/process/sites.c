#include "process/sites.h"

#include <stdio.h>

#include "stint/stint.h"

static unsigned s_next;

static const char *next_name(void)
{
    static char name[32];

    snprintf(name, sizeof name, "site %u", s_next++ % SITES);
    return name;
}

/* Each expansion is a call site, with a static object of its own. */
#define SITE                                                                                                           \
    {                                                                                                                  \
        STINT_SCOPE(next_name());                                                                                      \
    }
#define TEN(x) x x x x x x x x x x

/* In functions of a size that compilers like. */
#define RUN(a, b)                                                                                                      \
    static void run_##a##b(void)                                                                                       \
    {                                                                                                                  \
        TEN(TEN(SITE))                                                                                                 \
    }
#define TEN_RUNS(a) RUN(a, 0) RUN(a, 1) RUN(a, 2) RUN(a, 3) RUN(a, 4) RUN(a, 5) RUN(a, 6) RUN(a, 7) RUN(a, 8) RUN(a, 9)
#define CALL(a, b) run_##a##b();
#define TEN_CALLS(a)                                                                                                   \
    CALL(a, 0) CALL(a, 1) CALL(a, 2) CALL(a, 3) CALL(a, 4) CALL(a, 5) CALL(a, 6) CALL(a, 7) CALL(a, 8) CALL(a, 9)

TEN_RUNS(0)
TEN_RUNS(1)
TEN_RUNS(2)
TEN_RUNS(3) TEN_RUNS(4) TEN_RUNS(5) TEN_RUNS(6) TEN_RUNS(7) TEN_RUNS(8) TEN_RUNS(9)

    void run_sites(void)
{
    TEN_CALLS(0)
    TEN_CALLS(1)
    TEN_CALLS(2)
    TEN_CALLS(3)
    TEN_CALLS(4)
    TEN_CALLS(5)
    TEN_CALLS(6)
    TEN_CALLS(7)
    TEN_CALLS(8)
    TEN_CALLS(9)
}
