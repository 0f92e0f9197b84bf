/* Every macro of op.h, as C, C++ and CUDA host code. Compiled with timers on and off; also linked and run. */
#include <stint/stint.h>

#ifdef __cplusplus
#define NOTHING nullptr
#else
#define NOTHING NULL
#endif

/* Also called outside of macro arguments, because these are not evaluated when the macros are compiled out. */
static const char *name_of(int x)
{
    return x % 2 ? "odd" : "even";
}

static int operations(int x, size_t channels, short width, int64_t many)
{
    STINT_OP("conv2d", STINT_FPROP, "conv1", 1, STINT_TENSOR(STINT_FP32, 64, channels, width, width),
             STINT_TENSOR(STINT_FP32, 16, channels, 5, 5), STINT_NONE(), STINT_NUMBERS(1, 1), STINT_NUMBERS(0, 0));
    STINT_OP(name_of(x), STINT_BPROP, x ? "conv1" : NOTHING, UINT64_MAX, STINT_TENSOR(STINT_FP8_E4M3, many));
    STINT_OP("update", STINT_OPTIM, NOTHING, 0, STINT_TENSOR(STINT_BF16, 1, 2, 3, 4, 5, 6), STINT_NUMBERS(x));
    STINT_OP_BACKWARD("conv2d", 1);
    /* clang-format off */
    STINT_OP("on", STINT_FPROP, NOTHING, 0, STINT_NONE()); STINT_OP_BACKWARD("one line", 0);
    /* clang-format on */
    if (x) {
        STINT_OP("in a branch", STINT_FPROP, NOTHING, 0, STINT_NUMBERS(1, 2, 3, 4, 5, 6));
        return x;
    }
    return many ? 0 : 1;
}

static int ways_out(int x)
{
    for (int i = 0; i < 3; ++i) {
        STINT_OP("loop", STINT_FPROP, NOTHING, 0, STINT_TENSOR(STINT_FP64, i));
        if (i == x)
            continue;
        if (i > x)
            break;
    }
    for (;;) {
        STINT_OP_BACKWARD("goto", 0);
        if (x == 0)
            goto out;
        return x;
    }
out:
    return 0;
}

#ifdef __cplusplus
namespace {

template <typename Number> Number in_template(Number number)
{
    STINT_OP("template", STINT_FPROP, nullptr, 0, STINT_TENSOR(STINT_INT8, number));
    return number;
}

} // namespace
#endif

int main(void)
{
    int failed = operations(0, 6, 14, 1) | ways_out(0) | !name_of(1);
#ifdef __cplusplus
    failed |= in_template(0);
#endif
    return failed;
}
