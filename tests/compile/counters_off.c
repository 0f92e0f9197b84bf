/* Like off.c, for counters.h. */
#include <stint/counters.h>

extern int work(int x);
extern const char *name_of(int x);
int call_site(int x);

int call_site(int x)
{
    STINT_COUNTERS("flops");
    STINT_COUNTERS(name_of(x++));
    for (int i = 0; i < x; ++i) {
        STINT_COUNTERS("memory");
        x += work(i);
        if (x < 0)
            return i;
    }
    return work(x);
}
