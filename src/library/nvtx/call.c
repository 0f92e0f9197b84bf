#include "nvtx/call.h"

#include "nvtx/attributes.h"
#include "nvtx/payload.h"
#include "nvtx/range.h"
#include "nvtx/sample.h"
#include "nvtx/start_end.h"
#include "nvtx/string.h"

/* ------------------------------------------------------------------------------------------------------- push and pop */

static void add_payload(const struct stint_nvtx_domain *domain, uint32_t id,
                        const struct stint_nvtx_attributes *attributes)
{
    if (attributes->payload_type != STINT_NVTX_PAYLOAD_NONE)
        stint_nvtx_payload_add_plain(domain, id, attributes);
}

__attribute__((noinline)) static int push_any(struct stint_nvtx_domain *domain,
                                              const struct stint_nvtx_attributes *attributes)
{
    struct stint_nvtx_attributes whole;
    uint32_t id = 0;

    if (stint_registry_enabled()) {
        stint_nvtx_event_read(&whole, attributes);
        id = stint_nvtx_event_id(domain, STINT_NVTX_PUSHED, &whole);
        add_payload(domain, id, &whole);
    }
    return stint_nvtx_range_push(domain, id);
}

/* Returns the id if the attributes are no more than a registered string whose statistic is known; else 0. */
static inline uint32_t id_of_plain(const struct stint_nvtx_domain *domain,
                                   const struct stint_nvtx_attributes *attributes)
{
    const struct stint_nvtx_string *string;

    if (!attributes || attributes->size < sizeof *attributes || attributes->text_type != STINT_NVTX_TEXT_REGISTERED ||
        attributes->payload_type != STINT_NVTX_PAYLOAD_NONE)
        return 0;
    string = stint_nvtx_string_of(attributes->text.registered);
    if (!string || string->domain != domain)
        return 0;
    return __atomic_load_n(&string->ids[STINT_NVTX_PUSHED], __ATOMIC_ACQUIRE);
}

int stint_nvtx_call_push(const void *handle, const struct stint_nvtx_attributes *attributes)
{
    struct stint_nvtx_domain *domain = stint_nvtx_domain_of(handle);
    uint32_t id;

    if (STINT_I_UNLIKELY(!domain))
        return STINT_NVTX_UNTRACKED;
    id = id_of_plain(domain, attributes);
    return STINT_I_LIKELY(id != 0) ? stint_nvtx_range_push(domain, id) : push_any(domain, attributes);
}

int stint_nvtx_call_push_text(const char *text)
{
    struct stint_nvtx_domain *domain = &stint_nvtx_domains[0];
    uint32_t id = 0;

    if (STINT_I_LIKELY(stint_registry_enabled()))
        id = stint_nvtx_text_id(domain, STINT_NVTX_PUSHED, text);
    return stint_nvtx_range_push(domain, id);
}

static int push_wide(const wchar_t *text)
{
    struct stint_nvtx_domain *domain = &stint_nvtx_domains[0];
    uint32_t id = 0;

    if (stint_registry_enabled())
        id = stint_nvtx_event_id_wide(domain, STINT_NVTX_PUSHED, text);
    return stint_nvtx_range_push(domain, id);
}

static int push_ex(const struct stint_nvtx_attributes *attributes)
{
    return stint_nvtx_call_push(NULL, attributes);
}

int stint_nvtx_call_pop(const void *handle)
{
    struct stint_nvtx_domain *domain = stint_nvtx_domain_of(handle);
    uint32_t id;

    return STINT_I_LIKELY(domain != NULL) ? stint_nvtx_range_pop(domain, &id) : STINT_NVTX_UNTRACKED;
}

static int pop(void)
{
    uint32_t id;

    return stint_nvtx_range_pop(&stint_nvtx_domains[0], &id);
}

/* ------------------------------------------------------------------------------------------------------ start and end */

uint64_t stint_nvtx_call_start(const void *handle, const struct stint_nvtx_attributes *attributes)
{
    struct stint_nvtx_domain *domain = stint_nvtx_domain_of(handle);
    struct stint_nvtx_attributes whole;
    uint32_t id;

    if (!domain || !stint_registry_enabled())
        return 0;
    stint_nvtx_event_read(&whole, attributes);
    id = stint_nvtx_event_id(domain, STINT_NVTX_STARTED, &whole);
    add_payload(domain, id, &whole);
    return stint_nvtx_span_start(id);
}

