/* Count, sum, minimum and maximum of numbers in events, kept with atomic operations only. Minima and maxima are
 * compared as whole numbers in the same order as the floating-point numbers that they stand for. Each sample of a
 * counter that a program registers with NVTX's counter extension is read by the counter's schema, and its numbers are
 * added to a statistic of the counter's name. */
#include "nvtx/payload.h"

#include <float.h>
#include <string.h>

#include "notes/note.h"
#include "nvtx/domain.h"
#include "nvtx/string.h"

struct value {
    uint64_t key; /* statistic and field */
    uint64_t count;
    uint64_t sum;   /* a double's bits */
    uint64_t least; /* rank of the negated minimum; 0: none */
    uint64_t most;  /* rank of the maximum; 0: none */
    uint32_t epoch; /* the statistic's epoch when these numbers began */
};

static struct stint_nvtx_map s_values;

int stint_nvtx_values_start(void)
{
    return stint_nvtx_map_begin(&s_values, &stint_nvtx_arena, sizeof(struct value), STINT_NVTX_MAX_VALUES);
}

/* ---------------------------------------------------------------------------------------------------------- numbers */

static uint64_t bits_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

#define SIGN (UINT64_C(1) << 63)

/* Ranks are in the order of the numbers, and greater than 0. */
static uint64_t rank_of(double number)
{
    uint64_t bits = bits_of(number);
    return bits & SIGN ? ~bits : bits | SIGN;
}

static double number_of(uint64_t rank)
{
    return double_of(rank & SIGN ? rank & ~SIGN : ~rank);
}

static void raise_to(uint64_t *most, uint64_t rank)
{
    uint64_t found = STINT_I_LOAD(most);
    while (found < rank && !__atomic_compare_exchange_n(most, &found, rank, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
}

/* Sums stay finite, so that reports can show them. */
static double add_up(double a, double b)
{
    double sum = a + b;
    return sum > DBL_MAX ? DBL_MAX : sum < -DBL_MAX ? -DBL_MAX : sum;
}

static void add_to(uint64_t *sum, double number)
{
    uint64_t found = STINT_I_LOAD(sum);
    while (!__atomic_compare_exchange_n(sum, &found, bits_of(add_up(double_of(found), number)), 1, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
        continue;
}

/* ----------------------------------------------------------------------------------------------------------- values */

static uint32_t epoch_of(uint32_t id)
{
    return __atomic_load_n(&stint_registry_entry(id)->epoch, __ATOMIC_ACQUIRE);
}

/* Starts again after a reset; the first thread to notice the reset does it. */
static void refresh(struct value *value, uint32_t epoch)
{
    uint32_t found = __atomic_load_n(&value->epoch, __ATOMIC_ACQUIRE);
    if (found == epoch ||
        !__atomic_compare_exchange_n(&value->epoch, &found, epoch, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return;
    STINT_I_STORE(&value->count, UINT64_C(0));
    STINT_I_STORE(&value->sum, UINT64_C(0));
    STINT_I_STORE(&value->least, UINT64_C(0));
    STINT_I_STORE(&value->most, UINT64_C(0));
}

static void note(uint32_t id, uint32_t field, double number)
{
    int error;
    if (!stint_nvtx_begin(&error))
        return;
    struct stint_thread_record *record = stint_thread_acquire();
    if (record)
        stint_note_value(&record->tree, id, stint_nvtx_kept(field), number);
    stint_nvtx_end(error);
}

void stint_nvtx_value_add(uint32_t id, uint32_t field, double number)
{
    if (!id)
        return;
    if (number - number != 0) {
        stint_nvtx_count(&stint_nvtx_counts.rest, 1);
        return;
    }
    struct value *value = stint_nvtx_map_add(&s_values, (uint64_t)id << 32 | field);
    if (!value) {
        stint_nvtx_count(&stint_dropped.nvtx_values, 1);
        return;
    }
    refresh(value, epoch_of(id));
    stint_nvtx_count(&value->count, 1);
    add_to(&value->sum, number);
    raise_to(&value->least, rank_of(-number));
    raise_to(&value->most, rank_of(number));
    if (stint_notes_are_on)
        note(id, field, number);
}

int stint_nvtx_value_at(size_t position, struct stint_nvtx_value *row)
{
    const struct value *value = stint_nvtx_map_at(&s_values, position);
    *row = (struct stint_nvtx_value){0};
    if (!value)
        return -1;
    uint64_t key = __atomic_load_n(&value->key, __ATOMIC_ACQUIRE);
    const struct stint_entry *entry = stint_registry_entry((uint32_t)(key >> 32)); /* for a free place: the root */
    if (!key || __atomic_load_n(&value->epoch, __ATOMIC_ACQUIRE) != __atomic_load_n(&entry->epoch, __ATOMIC_ACQUIRE))
        return 0;
    uint64_t least = STINT_I_LOAD(&value->least);
    uint64_t most = STINT_I_LOAD(&value->most);
    row->set = entry->set->name;
    row->name = entry->name;
    row->field = stint_nvtx_kept((uint32_t)key);
    row->count = least && most ? STINT_I_LOAD(&value->count) : 0;
    if (!row->count)
        return 0;
    row->sum = double_of(STINT_I_LOAD(&value->sum));
    row->min = -number_of(least);
    row->max = number_of(most);
    return 1;
}

/* --------------------------------------------------------------------------------------------------------- counters */

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
static const struct counter *counter_of(const struct stint_nvtx_domain *domain, uint64_t number)
{
    const struct counter *counter = stint_nvtx_map_find(&s_counters, stint_nvtx_id_key(domain, number));
    if (counter && __atomic_load_n(&counter->id, __ATOMIC_ACQUIRE))
        return counter;
    stint_nvtx_count(&stint_dropped.nvtx_unknown, 1);
    return NULL;
}

void stint_nvtx_counter_sample(const struct stint_nvtx_domain *domain, uint64_t number, double value)
{
    const struct counter *counter = counter_of(domain, number);
    if (counter)
        stint_nvtx_value_add(counter->id, 0, value);
}

static void add_sample(const struct stint_nvtx_domain *domain, const struct counter *counter, const void *bytes,
                       size_t size)
{
    struct stint_nvtx_data data = {STINT_I_LOAD(&counter->schema), size, bytes};
    stint_nvtx_payload_add(domain, counter->id, &data, 1);
}

void stint_nvtx_counter_sample_bytes(const struct stint_nvtx_domain *domain, uint64_t number, const void *bytes,
                                     size_t size)
{
    const struct counter *counter = counter_of(domain, number);
    if (counter)
        add_sample(domain, counter, bytes, size);
}

void stint_nvtx_counter_sample_batch(const struct stint_nvtx_domain *domain,
                                     const struct stint_nvtx_counter_batch *batch)
{
    const struct counter *counter = counter_of(domain, batch->counter);
    size_t size = counter ? stint_nvtx_payload_size(domain, STINT_I_LOAD(&counter->schema)) : 0;
    if (!counter)
        return;
    if (!size || !batch->samples) {
        stint_nvtx_count(&stint_dropped.nvtx_unknown, 1);
        return;
    }
    for (size_t at = 0; batch->size - at >= size; at += size)
        add_sample(domain, counter, (const char *)batch->samples + at, size);
}
