/* Names that programs give to what NVTX knows by a number or an address, and the calls that give them. The kind, the
 * domain and the handle make one key of 64 bits. */
#include "nvtx/string.h"

#include <string.h>
#include <unistd.h>

struct name {
    uint64_t key;
    uint64_t handle;
    const struct stint_nvtx_domain *domain;
    const char *text; /* stored last; NULL: not yet */
};

static struct stint_nvtx_map s_names;

int stint_nvtx_names_start(void)
{
    return stint_nvtx_map_begin(&s_names, &stint_nvtx_arena, sizeof(struct name), STINT_NVTX_MAX_NAMES);
}

enum { WHAT_SHIFT = 60, DOMAIN_SHIFT = 32 };

/* Addresses and device numbers do not use the uppermost bits; categories have 32 bits. */
static uint64_t key_of(enum stint_nvtx_named what, const struct stint_nvtx_domain *domain, uint64_t handle)
{
    if (what == STINT_NVTX_CATEGORY)
        handle |= (uint64_t)domain->index << DOMAIN_SHIFT;
    return (uint64_t)what << WHAT_SHIFT | (handle & ((UINT64_C(1) << WHAT_SHIFT) - 1));
}

/* Sets or replaces a name. `domain` is that of a category or a resource, else the default domain. Returns an address
 * that is unique to the named object, or NULL beyond a limit, which is counted. */
static const void *set_name(enum stint_nvtx_named what, const struct stint_nvtx_domain *domain, uint64_t handle,
                            const char *text)
{
    const char *kept = stint_nvtx_keep(text);
    if (!kept)
        return NULL;
    struct name *name = stint_nvtx_map_add(&s_names, key_of(what, domain, handle));
    if (!name) {
        stint_nvtx_count(&stint_dropped.nvtx_names, 1);
        return NULL;
    }
    STINT_I_STORE(&name->handle, handle);
    STINT_I_STORE(&name->domain, domain);
    __atomic_store_n(&name->text, kept, __ATOMIC_RELEASE);
    return name;
}

const char *stint_nvtx_name_of(enum stint_nvtx_named what, const struct stint_nvtx_domain *domain, uint64_t handle)
{
    const struct name *name = s_names.items ? stint_nvtx_map_find(&s_names, key_of(what, domain, handle)) : NULL;
    return name ? __atomic_load_n(&name->text, __ATOMIC_ACQUIRE) : NULL;
}

int stint_nvtx_name_at(size_t position, struct stint_nvtx_name *row)
{
    const struct name *name = stint_nvtx_map_at(&s_names, position);
    *row = (struct stint_nvtx_name){.domain = ""};
    if (!name)
        return -1;
    const char *text = __atomic_load_n(&name->text, __ATOMIC_ACQUIRE);
    if (!text)
        return 0;
    row->what = (enum stint_nvtx_named)(__atomic_load_n(&name->key, __ATOMIC_RELAXED) >> WHAT_SHIFT);
    row->handle = STINT_I_LOAD(&name->handle);
    row->domain = stint_nvtx_domain_name(STINT_I_LOAD(&name->domain));
    row->name = text;
    row->pid = getpid();
    return 1;
}

/* ------------------------------------------------------------------------------------------------------------ calls */

static void set(enum stint_nvtx_named what, uint64_t handle, const char *name)
{
    (void)set_name(what, &stint_nvtx_domains[0], handle, name);
}

static void set_wide(enum stint_nvtx_named what, uint64_t handle, const wchar_t *name)
{
    char narrow[STINT_MAX_NAME + 1];
    stint_nvtx_narrow(narrow, sizeof narrow, name);
    set(what, handle, narrow);
}

void stint_nvtx_call_name_category_in(const void *handle, uint32_t category, const char *name)
{
    const struct stint_nvtx_domain *domain = stint_nvtx_domain_of(handle);
    if (domain)
        (void)set_name(STINT_NVTX_CATEGORY, domain, category, name);
}

