/* Uses CPU time in functions whose callers are found in different ways: leaves of hot and warm, which may have no
 * frame, and a handler that interrupts main. Their shares are the same on every processor. */
#include <signal.h>
#include <time.h>

enum { HOT_MS = 960, WARM_MS = 480, HANDLER_MS = 160 };

static volatile unsigned s_sink;

static unsigned long used_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (unsigned long)now.tv_sec * 1000 + (unsigned long)now.tv_nsec / 1000000;
}

__attribute__((noinline)) void leaf(unsigned times)
{
    for (unsigned i = 0; i < times; i++)
        s_sink += i;
}

#define SPIN(ms)                                                                                                       \
    for (unsigned long end = used_ms() + (ms); used_ms() < end; s_sink++)                                              \
    leaf(100000)

__attribute__((noinline)) void hot(void)
{
    SPIN(HOT_MS);
}

__attribute__((noinline)) void warm(void)
{
    SPIN(WARM_MS);
}

__attribute__((noinline)) void in_handler(void)
{
    SPIN(HANDLER_MS);
}

static void handle(int number)
{
    s_sink += (unsigned)number;
    in_handler();
    s_sink++; /* no tail call */
}

int main(void)
{
    signal(SIGUSR1, handle);
    hot();
    warm();
    raise(SIGUSR1);
    return 0;
}
