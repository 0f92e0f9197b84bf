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

void run_sites(void)
{
    TEN(TEN(TEN(TEN(SITE))))
}
