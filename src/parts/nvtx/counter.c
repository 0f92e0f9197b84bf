/* Counters that programs register with NVTX's counter extension: each sample is read by the counter's schema, and its
 * numbers are added to a statistic of the counter's name. */
#include "nvtx/counter.h"

#include "nvtx/map.h"
#include "nvtx/payload.h"
#include "nvtx/payload_schema.h"
#include "nvtx/string.h"
#include "nvtx/value.h"

struct counter {
    uint64_t key;
    uint64_t schema;
    uint32_t id; /* of the statistic; stored last; 0: not yet */
};

static struct stint_nvtx_map s_counters;

int stint_nvtx_counters_start(void)
{
    return stint_nvtx_map_begin(&s_counters, &stint_nvtx_arena, sizeof(struct counter), STINT_NVTX_MAX_COUNTERS);
}

#define HAS(attributes, field)                                                                                         \
    ((attributes)->size >= offsetof(struct stint_nvtx_counter_attributes, field) + sizeof(attributes)->field)

uint64_t stint_nvtx_counter_register(struct stint_nvtx_domain *domain,
                                     const struct stint_nvtx_counter_attributes *attributes)
{
    uint64_t number = HAS(attributes, id) ? attributes->id : 0;

    if (!HAS(attributes, name))
        return 0;
    uint32_t id = stint_nvtx_text_id(domain, STINT_NVTX_COUNTED, attributes->name);
    if (!number)
        number = stint_nvtx_new_id();
    struct counter *counter = id ? stint_nvtx_map_add(&s_counters, stint_nvtx_id_key(domain, number)) : NULL;
    if (!counter) {
        stint_nvtx_count(&stint_dropped.nvtx_counters, 1);
        return 0;
    }
    STINT_I_STORE(&counter->schema, attributes->schema);
    __atomic_store_n(&counter->id, id, __ATOMIC_RELEASE);
    return number;
}

/* Returns the counter; if there is none, counts a sample without a counter, and returns NULL. */
static const struct counter *find(const struct stint_nvtx_domain *domain, uint64_t number)
{
    const struct counter *counter = stint_nvtx_map_find(&s_counters, stint_nvtx_id_key(domain, number));

    if (counter && __atomic_load_n(&counter->id, __ATOMIC_ACQUIRE))
        return counter;
    stint_nvtx_count(&stint_dropped.nvtx_unknown, 1);
    return NULL;
}

void stint_nvtx_counter_sample(const struct stint_nvtx_domain *domain, uint64_t number, double value)
{
    const struct counter *counter = find(domain, number);

    if (counter)
        stint_nvtx_value_add(counter->id, 0, value);
}

static void add(const struct stint_nvtx_domain *domain, const struct counter *counter, const void *bytes, size_t size)
{
    struct stint_nvtx_data data = {STINT_I_LOAD(&counter->schema), size, bytes};

    stint_nvtx_payload_add(domain, counter->id, &data, 1);
}

void stint_nvtx_counter_sample_bytes(const struct stint_nvtx_domain *domain, uint64_t number, const void *bytes,
                                     size_t size)
{
    const struct counter *counter = find(domain, number);

    if (counter)
        add(domain, counter, bytes, size);
}

void stint_nvtx_counter_sample_batch(const struct stint_nvtx_domain *domain,
                                     const struct stint_nvtx_counter_batch *batch)
{
    const struct counter *counter = find(domain, batch->counter);
    size_t size = counter ? stint_nvtx_payload_size(domain, STINT_I_LOAD(&counter->schema)) : 0;

    if (!counter)
        return;
    if (!size || !batch->samples) {
        stint_nvtx_count(&stint_dropped.nvtx_unknown, 1);
        return;
    }
    for (size_t at = 0; batch->size - at >= size; at += size)
        add(domain, counter, (const char *)batch->samples + at, size);
}
