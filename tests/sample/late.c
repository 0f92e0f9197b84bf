/* Loads a library and is in it at once, for 150 ms of CPU time: late.c PLUGIN. Without one, main ends by
 * pthread_exit. */
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

static void spin(unsigned ms)
{
    clock_t end = clock() + (clock_t)ms * CLOCKS_PER_SEC / 1000;
    while (clock() < end)
        continue;
}

static void *end(void *argument)
{
    return argument;
}

int main(int count, char **arguments)
{
    pthread_t thread;
    if (count == 1 && pthread_create(&thread, NULL, end, NULL) == 0)
        pthread_exit(NULL);
    void (*call)(void (*function)(unsigned), unsigned ms);
    void *library = count > 1 ? dlopen(arguments[1], RTLD_NOW) : NULL;
    void *function = library ? dlsym(library, "plugin_call") : NULL;
    if (!function)
        return 1;
    memcpy(&call, &function, sizeof call);
    call(spin, 150);
    return 0;
}
