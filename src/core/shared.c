/* What the core asks for by weak names, because only libstint.a, or only an injected stint, has it. libstint.so has all
 * parts, and is no copy beside the program's. With these it has no undefined names for others to define. */
#include "record/part.h"
#include "runtime/runtime.h"

const struct stint_inject_core *stint_inject_used(void)
{
    return &stint_i_inject;
}

void stint_missing_part_tell(const char *asked, const char *part)
{
    (void)asked, (void)part;
}
