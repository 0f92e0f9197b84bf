/* Calls a function with hooks as often as it is told, for functions.sh, which counts instructions with valgrind. All of
 * this file is compiled with -finstrument-functions, so main is an activation around. */
#include <stdlib.h>

void stint_cost_called(void); /* not static, so that it is called and has a name */

__attribute__((noinline)) void stint_cost_called(void)
{
    __asm__ volatile("" ::: "memory");
}

int main(int argc, char **argv)
{
    for (long i = argc > 1 ? strtol(argv[1], NULL, 10) : 0; i > 0; i--)
        stint_cost_called();
    return 0;
}
