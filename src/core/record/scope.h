/* The slow path of enter and leave, and everything else that adds samples. Callers hold no guard and no lock. */
#ifndef STINT_RECORD_SCOPE_H
#define STINT_RECORD_SCOPE_H

#include <stdint.h>

#include "stint/detail/record.h"
#include "stint/detail/scope.h"
#include "stint/status.h"
#include "stint/timer.h"

/* A listener is told of every scope except calls of CUDA's API, on the scope's thread. Another stage uses it to make,
 * for example, a range for a tool. It is called outside of the guard and of all locks, so it may take long, but it must
 * not enter scopes. */
struct stint_listener {
    void (*enter)(uint32_t id);
    void (*leave)(uint32_t id); /* also for scopes popped because an outer one ended */
};

/* Sets the listener; once, before any scope is entered. From then on no scope takes the fast path. */
void stint_scope_listen(const struct stint_listener *listener);
int stint_scope_has_listener(void);

struct stint_thread_record;
struct stint_tree;

/* The first step of each slow path, inside the guard: catches up with resets, lets the fast path run from now on,
 * unless stint_i_state forbids it for all, and makes room for a note. */
void stint_scope_catch_up(struct stint_thread_record *record);

/* Begins an activation of the node, a child of the running one or one that was adopted. */
void stint_scope_begin(struct stint_i_tree *tree, struct stint_i_node *node);

/* Each returns the node entered, or NULL if recording is off or the scope was dropped, which is counted. `name` is
 * looked up if `site` is NULL or `dynamic`; otherwise the site remembers it. `place` is where the stack of the function
 * with the scope ends; 0: it is not known. */
struct stint_i_node *stint_scope_enter(struct stint_i_site *site, const char *name, struct stint_statset *set,
                                       uintptr_t place);
struct stint_i_node *stint_scope_enter_dynamic(struct stint_i_site *site, const char *name, struct stint_statset *set,
                                               uintptr_t place);

/* Enters the scope of a statistic whose id is known, not 0. */
struct stint_i_node *stint_scope_enter_id(uint32_t id);

/* The same by who is within the guard, and without telling the listener. */
struct stint_i_node *stint_scope_enter_guarded(uint32_t id);

/* Moves the beginning of the scope just entered back to `start_us`. */
__attribute__((cold)) void stint_scope_move_start(struct stint_i_node *node, uint64_t start_us);

/* Ends the node's activation at `now`, and those below it. Returns 1; or 0 if the node does not run on this thread,
 * which is counted. */
int stint_scope_end(struct stint_i_node *node, uint64_t now, uint64_t *span);

/* Does that at `counter`, which was read inline, or now where the clock cannot be read inline, and tells the listener.
 * Returns the span in ticks, 0 if the node is not running on this thread. */
uint64_t stint_scope_leave(struct stint_i_node *node, uint64_t counter);

/* As stint_scope_leave, but has `note` note the activation, unless that is NULL. It is called inside the guard. */
typedef void stint_scope_note_fn(struct stint_tree *tree, const struct stint_i_node *node, uint64_t start,
                                 uint64_t span, const void *context);
uint64_t stint_scope_leave_noted(struct stint_i_node *node, uint64_t counter, stint_scope_note_fn *note,
                                 const void *context);

/* Pops the node, if it is running on this thread, and those below it, which were left without notice. NULL does
 * nothing. */
void stint_scope_abandon(struct stint_i_node *node);

/* Ends, now, all scopes of the thread that `outer` encloses: they were left without notice, by longjmp or the end of
 * the thread. */
__attribute__((cold)) void stint_scope_leave_until(const struct stint_i_node *outer);

__attribute__((cold)) enum stint_status stint_scope_timer_start(struct stint_timer *timer, const char *name,
                                                                struct stint_statset *set);
__attribute__((cold)) enum stint_status stint_scope_timer_stop(struct stint_timer *timer);
__attribute__((cold)) enum stint_status stint_scope_add(const struct stint_statset *set, const char *name, uint64_t ns);

/* Counts, and logs once per statistic, that a static site's name is not the one it was registered with. */
void stint_scope_check_name(const struct stint_i_site *site, const char *name);

/* Logs the slow line if `span` reaches the scope's threshold. */
void stint_scope_report_slow(const struct stint_i_slow_scope *scope, uint32_t id, uint64_t span);

/* ------------------------------------------------------------------------------------------------------------ count */

/* Counting and ending activations from inside the library. What stint/detail/record.h does inline gives up, before it
 * changes anything, where the histogram needs memory or a note finds no room; these do the rest. `guarded` says whether
 * the caller is inside the guard. */

/* Counts a sample in the histogram of `node`, with memory of the tree if it needs some. */
void stint_count_slow(struct stint_i_tree *tree, struct stint_i_node *node, uint64_t span, int guarded);

struct stint_thread_record;

/* Makes sure that the thread has room for a note, where that is possible. To be called inside the guard, by the thread
 * itself. Set where activations are noted for a trace, as soon as a tree has a noted_limit. */
extern void (*stint_note_make_room)(struct stint_thread_record *record);

/* Of struct stint_i_noted's `form`: a sample that no scope of the thread encloses. */
enum { STINT_NOTE_SCOPE = 0, STINT_NOTE_FLOATING = 1 };

/* Notes an activation for the trace, in memory that may have to be made room in first. Counts it as dropped if there is
 * no room, or if this interrupted a note. */
void stint_note_slow(struct stint_i_tree *tree, const struct stint_i_node *node, uint64_t start, uint64_t span,
                     uint32_t form);

static inline void stint_count(struct stint_i_tree *tree, struct stint_i_node *node, uint64_t span, int guarded)
{
    stint_i_count(node, span, (double)(int64_t)span);
    if (stint_i_has_buckets(node) && STINT_I_UNLIKELY(!stint_i_count_newest(node, stint_i_bucket(span))))
        stint_count_slow(tree, node, span, guarded);
}

/* Does nothing without a trace. */
static inline void stint_note(struct stint_i_tree *tree, const struct stint_i_node *node, uint64_t start, uint64_t span,
                              uint32_t form)
{
    if (STINT_I_UNLIKELY(tree->noted_limit != NULL) && !stint_i_note(tree, node, start, span, form))
        stint_note_slow(tree, node, start, span, form);
}

/* Ends the running activation of tree->current, which took `span` ticks, without noting it. */
void stint_end_unnoted(struct stint_i_tree *tree, struct stint_i_node *node, uint64_t span, int guarded);

/* Ends the running activation of tree->current, which took `span` ticks. */
static inline void stint_end(struct stint_i_tree *tree, struct stint_i_node *node, uint64_t span, int guarded)
{
    stint_note(tree, node, STINT_I_LOAD(&node->start), span, 0);
    stint_end_unnoted(tree, node, span, guarded);
}

#endif
