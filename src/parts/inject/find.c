/* Asks all stints in the process for their versions, so that an injected library records into the program's own. */
#include "inject/find.h"

#include <stddef.h>

#include "runtime/copies.h"

static void choose(void *context, uint32_t version, const struct stint_inject_core *core)
{
    const struct stint_inject_core **found = context;

    if (version == STINT_INJECT_VERSION && core != &stint_i_inject && !*found)
        *found = core;
}

const struct stint_inject_core *stint_inject_find(void)
{
    const struct stint_inject_core *found = NULL;

    stint_copies_visit(choose, &found);
    return found;
}