static uint64_t start_ex(const struct stint_nvtx_attributes *attributes)
{
    return stint_nvtx_call_start(NULL, attributes);
}

static uint64_t start_text(const char *text)
{
    if (!stint_registry_enabled())
        return 0;
    return stint_nvtx_span_start(stint_nvtx_text_id(&stint_nvtx_domains[0], STINT_NVTX_STARTED, text));
}

static uint64_t start_wide(const wchar_t *text)
{
    if (!stint_registry_enabled())
        return 0;
    return stint_nvtx_span_start(stint_nvtx_event_id_wide(&stint_nvtx_domains[0], STINT_NVTX_STARTED, text));
}

/* A range's number says all: the domain is not needed. */
void stint_nvtx_call_end(const void *handle, uint64_t range)
{
    (void)handle;
    (void)stint_nvtx_span_end(range);
}

static void end(uint64_t range)
{
    (void)stint_nvtx_span_end(range);
}

/* -------------------------------------------------------------------------------------------------------------- marks */

void stint_nvtx_call_mark(const void *handle, const struct stint_nvtx_attributes *attributes)
{
    struct stint_nvtx_domain *domain = stint_nvtx_domain_of(handle);
    struct stint_nvtx_attributes whole;
    uint32_t id;

    if (!domain || !stint_registry_enabled())
        return;
    stint_nvtx_event_read(&whole, attributes);
    id = stint_nvtx_event_id(domain, STINT_NVTX_MARKED, &whole);
    add_payload(domain, id, &whole);
    stint_nvtx_mark(id);
}

static void mark_ex(const struct stint_nvtx_attributes *attributes)
{
    stint_nvtx_call_mark(NULL, attributes);
}

static void mark_text(const char *text)
{
    if (stint_registry_enabled())
        stint_nvtx_mark(stint_nvtx_text_id(&stint_nvtx_domains[0], STINT_NVTX_MARKED, text));
}

static void mark_wide(const wchar_t *text)
{
    if (stint_registry_enabled())
        stint_nvtx_mark(stint_nvtx_event_id_wide(&stint_nvtx_domains[0], STINT_NVTX_MARKED, text));
}

/* -------------------------------------------------------------------------------------------------------------- names */

static void name_category(uint32_t category, const char *name)
{
    stint_nvtx_call_name_category(NULL, category, name);
}

static void name_category_wide(uint32_t category, const wchar_t *name)
{
    stint_nvtx_call_name_category_wide(NULL, category, name);
}

#define CALL(callback, function)                                                                                       \
    {                                                                                                                  \
        (callback), (stint_nvtx_any_fn *)(function)                                                                    \
    }

const struct stint_nvtx_call stint_nvtx_core_calls[] = {
    CALL(STINT_NVTX_MARK_EX, mark_ex),
    CALL(STINT_NVTX_MARK_A, mark_text),
    CALL(STINT_NVTX_MARK_W, mark_wide),
    CALL(STINT_NVTX_RANGE_START_EX, start_ex),
    CALL(STINT_NVTX_RANGE_START_A, start_text),
    CALL(STINT_NVTX_RANGE_START_W, start_wide),
    CALL(STINT_NVTX_RANGE_END, end),
    CALL(STINT_NVTX_RANGE_PUSH_EX, push_ex),
    CALL(STINT_NVTX_RANGE_PUSH_A, stint_nvtx_call_push_text),
    CALL(STINT_NVTX_RANGE_PUSH_W, push_wide),
    CALL(STINT_NVTX_RANGE_POP, pop),
    CALL(STINT_NVTX_NAME_CATEGORY_A, name_category),
    CALL(STINT_NVTX_NAME_CATEGORY_W, name_category_wide),
    CALL(STINT_NVTX_NAME_OS_THREAD_A, stint_nvtx_call_name_thread),
    CALL(STINT_NVTX_NAME_OS_THREAD_W, stint_nvtx_call_name_thread_wide),
    {0, NULL},
};
