/* Like refused.c, for profiler.h. */
#include <stint/stint.h>

#define LAST 6 /* refused.sh reads this */

void call_site(int x);

void call_site(int x)
{
    (void)x;
    REGISTER_GPU_PROFILER("name", "info");

#if WRONG == 1 /* without braces */
    if (x)
        REGISTER_GPU_PROFILER("y");
#elif WRONG == 2
    if (x)
        STINT_PROFILE("y", "info");
#elif WRONG == 3
    while (x--)
        REGISTER_GPU_PROFILER("y");

#elif WRONG == 4 /* the wrong type */
    REGISTER_GPU_PROFILER(1, "info");

#elif WRONG == 5 /* the wrong number */
    REGISTER_GPU_PROFILER();

#elif WRONG == 6 /* no such thing */
    REGISTER_GPU_PROFILER(undeclared, "info");
#endif
}
