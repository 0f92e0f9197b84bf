/* Like off.c, for op.h. */
#include <stint/op.h>

extern int work(int x);
extern const char *name_of(int x);
extern int64_t size_of(int x);
int call_site(int x);

int call_site(int x)
{
    STINT_OP("call site", STINT_FPROP, name_of(x), 1, STINT_TENSOR(STINT_FP32, size_of(x), 4));
    STINT_OP_BACKWARD(name_of(x++), 2);
    for (int i = 0; i < x; ++i) {
        STINT_OP("loop", STINT_BPROP, name_of(i), 0, STINT_NUMBERS(size_of(x++)), STINT_NONE());
        x += work(i);
        if (x < 0)
            return i;
    }
    return work(x);
}
