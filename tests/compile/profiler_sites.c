/* Every macro and function of profiler.h, as C, C++ and CUDA host code. Compiled with the profiler on and off; also
 * linked and run: the run fails if a program would fail without a GPU. */
#include <stint/stint.h>

#include <stdio.h>

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

static int scopes(int x)
{
    const char *const name = "name";
    int undefined_elsewhere = x;
    REGISTER_GPU_PROFILER("no info");
    REGISTER_GPU_PROFILER("info", "numSamples = 10, channels = 16, imgSizeX = 64, imgSizeY = 64");
    REGISTER_GPU_PROFILER(name, undefined_elsewhere, "and", more than one);
    STINT_PROFILE(name_of(x), x + 1);
    /* clang-format off */
    STINT_PROFILE("on"); STINT_PROFILE("one line");
    /* clang-format on */
    STINT_PROFILE(NOTHING);
    if (x) {
        REGISTER_GPU_PROFILER("in a branch");
        return undefined_elsewhere;
    }
    return 0;
}

static int ways_out(int x)
{
    for (int i = 0; i < 3; ++i) {
        REGISTER_GPU_PROFILER("loop");
        if (i == x)
            continue;
        if (i > x)
            break;
    }
    for (;;) {
        REGISTER_GPU_PROFILER("goto");
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
    REGISTER_GPU_PROFILER("template", number);
    return number;
}

int cxx_only()
{
    const auto lambda = [](int x) {
        STINT_PROFILE("lambda");
        return x;
    };
    try {
        REGISTER_GPU_PROFILER("throws");
        throw 1;
    } catch (int x) {
        return lambda(in_template(x));
    }
}

} // namespace
#endif

/* Without CUDA these functions cannot succeed, and with CUDA they may fail; but none of them is ever busy or unbalanced
 * here. */
static int is_expected(enum stint_status status)
{
    return status == STINT_OK || status == STINT_ERROR_UNAVAILABLE || status == STINT_ERROR_CUDA;
}

static int functions(void)
{
    const int good = is_expected(stint_profiler_start("functions", "info")) && is_expected(stint_profiler_step()) &&
                     is_expected(stint_profiler_stop()) && is_expected(stint_profiler_status());
    stint_profiler_set_window(0, 1);
    return !good || (stint_profiler_status() == STINT_OK && stint_profiler_cuda_code() != 0);
}

int main(void)
{
    int failed = scopes(0) + ways_out(0);
    scopes(1);
#ifdef __cplusplus
    failed += cxx_only() != 1;
#endif
    if (failed || *name_of(0) == '\0' || functions()) {
        fputs("a function did not do what its header says\n", stderr);
        return 1;
    }
    return 0;
}
