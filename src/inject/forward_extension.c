/* The extensions for payloads and counters. Numbers of schemas and counters are theirs; ours takes them for numbers that
 * the program has chosen. */
#include <string.h>

#include "inject/forward.h"
#include "inject/handle.h"

struct stint_forward stint_forward_payload_links[STINT_FORWARD_CALLBACKS];
struct stint_forward stint_forward_counter_links[STINT_FORWARD_CALLBACKS];

#define DATA_PARAMETERS (const void *, const struct stint_nvtx_data *, size_t)
#define OURS (domain.ours, data, count)
#define THEIRS (domain.theirs, data, count)

/* ------------------------------------------------------------------------------------------------------------ numbers */

#define SCHEMA_PARAMETERS (const void *, const struct stint_nvtx_schema_attributes *)

static uint64_t register_schema(const void *handle, const struct stint_nvtx_schema_attributes *attributes)
{
    const struct stint_handle domain = stint_handle_split(handle);
    const uint64_t theirs =
        CALL(theirs, payload, SCHEMA_REGISTER, uint64_t, SCHEMA_PARAMETERS, (domain.theirs, attributes));
    struct stint_nvtx_schema_attributes numbered;

    if (!attributes || !theirs)
        return CALL(ours, payload, SCHEMA_REGISTER, uint64_t, SCHEMA_PARAMETERS, (domain.ours, attributes));
    numbered = *attributes;
    numbered.fields |= STINT_NVTX_SCHEMA_HAS_ID;
    numbered.id = theirs;
    (void)CALL(ours, payload, SCHEMA_REGISTER, uint64_t, SCHEMA_PARAMETERS, (domain.ours, &numbered));
    return theirs;
}

#define ENUM_PARAMETERS (const void *, const struct stint_nvtx_enum_attributes *)

static uint64_t register_enum(const void *handle, const struct stint_nvtx_enum_attributes *attributes)
{
    const struct stint_handle domain = stint_handle_split(handle);
    const uint64_t theirs =
        CALL(theirs, payload, ENUM_REGISTER, uint64_t, ENUM_PARAMETERS, (domain.theirs, attributes));
    struct stint_nvtx_enum_attributes numbered;

    if (!attributes || !theirs)
        return CALL(ours, payload, ENUM_REGISTER, uint64_t, ENUM_PARAMETERS, (domain.ours, attributes));
    numbered = *attributes;
    numbered.fields |= STINT_NVTX_ENUM_HAS_ID;
    numbered.id = theirs;
    (void)CALL(ours, payload, ENUM_REGISTER, uint64_t, ENUM_PARAMETERS, (domain.ours, &numbered));
    return theirs;
}

/* Ours keeps neither of these two: theirs is the number if they gave one. */
static uint64_t register_scope(const void *handle, const struct stint_nvtx_scope_attributes *attributes)
{
    const struct stint_handle domain = stint_handle_split(handle);
    const uint64_t theirs =
        CALL(theirs, payload, SCOPE_REGISTER, uint64_t, (const void *, const struct stint_nvtx_scope_attributes *),
             (domain.theirs, attributes));
    const uint64_t ours = CALL(ours, payload, SCOPE_REGISTER, uint64_t,
                               (const void *, const struct stint_nvtx_scope_attributes *), (domain.ours, attributes));

    return theirs ? theirs : ours;
}

static uint64_t register_time_domain(const void *handle, const struct stint_nvtx_time_domain_attributes *attributes)
{
    const struct stint_handle domain = stint_handle_split(handle);
    const uint64_t theirs =
        CALL(theirs, payload, TIME_DOMAIN_REGISTER, uint64_t,
             (const void *, const struct stint_nvtx_time_domain_attributes *), (domain.theirs, attributes));
    const uint64_t ours =
        CALL(ours, payload, TIME_DOMAIN_REGISTER, uint64_t,
             (const void *, const struct stint_nvtx_time_domain_attributes *), (domain.ours, attributes));

    return theirs ? theirs : ours;
}

