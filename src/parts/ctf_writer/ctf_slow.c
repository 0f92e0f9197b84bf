/* Knows of each calling context how long is too long, so that the end of a scope is one comparison, and leaves a pause
 * between two alarms. */
#include "ctf_writer/ctf_slow.h"

#include <string.h>

#include "support/pattern.h"

#define LEAST_PAUSE_NS UINT64_C(10000000000)

static uint64_t slow_ns(const struct stint_ctf_limits *limits, const char *name)
{
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < limits->slow_count; i++) {
        const struct stint_ctf_slow *slow = &limits->slow[i];
        if (slow->ns < least && stint_pattern_matches(slow->name, strlen(slow->name), name))
            least = slow->ns;
    }
    return least;
}

/* Paths count up, but not all are contexts. */
int stint_ctf_watch_context(struct stint_ctf_watch *watch, const struct stint_ctf_limits *limits,
                            const struct stint_event_context *context, struct stint_arena *arena)
{
    if (!limits->slow_count)
        return 0;
    watch->pause_ns = limits->ring_ns > LEAST_PAUSE_NS ? limits->ring_ns : LEAST_PAUSE_NS;
    while (watch->slow.count <= context->path) {
        uint64_t *ns = stint_array_add(&watch->slow, arena, sizeof *ns);
        if (!ns)
            return -1;
        *ns = UINT64_MAX;
    }
    ((uint64_t *)watch->slow.items)[context->path] = slow_ns(limits, context->name);
    return 0;
}
