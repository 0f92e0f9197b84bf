// Has an allocator of its own, which is instrumented and must not be re-entered while it works. The library needs
// memory for the names of this file.
#include <cstddef>
#include <cstdio>
#include <cstdlib>

extern "C" void *__libc_malloc(std::size_t size);

static bool s_working;
static int s_calls;

__attribute__((noinline)) static void *called_by_malloc(std::size_t size)
{
    return __libc_malloc(size);
}

extern "C" void *malloc(std::size_t size)
{
    if (s_working)
        std::abort();
    s_working = true;
    void *memory = called_by_malloc(size);
    s_working = false;
    ++s_calls;
    return memory;
}

__attribute__((noinline)) static void work(int)
{
    std::free(std::malloc(10));
}

int main()
{
    for (int i = 0; i < 3; ++i)
        work(i);
    return s_calls < 3;
}
