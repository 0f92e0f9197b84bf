/* Calls about domains: theirs, and those that make, name and register. */
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

/* A program may use what it made in a domain even so. */
void stint_nvtx_call_destroy_domain(const void *handle)
{
    (void)handle;
}

/* In a domain that is ignored, strings are of no use to anybody; its producer does without. */
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
