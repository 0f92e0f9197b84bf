/* A user's shared object. Built twice, as PLUGIN "a" and "b": both use one common name, and one of their own. */
#include "process/objects/plugin.h"
#include "stint/stint.h"

void plugin_run(unsigned count)
{
    for (unsigned i = 0; i < count; ++i) {
        STINT_SCOPE("shared");
        STINT_SCOPE("only in " PLUGIN);
    }
}
