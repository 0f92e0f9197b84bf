#include "inject/nvtx_client.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "nvtx/abi.h"

enum { CALLBACKS = 16, SYNC_MODULE = 6, SYNC_CREATE = 1 };

static stint_nvtx_any_fn *s_core[CALLBACKS], *s_core2[CALLBACKS], *s_sync[CALLBACKS];

/* Calls slots that no tool has filled. */
static void unfilled(void)
{
    abort();
}

static int give_module(int module, stint_nvtx_any_fn ***(*table), unsigned *count)
{
    static stint_nvtx_any_fn **tables[SYNC_MODULE + 1][CALLBACKS];
    stint_nvtx_any_fn **slots = module == STINT_NVTX_CORE    ? s_core
                                : module == STINT_NVTX_CORE2 ? s_core2
                                : module == SYNC_MODULE      ? s_sync
                                                             : NULL;
    if (!slots)
        return 0;
    for (int i = 1; i < CALLBACKS; ++i)
        tables[module][i] = &slots[i];
    *table = tables[module];
    *count = CALLBACKS;
    return 1;
}

static const void *give_table(uint32_t table)
{
    static const struct stint_nvtx_callbacks callbacks = {sizeof callbacks, give_module};
    return table == STINT_NVTX_TABLE_CALLBACKS ? &callbacks : NULL;
}

static void empty(stint_nvtx_any_fn **slots, int all)
{
    for (int i = 1; i < CALLBACKS; ++i)
        if (all || slots[i] == unfilled)
            slots[i] = NULL;
}

static void attach(int (*initialize)(stint_nvtx_get_table_fn *))
{
    const int refused = !initialize(give_table);
    empty(s_core, refused);
    empty(s_core2, refused);
    empty(s_sync, refused);
}

static void look_for_tool(void)
{
    const char *path = getenv("NVTX_INJECTION64_PATH");
    void *library = path ? dlopen(path, RTLD_LAZY) : NULL;
    void *found = library ? dlsym(library, "InitializeInjectionNvtx2") : NULL;
    int (*initialize)(stint_nvtx_get_table_fn *);
    if (!found)
        return;
    for (int i = 1; i < CALLBACKS; ++i)
        s_core[i] = s_core2[i] = s_sync[i] = unfilled;
    memcpy(&initialize, &found, sizeof initialize);
    attach(initialize);
}

int nvtx_load(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, look_for_tool);
    return s_core[STINT_NVTX_RANGE_POP] != NULL;
}

#define CALL(slots, callback, result, parameters, arguments)                                                           \
    (nvtx_load(), ((result(*) parameters)slots[STINT_NVTX_##callback])arguments)
#define HAS(slots, callback) (nvtx_load(), slots[STINT_NVTX_##callback] != NULL)

void nvtx_sync(void)
{
    nvtx_load();
    if (s_sync[SYNC_CREATE])
        s_sync[SYNC_CREATE]();
}

int nvtx_push(const char *text)
{
    return HAS(s_core, RANGE_PUSH_A) ? CALL(s_core, RANGE_PUSH_A, int, (const char *), (text)) : STINT_NVTX_UNTRACKED;
}

int nvtx_pop(void)
{
    return HAS(s_core, RANGE_POP) ? CALL(s_core, RANGE_POP, int, (void), ()) : STINT_NVTX_UNTRACKED;
}

void nvtx_mark(const char *text)
{
    if (HAS(s_core, MARK_A))
        CALL(s_core, MARK_A, void, (const char *), (text));
}

uint64_t nvtx_begin(const char *text)
{
    return HAS(s_core, RANGE_START_A) ? CALL(s_core, RANGE_START_A, uint64_t, (const char *), (text)) : 0;
}

void nvtx_end(uint64_t range)
{
    if (HAS(s_core, RANGE_END))
        CALL(s_core, RANGE_END, void, (uint64_t), (range));
}

const void *nvtx_domain(const char *name)
{
    return HAS(s_core2, DOMAIN_CREATE_A) ? CALL(s_core2, DOMAIN_CREATE_A, const void *, (const char *), (name)) : NULL;
}

const void *nvtx_text(const void *domain, const char *text)
{
    return HAS(s_core2, DOMAIN_REGISTER_STRING_A)
               ? CALL(s_core2, DOMAIN_REGISTER_STRING_A, const void *, (const void *, const char *), (domain, text))
               : NULL;
}

static struct stint_nvtx_attributes attributes(const void *text)
{
    struct stint_nvtx_attributes event = {
        .version = 3, .size = sizeof event, .text_type = STINT_NVTX_TEXT_REGISTERED, .text.registered = text};
    return event;
}

#define EVENT (const void *, const struct stint_nvtx_attributes *)

int nvtx_push_in(const void *domain, const void *text)
{
    const struct stint_nvtx_attributes event = attributes(text);
    return HAS(s_core2, DOMAIN_RANGE_PUSH_EX) ? CALL(s_core2, DOMAIN_RANGE_PUSH_EX, int, EVENT, (domain, &event))
                                              : STINT_NVTX_UNTRACKED;
}

int nvtx_pop_in(const void *domain)
{
    return HAS(s_core2, DOMAIN_RANGE_POP) ? CALL(s_core2, DOMAIN_RANGE_POP, int, (const void *), (domain))
                                          : STINT_NVTX_UNTRACKED;
}

uint64_t nvtx_begin_in(const void *domain, const void *text)
{
    const struct stint_nvtx_attributes event = attributes(text);
    return HAS(s_core2, DOMAIN_RANGE_START_EX) ? CALL(s_core2, DOMAIN_RANGE_START_EX, uint64_t, EVENT, (domain, &event))
                                               : 0;
}

void nvtx_end_in(const void *domain, uint64_t range)
{
    if (HAS(s_core2, DOMAIN_RANGE_END))
        CALL(s_core2, DOMAIN_RANGE_END, void, (const void *, uint64_t), (domain, range));
}

void nvtx_mark_in(const void *domain, const void *text)
{
    const struct stint_nvtx_attributes event = attributes(text);
    if (HAS(s_core2, DOMAIN_MARK_EX))
        CALL(s_core2, DOMAIN_MARK_EX, void, EVENT, (domain, &event));
}
