/* The entry points of NVTX, one function for each of its calls. Registered strings in domains take a short way;
 * everything else is read and converted first. */
#include "nvtx/handler.h"

#include "base/clock.h"
#include "nvtx/payload.h"
#include "nvtx/range.h"
#include "nvtx/string.h"

/* ----------------------------------------------------------------------------------------------------- push and pop */

static void add_payload(const struct stint_nvtx_domain *domain, uint32_t id,
                        const struct stint_nvtx_attributes *attributes)
{
    if (attributes->payload_type != STINT_NVTX_PAYLOAD_NONE)
        stint_nvtx_payload_add_plain(domain, id, attributes);
}

static int push_event(struct stint_nvtx_domain *domain, const struct stint_nvtx_attributes *whole)
{
    uint32_t id = stint_nvtx_event_id(domain, STINT_NVTX_PUSHED, whole);
    struct stint_note_more more = stint_nvtx_more(whole);
    add_payload(domain, id, whole);
    return stint_nvtx_range_push_more(domain, id, &more);
}

__attribute__((noinline)) static int push_any(struct stint_nvtx_domain *domain,
                                              const struct stint_nvtx_attributes *attributes)
{
    return stint_registry_enabled() ? stint_nvtx_event_with_text(domain, attributes, push_event)
                                    : stint_nvtx_range_push(domain, 0);
}

/* Colors and categories are noted in a trace. */
static inline int has_look(const struct stint_nvtx_attributes *attributes)
{
    return stint_notes_are_on && (attributes->color_type || attributes->category);
}

/* Returns the id if the attributes consist of a registered string whose statistic is known; else 0. */
static inline uint32_t id_of_plain(const struct stint_nvtx_domain *domain,
                                   const struct stint_nvtx_attributes *attributes)
{
    if (!attributes || attributes->size < sizeof *attributes || attributes->text_type != STINT_NVTX_TEXT_REGISTERED ||
        attributes->payload_type != STINT_NVTX_PAYLOAD_NONE || has_look(attributes))
        return 0;
    const struct stint_nvtx_string *string = stint_nvtx_string_of(attributes->text.registered);
    if (!string || string->domain != domain)
        return 0;
    return __atomic_load_n(&string->ids[STINT_NVTX_PUSHED], __ATOMIC_ACQUIRE);
}

int stint_nvtx_call_push_in(const void *handle, const struct stint_nvtx_attributes *attributes)
{
    struct stint_nvtx_domain *domain = stint_nvtx_domain_of(handle);
    if (STINT_I_UNLIKELY(!domain))
        return STINT_NVTX_UNTRACKED;
    uint32_t id = id_of_plain(domain, attributes);
    return STINT_I_LIKELY(id != 0) ? stint_nvtx_range_push(domain, id) : push_any(domain, attributes);
}

int stint_nvtx_call_push_text(const char *text)
{
    struct stint_nvtx_domain *domain = &stint_nvtx_domains[0];
    uint32_t id = 0;
    if (STINT_I_LIKELY(stint_registry_enabled())) {
        id = stint_nvtx_cached_id(domain, STINT_NVTX_PUSHED, text);
        if (STINT_I_UNLIKELY(id == 0)) {
            struct stint_note_more more = stint_nvtx_more_of_text(text);
            return stint_nvtx_range_push_more(domain, stint_nvtx_text_id(domain, STINT_NVTX_PUSHED, text), &more);
        }
    }
    return stint_nvtx_range_push(domain, id);
}

static struct stint_nvtx_attributes wide(const wchar_t *text)
{
    return (struct stint_nvtx_attributes){
        .size = sizeof(struct stint_nvtx_attributes), .text_type = STINT_NVTX_TEXT_WIDE, .text.wide = text};
}

int stint_nvtx_call_push_wide(const wchar_t *text)
{
    struct stint_nvtx_attributes attributes = wide(text);
    return stint_nvtx_call_push_in(NULL, &attributes);
}

int stint_nvtx_call_push_ex(const struct stint_nvtx_attributes *attributes)
{
    return stint_nvtx_call_push_in(NULL, attributes);
}

int stint_nvtx_call_pop_in(const void *handle)
{
    struct stint_nvtx_domain *domain = stint_nvtx_domain_of(handle);
    uint32_t id;
    return STINT_I_LIKELY(domain != NULL) ? stint_nvtx_range_pop(domain, &id) : STINT_NVTX_UNTRACKED;
}

int stint_nvtx_call_pop(void)
{
    uint32_t id;
    return stint_nvtx_range_pop(&stint_nvtx_domains[0], &id);
}

/* ---------------------------------------------------------------------------------------------------- start and end */

uint64_t stint_nvtx_call_start_in(const void *handle, const struct stint_nvtx_attributes *attributes)
{
    struct stint_nvtx_domain *domain = stint_nvtx_domain_of(handle);
    struct stint_nvtx_attributes whole;
    if (!domain || !stint_registry_enabled())
        return 0;
    stint_nvtx_event_read(&whole, attributes);
    uint32_t id = stint_nvtx_event_id(domain, STINT_NVTX_STARTED, &whole);
    add_payload(domain, id, &whole);
    return stint_nvtx_span_start(id, stint_nvtx_more(&whole));
}

