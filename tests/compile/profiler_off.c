/* Like off.c, for profiler.h. */
#include <stint/profiler.h>

extern int work(int x);
extern const char *name_of(int x);
int call_site(int x);

int call_site(int x)
{
    REGISTER_GPU_PROFILER("call site");
    REGISTER_GPU_PROFILER("call site", "info", x);
    REGISTER_GPU_PROFILER(name_of(x++), "info");
    for (int i = 0; i < x; ++i) {
        REGISTER_GPU_PROFILER("loop");
        x += work(i);
        if (x < 0)
            return i;
    }
    return work(x);
}
