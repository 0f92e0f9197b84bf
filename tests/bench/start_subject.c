/* The programs that bench_start starts. Compiled without SCOPES, a program that does nothing; with it, one scope if
 * there is an argument. */
#ifdef SCOPES
#include "stint/stint.h"

static void run(void)
{
    STINT_SCOPE("scope");
}
#endif

int main(int count, char **arguments)
{
    (void)count;
    (void)arguments;
#ifdef SCOPES
    if (count > 1)
        run();
#endif
    return 0;
}
