/* Every macro and function of gpu_scope.h, as C, C++ and CUDA host code. Compiled with timers on and off; also linked
 * and run without CUDA, where only the host's scopes count. */
#include <stint/stint.h>

#include <stdio.h>

#ifdef __cplusplus
#define NOTHING nullptr
#else
#define NOTHING NULL
#endif

/* As in CUDA's headers: cudaStream_t and CUstream are both this type. */
typedef struct CUstream_st *stream_type;

/* Also called outside of macro arguments, because these are not evaluated when the macros are compiled out. */
static const char *name_of(int x)
{
    return x % 2 ? "odd" : "even";
}

static int scopes(int x, stream_type stream, void *pointer)
{
    STINT_GPU_SCOPE("stream", stream);
    STINT_GPU_SCOPE("pointer", pointer);
    STINT_GPU_SCOPE("the default stream", NOTHING);
    STINT_GPU_SCOPE(name_of(x), x ? stream : NOTHING);
    /* clang-format off */
    STINT_GPU_SCOPE("on", stream); STINT_GPU_SCOPE("one line", stream);
    /* clang-format on */
    if (x) {
        STINT_GPU_SCOPE("in a branch", stream);
        return x;
    }
    return !stream && !pointer ? 0 : 1;
}

static int ways_out(int x)
{
    for (int i = 0; i < 3; ++i) {
        STINT_GPU_SCOPE("loop", NOTHING);
        if (i == x)
            continue;
        if (i > x)
            break;
    }
    for (;;) {
        STINT_GPU_SCOPE("goto", NOTHING);
        if (x == 0)
            goto out;
        return x;
    }
out:
    return 0;
}

#ifdef __cplusplus
namespace {

template <typename Number> Number in_template(Number number, stream_type stream)
{
    STINT_GPU_SCOPE("template", stream);
    return number;
}

int cxx_only()
{
    const auto lambda = [](int x) {
        STINT_GPU_SCOPE("lambda", nullptr);
        return x;
    };
    try {
        STINT_GPU_SCOPE("throws", nullptr);
        throw 1;
    } catch (int x) {
        return lambda(in_template(x, nullptr));
    }
}

} // namespace
#endif

static int functions(stream_type stream)
{
    struct stint_gpu_span span = STINT_GPU_SPAN_INIT;
    if (stint_gpu_span_end(&span) != STINT_ERROR_NOT_STARTED)
        return 1;
    return stint_gpu_span_begin(&span, "span", stream) != STINT_OK || stint_gpu_span_end(&span) != STINT_OK;
}

/* Returns whether the statistic has this many activations, or none if timers are compiled out. */
static int is_counted(const struct stint_snapshot *snapshot, const char *name, uint64_t count)
{
    const struct stint_stat *stat = stint_snapshot_find(snapshot, NOTHING, name);
    return (stat ? stat->numbers.count : 0) == (STINT_WITH_TIMER ? count : 0);
}

int main(void)
{
    struct stint_snapshot *snapshot = NOTHING;
    int good = scopes(0, NOTHING, NOTHING) == 0 && scopes(1, NOTHING, NOTHING) == 1 && ways_out(0) == 0;
#ifdef __cplusplus
    good = good && cxx_only() == 1;
#endif
    good = good && *name_of(0) != '\0' && functions(NOTHING) == 0 && stint_snapshot_take(&snapshot) == STINT_OK &&
           is_counted(snapshot, "stream", 2) && is_counted(snapshot, "in a branch", 1) &&
           is_counted(snapshot, "loop", 2) && snapshot->dropped.gpu_spans == 0;
    stint_snapshot_free(snapshot);
    if (!good) {
        fputs("a function did not do what its header says\n", stderr);
        return 1;
    }
    return 0;
}
