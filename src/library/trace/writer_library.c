#include "trace/writer_library.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/env.h"

#define MODULE "libstint_store.so"

static const char s_here; /* an address in the library */

/* Where it is installed: in the folder of the library, or of the program that has it inside, or in lib beside that. */
static void *open_in(const char *beside)
{
    Dl_info self;
    char path[PATH_MAX];
    const char *slash;

    if (!dladdr(&s_here, &self) || !(slash = strrchr(self.dli_fname, '/')) ||
        snprintf(path, sizeof path, "%.*s%s" MODULE, (int)(slash - self.dli_fname) + 1, self.dli_fname, beside) >=
            (int)sizeof path)
        return NULL;
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static void *open_module(void)
{
    const char *const named = stint_env_text("STINT_STORE_LIBRARY");
    void *module = named ? dlopen(named, RTLD_NOW | RTLD_LOCAL) : open_in("");

    if (!module && !named)
        module = open_in("../lib/");
    return module || named ? module : dlopen(MODULE, RTLD_NOW | RTLD_LOCAL);
}

struct stint_event_writer *stint_module_open(const char *path, const struct stint_event_process *process, char *reason,
                                             size_t size)
{
    stint_event_writer_open_fn *open;
    void *const module = open_module();
    void *const symbol = module ? dlsym(module, STINT_EVENT_WRITER_SYMBOL) : NULL;

    if (!symbol) {
        const char *const error = dlerror();

        (void)snprintf(reason, size, "%s; install it beside stint's library, or say where it is in STINT_STORE_LIBRARY",
                       error ? error : MODULE " cannot be loaded");
        return NULL;
    }
    memcpy(&open, &symbol, sizeof open);
    return open(STINT_EVENT_WRITER_VERSION, path, process, reason, size);
}
