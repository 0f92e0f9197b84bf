/* Push and pop beyond the fast path: the first range of a thread, more ranges than there was room for, ranges with
 * texts for a recording, and pops that fit no push. What cannot be recorded is still kept on the stack, so that levels
 * stay right. */
#include "nvtx/range.h"

#include <string.h>

#include "base/clock.h"
#include "record/scope.h"
#include "record/suspend.h"

enum { FIRST_CAPACITY = 64, FIRST_KEPT = 1 << 14 };

/* Number of ranges, of all domains, that the thread pushed before it had memory for them. */
static STINT_I_THREAD_LOCAL uint32_t tl_unseen __attribute__((tls_model("initial-exec")));

/* ----------------------------------------------------------------------------------------------------------- places */

/* Returns 0, or -1 without memory. The old memory is not freed, because a signal handler may have interrupted its
 * use. */
static int grow(struct stint_thread_record *record, struct stint_nvtx_ranges *ranges)
{
    uint32_t capacity = ranges->capacity ? 2 * ranges->capacity : FIRST_CAPACITY;
    struct stint_nvtx_open *open;
    if (capacity > STINT_NVTX_MAX_DEPTH)
        return -1;
    open = stint_arena_alloc(&record->tree.arena, capacity * sizeof *open);
    if (!open)
        return -1;
    if (ranges->depth)
        memcpy(open, ranges->open, ranges->depth * sizeof *open);
    ranges->open = open;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    ranges->capacity = capacity;
    return 0;
}

/* Makes room for `length` more bytes. Returns 0, or -1 if there is none. The old memory is not freed. */
static int grow_kept(struct stint_thread_record *record, struct stint_nvtx_ranges *ranges, uint32_t length)
{
    uint32_t size = ranges->kept_size ? ranges->kept_size : FIRST_KEPT;
    while (size - ranges->kept_used < length)
        size *= 2;
    if (size > STINT_NVTX_MAX_OPEN_TEXT)
        return -1;
    char *kept = stint_arena_alloc(&record->tree.arena, size);
    if (!kept)
        return -1;
    if (ranges->kept_used)
        memcpy(kept, ranges->kept, ranges->kept_used);
    ranges->kept = kept;
    ranges->kept_size = size;
    return 0;
}

static void keep(struct stint_thread_record *record, struct stint_nvtx_ranges *ranges, struct stint_nvtx_open *open,
                 const struct stint_note_more *more)
{
    uint32_t length = (uint32_t)sizeof *more + more->length;
    if (ranges->kept_size - ranges->kept_used < length && grow_kept(record, ranges, length)) {
        stint_count_dropped(&stint_dropped.truncated);
        return;
    }
    memcpy(ranges->kept + ranges->kept_used, more, sizeof *more);
    if (more->length)
        memcpy(ranges->kept + ranges->kept_used + sizeof *more, more->text, more->length);
    open->kept = ranges->kept_used;
    open->state = length << STINT_NVTX_KEPT_SHIFT;
    ranges->kept_used += length;
    ranges->special++;
}

static struct stint_nvtx_ranges *ranges_of(struct stint_thread_record *record)
{
    if (!record->extension) {
        void *ranges = stint_arena_alloc(&record->tree.arena, sizeof(struct stint_nvtx_ranges));
        __atomic_store_n(&record->extension, ranges, __ATOMIC_RELEASE); /* snapshots read it */
    }
    return record->extension;
}

/* ------------------------------------------------------------------------------------------------------------- push */

static struct stint_i_node *enter(struct stint_thread_record *record, uint32_t id)
{
    struct stint_tree *tree = &record->tree;
    struct stint_i_node *node;
    if (!id)
        return NULL;
    stint_thread_begin_helping(record, 0);
    node = stint_tree_child(tree, tree->hot.current, id);
    if (node)
        stint_scope_begin(&tree->hot, node);
    else
        stint_thread_end_helping(record, stint_clock_ticks());
    return node;
}

/* Inside the guard. */
static int push(struct stint_thread_record *record, struct stint_nvtx_ranges *ranges,
                const struct stint_nvtx_domain *domain, uint32_t id, const struct stint_note_more *more)
{
    struct stint_nvtx_open *open;
    stint_nvtx_settle(&record->tree, ranges);
    if (ranges->beyond || (ranges->depth == ranges->capacity && grow(record, ranges))) {
        ranges->beyond++;
        stint_nvtx_count(&stint_dropped.nvtx_depth, 1);
    } else {
        open = &ranges->open[ranges->depth++];
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        *open = (struct stint_nvtx_open){.domain = domain, .id = id};
        if (more)
            keep(record, ranges, open, more);
        open->node = enter(record, id);
    }
    return (int)ranges->level[domain->index]++;
}

