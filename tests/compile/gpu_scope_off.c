/* Like off.c, for gpu_scope.h. */
#include <stint/gpu_scope.h>

extern int work(int x);
extern const char *name_of(int x);
extern void *stream_of(int x);
int call_site(int x, void *stream);

int call_site(int x, void *stream)
{
    STINT_GPU_SCOPE("call site", stream);
    STINT_GPU_SCOPE(name_of(x++), stream_of(x++));
    for (int i = 0; i < x; ++i) {
        STINT_GPU_SCOPE("loop", stream_of(i));
        x += work(i);
        if (x < 0)
            return i;
    }
    return work(x) + !stream;
}
