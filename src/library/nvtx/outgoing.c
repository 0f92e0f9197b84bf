#include "nvtx/outgoing.h"

#ifdef STINT_HAS_NVTX
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/env.h"
#include "record/registry.h"

/* "SET/NAME", with both names at their longest and a NUL. */
enum { TEXT_SIZE = 2 * STINT_MAX_NAME + 2 };

static nvtxDomainHandle_t s_domain;

/* By statistic: its registered text; NULL: none yet, or the tool does not register. */
static nvtxStringHandle_t *s_strings;

enum stint_nvtx stint_nvtx_start(int insist)
{
    static const char *const variable = sizeof(void *) == 4 ? "NVTX_INJECTION32_PATH" : "NVTX_INJECTION64_PATH";
    static struct stint_arena arena; /* for good; pages that no statistic needs are never touched */

    /* Without the variable NVTX could find nothing: its other hook, a symbol, does not reach into this library. With
     * raised privileges the variable is not ours to follow, though NVTX would. */
    if (stint_env_text(variable))
        s_domain = nvtxDomainCreateA("stint");
    if (!s_domain && !insist)
        return STINT_NVTX_NO_TOOL;
    s_strings = stint_arena_alloc(&arena, ((size_t)stint_limits.names + 1) * sizeof(void *));
    if (!s_strings)
        return STINT_NVTX_NO_MEMORY;
    return s_domain ? STINT_NVTX_ATTACHED : STINT_NVTX_NO_TOOL;
}

static void push(nvtxEventAttributes_t *attributes)
{
    attributes->version = NVTX_VERSION;
    attributes->size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    if (s_domain)
        nvtxDomainRangePushEx(s_domain, attributes);
    else
        nvtxRangePushEx(attributes);
}

/* Two threads may both register a text that is new: either's handle will do. */
static void push_text(uint32_t id, const char *text)
{
    nvtxEventAttributes_t attributes = {.messageType = NVTX_MESSAGE_TYPE_ASCII};
    nvtxStringHandle_t string = nvtxDomainRegisterStringA(s_domain, text);

    if (string) {
        __atomic_store_n(&s_strings[id], string, __ATOMIC_RELEASE);
        attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
        attributes.message.registered = string;
    } else {
        attributes.message.ascii = text;
    }
    push(&attributes);
}

/* As reports name it. Apart, since a signal handler's stack may have no room for this where it is not needed. */
__attribute__((noinline)) static void push_in_set(uint32_t id, const struct stint_entry *entry)
{
    char text[TEXT_SIZE];

    snprintf(text, sizeof text, "%s/%s", entry->set->name, entry->name);
    push_text(id, text);
}

static void push_new(uint32_t id)
{
    const struct stint_entry *entry = stint_registry_entry(id);

    if (entry->set == stint_registry_set_at(0))
        push_text(id, entry->name);
    else
        push_in_set(id, entry);
}

void stint_nvtx_push(uint32_t id)
{
    nvtxEventAttributes_t attributes = {.messageType = NVTX_MESSAGE_TYPE_REGISTERED};

    attributes.message.registered = __atomic_load_n(&s_strings[id], __ATOMIC_ACQUIRE);
    if (attributes.message.registered)
        push(&attributes);
    else
        push_new(id);
}

void stint_nvtx_pop(uint32_t id)
{
    (void)id;
    if (s_domain)
        nvtxDomainRangePop(s_domain);
    else
        nvtxRangePop();
}

#else

enum stint_nvtx stint_nvtx_start(int insist)
{
    (void)insist;
    return STINT_NVTX_NOT_BUILT_IN;
}

void stint_nvtx_push(uint32_t id)
{
    (void)id;
}

void stint_nvtx_pop(uint32_t id)
{
    (void)id;
}

#endif
