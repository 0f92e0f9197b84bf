/* Calls about domains: theirs, and those that make, name and register. */
#include "nvtx/call.h"
#include "nvtx/string.h"
#include "nvtx/wide.h"

static const void *create(const char *name)
{
    return stint_nvtx_domain_create(name);
}

static const void *create_wide(const wchar_t *name)
{
    char narrow[STINT_MAX_NAME + 1];

    stint_nvtx_narrow(narrow, sizeof narrow, name);
    return stint_nvtx_domain_create(narrow);
}

/* A program may use what it made in a domain even so. */
static void destroy(const void *handle)
{
    (void)handle;
}

/* In a domain that is ignored, strings are of no use to anybody; its producer does without. */
static const void *register_string(const void *handle, const char *text)
{
    struct stint_nvtx_domain *domain = stint_nvtx_domain_of(handle);

    return domain ? stint_nvtx_string_add(domain, text) : NULL;
}

static const void *register_wide(const void *handle, const wchar_t *text)
{
    char narrow[STINT_MAX_NAME + 1];

    stint_nvtx_narrow(narrow, sizeof narrow, text);
    return register_string(handle, narrow);
}

static void destroy_resource(const void *handle)
{
    (void)handle;
}

static void initialize(const void *reserved)
{
    (void)reserved;
}

#define CALL(callback, function)                                                                                       \
    {                                                                                                                  \
        (callback), (stint_nvtx_any_fn *)(function)                                                                    \
    }

const struct stint_nvtx_call stint_nvtx_core2_calls[] = {
    CALL(STINT_NVTX_DOMAIN_MARK_EX, stint_nvtx_call_mark),
    CALL(STINT_NVTX_DOMAIN_RANGE_START_EX, stint_nvtx_call_start),
    CALL(STINT_NVTX_DOMAIN_RANGE_END, stint_nvtx_call_end),
    CALL(STINT_NVTX_DOMAIN_RANGE_PUSH_EX, stint_nvtx_call_push),
    CALL(STINT_NVTX_DOMAIN_RANGE_POP, stint_nvtx_call_pop),
    CALL(STINT_NVTX_DOMAIN_RESOURCE_CREATE, stint_nvtx_call_create_resource),
    CALL(STINT_NVTX_DOMAIN_RESOURCE_DESTROY, destroy_resource),
    CALL(STINT_NVTX_DOMAIN_NAME_CATEGORY_A, stint_nvtx_call_name_category),
    CALL(STINT_NVTX_DOMAIN_NAME_CATEGORY_W, stint_nvtx_call_name_category_wide),
    CALL(STINT_NVTX_DOMAIN_REGISTER_STRING_A, register_string),
    CALL(STINT_NVTX_DOMAIN_REGISTER_STRING_W, register_wide),
    CALL(STINT_NVTX_DOMAIN_CREATE_A, create),
    CALL(STINT_NVTX_DOMAIN_CREATE_W, create_wide),
    CALL(STINT_NVTX_DOMAIN_DESTROY, destroy),
    CALL(STINT_NVTX_INITIALIZE, initialize),
    {0, NULL},
};
