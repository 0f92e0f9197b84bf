/* CPU time of scopes, with the system's clock of the thread: read at the beginning and the end, and added up beside the
 * time on the clock. */
#include "record/cpu.h"

#include "base/clock.h"
#include "record/registry.h"

int stint_cpu_is_on;

void stint_cpu_start(void)
{
    stint_cpu_is_on = 1;
    stint_registry_set_inline(0);
}

void stint_cpu_begin_slow(struct stint_i_node *node)
{
    node->cpu_start = stint_clock_cpu_ns();
}

/* In a forked child the thread's CPU time begins at 0. */
void stint_cpu_end_slow(struct stint_i_node *node)
{
    uint64_t now = stint_clock_cpu_ns();

    STINT_I_ADD(&node->cpu, now >= node->cpu_start ? now - node->cpu_start : now);
}
