/* Spends three quarters of its CPU time, half a second in all, in the scope "most", in inlined_work(), which is inlined
 * into spin_most(); and the rest outside of scopes, in work(), which spin_rest() calls. */
#include <stdint.h>
#include <time.h>

#include "stint/timer.h"

enum { PART_NS = 125000000 };

static uint64_t cpu_ns(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
}

static volatile unsigned s_sink;

__attribute__((noinline)) static void work(unsigned times)
{
    for (unsigned i = 0; i < times; i++)
        s_sink += i;
}

__attribute__((always_inline)) static inline void inlined_work(void)
{
    for (unsigned i = 0; i < 100000; i++)
        s_sink ^= i;
}

__attribute__((noinline)) static void spin_rest(uint64_t ns)
{
    for (uint64_t end = cpu_ns() + ns; cpu_ns() < end;)
        work(100000);
}

__attribute__((noinline)) static void spin_most(uint64_t ns)
{
    for (uint64_t end = cpu_ns() + ns; cpu_ns() < end;)
        inlined_work();
}

__attribute__((noinline)) static void outer(void)
{
    STINT_SCOPE("most");
    spin_most(3 * (uint64_t)PART_NS);
}

int main(void)
{
    outer();
    spin_rest(PART_NS);
    return 0;
}
