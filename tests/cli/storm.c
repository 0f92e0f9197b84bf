/* A program whose threads fork while it ends: storm SCOPES. Each child records as well. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "stint/stint.h"

enum { THREADS = 4 };

static void scopes(const char *name, long count)
{
    for (long i = 0; i < count; i++) {
        STINT_SCOPE_DYNAMIC(name);
    }
}

static void *fork_on(void *unused)
{
    for (;;) {
        pid_t child = fork();
        if (child == 0) {
            scopes("child", 3);
            _exit(0);
        }
        if (child > 0)
            (void)waitpid(child, NULL, 0);
    }
    return unused;
}

int main(int count, char **arguments)
{
    struct timespec moment = {0, 20000000};
    pthread_t thread;
    scopes("parent", count > 1 ? atol(arguments[1]) : 1);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&thread, NULL, fork_on, NULL))
            return 1;
    (void)nanosleep(&moment, NULL);
    return 0;
}
