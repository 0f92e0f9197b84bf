/* Schemas as a program registers them, and marks that carry what they describe. */
#ifndef STINT_TESTS_NVTX_SCHEMAS_H
#define STINT_TESTS_NVTX_SCHEMAS_H

#include "nvtx/client.h"

#define FIELDS(entries) (entries), sizeof(entries) / sizeof(entries)[0]

static inline uint64_t register_as(nvtx_handle domain, const struct stint_nvtx_schema_attributes *attributes)
{
    return call_extension(STINT_NVTX_PAYLOAD_MODULE, STINT_NVTX_SCHEMA_REGISTER, uint64_t,
                          (nvtx_handle, const struct stint_nvtx_schema_attributes *), (domain, attributes));
}

static inline struct stint_nvtx_schema_attributes schema(const struct stint_nvtx_entry *entries, size_t count)
{
    return (struct stint_nvtx_schema_attributes){
        .fields = STINT_NVTX_SCHEMA_HAS_TYPE | STINT_NVTX_SCHEMA_HAS_ENTRIES | STINT_NVTX_SCHEMA_HAS_COUNT,
        .type = STINT_NVTX_SCHEMA_STATIC,
        .entries = entries,
        .entry_count = count,
    };
}

static inline uint64_t register_entries(const struct stint_nvtx_entry *entries, size_t count)
{
    const struct stint_nvtx_schema_attributes attributes = schema(entries, count);
    return register_as(NULL, &attributes);
}

/* A mark called `name` with these payloads. */
static inline void mark_data(const char *name, const struct stint_nvtx_data *data, int count)
{
    struct stint_nvtx_attributes attributes = text(name);
    attributes.payload_type = STINT_NVTX_PAYLOAD_EXTENDED;
    attributes.payload_count = count;
    attributes.payload.u64 = (uintptr_t)data;
    call(STINT_NVTX_CORE, STINT_NVTX_MARK_EX, void, (const struct stint_nvtx_attributes *), (&attributes));
}

static inline void mark_with(const char *name, uint64_t id, const void *bytes, size_t size)
{
    const struct stint_nvtx_data data = {id, size, bytes};
    mark_data(name, &data, 1);
}

static inline double sum_of(const char *name, const char *field)
{
    return value_of("NVTX marks", name, field).sum;
}

struct plain {
    uint8_t small;
    int32_t number;
    double ratio;
    int16_t last;
};

static const struct stint_nvtx_entry s_plain[] = {
    {.type = 12, .name = "small"},
    {.type = 15, .name = "number"},
    {.type = STINT_NVTX_TYPE_DOUBLE, .name = "ratio"},
    {.type = 13, .name = "last"},
};

#endif
