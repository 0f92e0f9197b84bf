// Counts its own calls and prints them, one per line: a count, a tab and a name, to be compared with a report.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

// Compilers number lambdas differently.
#ifdef __clang__
#define LAMBDA "main::$_0::operator()(int) const"
#else
#define LAMBDA "main::{lambda(int)#1}::operator()(int) const"
#endif

#define PLAIN __attribute__((no_instrument_function))

static struct {
    const char *name;
    long count;
} s_counts[32];

PLAIN static void count(const char *name)
{
    int i = 0;
    while (s_counts[i].name && s_counts[i].name != name)
        ++i;
    s_counts[i].name = name;
    ++s_counts[i].count;
}

// One string for each function, so that functions can be told apart by pointers.
#define COUNT(name)                                                                                                    \
    static const char s_name[] = name;                                                                                 \
    count(s_name)

namespace geometry {

class shape {
public:
    explicit shape(int sides) : sides_(sides) { COUNT("geometry::shape::shape(int)"); }
    virtual ~shape() { COUNT("geometry::shape::~shape()"); }
    virtual int area(int width) const
    {
        COUNT("geometry::shape::area(int) const");
        return sides_ * width;
    }
    int operator[](int side) const
    {
        COUNT("geometry::shape::operator[](int) const");
        return side % sides_;
    }

private:
    int sides_;
};

template <typename T> T twice(T value)
{
    COUNT("T geometry::twice<T>(T)");
    return value + value;
}

} // namespace geometry

static int overloaded(int value)
{
    COUNT("overloaded(int)");
    return value;
}

static int overloaded(double value, const char *)
{
    COUNT("overloaded(double, char const*)");
    return int(value);
}

namespace {

int unnamed(int value)
{
    COUNT("(anonymous namespace)::unnamed(int)");
    return value;
}

} // namespace

// Every other call ends with an exception: gcc calls the hook in this case too, clang does not.
static int throws(int value)
{
#ifdef __clang__
    if (value % 2)
        throw std::runtime_error("odd");
    COUNT("throws(int)");
#else
    COUNT("throws(int)");
    if (value % 2)
        throw std::runtime_error("odd");
#endif
    return value;
}

static int passes(int value)
{
#ifdef __clang__
    const int result = throws(value);
    COUNT("passes(int)");
    return result;
#else
    COUNT("passes(int)");
    return throws(value);
#endif
}

static int catches(int value)
{
    COUNT("catches(int)");
    try {
        return passes(value);
    } catch (const std::runtime_error &) {
        return unnamed(value);
    }
}

// The exception is caught and thrown again on every level.
static int passes_on(int depth)
{
    try {
        return depth ? passes_on(depth - 1) : throws(1);
    } catch (...) {
        throw;
    }
}

int main()
{
    const auto lambda = [](int value) {
        COUNT(LAMBDA);
        return value;
    };
    volatile int sum = 0;
    for (int i = 0; i < 100; ++i) {
        geometry::shape square(4);
        const geometry::shape &shape = square;

        sum = sum + shape.area(i) + square[i] + geometry::twice(i) + int(geometry::twice(1.5));
        sum = sum + overloaded(i) + overloaded(i, "x") + unnamed(i) + lambda(i);
        sum = sum + catches(i);
    }
    try {
        sum = sum + passes_on(5);
    } catch (const std::exception &) {
        sum = sum + unnamed(1);
    }
    for (int i = 0; s_counts[i].name; ++i)
        std::printf("%ld\t%s\n", s_counts[i].count, s_counts[i].name);
#ifdef __clang__
    std::printf("%d\t(abandoned)\n", 50 * 2 + 7);
#else
    std::printf("%d\t(abandoned)\n", 0);
#endif
    return 0;
}