/* An older program's attributes may end before the number. */
static uint64_t register_counter(const void *handle, const struct stint_nvtx_counter_attributes *attributes)
{
    const struct stint_handle domain = stint_handle_split(handle);
    const uint64_t theirs =
        CALL(theirs, counter, COUNTER_REGISTER, uint64_t, (const void *, const struct stint_nvtx_counter_attributes *),
             (domain.theirs, attributes));
    struct stint_nvtx_counter_attributes numbered = {0};

    if (!attributes || !theirs)
        return CALL(ours, counter, COUNTER_REGISTER, uint64_t,
                    (const void *, const struct stint_nvtx_counter_attributes *), (domain.ours, attributes));
    memcpy(&numbered, attributes, attributes->size < sizeof numbered ? attributes->size : sizeof numbered);
    numbered.size = sizeof numbered;
    numbered.id = theirs;
    (void)CALL(ours, counter, COUNTER_REGISTER, uint64_t, (const void *, const struct stint_nvtx_counter_attributes *),
               (domain.ours, &numbered));
    return theirs;
}

/* ------------------------------------------------------------------------------------------------------------- events */

static void mark(const void *handle, const struct stint_nvtx_data *data, size_t count)
{
    const struct stint_handle domain = stint_handle_split(handle);

    CALL(theirs, payload, MARK_PAYLOAD, void, DATA_PARAMETERS, THEIRS);
    CALL(ours, payload, MARK_PAYLOAD, void, DATA_PARAMETERS, OURS);
}

static int push(const void *handle, const struct stint_nvtx_data *data, size_t count)
{
    const struct stint_handle domain = stint_handle_split(handle);
    const int level = CALL(theirs, payload, RANGE_PUSH_PAYLOAD, int, DATA_PARAMETERS, THEIRS);

    (void)CALL(ours, payload, RANGE_PUSH_PAYLOAD, int, DATA_PARAMETERS, OURS);
    return level;
}

static int pop(const void *handle, const struct stint_nvtx_data *data, size_t count)
{
    const struct stint_handle domain = stint_handle_split(handle);

    (void)CALL(ours, payload, RANGE_POP_PAYLOAD, int, DATA_PARAMETERS, OURS);
    return CALL(theirs, payload, RANGE_POP_PAYLOAD, int, DATA_PARAMETERS, THEIRS);
}

static uint64_t start(const void *handle, const struct stint_nvtx_data *data, size_t count)
{
    const struct stint_handle domain = stint_handle_split(handle);
    const uint64_t theirs = CALL(theirs, payload, RANGE_START_PAYLOAD, uint64_t, DATA_PARAMETERS, THEIRS);

    return stint_handle_join_range(CALL(ours, payload, RANGE_START_PAYLOAD, uint64_t, DATA_PARAMETERS, OURS), theirs);
}

static void end(const void *handle, uint64_t range, const struct stint_nvtx_data *data, size_t count)
{
    const struct stint_handle domain = stint_handle_split(handle);
    const struct stint_handle_range split = stint_handle_split_range(range);

    CALL(ours, payload, RANGE_END_PAYLOAD, void, (const void *, uint64_t, const struct stint_nvtx_data *, size_t),
         (domain.ours, split.ours, data, count));
    CALL(theirs, payload, RANGE_END_PAYLOAD, void, (const void *, uint64_t, const struct stint_nvtx_data *, size_t),
         (domain.theirs, split.theirs, data, count));
}

/* Enabled for one is enabled: the program asks whether to call at all. */
static uint8_t is_enabled(const void *handle)
{
    const struct stint_handle domain = stint_handle_split(handle);

    return CALL(theirs, payload, DOMAIN_IS_ENABLED, uint8_t, (const void *), (domain.theirs)) ||
           CALL(ours, payload, DOMAIN_IS_ENABLED, uint8_t, (const void *), (domain.ours));
}

/* Deferred events, which bring such times back, are theirs: ours only counts them. */
static int64_t now(void)
{
    return CALL(theirs, payload, TIMESTAMP_GET, int64_t, (void), ());
}

static void submit(const void *handle, const struct stint_nvtx_data *data, size_t count)
{
    const struct stint_handle domain = stint_handle_split(handle);

    CALL(theirs, payload, EVENT_SUBMIT, void, DATA_PARAMETERS, THEIRS);
    CALL(ours, payload, EVENT_SUBMIT, void, DATA_PARAMETERS, OURS);
}