/* In a signal handler that interrupted stint: pushes a range that is not recorded. */
static int push_unrecorded(const struct stint_nvtx_domain *domain)
{
    const struct stint_thread_record *record = stint_thread_self();
    struct stint_nvtx_ranges *ranges = record ? record->extension : NULL;
    if (!ranges || ranges->beyond || ranges->depth >= ranges->capacity) {
        tl_unseen++;
        return STINT_NVTX_UNTRACKED;
    }
    ranges->open[ranges->depth++] = (struct stint_nvtx_open){.domain = domain};
    return (int)ranges->level[domain->index]++;
}

__attribute__((cold)) static int push_slow(struct stint_nvtx_domain *domain, uint32_t id,
                                           const struct stint_note_more *more)
{
    struct stint_thread_record *record;
    int level = STINT_NVTX_UNTRACKED, error;
    stint_suspend_check_due();
    if (!stint_nvtx_begin(&error))
        return push_unrecorded(domain);
    if (stint_registry_enabled()) {
        record = stint_thread_acquire();
    } else {
        record = stint_thread_self();
        id = 0;
    }
    if (record && (record->extension || (stint_registry_enabled() && ranges_of(record)))) {
        stint_scope_catch_up(record);
        level = push(record, record->extension, domain, id, more);
    } else {
        tl_unseen++;
    }
    stint_nvtx_end(error);
    return level;
}

int stint_nvtx_range_push_slow(struct stint_nvtx_domain *domain, uint32_t id)
{
    return push_slow(domain, id, NULL);
}

int stint_nvtx_range_push_more(struct stint_nvtx_domain *domain, uint32_t id, const struct stint_note_more *more)
{
    return id && !stint_note_is_plain(more) ? push_slow(domain, id, more) : stint_nvtx_range_push(domain, id);
}

/* -------------------------------------------------------------------------------------------------------------- pop */

/* Ends the domain's innermost range, which must exist. Inside the guard. */
static void pop(struct stint_tree *tree, struct stint_nvtx_ranges *ranges, const struct stint_nvtx_domain *domain,
                uint64_t now, uint32_t *id)
{
    uint32_t at = ranges->depth;
    if (ranges->beyond) {
        ranges->beyond--;
        return;
    }
    while (at-- > 0)
        if (ranges->open[at].domain == domain && !(ranges->open[at].state & STINT_NVTX_ENDED))
            break;
    if (at == UINT32_MAX)
        return;
    *id = ranges->open[at].id;
    stint_nvtx_end_range(tree, ranges, at, now);
}

/* In a signal handler that interrupted stint: pops a range that such a handler pushed. */
static int pop_unrecorded(struct stint_nvtx_ranges *ranges, const struct stint_nvtx_domain *domain)
{
    const struct stint_nvtx_open *open = ranges && ranges->depth ? &ranges->open[ranges->depth - 1] : NULL;
    if (!open || open->domain != domain || open->node || ranges->beyond)
        return STINT_NVTX_MISMATCHED;
    ranges->depth--;
    return (int)--ranges->level[domain->index];
}

static int pop_nothing(void)
{
    if (tl_unseen) {
        tl_unseen--;
        return STINT_NVTX_UNTRACKED;
    }
    if (!stint_registry_enabled())
        return STINT_NVTX_UNTRACKED;
    stint_count_dropped(&stint_dropped.mismatched);
    return STINT_NVTX_MISMATCHED;
}

int stint_nvtx_range_pop_slow(struct stint_nvtx_domain *domain, uint32_t *id)
{
    uint64_t now = stint_clock_ticks();
    struct stint_thread_record *record = stint_thread_self();
    struct stint_nvtx_ranges *ranges = record ? record->extension : NULL;
    int error;
    *id = 0;
    if (!ranges || !ranges->level[domain->index])
        return pop_nothing();
    if (!stint_nvtx_begin(&error))
        return pop_unrecorded(ranges, domain);
    stint_scope_catch_up(record);
    stint_nvtx_settle(&record->tree, ranges);
    pop(&record->tree, ranges, domain, now, id);
    stint_thread_end_helping(record, now);
    int level = (int)--ranges->level[domain->index];
    stint_nvtx_end(error);
    return level;
}
