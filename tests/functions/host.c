/* A C program, not instrumented, that loads the plugin of its first argument and calls entry(1) three times. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    void *plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
    void *address = plugin ? dlsym(plugin, "entry") : NULL;
    int (*entry)(int);
    if (!address) {
        fprintf(stderr, "%s\n", argc > 1 ? dlerror() : "no plugin");
        return 1;
    }
    memcpy(&entry, &address, sizeof address);
    return entry(1) + entry(1) + entry(1) == 0;
}
