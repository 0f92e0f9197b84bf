/* A library whose constructor replaces the process by another program before the constructors of libraries that are
 * preloaded in front of it have run. */
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor)) static void become(void)
{
    static char *const arguments[] = {"true", NULL};
    if (unsetenv("LD_PRELOAD") == 0)
        (void)execvp(arguments[0], arguments);
}
