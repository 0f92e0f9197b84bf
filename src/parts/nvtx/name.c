/* Names that programs give to what NVTX knows by a number or an address. The kind, the domain and the handle make one
 * key of 64 bits. */
#include "nvtx/name.h"

#include <unistd.h>

#include "nvtx/map.h"
#include "nvtx/string.h"

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

const void *stint_nvtx_name_set(enum stint_nvtx_named what, const struct stint_nvtx_domain *domain, uint64_t handle,
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
