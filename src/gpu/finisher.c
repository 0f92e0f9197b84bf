#include "gpu/finisher.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "gpu/wait.h"

static struct {
    int made;
    sem_t wanted;
    pthread_t thread;
    void (*finish)(void);
    int asked;
    int done;
} s_finisher;

static void *finish_when_asked(void *unused)
{
    while (sem_wait(&s_finisher.wanted))
        ;
    s_finisher.finish();
    __atomic_store_n(&s_finisher.done, 1, __ATOMIC_RELEASE);
    return unused;
}

/* It takes no signals, which are the program's. */
int stint_finisher_make(void (*finish)(void))
{
    sigset_t all, before;

    if (s_finisher.made)
        return 0;
    s_finisher.finish = finish;
    sigfillset(&all);
    if (sem_init(&s_finisher.wanted, 0, 0) || pthread_sigmask(SIG_SETMASK, &all, &before))
        return -1;
    s_finisher.made = !pthread_create(&s_finisher.thread, NULL, finish_when_asked, NULL);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!s_finisher.made)
        return -1;
    (void)pthread_detach(s_finisher.thread);
    return 0;
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
