#include "record/cpu.h"

#include <time.h>

#include "record/registry.h"

int stint_cpu_is_on;

void stint_cpu_start(void)
{
    stint_cpu_is_on = 1;
    stint_registry_set_inline(0);
}

static uint64_t now_ns(void)
{
    struct timespec now = {0};

    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void stint_cpu_begin_slow(struct stint_i_node *node)
{
    node->cpu_start = now_ns();
}

/* In a forked child the thread's CPU time begins at 0. */
void stint_cpu_end_slow(struct stint_i_node *node)
{
    uint64_t now = now_ns();

    STINT_I_ADD(&node->cpu, now >= node->cpu_start ? now - node->cpu_start : now);
}
