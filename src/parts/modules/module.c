/* Finds and loads the libraries of stint that a program needs only when it asks for what they do. */
#include "modules/module.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/env.h"

static const char s_here; /* an address in the library */

/* Opens a module where it is installed: in the directory of the library or of the program that contains the library,
 * or in the directory lib beside that one. */
static void *open_in(const char *beside, const char *name)
{
    Dl_info self;
    char path[PATH_MAX];
    const char *slash = dladdr(&s_here, &self) ? strrchr(self.dli_fname, '/') : NULL;
    if (!slash || snprintf(path, sizeof path, "%.*s%s%s", (int)(slash - self.dli_fname) + 1, self.dli_fname, beside,
                           name) >= (int)sizeof path)
        return NULL;
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static void *open_module(const char *name)
{
    void *module = open_in("", name);
    if (!module)
        module = open_in("../lib/", name);
    return module ? module : dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

static void *find(void *module, const char *function, char *reason, size_t size, const char *remedy)
{
    void *address = module ? dlsym(module, function) : NULL;
    if (address)
        return address;
    const char *error = dlerror();
    (void)snprintf(reason, size, "%s; install it beside stint's library%s", error ? error : "it cannot be loaded",
                   remedy);
    return NULL;
}

void *stint_module_find(const char *function, char *reason, size_t size)
{
    const char *named = stint_env_text("STINT_MODULE");
    return find(named ? dlopen(named, RTLD_NOW | RTLD_LOCAL) : open_module("libstint_module.so"), function, reason,
                size, ", or set STINT_MODULE to its path");
}

void *stint_module_find_sampler(const char *function, char *reason, size_t size)
{
    return find(open_module("libstint_sample.so"), function, reason, size, "");
}