uint64_t stint_nvtx_call_start_ex(const struct stint_nvtx_attributes *attributes)
{
    return stint_nvtx_call_start_in(NULL, attributes);
}

uint64_t stint_nvtx_call_start_text(const char *text)
{
    if (!stint_registry_enabled())
        return 0;
    return stint_nvtx_span_start(stint_nvtx_text_id(&stint_nvtx_domains[0], STINT_NVTX_STARTED, text),
                                 stint_nvtx_more_of_text(text));
}

uint64_t stint_nvtx_call_start_wide(const wchar_t *text)
{
    if (!stint_registry_enabled())
        return 0;
    return stint_nvtx_span_start(stint_nvtx_event_id_wide(&stint_nvtx_domains[0], STINT_NVTX_STARTED, text),
                                 stint_nvtx_more_of_text(NULL));
}

/* The number identifies the range, so the domain is not needed. */
void stint_nvtx_call_end_in(const void *handle, uint64_t range)
{
    (void)handle;
    (void)stint_nvtx_span_end(range);
}

void stint_nvtx_call_end(uint64_t range)
{
    (void)stint_nvtx_span_end(range);
}

/* ------------------------------------------------------------------------------------------------------------ marks */

static int mark_event(struct stint_nvtx_domain *domain, const struct stint_nvtx_attributes *whole)
{
    uint32_t id = stint_nvtx_event_id(domain, STINT_NVTX_MARKED, whole);
    add_payload(domain, id, whole);
    stint_nvtx_mark(id, stint_nvtx_more(whole));
    return 0;
}

void stint_nvtx_call_mark_in(const void *handle, const struct stint_nvtx_attributes *attributes)
{
    struct stint_nvtx_domain *domain = stint_nvtx_domain_of(handle);
    if (domain && stint_registry_enabled())
        (void)stint_nvtx_event_with_text(domain, attributes, mark_event);
}

void stint_nvtx_call_mark_ex(const struct stint_nvtx_attributes *attributes)
{
    stint_nvtx_call_mark_in(NULL, attributes);
}

void stint_nvtx_call_mark_text(const char *text)
{
    if (stint_registry_enabled())
        stint_nvtx_mark(stint_nvtx_text_id(&stint_nvtx_domains[0], STINT_NVTX_MARKED, text),
                        stint_nvtx_more_of_text(text));
}

void stint_nvtx_call_mark_wide(const wchar_t *text)
{
    struct stint_nvtx_attributes attributes = wide(text);
    stint_nvtx_call_mark_in(NULL, &attributes);
}

/* ------------------------------------------------------------------------------------------------------------ names */

void stint_nvtx_call_name_category(uint32_t category, const char *name)
{
    stint_nvtx_call_name_category_in(NULL, category, name);
}

void stint_nvtx_call_name_category_wide(uint32_t category, const wchar_t *name)
{
    stint_nvtx_call_name_category_wide_in(NULL, category, name);
}

/* Calls of the payload and counter extensions. Deferred events, which have time stamps of their own, are only
 * counted. */

/* ---------------------------------------------------------------------------------------------------------- schemas */

uint64_t stint_nvtx_call_register_schema(const void *handle, const struct stint_nvtx_schema_attributes *attributes)
{
    const struct stint_nvtx_domain *domain = stint_nvtx_domain_of(handle);
    return domain && attributes ? stint_nvtx_schema_register(domain, attributes) : 0;
}

uint64_t stint_nvtx_call_register_enum(const void *handle, const struct stint_nvtx_enum_attributes *attributes)
{
    const struct stint_nvtx_domain *domain = stint_nvtx_domain_of(handle);
    return domain && attributes ? stint_nvtx_enum_register(domain, attributes) : 0;
}

/* Scopes and time domains describe where deferred events come from; stint only returns their numbers. */
uint64_t stint_nvtx_call_register_scope(const void *handle, const struct stint_nvtx_scope_attributes *attributes)
{
    (void)handle;
    if (!attributes || attributes->size < sizeof *attributes)
        return 0;
    return attributes->id ? attributes->id : stint_nvtx_new_id();
}

uint64_t stint_nvtx_call_register_time_domain(const void *handle,
                                              const struct stint_nvtx_time_domain_attributes *attributes)
{
    (void)handle;
    if (!attributes)
        return 0;
    return attributes->id ? attributes->id : stint_nvtx_new_id();
}

/* ----------------------------------------------------------------------------------------------------------- events */

static uint32_t add_event(struct stint_nvtx_domain *domain, enum stint_nvtx_kind kind,
                          const struct stint_nvtx_data *data, size_t count)
{
    uint32_t id = 0;
    if (stint_registry_enabled()) {
        id = stint_nvtx_event_id_payload(domain, kind, data, count);
        stint_nvtx_payload_add(domain, id, data, count);
    }
    return id;
}

