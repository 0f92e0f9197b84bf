/* Counts its own calls and prints them, one per line: a count, a tab and a name, to be compared with a report. */
#include <alloca.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define PLAIN __attribute__((no_instrument_function))

enum { NAMES = 32 };

static struct {
    const char *name;
    long count;
} s_counts[NAMES];

PLAIN static void count(const char *name)
{
    int i = 0;
    while (s_counts[i].name && strcmp(s_counts[i].name, name) != 0)
        ++i;
    s_counts[i].name = name;
    ++s_counts[i].count;
}

#define COUNT() count(__func__)

/* In shared.c, a library. */
int shared(int number);

static int leaf(int number)
{
    COUNT();
    return number + 1;
}

static inline int inlined(int number)
{
    COUNT();
    return leaf(number) + leaf(number);
}

int fibonacci(int number);

int fibonacci(int number)
{
    COUNT();
    return number < 2 ? number : fibonacci(number - 1) + fibonacci(number - 2);
}

static int is_odd(int number);

static int is_even(int number)
{
    COUNT();
    return number ? is_odd(number - 1) : 1;
}

static int is_odd(int number)
{
    COUNT();
    return number ? is_even(number - 1) : 0;
}

/* Nothing follows the last call, and nothing is returned, so compilers turn the call of the hook into a jump. */
static void last_call(int number)
{
    COUNT();
    if (number)
        last_call(number - 1);
    else
        leaf(number);
}

static double many_arguments(int a, int b, int c, int d, int e, int f, int g, int h, double i, long double j)
{
    COUNT();
    return a ? many_arguments(a - 1, b, c, d, e, f, g, h, i, j) : inlined(b + c + d + e + f + g + h) + i + (double)j;
}

static int variadic(int arguments, ...)
{
    va_list list;
    int sum = 0;
    COUNT();
    va_start(list, arguments);
    while (arguments--)
        sum += leaf(va_arg(list, int));
    va_end(list);
    return sum;
}

static int takes_stack(int size)
{
    char *bytes = alloca((size_t)size);
    COUNT();
    memset(bytes, 1, (size_t)size);
    return leaf(bytes[size / 2]) + (size > 100 ? takes_stack(size / 2) : 0);
}

static int has_aligned_variable(int number)
{
    struct {
        _Alignas(64) char bytes[64];
    } line;

    COUNT();
    memset(line.bytes, number, sizeof line.bytes);
    return leaf(line.bytes[number]) + (number ? has_aligned_variable(number - 1) : 0);
}

static int one_of_several(int number)
{
    COUNT();
    if (number % 5 == 0)
        return leaf(number);
    switch (number % 7) {
    case 0:
        return inlined(number);
    case 1:
        last_call(number % 3);
        return 1;
    case 2:
        return shared(number);
    default:
        return one_of_several(number / 2) + 1;
    }
}

static void *threaded(void *argument)
{
    COUNT();
    leaf(1);
    return argument;
}

static jmp_buf s_back;

static void returns_from_catcher(int number)
{
    if (number == 0)
        longjmp(s_back, 1);
    returns_from_catcher(number - 1);
}

static int catcher(int number)
{
    COUNT();
    if (!setjmp(s_back))
        returns_from_catcher(3);
    return leaf(number);
}

PLAIN int main(void)
{
    int (*volatile pointer)(int) = shared; /* in a program at a fixed address, this address is in the program, not in
                                            * the library */
    volatile double sum = 0;
    pthread_t thread;
    for (int i = 0; i < 20; ++i) {
        sum += inlined(i) + variadic(3, i, i, i) + takes_stack(100 * i + 1) + has_aligned_variable(i);
        sum += is_even(i) + one_of_several(i) + pointer(i) + catcher(i);
        sum += many_arguments(i, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        last_call(i);
    }
    sum += fibonacci(12);
    pthread_create(&thread, NULL, threaded, NULL);
    pthread_join(thread, NULL);
    for (int i = 0; i < NAMES && s_counts[i].name; ++i)
        printf("%ld\t%s\n", s_counts[i].count, s_counts[i].name);
    printf("%d\t(abandoned)\n", 20 * 4);
    return 0;
}
