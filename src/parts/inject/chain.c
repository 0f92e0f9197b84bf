/* Lets another tool run beside stint: loads it, has it set its callbacks, compares the tables before and after, and
 * puts functions that call both where both want to be called. */
#include "inject/inject.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "base/log.h"
#include "base/process.h"
#include "stint/detail/api.h"

/* -------------------------------------------------------------------------------------------------------- libraries */

/* Not 0 while this thread loads such a library, whose constructors may call into this file. */
static STINT_I_THREAD_LOCAL int tl_loading __attribute__((tls_model("initial-exec")));

/* The library is never closed. */
static void *load(const char *variable)
{
    const char *path = stint_env_text(variable);
    if (!path)
        return NULL;
    tl_loading = 1;
    void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    tl_loading = 0;
    if (!library)
        STINT_LOG(STINT_LOG_WARNING, "%s: the other tool cannot be loaded: %s", variable, dlerror());
    return library;
}

/* Copies the function's address to `out`. Returns whether the library has the function, and it is not `self`. */
static int look_up(void *library, const char *name, const void *self, void *out)
{
    void *found = library ? dlsym(library, name) : NULL;
    memcpy(out, &found, sizeof found); /* ISO C has no conversion to a function's address */
    return found && memcmp(&found, self, sizeof found) != 0;
}

/* ------------------------------------------------------------------------------------------------------------- CUDA */

static void *s_cuda_library;

static void load_cuda(void)
{
    s_cuda_library = load("STINT_CHAIN_CUDA");
}

/* The library's result is ignored: CUDA continues either way. */
void stint_chain_cuda(int (*self)(void))
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    int (*theirs)(void);
    if (tl_loading)
        return;
    pthread_once(&once, load_cuda);
    if (look_up(s_cuda_library, "InitializeInjection", &self, &theirs))
        (void)theirs();
}

/* ------------------------------------------------------------------------------------------------------------- NVTX */

static void *s_nvtx_library;

static void load_nvtx(void)
{
    s_nvtx_library = load("STINT_CHAIN_NVTX");
    if (s_nvtx_library && stint_handle_start()) {
        STINT_LOG(STINT_LOG_WARNING, "STINT_CHAIN_NVTX: there is no memory for calling the other tool as well");
        s_nvtx_library = NULL;
    }
}

static void *nvtx_library(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (tl_loading)
        return NULL;
    pthread_once(&once, load_nvtx);
    return s_nvtx_library;
}

/* The places where a module's callbacks are stored. */
struct module {
    stint_nvtx_any_fn ***table;
    unsigned count;
};

enum { CORE_MODULES = 7, MOST_CALLBACKS = 32 };

/* The callbacks at one moment. */
struct picture {
    stint_nvtx_any_fn *slots[CORE_MODULES][MOST_CALLBACKS];
};

static void find_modules(stint_nvtx_get_table_fn *get_table, struct module *modules)
{
    const struct stint_nvtx_callbacks *callbacks = get_table(STINT_NVTX_TABLE_CALLBACKS);
    for (int i = 1; i < CORE_MODULES; i++) {
        struct module *module = &modules[i];
        if (!callbacks || callbacks->size < sizeof *callbacks ||
            !callbacks->module(i, &module->table, &module->count) || !module->table)
            module->count = 0;
        if (module->count > MOST_CALLBACKS)
            module->count = MOST_CALLBACKS;
    }
}

static void take_picture(struct picture *picture, const struct module *modules)
{
    for (int i = 1; i < CORE_MODULES; i++)
        for (unsigned callback = 0; callback < modules[i].count; callback++)
            picture->slots[i][callback] = modules[i].table[callback] ? *modules[i].table[callback] : NULL;
}

static void restore(const struct picture *picture, const struct module *modules)
{
    for (int i = 1; i < CORE_MODULES; i++)
        for (unsigned callback = 0; callback < modules[i].count; callback++)
            if (modules[i].table[callback])
                *modules[i].table[callback] = picture->slots[i][callback];
}

