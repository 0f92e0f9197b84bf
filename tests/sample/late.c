/* Loads a library and is in it at once, for 150 ms of CPU time: late.c PLUGIN. */
#include <dlfcn.h>
#include <string.h>
#include <time.h>

static void spin(unsigned ms)
{
    clock_t end = clock() + (clock_t)ms * CLOCKS_PER_SEC / 1000;
    while (clock() < end)
        continue;
}

int main(int count, char **arguments)
{
    void (*call)(void (*function)(unsigned), unsigned ms);
    void *library = count > 1 ? dlopen(arguments[1], RTLD_NOW) : NULL;
    void *function = library ? dlsym(library, "plugin_call") : NULL;
    if (!function)
        return 1;
    memcpy(&call, &function, sizeof call);
    call(spin, 150);
    return 0;
}
