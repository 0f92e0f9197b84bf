/* Calls that create and name domains, and register strings and resources in them. */
#include "nvtx/call.h"
#include "nvtx/string.h"
#include "nvtx/wide.h"

const void *stint_nvtx_call_create_domain(const char *name)
{
    return stint_nvtx_domain_create(name);
}

const void *stint_nvtx_call_create_domain_wide(const wchar_t *name)
{
    char narrow[STINT_MAX_NAME + 1];

    stint_nvtx_narrow(narrow, sizeof narrow, name);
    return stint_nvtx_domain_create(narrow);
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
