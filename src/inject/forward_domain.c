/* Domains, what is made in them, and their events. */
#include "inject/forward.h"
#include "inject/handle.h"

struct stint_forward stint_forward_core2_links[STINT_FORWARD_CALLBACKS];

#define EVENT_PARAMETERS (const void *, const struct stint_nvtx_attributes *)
#define OURS (domain.ours, split.ours)
#define THEIRS (domain.theirs, split.theirs)

/* ------------------------------------------------------------------------------------------------------------- events */

static void mark(const void *handle, const struct stint_nvtx_attributes *attributes)
{
    const struct stint_handle domain = stint_handle_split(handle);
    struct stint_handle_attributes split;

    stint_handle_split_attributes(&split, attributes);
    CALL(theirs, core2, DOMAIN_MARK_EX, void, EVENT_PARAMETERS, THEIRS);
    CALL(ours, core2, DOMAIN_MARK_EX, void, EVENT_PARAMETERS, OURS);
}

static int push(const void *handle, const struct stint_nvtx_attributes *attributes)
{
    const struct stint_handle domain = stint_handle_split(handle);
    struct stint_handle_attributes split;
    int level;

    stint_handle_split_attributes(&split, attributes);
    level = CALL(theirs, core2, DOMAIN_RANGE_PUSH_EX, int, EVENT_PARAMETERS, THEIRS);
    (void)CALL(ours, core2, DOMAIN_RANGE_PUSH_EX, int, EVENT_PARAMETERS, OURS);
    return level;
}

static int pop(const void *handle)
{
    const struct stint_handle domain = stint_handle_split(handle);

    (void)CALL(ours, core2, DOMAIN_RANGE_POP, int, (const void *), (domain.ours));
    return CALL(theirs, core2, DOMAIN_RANGE_POP, int, (const void *), (domain.theirs));
}

static uint64_t start(const void *handle, const struct stint_nvtx_attributes *attributes)
{
    const struct stint_handle domain = stint_handle_split(handle);
    struct stint_handle_attributes split;
    uint64_t theirs;

    stint_handle_split_attributes(&split, attributes);
    theirs = CALL(theirs, core2, DOMAIN_RANGE_START_EX, uint64_t, EVENT_PARAMETERS, THEIRS);
    return stint_handle_join_range(CALL(ours, core2, DOMAIN_RANGE_START_EX, uint64_t, EVENT_PARAMETERS, OURS), theirs);
}

static void end(const void *handle, uint64_t range)
{
    const struct stint_handle domain = stint_handle_split(handle);
    const struct stint_handle_range split = stint_handle_split_range(range);

    CALL(ours, core2, DOMAIN_RANGE_END, void, (const void *, uint64_t), OURS);
    CALL(theirs, core2, DOMAIN_RANGE_END, void, (const void *, uint64_t), THEIRS);
}

/* ---------------------------------------------------------------------------------------------------- making and naming */

static const void *create(const char *name)
{
    const void *theirs = CALL(theirs, core2, DOMAIN_CREATE_A, const void *, (const char *), (name));

    return stint_handle_join(CALL(ours, core2, DOMAIN_CREATE_A, const void *, (const char *), (name)), theirs);
}

static const void *create_wide(const wchar_t *name)
{
    const void *theirs = CALL(theirs, core2, DOMAIN_CREATE_W, const void *, (const wchar_t *), (name));

    return stint_handle_join(CALL(ours, core2, DOMAIN_CREATE_W, const void *, (const wchar_t *), (name)), theirs);
}

static void destroy(const void *handle)
{
    const struct stint_handle domain = stint_handle_split(handle);

    CALL(ours, core2, DOMAIN_DESTROY, void, (const void *), (domain.ours));
    CALL(theirs, core2, DOMAIN_DESTROY, void, (const void *), (domain.theirs));
}