/* Replaces each callback that both tools have set by a function that calls both. */
static void join(const struct module *modules, const struct picture *before, const struct picture *theirs)
{
    for (int i = 1; i < CORE_MODULES; i++)
        for (unsigned callback = 0; callback < modules[i].count; callback++) {
            stint_nvtx_any_fn **slot = modules[i].table[callback];
            stint_nvtx_any_fn *his = theirs->slots[i][callback];
            if (slot && his && his != before->slots[i][callback] && *slot != his)
                *slot = stint_forward_core(i, callback, *slot, his);
        }
}

int stint_chain_nvtx(stint_chain_nvtx_fn *self, stint_chain_nvtx_fn *ours, stint_nvtx_get_table_fn *get_table)
{
    struct module modules[CORE_MODULES] = {{NULL, 0}};
    struct picture before, after;
    stint_chain_nvtx_fn *theirs;
    if (!get_table || !look_up(nvtx_library(), "InitializeInjectionNvtx2", &self, &theirs))
        return ours(get_table);
    find_modules(get_table, modules);
    take_picture(&before, modules);
    if (!theirs(get_table)) {
        restore(&before, modules);
        return ours(get_table);
    }
    take_picture(&after, modules);
    if (ours(get_table))
        join(modules, &before, &after);
    return 1;
}

/* ------------------------------------------------------------------------------------------------------- extensions */

struct extension_picture {
    unsigned count;
    intptr_t slots[MOST_CALLBACKS];
};

/* Each known extension has one segment. */
static intptr_t *slots_of(const struct stint_nvtx_module *module, unsigned *count)
{
    const struct stint_nvtx_segment *segment = module->segment_count ? module->segments : NULL;
    *count = !segment ? 0 : segment->slot_count < MOST_CALLBACKS ? (unsigned)segment->slot_count : MOST_CALLBACKS;
    return segment ? segment->slots : NULL;
}

static void take_extension(struct extension_picture *picture, const struct stint_nvtx_module *module)
{
    const intptr_t *slots = slots_of(module, &picture->count);
    for (unsigned i = 0; i < picture->count; i++)
        picture->slots[i] = slots[i];
}

static void restore_extension(const struct extension_picture *picture, const struct stint_nvtx_module *module)
{
    unsigned count;
    intptr_t *slots = slots_of(module, &count);
    for (unsigned i = 0; i < count; i++)
        slots[i] = picture->slots[i];
}

static stint_nvtx_any_fn *function_of(intptr_t slot)
{
    return (stint_nvtx_any_fn *)slot; /* NOLINT(performance-no-int-to-ptr) */
}

static void join_extension(const struct stint_nvtx_module *module, const struct extension_picture *before,
                           const struct extension_picture *theirs)
{
    unsigned count;
    intptr_t *slots = slots_of(module, &count);
    for (unsigned i = 0; i < count; i++) {
        intptr_t his = theirs->slots[i];
        if (his && his != before->slots[i] && slots[i] != his)
            slots[i] = (intptr_t)stint_forward_extension(module->id, i, function_of(slots[i]), function_of(his));
    }
}

int stint_chain_nvtx_extension(stint_chain_extension_fn *self, stint_chain_extension_fn *ours,
                               struct stint_nvtx_module *module)
{
    struct extension_picture before = {0}, after = {0};
    stint_chain_extension_fn *theirs;
    if (!module || module->size < sizeof *module ||
        !look_up(nvtx_library(), "InitializeInjectionNvtxExtension", &self, &theirs))
        return ours(module);
    take_extension(&before, module);
    if (!theirs(module)) {
        restore_extension(&before, module);
        return ours(module);
    }
    take_extension(&after, module);
    if (ours(module))
        join_extension(module, &before, &after);
    return 1;
}
