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

/* A hundred functions of a hundred sites, because the time to compile a function grows faster than the function. */
#define FUNCTION(number)                                                                                               \
    static void run_##number(void)                                                                                     \
    {                                                                                                                  \
        TEN(TEN(SITE))                                                                                                 \
    }
#define CALL(number) run_##number();
#define TEN_FROM(tens, what)                                                                                           \
    what(tens##0) what(tens##1) what(tens##2) what(tens##3) what(tens##4) what(tens##5) what(tens##6) what(tens##7)    \
        what(tens##8) what(tens##9)
#define FIFTY_FROM_0(what) TEN_FROM(0, what) TEN_FROM(1, what) TEN_FROM(2, what) TEN_FROM(3, what) TEN_FROM(4, what)
#define FIFTY_FROM_50(what) TEN_FROM(5, what) TEN_FROM(6, what) TEN_FROM(7, what) TEN_FROM(8, what) TEN_FROM(9, what)
#define HUNDRED(what) FIFTY_FROM_0(what) FIFTY_FROM_50(what)

HUNDRED(FUNCTION)

void run_sites(void)
{
    HUNDRED(CALL)
}
