/* Enters and leaves calls of other libraries as nodes of the tree. They differ from scopes in their set alone, by which
 * paths and listeners skip them. */
#include "contexts/contexts.h"

#include <errno.h>

#include "record/registry.h"
#include "record/scope.h"
#include "record/thread.h"
#include "stint/snapshot.h"

/* Returns NULL if there is no room for one more set: in any other set, calls would be mistaken for scopes. */
static const struct stint_statset *find_set(const struct stint_statset **at, const char *name)
{
    if (!__atomic_load_n(at, __ATOMIC_ACQUIRE)) {
        const struct stint_statset *set = stint_registry_set(name);
        if (set != stint_registry_set_at(0))
            __atomic_store_n(at, set, __ATOMIC_RELEASE);
    }
    return __atomic_load_n(at, __ATOMIC_ACQUIRE);
}

uint32_t stint_call_id_in(const struct stint_statset **at, const char *set_name, const char *name)
{
    const struct stint_statset *set = find_set(at, set_name);
    if (!set)
        return 0;
    struct stint_name key = stint_registry_name(set, name);
    return stint_registry_id(&key, NULL);
}

uint32_t stint_call_id(const char *name)
{
    if (!stint_guard_begin()) {
        stint_count_dropped(&stint_dropped.reentrant);
        return 0;
    }
    uint32_t id = stint_call_id_in(&stint_call_set, STINT_API_SET, name);
    stint_guard_end();
    return id;
}

/* The program may be about to look at errno. */
__attribute__((noinline)) static struct stint_i_node *enter_slow(uint32_t id)
{
    int error = errno;
    struct stint_i_node *node = stint_scope_enter_id(id);
    errno = error;
    return node;
}

struct stint_i_node *stint_call_enter(uint32_t id)
{
    struct stint_i_tree *tree = stint_i_self;
    uint32_t state = STINT_I_LOAD(&stint_i_state);
    if (STINT_I_LIKELY(tree->state == state)) {
        struct stint_i_node *node = stint_i_begin_child(tree, id);
        if (STINT_I_LIKELY(node != NULL))
            return node;
    }
    return id && state ? enter_slow(id) : NULL;
}

uint64_t stint_call_leave(struct stint_i_node *node)
{
    struct stint_i_tree *tree = stint_i_self;
    uint64_t span;
    if (!node)
        return 0;
    uint64_t now = stint_i_end_ticks(tree);
    if (STINT_I_LIKELY(tree->current == node && tree->state == STINT_I_LOAD(&stint_i_state))) {
        span = now - STINT_I_LOAD(&node->start);
        if (STINT_I_LIKELY(span <= (uint64_t)INT64_MAX)) {
            stint_end_unnoted(tree, node, span, 0); /* it is traced with what it launches */
            return span;
        }
    }
    return stint_scope_leave(node, now);
}
