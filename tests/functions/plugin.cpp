// A C++ plugin for a C program. It needs the C++ runtime library, unless told not to.
namespace plugin {

template <typename T> __attribute__((noinline)) T twice(T value)
{
    return value + value;
}

} // namespace plugin

extern "C" int entry(int number);

int entry(int number)
{
#ifndef WITHOUT_RUNTIME
    if (number < 0)
        throw number;
#endif
    return plugin::twice(number);
}
