#include "base/module.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/env.h"

#define MODULE "libstint_module.so"

static const char s_here; /* an address in the library */

/* Opens the module where it is installed: in the directory of the library or of the program that contains the library,
 * or in the directory lib beside that one. */
static void *open_in(const char *beside)
{
    Dl_info self;
    char path[PATH_MAX];
    const char *slash = dladdr(&s_here, &self) ? strrchr(self.dli_fname, '/') : NULL;
    if (!slash || snprintf(path, sizeof path, "%.*s%s" MODULE, (int)(slash - self.dli_fname) + 1, self.dli_fname,
                           beside) >= (int)sizeof path)
        return NULL;
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static void *open_module(void)
{
    const char *named = stint_env_text("STINT_MODULE");
    void *module = named ? dlopen(named, RTLD_NOW | RTLD_LOCAL) : open_in("");
    if (!module && !named)
        module = open_in("../lib/");
    return module || named ? module : dlopen(MODULE, RTLD_NOW | RTLD_LOCAL);
}

void *stint_module_find(const char *function, char *reason, size_t size)
{
    void *module = open_module();
    void *address = module ? dlsym(module, function) : NULL;
    if (address)
        return address;
    const char *error = dlerror();
    (void)snprintf(reason, size, "%s; install it beside stint's library, or set STINT_MODULE to its path",
                   error ? error : MODULE " cannot be loaded");
    return NULL;
}
