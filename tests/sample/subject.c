/* Uses CPU time in functions whose names say how much, for tests of samples. Usage: subject MILLISECONDS [PLUGIN] */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <stint/stint.h>

static unsigned long used_ms(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (unsigned long)now.tv_sec * 1000 + (unsigned long)now.tv_nsec / 1000000;
}

static volatile unsigned s_sink;

__attribute__((noinline)) void spin(unsigned long ms)
{
    unsigned long end = used_ms(CLOCK_THREAD_CPUTIME_ID) + ms;

    while (used_ms(CLOCK_THREAD_CPUTIME_ID) < end)
        for (unsigned i = 0; i < 20000; i++)
            s_sink += i;
}

__attribute__((noinline)) void nested(unsigned depth, unsigned long ms)
{
    if (depth)
        nested(depth - 1, ms);
    else
        spin(ms);
    s_sink++; /* no tail call */
}

__attribute__((noinline)) static void *thread(void *argument)
{
    REGISTER_TIMER("in thread");

    spin(*(unsigned long *)argument);
    return NULL;
}

int main(int count, char **arguments)
{
    unsigned long ms = strtoul(count > 1 ? arguments[1] : "100", NULL, 10);
    pthread_t other;

    if (pthread_create(&other, NULL, thread, &ms))
        return 1;
    pthread_join(other, NULL);
    nested(20, ms);
    {
        REGISTER_TIMER("in scope");

        spin(ms);
    }
    return 0;
}
