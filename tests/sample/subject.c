/* Uses CPU time, for tests of samples: in a thread, below nested functions, and in a scope; or only in threads, one
 * after the other, and then prints what the main thread has used for that. Usage: subject MILLISECONDS [THREADS] */
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
    unsigned long threads = strtoul(count > 2 ? arguments[2] : "1", NULL, 10);
    pthread_t other;
    for (unsigned long i = 0; i < threads; i++)
        if (pthread_create(&other, NULL, thread, &ms) || pthread_join(other, NULL))
            return 1;
    if (threads > 1)
        return printf("%lu\n", used_ms(CLOCK_THREAD_CPUTIME_ID)) < 0;
    nested(20, ms);
    {
        REGISTER_TIMER("in scope");

        spin(ms);
    }
    return 0;
}
