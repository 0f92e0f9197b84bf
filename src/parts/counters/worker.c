/* Has one thread do what a callback of CUPTI must not do: the callback hands over a function, makes its CUDA context
 * current there, and waits. */
#include "counters/counted_device.h"

#include <pthread.h>
#include <stddef.h>

#include "counters/counter_plan.h"
#include "support/own_thread.h"

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int started;
    void (*begin)(void);
    void (*run)(void *argument); /* NULL: there is nothing to do */
    void *argument;
    void *context;
    int (*push)(void *context);
    int (*pop)(void **context);
} s_worker = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void find_driver(void)
{
    stint_driver_function("cuCtxPushCurrent_v2", &s_worker.push);
    stint_driver_function("cuCtxPopCurrent_v2", &s_worker.pop);
}

static void run_in_context(void (*run)(void *argument), void *argument, void *context)
{
    void *popped;
    int pushed = s_worker.push && s_worker.pop && !s_worker.push(context);
    run(argument);
    if (pushed)
        (void)s_worker.pop(&popped);
}

static void *work(void *unused)
{
    stint_own_thread("stint counters");
    s_worker.begin();
    find_driver();
    pthread_mutex_lock(&s_worker.lock);
    for (;;) {
        while (!s_worker.run)
            pthread_cond_wait(&s_worker.changed, &s_worker.lock);
        pthread_mutex_unlock(&s_worker.lock);
        run_in_context(s_worker.run, s_worker.argument, s_worker.context);
        pthread_mutex_lock(&s_worker.lock);
        s_worker.run = NULL;
        pthread_cond_broadcast(&s_worker.changed);
    }
    return unused;
}

int stint_worker_run(void (*begin)(void), void (*run)(void *argument), void *argument, void *context)
{
    if (!s_worker.started) {
        s_worker.begin = begin;
        s_worker.started = !stint_detach(work, NULL, NULL);
    }
    if (!s_worker.started)
        return -1;
    pthread_mutex_lock(&s_worker.lock);
    s_worker.argument = argument;
    s_worker.context = context;
    s_worker.run = run;
    pthread_cond_broadcast(&s_worker.changed);
    while (s_worker.run)
        pthread_cond_wait(&s_worker.changed, &s_worker.lock);
    pthread_mutex_unlock(&s_worker.lock);
    return 0;
}