void stint_nvtx_call_mark_payload(const void *handle, const struct stint_nvtx_data *data, size_t count)
{
    struct stint_nvtx_domain *domain = stint_nvtx_domain_of(handle);
    if (domain)
        stint_nvtx_mark(add_event(domain, STINT_NVTX_MARKED, data, count), stint_nvtx_more_of_text(NULL));
}

int stint_nvtx_call_push_payload(const void *handle, const struct stint_nvtx_data *data, size_t count)
{
    struct stint_nvtx_domain *domain = stint_nvtx_domain_of(handle);
    if (!domain)
        return STINT_NVTX_UNTRACKED;
    return stint_nvtx_range_push(domain, add_event(domain, STINT_NVTX_PUSHED, data, count));
}

int stint_nvtx_call_pop_payload(const void *handle, const struct stint_nvtx_data *data, size_t count)
{
    struct stint_nvtx_domain *domain = stint_nvtx_domain_of(handle);
    uint32_t id;
    if (!domain)
        return STINT_NVTX_UNTRACKED;
    int level = stint_nvtx_range_pop(domain, &id);
    stint_nvtx_payload_add(domain, id, data, count);
    return level;
}

uint64_t stint_nvtx_call_start_payload(const void *handle, const struct stint_nvtx_data *data, size_t count)
{
    struct stint_nvtx_domain *domain = stint_nvtx_domain_of(handle);
    return domain ? stint_nvtx_span_start(add_event(domain, STINT_NVTX_STARTED, data, count),
                                          stint_nvtx_more_of_text(NULL))
                  : 0;
}

void stint_nvtx_call_end_payload(const void *handle, uint64_t range, const struct stint_nvtx_data *data, size_t count)
{
    const struct stint_nvtx_domain *domain = stint_nvtx_domain_of(handle);
    uint32_t id = stint_nvtx_span_end(range);
    if (domain)
        stint_nvtx_payload_add(domain, id, data, count);
}

uint8_t stint_nvtx_call_is_enabled(const void *handle)
{
    return stint_nvtx_domain_of(handle) && stint_registry_enabled();
}

int64_t stint_nvtx_call_now(void)
{
    return (int64_t)stint_clock_now_ns();
}

/* Returns the domain if its events are recorded, else NULL. */
static const struct stint_nvtx_domain *recorded(const void *handle)
{
    return stint_registry_enabled() ? stint_nvtx_domain_of(handle) : NULL;
}

void stint_nvtx_call_submit(const void *handle, const struct stint_nvtx_data *data, size_t count)
{
    (void)data;
    (void)count;
    if (recorded(handle))
        stint_nvtx_count(&stint_dropped.nvtx_events, 1);
}

/* A batch of unknown layout counts as one event. */
__attribute__((cold)) void stint_nvtx_call_submit_batch(const void *handle, const struct stint_nvtx_event_batch *batch)
{
    const struct stint_nvtx_domain *domain = recorded(handle);
    size_t size = domain && batch ? stint_nvtx_payload_size(domain, batch->schema) : 0;
    if (domain && batch)
        stint_nvtx_count(&stint_dropped.nvtx_events, size ? batch->size / size : 1);
}

/* --------------------------------------------------------------------------------------------------------- counters */

__attribute__((cold)) uint64_t stint_nvtx_call_register_counter(const void *handle,
                                                                const struct stint_nvtx_counter_attributes *attributes)
{
    struct stint_nvtx_domain *domain = stint_nvtx_domain_of(handle);
    return domain && attributes ? stint_nvtx_counter_register(domain, attributes) : 0;
}

void stint_nvtx_call_sample_int64(const void *handle, uint64_t counter, int64_t value)
{
    const struct stint_nvtx_domain *domain = recorded(handle);
    if (domain)
        stint_nvtx_counter_sample(domain, counter, (double)value);
}

void stint_nvtx_call_sample_float64(const void *handle, uint64_t counter, double value)
{
    const struct stint_nvtx_domain *domain = recorded(handle);
    if (domain)
        stint_nvtx_counter_sample(domain, counter, value);
}

void stint_nvtx_call_sample(const void *handle, uint64_t counter, const void *bytes, size_t size)
{
    const struct stint_nvtx_domain *domain = recorded(handle);
    if (domain)
        stint_nvtx_counter_sample_bytes(domain, counter, bytes, size);
}

void stint_nvtx_call_sample_no_value(const void *handle, uint64_t counter, uint8_t reason)
{
    (void)counter;
    (void)reason;
    if (recorded(handle))
        stint_nvtx_count(&stint_nvtx_counts.missing, 1);
}

__attribute__((cold)) void stint_nvtx_call_sample_batch(const void *handle,
                                                        const struct stint_nvtx_counter_batch *batch)
{
    const struct stint_nvtx_domain *domain = recorded(handle);
    if (domain && batch)
        stint_nvtx_counter_sample_batch(domain, batch);
}
