/* Adds to a thread's tree what has a time but is no scope that runs on it: marks, and ranges that are started and ended
 * by number, on any thread. Open ones are in a table, with a list of free places that needs no lock. A number that was
 * used up does not end a later range in the same place. */
#include "nvtx/range.h"

#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "nvtx/domain.h"
#include "nvtx/string.h"
#include "record/scope.h"
#include "support/annotation.h"

uint64_t stint_nvtx_span(uint64_t start, uint64_t now)
{
    if (now >= start)
        return now - start;
    stint_count_dropped(&stint_dropped.negative);
    return 0;
}

struct stint_note_more stint_nvtx_more_of_text(const char *text)
{
    struct stint_annotation annotation;
    size_t length;
    if (!stint_notes_are_on || !text)
        return (struct stint_note_more){0};
    length = strlen(text);
    if (!stint_annotation_read(&annotation, text, length))
        return (struct stint_note_more){0};
    if (length > STINT_NOTE_TEXT_MOST) {
        stint_count_dropped(&stint_dropped.truncated);
        length = stint_utf8_cut(text, STINT_NOTE_TEXT_MOST);
    }
    return (struct stint_note_more){.length = (uint32_t)length, .text = text};
}

struct stint_note_more stint_nvtx_more(const struct stint_nvtx_attributes *whole)
{
    struct stint_note_more more = stint_nvtx_more_of_text(stint_nvtx_event_text(whole));
    if (stint_notes_are_on) {
        more.color = whole->color_type != STINT_NVTX_COLOR_NONE ? whole->color : 0;
        more.category = whole->category;
    }
    return more;
}

static void add(struct stint_tree *tree, uint32_t id, uint64_t start, uint64_t ticks,
                const struct stint_note_more *more)
{
    struct stint_i_node *node = stint_tree_child(tree, tree->floating, id);
    if (!node)
        return;
    stint_count(&tree->hot, node, ticks, 1);
    STINT_I_ADD(&node->self, ticks);
    if (stint_note_is_plain(more))
        stint_note(&tree->hot, node, start, ticks, STINT_NOTE_FLOATING);
    else
        stint_note_more(tree, node, start, ticks, STINT_NOTE_FLOATING, more);
}

/* Adds a sample of `ticks`, from `start` on and not within a scope, to the statistic; id 0: does nothing. */
static void add_sample(uint32_t id, uint64_t start, uint64_t ticks, const struct stint_note_more *more)
{
    int error;
    if (!id || !stint_nvtx_begin(&error))
        return;
    struct stint_thread_record *record = stint_thread_acquire();
    if (record) {
        stint_scope_catch_up(record);
        add(&record->tree, id, start, ticks, more);
    }
    stint_nvtx_end(error);
}

void stint_nvtx_mark(uint32_t id, struct stint_note_more more)
{
    add_sample(id, stint_clock_ticks(), 0, &more);
}

/* -------------------------------------------------------------------------------- ranges from one thread to another */

/* A range's number consists of the number of its place and, above it, of how often the place has been used: a number is
 * reused only after 2^48 uses of one place. */
enum { PLACE_BITS = 16 };

struct open {
    uint64_t range; /* 0: free; the thread that changes it from a range's number to 0 has ended that range */
    uint64_t uses;
    uint64_t start; /* ticks */
    uint32_t id;
    uint32_t next; /* free place + 1 */
    char *room;    /* for a text; NULL: the place has never needed any */
    struct stint_note_more more;
};

enum { MOST_TEXT = 1023 };

/* `free` is the first free place + 1 and, above it, a number that changes with every use, so that a thread notices if
 * others took and returned places in between. Places from `fresh` on have not been used yet. */
static struct open *s_open;
static uint64_t s_free;
static uint32_t s_fresh;

int stint_nvtx_spans_start(void)
{
    s_open = stint_arena_alloc(&stint_nvtx_arena, STINT_NVTX_MAX_OPEN * sizeof *s_open);
    return s_open ? 0 : -1;
}

