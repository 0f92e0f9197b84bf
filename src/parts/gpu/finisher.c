/* The thread that shuts CUPTI down at the end, and that does in between what a callback must not do. It is made in
 * advance, since a process that crashes cannot make one, and asked by a semaphore, which a signal handler may post. */
#include "gpu/finisher.h"

#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <unistd.h>

#include "base/threads.h"
#include "gpu/wait.h"

enum { LOOK_MS = 100 };

static struct {
    int made;
    sem_t wanted;
    pthread_t thread;
    void (*finish)(void);
    void (*look)(void); /* NULL: there is nothing to look at */
    int asked;
    int done;
} s_finisher;

static int is_asked(void)
{
    return __atomic_load_n(&s_finisher.asked, __ATOMIC_ACQUIRE);
}

static void *finish_when_asked(void *unused)
{
    stint_own_thread("stint-gpu");
    while (!is_asked()) {
        void (*look)(void) = __atomic_load_n(&s_finisher.look, __ATOMIC_ACQUIRE);

        if (look) {
            look();
            (void)stint_wait_for_post(&s_finisher.wanted, LOOK_MS);
        } else {
            (void)sem_wait(&s_finisher.wanted);
        }
    }
    s_finisher.finish();
    __atomic_store_n(&s_finisher.done, 1, __ATOMIC_RELEASE);
    return unused;
}

int stint_finisher_make(void (*finish)(void))
{
    if (s_finisher.made)
        return 0;
    s_finisher.finish = finish;
    if (sem_init(&s_finisher.wanted, 0, 0) || stint_detach(finish_when_asked, NULL, &s_finisher.thread))
        return -1;
    s_finisher.made = 1;
    return 0;
}

void stint_finisher_look(void (*look)(void))
{
    __atomic_store_n(&s_finisher.look, look, __ATOMIC_RELEASE);
    (void)sem_post(&s_finisher.wanted);
}

int stint_finisher_ask(uint64_t limit_ns)
{
    if (!__atomic_exchange_n(&s_finisher.asked, 1, __ATOMIC_ACQ_REL))
        (void)sem_post(&s_finisher.wanted);
    return stint_wait_for_flag(&s_finisher.done, limit_ns);
}

int stint_finisher_is_self(void)
{
    return s_finisher.made && pthread_equal(pthread_self(), s_finisher.thread);
}

void stint_finisher_give_up(void)
{
    __atomic_store_n(&s_finisher.done, 1, __ATOMIC_RELEASE);
    for (;;)
        pause();
}
