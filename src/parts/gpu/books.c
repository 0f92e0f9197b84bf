#include "gpu/books.h"

#include "base/index.h"
#include "gpu/pages.h"
#include "record/path.h"
#include "record/registry.h"
#include "stat/histogram.h"

/* Rows in order of arrival, and a hash table of slots, at most half of them used, that hold the positions of rows. */
struct book {
    void *rows;
    uint32_t *slots; /* position + 1; 0: free */
    size_t count;
};

static struct {
    size_t limit;
    size_t mask; /* of slots */
    struct book activities;
    struct book charges;
    struct stint_arena histograms;
} s_books;

static struct stint_book_activity *activities(void)
{
    return s_books.activities.rows;
}

static struct stint_book_charge *charges(void)
{
    return s_books.charges.rows;
}

static int map_book(struct book *book, size_t row_size)
{
    if (!book->rows)
        book->rows = stint_pages_map(s_books.limit * row_size);
    if (!book->slots)
        book->slots = stint_pages_map((s_books.mask + 1) * sizeof *book->slots);
    return book->rows && book->slots ? 0 : -1;
}

int stint_books_start(size_t limit)
{
    if (!s_books.limit) {
        s_books.limit = limit < STINT_BOOKS_LARGEST ? limit : STINT_BOOKS_LARGEST;
        for (s_books.mask = 1; s_books.mask + 1 < 2 * s_books.limit;)
            s_books.mask = 2 * s_books.mask + 1;
    }
    return map_book(&s_books.activities, sizeof(struct stint_book_activity)) ||
                   map_book(&s_books.charges, sizeof(struct stint_book_charge))
               ? -1
               : 0;
}

static void forget(struct book *book, size_t row_size)
{
    stint_pages_zero(book->rows, s_books.limit * row_size);
    stint_pages_zero(book->slots, (s_books.mask + 1) * sizeof *book->slots);
    book->count = 0;
}

void stint_books_forget(void)
{
    forget(&s_books.activities, sizeof(struct stint_book_activity));
    forget(&s_books.charges, sizeof(struct stint_book_charge));
    stint_arena_reuse(&s_books.histograms);
}

int stint_books_are_full(void)
{
    return s_books.activities.count == s_books.limit;
}

size_t stint_books_activity_count(void)
{
    return s_books.activities.count;
}

size_t stint_books_charge_count(void)
{
    return s_books.charges.count;
}

const struct stint_book_activity *stint_books_activity(size_t position)
{
    return activities() + position;
}

const struct stint_book_charge *stint_books_charge(size_t position)
{
    return charges() + position;
}

/* ------------------------------------------------------------------------------------------------------- activities */

static int same_key(const struct stint_book_key *a, const struct stint_book_key *b)
{
    return a->name == b->name && a->stream == b->stream && a->context == b->context && a->device == b->device &&
           a->kind == b->kind;
}

static uint64_t hash_key(const struct stint_book_key *key)
{
    return stint_hash_mix((uint64_t)key->name << 32 | key->stream,
                          (uint64_t)key->context << 32 | (key->device << 4 ^ (uint32_t)key->kind));
}

struct stint_book_activity *stint_books_find(const struct stint_book_key *key)
{
    struct book *book = &s_books.activities;
    size_t at = hash_key(key) & s_books.mask;

    for (; book->slots[at]; at = (at + 1) & s_books.mask)
        if (same_key(&activities()[book->slots[at] - 1].key, key))
            return &activities()[book->slots[at] - 1];
    if (stint_books_are_full())
        return NULL;
    activities()[book->count].key = *key;
    book->slots[at] = (uint32_t)++book->count;
    return &activities()[book->count - 1];
}

/* ---------------------------------------------------------------------------------------------------------- charges */

static struct stint_book_charge *find_charge(uint32_t activity, uint32_t path)
{
    struct book *book = &s_books.charges;
    size_t at = stint_hash_mix(activity, path) & s_books.mask;

    for (; book->slots[at]; at = (at + 1) & s_books.mask) {
        struct stint_book_charge *charge = &charges()[book->slots[at] - 1];

        if (charge->path == path && charge->activity == activity)
            return charge;
    }
    if (book->count == s_books.limit)
        return NULL;
    charges()[book->count].activity = activity;
    charges()[book->count].path = path;
    book->slots[at] = (uint32_t)++book->count;
    return &charges()[book->count - 1];
}

static struct stint_book_sum *charge_of(struct stint_book_activity *activity, uint32_t path)
{
    if (path == STINT_PATH_NONE)
        return &activity->unattributed;
    if (path == STINT_PATH_ROOT)
        return &activity->no_scope;
    if (path == activity->last_path)
        return &charges()[activity->last_charge].sum;
    struct stint_book_charge *charge = find_charge((uint32_t)(activity - activities()), path);
    if (!charge) {
        stint_count_dropped(&stint_dropped.gpu_activities);
        return &activity->unattributed;
    }
    activity->last_path = path;
    activity->last_charge = (uint32_t)(charge - charges());
    return &charge->sum;
}

/* ---------------------------------------------------------------------------------------------------------- numbers */

static void add(struct stint_book_sum *sum, uint64_t ns, uint64_t bytes)
{
    if (!sum->count || ns < sum->min_ns)
        sum->min_ns = ns;
    if (ns > sum->max_ns)
        sum->max_ns = ns;
    sum->count++;
    sum->total_ns += ns;
    sum->bytes += bytes;
}

static void add_bytes(struct stint_book_activity *activity, uint64_t bytes)
{
    if (activity->sum.count == 1 || bytes < activity->min_bytes)
        activity->min_bytes = bytes;
    if (bytes > activity->max_bytes)
        activity->max_bytes = bytes;
    activity->square_bytes2 += (double)bytes * (double)bytes;
}

void stint_books_add(struct stint_book_activity *activity, uint32_t path, uint64_t ns, uint64_t bytes)
{
    add(&activity->sum, ns, bytes);
    add(charge_of(activity, path), ns, bytes);
    activity->square_ns2 += (double)ns * (double)ns;
    if (stint_histogram_add(&activity->histogram, stint_i_bucket(ns), 1, &s_books.histograms))
        stint_count_dropped(&stint_dropped.memory);
    if (activity->key.kind != STINT_GPU_KERNEL)
        add_bytes(activity, bytes);
}

size_t stint_books_bins(const struct stint_book_activity *activity, struct stint_bin *bins)
{
    return stint_histogram_bins(&activity->histogram, 1, bins);
}