/* ----------------------------------------------------------------------------------------------------------- places */

static uint64_t next_free(uint64_t free, uint32_t first)
{
    return ((free >> 32) + 1) << 32 | first;
}

static struct open *take_free(void)
{
    uint64_t free = __atomic_load_n(&s_free, __ATOMIC_ACQUIRE);
    uint32_t first;
    while ((first = (uint32_t)free)) {
        struct open *open = &s_open[first - 1];
        if (__atomic_compare_exchange_n(&s_free, &free, next_free(free, STINT_I_LOAD(&open->next)), 0, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE))
            return open;
    }
    return NULL;
}

static struct open *take_fresh(void)
{
    uint32_t fresh = STINT_I_LOAD(&s_fresh);
    while (fresh < STINT_NVTX_MAX_OPEN)
        if (__atomic_compare_exchange_n(&s_fresh, &fresh, fresh + 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            return &s_open[fresh];
    return NULL;
}

static void give_back(struct open *open)
{
    uint64_t free = __atomic_load_n(&s_free, __ATOMIC_RELAXED);
    do
        STINT_I_STORE(&open->next, (uint32_t)free);
    while (!__atomic_compare_exchange_n(&s_free, &free, next_free(free, (uint32_t)(open - s_open) + 1), 0,
                                        __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

/* ------------------------------------------------------------------------------------------------------------ texts */

static char *make_room(void)
{
    char *room;
    int error;
    if (!stint_nvtx_begin(&error))
        return NULL;
    stint_registry_lock();
    room = stint_arena_alloc(&stint_nvtx_arena, MOST_TEXT);
    stint_registry_unlock();
    stint_nvtx_end(error);
    return room;
}

/* Keeps what is to be noted until the range ends. */
static void keep(struct open *open, const struct stint_note_more *more)
{
    open->more = *more;
    if (!more->length)
        return;
    if (!open->room)
        open->room = make_room();
    if (!open->room || more->length > MOST_TEXT) {
        stint_count_dropped(&stint_dropped.truncated);
        open->more.length = 0;
        return;
    }
    memcpy(open->room, more->text, more->length);
    open->more.text = open->room;
}

/* ----------------------------------------------------------------------------------------------------------- ranges */

uint64_t stint_nvtx_span_start(uint32_t id, struct stint_note_more more)
{
    struct open *open = id ? take_free() : NULL;
    if (id && !open)
        open = take_fresh();
    if (!open) {
        stint_nvtx_count(&stint_dropped.nvtx_ranges, id != 0);
        return 0;
    }
    open->id = id;
    keep(open, &more);
    uint64_t range = ++open->uses << PLACE_BITS | (uint64_t)(open - s_open);
    open->start = stint_clock_ticks();
    __atomic_store_n(&open->range, range, __ATOMIC_RELEASE);
    return range;
}

/* A range that was open during a reset counts from the reset on, as running scopes do. */
static uint64_t start_of(const struct open *open)
{
    uint64_t reset = STINT_I_LOAD(&stint_registry_entry(open->id)->reset_ticks);
    return open->start > reset ? open->start : reset;
}

uint32_t stint_nvtx_span_end(uint64_t range)
{
    uint64_t now = stint_clock_ticks();
    struct open *open = &s_open[range & ((1 << PLACE_BITS) - 1)];
    if (!range)
        return 0;
    if (!__atomic_compare_exchange_n(&open->range, &range, UINT64_C(0), 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        stint_count_dropped(&stint_dropped.mismatched);
        return 0;
    }
    uint32_t id = open->id;
    add_sample(id, start_of(open), stint_nvtx_span(start_of(open), now), &open->more);
    give_back(open);
    return id;
}

uint64_t stint_nvtx_spans_open(void)
{
    uint32_t fresh = __atomic_load_n(&s_fresh, __ATOMIC_ACQUIRE);
    uint64_t count = 0;
    for (uint32_t i = 0; s_open && i < fresh; i++)
        count += STINT_I_LOAD(&s_open[i].range) != 0;
    return count;
}
