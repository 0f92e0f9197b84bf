/* Translates between the handles of two tools, by hash tables from the handle that the program has to what each tool
 * gave. */
#include "inject/inject.h"

#include <string.h>

#include "nvtx/domain.h"
#include "nvtx/string.h"
#include "stint/detail/api.h"

/* Strings, domains, and resources, which have names. */
enum { MOST_HANDLES = STINT_NVTX_MAX_STRINGS + STINT_NVTX_MAX_DOMAINS + STINT_NVTX_MAX_NAMES };

struct item {
    uint64_t key; /* the program's handle */
    struct stint_handle handle;
};

static struct stint_nvtx_map s_items;

/* By the lower bits of stint's number, which are those of the range's place (nvtx/sample.c). */
static struct stint_handle_range *s_ranges;

int stint_handle_start(void)
{
    static struct stint_arena arena;

    s_ranges = stint_arena_alloc(&arena, STINT_NVTX_MAX_OPEN * sizeof *s_ranges);
    return !s_ranges || stint_nvtx_map_begin(&s_items, &arena, sizeof(struct item), MOST_HANDLES) ? -1 : 0;
}

/* ---------------------------------------------------------------------------------------------------------- handles */

const void *stint_handle_join(const void *ours, const void *theirs)
{
    const void *handle = theirs ? theirs : ours;
    struct item *item = handle ? stint_nvtx_map_add(&s_items, (uintptr_t)handle) : NULL;

    if (item) {
        STINT_I_STORE(&item->handle.ours, ours);
        STINT_I_STORE(&item->handle.theirs, theirs);
    }
    return handle;
}

struct stint_handle stint_handle_split(const void *handle)
{
    const struct item *item = handle ? stint_nvtx_map_find(&s_items, (uintptr_t)handle) : NULL;

    if (!item)
        return (struct stint_handle){handle, handle};
    return (struct stint_handle){STINT_I_LOAD(&item->handle.ours), STINT_I_LOAD(&item->handle.theirs)};
}

static const struct stint_nvtx_attributes *with_text(struct stint_nvtx_attributes *copy,
                                                     const struct stint_nvtx_attributes *attributes, const void *text)
{
    memcpy(copy, attributes, sizeof *copy);
    copy->size = sizeof *copy;
    copy->text.registered = text;
    return copy;
}

void stint_handle_split_attributes(struct stint_handle_attributes *split,
                                   const struct stint_nvtx_attributes *attributes)
{
    split->ours = split->theirs = attributes;
    if (!attributes || attributes->size < sizeof *attributes || attributes->text_type != STINT_NVTX_TEXT_REGISTERED)
        return;
    struct stint_handle text = stint_handle_split(attributes->text.registered);
    if (text.ours != attributes->text.registered)
        split->ours = with_text(&split->copies[0], attributes, text.ours);
    if (text.theirs != attributes->text.registered)
        split->theirs = with_text(&split->copies[1], attributes, text.theirs);
}

/* ----------------------------------------------------------------------------------------------------------- ranges */

/* Marks a number that only the other tool gave: stint's numbers are never that large. */
#define THEIRS_ALONE (UINT64_C(1) << 63)

static struct stint_handle_range *place_of(uint64_t ours)
{
    return &s_ranges[ours % STINT_NVTX_MAX_OPEN];
}

uint64_t stint_handle_join_range(uint64_t ours, uint64_t theirs)
{
    if (!ours)
        return theirs ? theirs | THEIRS_ALONE : 0;
    STINT_I_STORE(&place_of(ours)->theirs, theirs);
    STINT_I_STORE(&place_of(ours)->ours, ours);
    return ours;
}

struct stint_handle_range stint_handle_split_range(uint64_t range)
{
    if (range & THEIRS_ALONE)
        return (struct stint_handle_range){0, range & ~THEIRS_ALONE};
    return (struct stint_handle_range){
        range, range && STINT_I_LOAD(&place_of(range)->ours) == range ? STINT_I_LOAD(&place_of(range)->theirs) : 0};
}
