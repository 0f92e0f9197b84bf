/* Compiled twice by off.sh with timers off: as it is, and without the lines that contain a macro. The two objects have
 * to be the same. */
#include <stint/adopt.h>
#include <stint/timer.h>

extern int work(int x);
extern const char *name_of(int x);
extern struct stint_statset *set_of(int x);
extern struct stint_token token_of(int x);
int call_site(int x);

int call_site(int x)
{
    REGISTER_TIMER("call site");
    REGISTER_TIMER("slow", 1000);
    REGISTER_TIMER("in a set", UINT64_MAX, set_of(x));
    REGISTER_TIMER_INFO("layer", name_of(x));
    REGISTER_TIMER_DYNAMIC(name_of(x++));
    REGISTER_TIMER_DYNAMIC(name_of(x), 1000, set_of(x));
    REGISTER_TIMER_SET("since", stint_now_us());
    REGISTER_TIMER_DYNAMIC_SET(name_of(x), stint_now_us(), 1000, set_of(x));
    STINT_ADOPT(token_of(x++));
    FOR_TIMING(x = work(x));
    for (int i = 0; i < x; ++i) {
        REGISTER_TIMER("loop");
        x += work(i);
        if (x < 0)
            return i;
    }
    return work(x);
}
