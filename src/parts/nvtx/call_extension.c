/* Calls of the payload and counter extensions. Deferred events, which have time stamps of their own, are only
 * counted. */
#include "base/clock.h"
#include "nvtx/attributes.h"
#include "nvtx/call.h"
#include "nvtx/payload.h"
#include "nvtx/payload_schema.h"
#include "nvtx/range.h"
#include "nvtx/sample.h"
#include "nvtx/value.h"

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
void stint_nvtx_call_submit_batch(const void *handle, const struct stint_nvtx_event_batch *batch)
{
    const struct stint_nvtx_domain *domain = recorded(handle);
    size_t size = domain && batch ? stint_nvtx_payload_size(domain, batch->schema) : 0;

    if (domain && batch)
        stint_nvtx_count(&stint_dropped.nvtx_events, size ? batch->size / size : 1);
}

/* --------------------------------------------------------------------------------------------------------- counters */

uint64_t stint_nvtx_call_register_counter(const void *handle, const struct stint_nvtx_counter_attributes *attributes)
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

void stint_nvtx_call_sample_batch(const void *handle, const struct stint_nvtx_counter_batch *batch)
{
    const struct stint_nvtx_domain *domain = recorded(handle);

    if (domain && batch)
        stint_nvtx_counter_sample_batch(domain, batch);
}
