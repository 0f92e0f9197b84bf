/* Every macro of annotate.h, once or more, as C, C++ and CUDA host code. Compiled with NVTX on and off. */
#include <stint/annotate.h>

#include <stddef.h>

#ifdef __cplusplus
#define NOTHING nullptr
#else
#define NOTHING NULL
#endif

#if defined(EXPECTED) && STINT_HAS_NVTX != EXPECTED
#error "annotations are compiled in where they should not be, or left out where they should not"
#endif

int call_sites(int x, struct stint_domain *any);

STINT_DOMAIN_DEFINE(s_io, "io");
STINT_DOMAIN_DEFINE(s_unused, "unused");

extern struct stint_domain shared_domain;
struct stint_domain shared_domain = STINT_DOMAIN_INIT("shared");

/* Also called outside of macro arguments, because these are not evaluated when the macros are compiled out. */
static const char *layer_name(int layer)
{
    return layer % 2 ? "odd layer" : "even layer";
}

static int ranges(int x, struct stint_domain *any)
{
    const char *const constant = "constant";
    const uint32_t color = x ? STINT_COLOR_RED : STINT_COLOR_NONE;
    STINT_FUNCTION_RANGE();
    STINT_RANGE("one");
    STINT_RANGE("two", STINT_COLOR_GREEN);
    STINT_RANGE("three", STINT_RGB(1, 2, 3), 7);
    STINT_RANGE("four", color, 7, x);
    STINT_RANGE(constant, x ? STINT_COLOR_RED : STINT_COLOR_GREEN);
    STINT_RANGE(layer_name(x));
    /* clang-format off */
    STINT_RANGE("on"); STINT_RANGE("one line");
    /* clang-format on */
    STINT_RANGE_IN(&s_io, "one");
    STINT_RANGE_IN(any, "two", STINT_COLOR_GREEN);
    STINT_RANGE_IN(STINT_DOMAIN("by name"), "three", STINT_COLOR_GREEN, 7);
    STINT_RANGE_IN(NOTHING, "four", STINT_COLOR_GREEN, 7, x);
    STINT_RANGE_IN(&shared_domain, "one");
    STINT_RANGE_DYNAMIC(layer_name(x));
    STINT_RANGE_DYNAMIC(layer_name(x), color);
    STINT_RANGE_DYNAMIC(layer_name(x), color, 7);
    STINT_RANGE_DYNAMIC(layer_name(x), color, 7, x);
    STINT_RANGE_DYNAMIC_IN(&s_io, layer_name(x));
    STINT_RANGE_DYNAMIC_IN(any, layer_name(x), color);
    STINT_RANGE_DYNAMIC_IN(any, layer_name(x), color, 7);
    STINT_RANGE_DYNAMIC_IN(any, layer_name(x), color, 7, 1.5);
    if (x) {
        STINT_RANGE("in a branch");
        return x + 1;
    }
    return 0;
}

static void functions(uint32_t color)
{
    STINT_FUNCTION_RANGE(color);
    STINT_FUNCTION_RANGE(color ? STINT_COLOR_RED : STINT_COLOR_BLUE);
    STINT_FUNCTION_RANGE((color), 3);
    STINT_FUNCTION_RANGE(STINT_COLOR_RED, 3, 1.5F);
}

static void events(int x, struct stint_domain *any)
{

    STINT_RANGE_PUSH("one");
    STINT_RANGE_PUSH("two", STINT_COLOR_GREEN);
    STINT_RANGE_PUSH_IN(any, "three", STINT_COLOR_GREEN, 7);
    STINT_RANGE_PUSH_DYNAMIC(layer_name(x));
    STINT_RANGE_PUSH_DYNAMIC_IN(any, layer_name(x), 0, 0, x);
    STINT_RANGE_POP_IN(any);
    STINT_RANGE_POP();
    STINT_RANGE_POP_IN(any);
    STINT_RANGE_POP();
    STINT_RANGE_POP();

    uint64_t id = STINT_RANGE_START("one");
    STINT_RANGE_END(id);
    id = STINT_RANGE_START_IN(any, "two", STINT_COLOR_GREEN);
    STINT_RANGE_END_IN(any, id);
    id = STINT_RANGE_START_DYNAMIC(layer_name(x), STINT_COLOR_GREEN, 7);
    STINT_RANGE_END(id);
    STINT_RANGE_END_IN(&s_io, STINT_RANGE_START_DYNAMIC_IN(&s_io, layer_name(x), STINT_COLOR_GREEN, 7, 1ULL));

    if (x)
        STINT_MARK("without braces");
    else
        STINT_MARK_IN(any, "two", STINT_COLOR_GREEN);
    STINT_MARK_DYNAMIC(layer_name(x), STINT_COLOR_GREEN, 7);
    STINT_MARK_DYNAMIC_IN(any, layer_name(x), STINT_COLOR_GREEN, 7, -1L);
}

