// Functions with another inlined into them, within what has no addresses, or others: namespaces, classes, functions.
extern "C" {
void note_call(const void *returns_to, int line);
void call_all(void);
}

__attribute__((noinline)) static void called(int line)
{
    note_call(__builtin_return_address(0), line);
}

static volatile int s_sink;

__attribute__((always_inline)) static inline void inlined()
{
    called(__LINE__);
    s_sink = s_sink + 1;
}

namespace space {
__attribute__((noinline)) void in_namespace()
{
    inlined();
}

namespace {
__attribute__((noinline)) void in_nameless()
{
    inlined();
}
} // namespace

struct Type {
    __attribute__((noinline)) static void in_class() { inlined(); }
};

void call();
void call()
{
    in_nameless();
}
} // namespace space

void call_all()
{
    struct Local {
        __attribute__((noinline)) static void in_function() { inlined(); }
    };
    auto lambda = [](int) __attribute__((noinline))
    {
        inlined();
    };
    space::in_namespace();
    space::call();
    space::Type::in_class();
    Local::in_function();
    lambda(0);
}
