/* Records calls of the C library once they are over, if they took long enough. Only then does a call get a node in the
 * tree, below the scope that runs, so that a short one costs little more than two readings of the clock. */
#include "contexts/contexts.h"

#include <errno.h>

#include "base/clock.h"
#include "base/process.h"
#include "record/registry.h"
#include "record/scope.h"
#include "record/suspend.h"
#include "record/thread.h"
#include "runtime/runtime.h"
#include "stint/snapshot.h"

static const struct stint_statset *s_set; /* NULL until there is a call */

/* In ticks, spans of less than `least` are too short, and those from `enough` on are not. What is in between, which is
 * everything until the clock's rate is known, is compared in ns. */
static struct {
    uint64_t least_ns;
    uint64_t least;
    uint64_t enough;
} s_threshold;

void stint_os_calls_start(uint64_t least_ns)
{
    s_threshold.least_ns = least_ns;
    s_threshold.least = 0;
    s_threshold.enough = least_ns ? UINT64_MAX : 0;
}

void stint_os_call_begin(struct stint_os_call *call)
{
    const struct stint_i_node *around = stint_i_self->current;
    call->start = 0;
    if (!STINT_I_LOAD(&stint_i_state)) {
        stint_suspend_check_due();
        return;
    }
    if (stint_is_own_work || stint_guard_is_held())
        return;
    call->around = around;
    call->around_start = around ? around->start : 0;
    call->around_child = around ? around->child : 0;
    call->generation = stint_registry_generation();
    call->start = stint_clock_ticks();
}

/* To ask for the clock's rate takes longer than anything else here. */
static int is_short_in_ns(uint64_t span)
{
    double ns_per_tick = stint_clock_ns_per_tick(), least_ns = (double)s_threshold.least_ns;
    if (stint_clock_wall_ns() > 1000000) {
        STINT_I_STORE(&s_threshold.least, (uint64_t)(0.99 * least_ns / ns_per_tick));
        STINT_I_STORE(&s_threshold.enough, (uint64_t)(1.01 * least_ns / ns_per_tick) + 1);
    }
    return (double)span * ns_per_tick < least_ns;
}

static int is_short(uint64_t span)
{
    if (span >= STINT_I_LOAD(&s_threshold.enough))
        return 0;
    return span < STINT_I_LOAD(&s_threshold.least) || is_short_in_ns(span);
}

/* A signal handler may have run scopes of its own meanwhile, beside the call in the tree: they were within the call. */
static void count(struct stint_i_tree *tree, struct stint_i_node *node, const struct stint_os_call *call, uint64_t span)
{
    struct stint_i_node *parent = node->parent;
    int same = call->around ? parent == call->around && parent->start == call->around_start : !parent->parent;
    uint64_t within = same ? parent->child - call->around_child : 0;
    stint_note(tree, node, call->start, span, STINT_NOTE_SCOPE);
    stint_count(tree, node, span, 1);
    if (within > span)
        within = span;
    STINT_I_ADD(&node->self, span - within);
    STINT_I_ADD(&parent->child, span - within);
}

/* Inside the guard. */
static void count_call(const struct stint_os_call *call, uint32_t *id, const char *name, uint64_t span)
{
    struct stint_thread_record *record = stint_registry_enabled() ? stint_thread_acquire() : NULL;
    if (!record || call->generation != stint_registry_generation())
        return;
    stint_scope_catch_up(record);
    if (!STINT_I_LOAD(id))
        STINT_I_STORE(id, stint_call_id_in(&s_set, STINT_OS_SET, name));
    struct stint_i_node *node =
        STINT_I_LOAD(id) ? stint_tree_child(&record->tree, record->tree.hot.current, STINT_I_LOAD(id)) : NULL;
    if (node)
        count(&record->tree.hot, node, call, span);
}

void stint_os_call_end(const struct stint_os_call *call, uint32_t *id, const char *name, int always)
{
    uint64_t now = stint_clock_ticks();
    uint64_t span = now > call->start ? now - call->start : 0;
    int error = errno;
    if (!call->start || (!always && is_short(span)) || !stint_guard_begin())
        return;
    count_call(call, id, name, span);
    stint_guard_end();
    errno = error;
}

/* In ns. nsys profile has the same default, because shorter calls are many and hardly ever wait. */
enum { OSRT_THRESHOLD = 1000 };

int stint_os_calls_attach(const void *offer)
{
    static const struct stint_os_functions functions = {stint_os_call_begin, stint_os_call_end};
    if (stint_runtime_start())
        return 0;
    stint_os_calls_start(stint_env_number("STINT_OSRT_THRESHOLD", OSRT_THRESHOLD, 0, INT64_MAX));
    __atomic_store_n(((const struct stint_os_offer *)offer)->functions, &functions, __ATOMIC_RELEASE);
    return 1;
}
