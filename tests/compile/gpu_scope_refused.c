/* Like refused.c, for gpu_scope.h. */
#include <stint/gpu_scope.h>

#define LAST 8 /* refused.sh reads this */

void call_site(int x, void *stream);

void call_site(int x, void *stream)
{
    (void)x;
    (void)stream;
    STINT_GPU_SCOPE("name", stream);

#if WRONG == 1 /* without braces: a span would end before the statement that it should enclose */
    if (x)
        STINT_GPU_SCOPE("y", stream);
#elif WRONG == 2
    while (x--)
        STINT_GPU_SCOPE("y", stream);

#elif WRONG == 3 /* the wrong type */
    STINT_GPU_SCOPE(1, stream);
#elif WRONG == 4
    STINT_GPU_SCOPE("y", x);

#elif WRONG == 5 /* the wrong number */
    STINT_GPU_SCOPE("y");
#elif WRONG == 6
    STINT_GPU_SCOPE("y", stream, 1000);

#elif WRONG == 7 /* no such thing */
    STINT_GPU_SCOPE("y", undeclared);
#elif WRONG == 8
    STINT_GPU_SCOPE(undeclared, stream);
#endif
}
