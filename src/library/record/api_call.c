#include "record/api_call.h"

#include "record/count.h"
#include "record/registry.h"
#include "record/scope.h"
#include "record/thread.h"
#include "stint/snapshot.h"

static const struct stint_statset *s_set; /* NULL until there is a call */

int stint_call_is(uint32_t id)
{
    const struct stint_statset *set = __atomic_load_n(&s_set, __ATOMIC_ACQUIRE);

    return set && stint_registry_entry(id)->set == set;
}

/* Returns NULL if there is no room for one more set: in any other set, calls would be mistaken for scopes. */
static const struct stint_statset *call_set(void)
{
    if (!__atomic_load_n(&s_set, __ATOMIC_ACQUIRE)) {
        const struct stint_statset *set = stint_registry_set(STINT_API_SET);

        if (set != stint_registry_set_at(0))
            __atomic_store_n(&s_set, set, __ATOMIC_RELEASE);
    }
    return __atomic_load_n(&s_set, __ATOMIC_ACQUIRE);
}

uint32_t stint_call_id(const char *name)
{
    uint32_t id = 0;

    if (!stint_guard_begin()) {
        stint_count_dropped(&stint_dropped.reentrant);
        return 0;
    }
    const struct stint_statset *set = call_set();
    if (set) {
        struct stint_name key = stint_registry_name(set, name);

        id = stint_registry_id(&key, NULL);
    }
    stint_guard_end();
    return id;
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
    return id && state ? stint_scope_enter_id(id) : NULL;
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