static void submit_batch(const void *handle, const struct stint_nvtx_event_batch *batch)
{
    const struct stint_handle domain = stint_handle_split(handle);

    CALL(theirs, payload, EVENT_BATCH_SUBMIT, void, (const void *, const struct stint_nvtx_event_batch *),
         (domain.theirs, batch));
    CALL(ours, payload, EVENT_BATCH_SUBMIT, void, (const void *, const struct stint_nvtx_event_batch *),
         (domain.ours, batch));
}

const struct stint_nvtx_call stint_forward_payload_calls[] = {
    ENTRY(SCHEMA_REGISTER, register_schema),
    ENTRY(ENUM_REGISTER, register_enum),
    ENTRY(MARK_PAYLOAD, mark),
    ENTRY(RANGE_PUSH_PAYLOAD, push),
    ENTRY(RANGE_POP_PAYLOAD, pop),
    ENTRY(RANGE_START_PAYLOAD, start),
    ENTRY(RANGE_END_PAYLOAD, end),
    ENTRY(DOMAIN_IS_ENABLED, is_enabled),
    ENTRY(TIMESTAMP_GET, now),
    ENTRY(TIME_DOMAIN_REGISTER, register_time_domain),
    ENTRY(SCOPE_REGISTER, register_scope),
    ENTRY(EVENT_SUBMIT, submit),
    ENTRY(EVENT_BATCH_SUBMIT, submit_batch),
    {0, NULL},
};

/* ----------------------------------------------------------------------------------------------------------- counters */

static void sample_int64(const void *handle, uint64_t counter, int64_t value)
{
    const struct stint_handle domain = stint_handle_split(handle);

    CALL(theirs, counter, COUNTER_SAMPLE_INT64, void, (const void *, uint64_t, int64_t),
         (domain.theirs, counter, value));
    CALL(ours, counter, COUNTER_SAMPLE_INT64, void, (const void *, uint64_t, int64_t), (domain.ours, counter, value));
}

static void sample_float64(const void *handle, uint64_t counter, double value)
{
    const struct stint_handle domain = stint_handle_split(handle);

    CALL(theirs, counter, COUNTER_SAMPLE_FLOAT64, void, (const void *, uint64_t, double),
         (domain.theirs, counter, value));
    CALL(ours, counter, COUNTER_SAMPLE_FLOAT64, void, (const void *, uint64_t, double), (domain.ours, counter, value));
}

static void sample(const void *handle, uint64_t counter, const void *bytes, size_t size)
{
    const struct stint_handle domain = stint_handle_split(handle);

    CALL(theirs, counter, COUNTER_SAMPLE, void, (const void *, uint64_t, const void *, size_t),
         (domain.theirs, counter, bytes, size));
    CALL(ours, counter, COUNTER_SAMPLE, void, (const void *, uint64_t, const void *, size_t),
         (domain.ours, counter, bytes, size));
}

static void sample_no_value(const void *handle, uint64_t counter, uint8_t reason)
{
    const struct stint_handle domain = stint_handle_split(handle);

    CALL(theirs, counter, COUNTER_SAMPLE_NO_VALUE, void, (const void *, uint64_t, uint8_t),
         (domain.theirs, counter, reason));
    CALL(ours, counter, COUNTER_SAMPLE_NO_VALUE, void, (const void *, uint64_t, uint8_t),
         (domain.ours, counter, reason));
}

static void sample_batch(const void *handle, const struct stint_nvtx_counter_batch *batch)
{
    const struct stint_handle domain = stint_handle_split(handle);

    CALL(theirs, counter, COUNTER_BATCH_SUBMIT, void, (const void *, const struct stint_nvtx_counter_batch *),
         (domain.theirs, batch));
    CALL(ours, counter, COUNTER_BATCH_SUBMIT, void, (const void *, const struct stint_nvtx_counter_batch *),
         (domain.ours, batch));
}

const struct stint_nvtx_call stint_forward_counter_calls[] = {
    ENTRY(COUNTER_REGISTER, register_counter),
    ENTRY(COUNTER_SAMPLE_INT64, sample_int64),
    ENTRY(COUNTER_SAMPLE_FLOAT64, sample_float64),
    ENTRY(COUNTER_SAMPLE, sample),
    ENTRY(COUNTER_SAMPLE_NO_VALUE, sample_no_value),
    ENTRY(COUNTER_BATCH_SUBMIT, sample_batch),
    {0, NULL},
};
