/* Like off.c, for the barrier macros, which are switched with the timers. */
#include <stint/barrier.h>

#include <sys/time.h>

extern int work(int x);
extern const char *name_of(int x);
extern struct stint_statset *set_of(int x);
int call_site(int x, struct timeval time);

int call_site(int x, struct timeval time)
{
    x += time.tv_usec != 0;
    REGISTER_BARRIER_TIMER_SERVER(set_of(x), name_of(x), 10, x++);
    REGISTER_BARRIER_TIMER_SERVER(set_of(x), name_of(x), 10, x++, "_tag");
    REGISTER_BARRIER_TIMER_SERVER_SET(set_of(x), name_of(x), 10, x, time);
    REGISTER_BARRIER_DELTA_SERVER_SET(set_of(x), name_of(x), 10, x, work(1) > 0, name_of(x));
    return work(x);
}