void stint_nvtx_call_name_category_wide_in(const void *handle, uint32_t category, const wchar_t *name)
{
    char narrow[STINT_MAX_NAME + 1];
    stint_nvtx_narrow(narrow, sizeof narrow, name);
    stint_nvtx_call_name_category_in(handle, category, narrow);
}

void stint_nvtx_call_name_thread(uint32_t thread, const char *name)
{
    set(STINT_NVTX_THREAD, thread, name);
}

void stint_nvtx_call_name_thread_wide(uint32_t thread, const wchar_t *name)
{
    set_wide(STINT_NVTX_THREAD, thread, name);
}

/* -------------------------------------------------------------------------------------------------------- resources */

static enum stint_nvtx_named named_by(int32_t type)
{
    switch (type) {
    case STINT_NVTX_IS_THREAD:
        return STINT_NVTX_THREAD;
    case STINT_NVTX_IS_CU_DEVICE:
    case STINT_NVTX_IS_CUDA_DEVICE:
        return STINT_NVTX_CUDA_DEVICE;
    case STINT_NVTX_IS_CU_CONTEXT:
        return STINT_NVTX_CUDA_CONTEXT;
    case STINT_NVTX_IS_CU_STREAM:
    case STINT_NVTX_IS_CUDA_STREAM:
        return STINT_NVTX_CUDA_STREAM;
    case STINT_NVTX_IS_CU_EVENT:
    case STINT_NVTX_IS_CUDA_EVENT:
        return STINT_NVTX_CUDA_EVENT;
    default:
        return STINT_NVTX_RESOURCE;
    }
}

static const void *create_named(const struct stint_nvtx_domain *domain, enum stint_nvtx_named what, uint64_t handle,
                                const char *name)
{
    return set_name(what, what == STINT_NVTX_RESOURCE ? domain : &stint_nvtx_domains[0], handle, name);
}

static const void *create_wide(const struct stint_nvtx_domain *domain, enum stint_nvtx_named what, uint64_t handle,
                               const wchar_t *name)
{
    char narrow[STINT_MAX_NAME + 1];
    stint_nvtx_narrow(narrow, sizeof narrow, name);
    return create_named(domain, what, handle, narrow);
}

const void *stint_nvtx_call_create_resource(const void *handle, const struct stint_nvtx_resource_attributes *attributes)
{
    const struct stint_nvtx_domain *domain = stint_nvtx_domain_of(handle);
    struct stint_nvtx_resource_attributes whole = {0};
    const struct stint_nvtx_string *string = NULL;
    if (!domain || !attributes)
        return NULL;
    memcpy(&whole, attributes, attributes->size < sizeof whole ? attributes->size : sizeof whole);
    if (whole.text_type == STINT_NVTX_TEXT_WIDE)
        return create_wide(domain, named_by(whole.type), whole.identifier.handle, whole.text.wide);
    if (whole.text_type == STINT_NVTX_TEXT_REGISTERED)
        string = stint_nvtx_string_of(whole.text.registered);
    return create_named(domain, named_by(whole.type), whole.identifier.handle,
                        whole.text_type == STINT_NVTX_TEXT_ASCII ? whole.text.ascii
                        : string                                 ? string->text
                                                                 : NULL);
}

/* ------------------------------------------------------------------------------------------------------------- CUDA */

/* NOLINTBEGIN(bugprone-macro-parentheses): `type` is a type. */
#define NAME(function, type, what, number)                                                                             \
    void stint_nvtx_call_##function(type object, const char *name)                                                     \
    {                                                                                                                  \
        set((what), (number)object, name);                                                                             \
    }                                                                                                                  \
    void stint_nvtx_call_##function##_wide(type object, const wchar_t *name)                                           \
    {                                                                                                                  \
        set_wide((what), (number)object, name);                                                                        \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

NAME(name_device, int, STINT_NVTX_CUDA_DEVICE, uint64_t)
NAME(name_context, const void *, STINT_NVTX_CUDA_CONTEXT, uintptr_t)
NAME(name_stream, const void *, STINT_NVTX_CUDA_STREAM, uintptr_t)
NAME(name_event, const void *, STINT_NVTX_CUDA_EVENT, uintptr_t)
