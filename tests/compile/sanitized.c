/* Threads that share a call site whose name is checked, in a program with ThreadSanitizer. */
#include <pthread.h>
#include <stddef.h>

#include "stint/stint.h"

static void work(const char *name)
{
    STINT_SCOPE(name);
}

/* The compiler does not see that the name is constant, so that stint checks whether it has changed. */
static void (*volatile s_work)(const char *name) = work;

static void *run(void *argument)
{
    char name[] = "a name that is longer than a word";

    for (int i = 0; i < 1000; i++)
        s_work(name);
    return argument;
}

int main(void)
{
    pthread_t threads[4];

    for (int i = 0; i < 4; i++)
        if (pthread_create(&threads[i], NULL, run, NULL))
            return 1;
    for (int i = 0; i < 4; i++)
        (void)pthread_join(threads[i], NULL);
    return 0;
}
