/* Adds up what records say, under two keys: what was done, and which scope caused it. Two hash tables of a fixed size,
 * whose rows stay where they are in order of arrival, so that a position names a row for good. */
#include "gpu/activity_table.h"

#include <string.h>
#include <sys/mman.h>

#include "base/arena.h"
#include "contexts/contexts.h"
#include "record/registry.h"
#include "stat/numbers.h"

/* Rows in order of arrival, and a hash table of slots, at most half of them used, that hold the positions of rows. */
struct table {
    void *rows;
    uint32_t *slots; /* position + 1; 0: free */
    size_t count;
};

static struct {
    size_t limit;
    size_t mask; /* of slots */
    struct table activities;
    struct table charges;
    struct stint_arena histograms;
} s_tables;

static struct stint_activity_entry *activities(void)
{
    return s_tables.activities.rows;
}

static struct stint_activity_charge *charges(void)
{
    return s_tables.charges.rows;
}

static int map_table(struct table *table, size_t row_size)
{
    if (!table->rows)
        table->rows = stint_pages_map(s_tables.limit * row_size);
    if (!table->slots)
        table->slots = stint_pages_map((s_tables.mask + 1) * sizeof *table->slots);
    return table->rows && table->slots ? 0 : -1;
}

int stint_activities_start(size_t limit)
{
    if (!s_tables.limit) {
        s_tables.limit = limit < STINT_ACTIVITIES_LARGEST ? limit : STINT_ACTIVITIES_LARGEST;
        for (s_tables.mask = 1; s_tables.mask + 1 < 2 * s_tables.limit;)
            s_tables.mask = 2 * s_tables.mask + 1;
    }
    return map_table(&s_tables.activities, sizeof(struct stint_activity_entry)) ||
                   map_table(&s_tables.charges, sizeof(struct stint_activity_charge))
               ? -1
               : 0;
}

static void forget(struct table *table, size_t row_size)
{
    stint_pages_zero(table->rows, s_tables.limit * row_size);
    stint_pages_zero(table->slots, (s_tables.mask + 1) * sizeof *table->slots);
    table->count = 0;
}

void stint_activities_forget(void)
{
    forget(&s_tables.activities, sizeof(struct stint_activity_entry));
    forget(&s_tables.charges, sizeof(struct stint_activity_charge));
    stint_arena_reuse(&s_tables.histograms);
}

int stint_activities_are_full(void)
{
    return s_tables.activities.count == s_tables.limit;
}

size_t stint_activities_activity_count(void)
{
    return s_tables.activities.count;
}

size_t stint_activities_charge_count(void)
{
    return s_tables.charges.count;
}

const struct stint_activity_entry *stint_activities_activity(size_t position)
{
    return activities() + position;
}

const struct stint_activity_charge *stint_activities_charge(size_t position)
{
    return charges() + position;
}

/* ------------------------------------------------------------------------------------------------------- activities */

static int same_key(const struct stint_activity_key *a, const struct stint_activity_key *b)
{
    return a->name == b->name && a->stream == b->stream && a->context == b->context && a->device == b->device &&
           a->kind == b->kind;
}

static uint64_t hash_key(const struct stint_activity_key *key)
{
    return stint_hash_mix((uint64_t)key->name << 32 | key->stream,
                          (uint64_t)key->context << 32 | (key->device << 4 ^ (uint32_t)key->kind));
}

struct stint_activity_entry *stint_activities_find(const struct stint_activity_key *key)
{
    struct table *table = &s_tables.activities;
    size_t at = hash_key(key) & s_tables.mask;
    for (; table->slots[at]; at = (at + 1) & s_tables.mask)
        if (same_key(&activities()[table->slots[at] - 1].key, key))
            return &activities()[table->slots[at] - 1];
    if (stint_activities_are_full())
        return NULL;
    activities()[table->count].key = *key;
    table->slots[at] = (uint32_t)++table->count;
    return &activities()[table->count - 1];
}

/* ---------------------------------------------------------------------------------------------------------- charges */

static struct stint_activity_charge *find_charge(uint32_t activity, uint32_t path)
{
    struct table *table = &s_tables.charges;
    size_t at = stint_hash_mix(activity, path) & s_tables.mask;
    for (; table->slots[at]; at = (at + 1) & s_tables.mask) {
        struct stint_activity_charge *charge = &charges()[table->slots[at] - 1];
        if (charge->path == path && charge->activity == activity)
            return charge;
    }
    if (table->count == s_tables.limit)
        return NULL;
    charges()[table->count].activity = activity;
    charges()[table->count].path = path;
    table->slots[at] = (uint32_t)++table->count;
    return &charges()[table->count - 1];
}

static struct stint_activity_sum *charge_of(struct stint_activity_entry *activity, uint32_t path)
{
    if (path == STINT_PATH_NONE)
        return &activity->unattributed;
    if (path == STINT_PATH_ROOT)
        return &activity->no_scope;
    if (path == activity->last_path)
        return &charges()[activity->last_charge].sum;
    struct stint_activity_charge *charge = find_charge((uint32_t)(activity - activities()), path);
    if (!charge) {
        stint_count_dropped(&stint_dropped.gpu_activities);
        return &activity->unattributed;
    }
    activity->last_path = path;
    activity->last_charge = (uint32_t)(charge - charges());
    return &charge->sum;
}

/* ---------------------------------------------------------------------------------------------------------- numbers */

static void add(struct stint_activity_sum *sum, uint64_t ns, uint64_t bytes)
{
    if (!sum->count || ns < sum->min_ns)
        sum->min_ns = ns;
    if (ns > sum->max_ns)
        sum->max_ns = ns;
    sum->count++;
    sum->total_ns += ns;
    sum->bytes += bytes;
}

static void add_bytes(struct stint_activity_entry *activity, uint64_t bytes)
{
    if (activity->sum.count == 1 || bytes < activity->min_bytes)
        activity->min_bytes = bytes;
    if (bytes > activity->max_bytes)
        activity->max_bytes = bytes;
    activity->square_bytes2 += (double)bytes * (double)bytes;
}

void stint_activities_add(struct stint_activity_entry *activity, uint32_t path, uint64_t ns, uint64_t bytes)
{
    add(&activity->sum, ns, bytes);
    add(charge_of(activity, path), ns, bytes);
    activity->square_ns2 += (double)ns * (double)ns;
    if (stint_histogram_add(&activity->histogram, stint_i_bucket(ns), 1, &s_tables.histograms))
        stint_count_dropped(&stint_dropped.percentiles);
    if (activity->key.kind != STINT_GPU_KERNEL)
        add_bytes(activity, bytes);
}

size_t stint_activities_bins(const struct stint_activity_entry *activity, struct stint_bin *bins)
{
    return stint_histogram_bins(activity->histogram, 1, bins);
}

/* Memory straight from the system, for tables that are reserved at their full size but mostly stay empty. */

void *stint_pages_map(size_t size)
{
    void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

void stint_pages_zero(void *pages, size_t size)
{
    if (pages && madvise(pages, size, MADV_DONTNEED)) /* refused where memory is locked */
        memset(pages, 0, size);
}
