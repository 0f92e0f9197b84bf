/* The rule of whose work is charged to others, and the names of PyTorch's threads that it looks for; the same for live
 * programs and for recordings. */
#include "support/adopt_rule.h"

#include <string.h>

#include "base/env.h"

enum stint_adopt_rule stint_adopt_rule_asked(void)
{
    return (enum stint_adopt_rule)stint_env_choice("STINT_ADOPT", "off|autograd|main|all", STINT_ADOPT_AUTOGRAD);
}

int stint_is_autograd(const char *name)
{
    static const char prefix[] = "pt_autograd_";
    return strncmp(name, prefix, sizeof prefix - 1) == 0;
}