static void payloads(int x)
{
    const signed char narrow = -1;
    const unsigned short half = 1;
    STINT_MARK("payload", 0, 0, x);
    STINT_MARK("payload", 0, 0, 'c');
    STINT_MARK("payload", 0, 0, narrow);
    STINT_MARK("payload", 0, 0, half);
    STINT_MARK("payload", 0, 0, x == 1);
    STINT_MARK("payload", 0, 0, 1U);
    STINT_MARK("payload", 0, 0, 1L);
    STINT_MARK("payload", 0, 0, 1UL);
    STINT_MARK("payload", 0, 0, 1LL);
    STINT_MARK("payload", 0, 0, 1ULL);
    STINT_MARK("payload", 0, 0, 1.0F);
    STINT_MARK("payload", 0, 0, 1.0);
    STINT_MARK("payload", 0, 0, 1.0L);
    STINT_MARK("payload", 0, 0, STINT_I_LITERAL); /* an enumerator */
    STINT_MARK("payload", 0, 0, sizeof x);
}

static void names(int x, void *handle)
{
    STINT_CATEGORY_NAME(7, layer_name(x));
    STINT_CATEGORY_NAME_IN(&s_io, 7, "reading");
    STINT_NAME_THREAD(layer_name(x));
    STINT_NAME_CUDA_DEVICE(0, layer_name(x));
#if STINT_I_HAS_NVTX_CUDA
    STINT_NAME_CUDA_STREAM(STINT_I_CAST(cudaStream_t, handle), "stream");
    STINT_NAME_CUDA_EVENT(STINT_I_CAST(cudaEvent_t, handle), "event");
#else
    STINT_NAME_CUDA_STREAM(handle, "stream");
    STINT_NAME_CUDA_EVENT(handle, "event");
#endif
}

/* Every way out of a block. */
static int ways_out(int x)
{
    for (int i = 0; i < 3; ++i) {
        STINT_RANGE("loop");
        if (i == x)
            continue;
        if (i > x)
            break;
    }
    for (;;) {
        STINT_RANGE_DYNAMIC(layer_name(x));
        if (x == 0)
            goto out;
        return x;
    }
out:
    switch (x) {
    case 0: {
        STINT_RANGE("case");
        break;
    }
    default:
        break;
    }
    return 0;
}

#ifdef __cplusplus
namespace {

template <typename Number> Number in_template(Number number)
{
    STINT_RANGE("template", 0, 0, number);
    return number;
}

struct object {
    object() { STINT_FUNCTION_RANGE(); }
    void method() const { STINT_FUNCTION_RANGE(STINT_COLOR_TEAL); }
};

int cxx_only()
{
    const auto lambda = [](int x) {
        STINT_RANGE("lambda");
        STINT_MARK("lambda");
        return x;
    };
    const object made;
    made.method();
    try {
        STINT_RANGE("throws");
        throw 1;
    } catch (int x) {
        return lambda(in_template(x));
    }
}

} // namespace
#endif

int call_sites(int x, struct stint_domain *any)
{
    functions(STINT_COLOR_RED);
    events(x, any);
    payloads(x);
    names(x, NOTHING);
#ifdef __cplusplus
    cxx_only();
#endif
    return ranges(x, any) + ways_out(x) + (*layer_name(x) == 'o');
}
