/* A thousand call sites. Compilers take long for so many: this is compiled once, and linked ten times. */
#include "process/sites.h"

#include <stdio.h>

#include "stint/stint.h"

static unsigned s_next;

static const char *next_name(void)
{
    static char name[32];
    snprintf(name, sizeof name, "site %u", s_next++);
    return name;
}

/* Each expansion is a call site, with a static object of its own. */
#define SITE                                                                                                           \
    {                                                                                                                  \
        STINT_SCOPE(next_name());                                                                                      \
    }
#define TEN(x) x x x x x x x x x x

/* Ten functions of a hundred sites, because the time to compile a function grows faster than the function. */
#define FUNCTION(number)                                                                                               \
    static void run_##number(void)                                                                                     \
    {                                                                                                                  \
        TEN(TEN(SITE))                                                                                                 \
    }
#define CALL(number) run_##number();
#define EACH(what) what(0) what(1) what(2) what(3) what(4) what(5) what(6) what(7) what(8) what(9)

EACH(FUNCTION)

static void run_thousand(unsigned first)
{
    s_next = first;
    EACH(CALL)
}

static run_sites_fn *const s_run_thousand __attribute__((section("test_sites"), used)) = run_thousand;