static const void *register_string(const void *handle, const char *text)
{
    const struct stint_handle domain = stint_handle_split(handle);
    const void *theirs = CALL(theirs, core2, DOMAIN_REGISTER_STRING_A, const void *, (const void *, const char *),
                              (domain.theirs, text));

    return stint_handle_join(
        CALL(ours, core2, DOMAIN_REGISTER_STRING_A, const void *, (const void *, const char *), (domain.ours, text)),
        theirs);
}

static const void *register_wide(const void *handle, const wchar_t *text)
{
    const struct stint_handle domain = stint_handle_split(handle);
    const void *theirs = CALL(theirs, core2, DOMAIN_REGISTER_STRING_W, const void *, (const void *, const wchar_t *),
                              (domain.theirs, text));

    return stint_handle_join(
        CALL(ours, core2, DOMAIN_REGISTER_STRING_W, const void *, (const void *, const wchar_t *), (domain.ours, text)),
        theirs);
}

/* Ours does not know a name that is a registered string of theirs: the resource is made without. */
static const void *create_resource(const void *handle, const struct stint_nvtx_resource_attributes *attributes)
{
    const struct stint_handle domain = stint_handle_split(handle);
    const void *theirs =
        CALL(theirs, core2, DOMAIN_RESOURCE_CREATE, const void *,
             (const void *, const struct stint_nvtx_resource_attributes *), (domain.theirs, attributes));

    return stint_handle_join(CALL(ours, core2, DOMAIN_RESOURCE_CREATE, const void *,
                                  (const void *, const struct stint_nvtx_resource_attributes *),
                                  (domain.ours, attributes)),
                             theirs);
}

static void destroy_resource(const void *handle)
{
    const struct stint_handle resource = stint_handle_split(handle);

    CALL(ours, core2, DOMAIN_RESOURCE_DESTROY, void, (const void *), (resource.ours));
    CALL(theirs, core2, DOMAIN_RESOURCE_DESTROY, void, (const void *), (resource.theirs));
}

static void name_category(const void *handle, uint32_t category, const char *name)
{
    const struct stint_handle domain = stint_handle_split(handle);

    CALL(theirs, core2, DOMAIN_NAME_CATEGORY_A, void, (const void *, uint32_t, const char *),
         (domain.theirs, category, name));
    CALL(ours, core2, DOMAIN_NAME_CATEGORY_A, void, (const void *, uint32_t, const char *),
         (domain.ours, category, name));
}

static void name_category_wide(const void *handle, uint32_t category, const wchar_t *name)
{
    const struct stint_handle domain = stint_handle_split(handle);

    CALL(theirs, core2, DOMAIN_NAME_CATEGORY_W, void, (const void *, uint32_t, const wchar_t *),
         (domain.theirs, category, name));
    CALL(ours, core2, DOMAIN_NAME_CATEGORY_W, void, (const void *, uint32_t, const wchar_t *),
         (domain.ours, category, name));
}

BOTH(initialize, core2, INITIALIZE, (const void *reserved), (reserved))

const struct stint_nvtx_call stint_forward_core2_calls[] = {
    ENTRY(DOMAIN_MARK_EX, mark),
    ENTRY(DOMAIN_RANGE_START_EX, start),
    ENTRY(DOMAIN_RANGE_END, end),
    ENTRY(DOMAIN_RANGE_PUSH_EX, push),
    ENTRY(DOMAIN_RANGE_POP, pop),
    ENTRY(DOMAIN_RESOURCE_CREATE, create_resource),
    ENTRY(DOMAIN_RESOURCE_DESTROY, destroy_resource),
    ENTRY(DOMAIN_NAME_CATEGORY_A, name_category),
    ENTRY(DOMAIN_NAME_CATEGORY_W, name_category_wide),
    ENTRY(DOMAIN_REGISTER_STRING_A, register_string),
    ENTRY(DOMAIN_REGISTER_STRING_W, register_wide),
    ENTRY(DOMAIN_CREATE_A, create),
    ENTRY(DOMAIN_CREATE_W, create_wide),
    ENTRY(DOMAIN_DESTROY, destroy),
    ENTRY(INITIALIZE, initialize),
    {0, NULL},
};
