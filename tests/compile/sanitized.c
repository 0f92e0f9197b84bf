/* Threads that share a call site whose name is checked, in a program with ThreadSanitizer. */
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

#include "stint/stint.h"

static void work(const char *name)
{
    STINT_SCOPE(name);
}

/* The compiler does not see that the name is constant, so that stint checks whether it has changed. */
static void (*volatile s_work)(const char *name) = work;

static int s_started;

/* Starts stint, and records nothing. Other threads use what is made here, and ThreadSanitizer does not see that stint
 * has started. */
static void *start(void *argument)
{
    (void)stint_enabled();
    __atomic_store_n(&s_started, 1, __ATOMIC_RELAXED);
    return argument;
}

static void *run(void *argument)
{
    while (!__atomic_load_n(&s_started, __ATOMIC_RELAXED))
        sched_yield();

    char name[] = "a name that is longer than a word";

    for (int i = 0; i < 1000; i++)
        s_work(name);
    return argument;
}

int main(void)
{
    enum { THREADS = 5 };
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, i ? run : start, NULL))
            return 1;
    for (int i = 0; i < THREADS; i++)
        (void)pthread_join(threads[i], NULL);
    return 0;
}
