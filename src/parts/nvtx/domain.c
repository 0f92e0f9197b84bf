/* Domains of NVTX as groups of StatSets: for each kind of event one, made at the first event and named after the
 * domain. The calls that create and name domains, and register strings and resources in them. */
#include "nvtx/domain.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/process.h"
#include "nvtx/handler.h"
#include "nvtx/string.h"

struct stint_nvtx_info stint_nvtx_counts;
struct stint_arena stint_nvtx_arena;

struct stint_nvtx_domain stint_nvtx_domains[STINT_NVTX_MAX_DOMAINS];

static uint32_t s_domain_count = 1;

static struct stint_nvtx_domain *find(const char *name)
{
    for (uint32_t i = 1; i < s_domain_count; i++)
        if (strcmp(stint_nvtx_domains[i].name, name) == 0)
            return &stint_nvtx_domains[i];
    return NULL;
}

static struct stint_nvtx_domain *add(const char *name)
{
    struct stint_nvtx_domain *domain = &stint_nvtx_domains[s_domain_count];
    if (s_domain_count == STINT_NVTX_MAX_DOMAINS)
        return NULL;
    domain->name = name;
    domain->index = s_domain_count++;
    domain->ignored = strcmp(name, "stint") == 0;
    return domain;
}

static int is_spared(const char *name)
{
    if (strcmp(name, "stint") != 0)
        return 0;
    const char *choice = stint_env_text("STINT_NVTX");
    return !choice || strcasecmp(choice, "on") != 0;
}

/* Returns the handle of the domain with that name, which is created if it is missing. Returns NULL, the default domain,
 * for no name and beyond the limit, which is counted.
 *
 * "stint" is the domain in which stint passes its timers on to tools (nvtx/handler.h). Its handle is NULL, so that
 * stint sees that no other tool is there and passes nothing on; but with STINT_NVTX=on stint passes its timers on
 * anyway, and the handle is that of a domain whose events are ignored. */
static const void *create_domain(const char *name)
{
    struct stint_nvtx_domain *domain = NULL;
    int error;
    if (!name || !*name || is_spared(name))
        return NULL;
    name = stint_nvtx_keep(name);
    if (name && stint_nvtx_begin(&error)) {
        stint_registry_lock();
        domain = find(name);
        if (!domain)
            domain = add(name);
        stint_registry_unlock();
        stint_nvtx_end(error);
    }
    if (!domain)
        stint_nvtx_count(&stint_dropped.nvtx_domains, 1);
    return domain;
}

/* Writes the name of the set for this kind in the domain; a name that is too long is cut. Kinds have no colon, so a
 * domain called "marks" does not share a set with marks. */
static void write_set_name(char *out, size_t size, const struct stint_nvtx_domain *domain, enum stint_nvtx_kind kind)
{
    static const char kinds[][20] = {STINT_NVTX_SET, STINT_NVTX_START_END_SET, STINT_NVTX_MARK_SET,
                                     STINT_NVTX_COUNTER_SET};
    const char *name = stint_nvtx_domain_name(domain);
    snprintf(out, size, "%s%s%s", kinds[kind], *name ? ":" : "", name);
}

/* Not inlined: a signal handler's stack may be too small for the name, which is rarely needed. */
__attribute__((noinline)) static const struct stint_statset *make_set(struct stint_nvtx_domain *domain,
                                                                      enum stint_nvtx_kind kind)
{
    char name[STINT_MAX_NAME + 1];
    int error;
    if (!stint_nvtx_begin(&error))
        return NULL;
    write_set_name(name, sizeof name, domain, kind);
    struct stint_statset *set = stint_registry_set(name);
    __atomic_store_n(&domain->sets[kind], set, __ATOMIC_RELEASE);
    stint_nvtx_end(error);
    return set;
}

const struct stint_statset *stint_nvtx_domain_set(struct stint_nvtx_domain *domain, enum stint_nvtx_kind kind)
{
    const struct stint_statset *set = __atomic_load_n(&domain->sets[kind], __ATOMIC_ACQUIRE);
    return STINT_I_LIKELY(set != NULL) ? set : make_set(domain, kind);
}

/* ------------------------------------------------------------------------------------------------------------ calls */

const void *stint_nvtx_call_create_domain(const char *name)
{
    return create_domain(name);
}

const void *stint_nvtx_call_create_domain_wide(const wchar_t *name)
{
    char narrow[STINT_MAX_NAME + 1];
    stint_nvtx_narrow(narrow, sizeof narrow, name);
    return create_domain(narrow);
}

/* Does nothing, because the program may still use what it created in the domain. */
void stint_nvtx_call_destroy_domain(const void *handle)
{
    (void)handle;
}

/* Returns NULL in a domain that is ignored; the caller then passes texts. */
const void *stint_nvtx_call_register_string(const void *handle, const char *text)
{
    struct stint_nvtx_domain *domain = stint_nvtx_domain_of(handle);
    return domain ? stint_nvtx_string_add(domain, text) : NULL;
}

const void *stint_nvtx_call_register_wide(const void *handle, const wchar_t *text)
{
    char narrow[STINT_MAX_NAME + 1];
    stint_nvtx_narrow(narrow, sizeof narrow, text);
    return stint_nvtx_call_register_string(handle, narrow);
}

void stint_nvtx_call_destroy_resource(const void *handle)
{
    (void)handle;
}

void stint_nvtx_call_initialize(const void *reserved)
{
    (void)reserved;
}
