/* Opens a library, and fills a struct with its functions from a list of names and places. */
#include "ceiling/ceiling_library.h"

#include <dlfcn.h>
#include <string.h>

const char *stint_ceiling_library_open(const char *library, const struct stint_ceiling_function *functions,
                                       size_t count, void *structure)
{
    void *opened = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!opened)
        return library;
    for (size_t i = 0; i < count; i++) {
        void *function = dlsym(opened, functions[i].name);
        if (!function)
            return functions[i].name;
        memcpy((char *)structure + functions[i].place, &function, sizeof function);
    }
    return NULL;
}
