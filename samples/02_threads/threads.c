/* Four workers take jobs from a queue with room for four. Their scopes are in a set of their own; the time that each
 * job waits in the queue, begun on one thread and ended on another, is in a second set. */
#define _POSIX_C_SOURCE 200809L /* barriers */

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#include <stint/stint.h>

enum { WORKERS = 4, PLACES = 4, JOBS = 400, STEPS = 100000 };

struct job {
    unsigned number;
    struct stint_timer waited;
};

static struct job s_jobs[JOBS];
static int s_filled, s_taken;
static pthread_mutex_t s_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t s_more = PTHREAD_COND_INITIALIZER, s_less = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t s_done;
static struct stint_statset *s_workers, *s_queue;

/* Returns the next job, or NULL when all have been taken. */
static struct job *take(void)
{
    struct job *job = NULL;

    pthread_mutex_lock(&s_lock);
    while (s_taken == s_filled && s_filled < JOBS)
        pthread_cond_wait(&s_more, &s_lock);
    if (s_taken < JOBS)
        job = &s_jobs[s_taken++];
    if (s_taken == JOBS)
        pthread_cond_broadcast(&s_more); /* no job is left: wake all workers, so that they end */
    pthread_cond_signal(&s_less);
    pthread_mutex_unlock(&s_lock);
    return job;
}

static void put(unsigned number)
{
    struct job *const job = &s_jobs[number];

    REGISTER_TIMER("put");
    job->number = number;
    pthread_mutex_lock(&s_lock);
    while (s_filled - s_taken == PLACES)
        pthread_cond_wait(&s_less, &s_lock);
    stint_timer_start(&job->waited, "wait", s_queue); /* from here ... */
    ++s_filled;
    pthread_cond_signal(&s_more);
    pthread_mutex_unlock(&s_lock);
}

/* Takes a few thousand steps of a random walk; returns where it ends. */
static uint32_t work(uint32_t state)
{
    REGISTER_TIMER("work", UINT64_MAX, s_workers);

    for (int i = 0; i < STEPS; ++i)
        state = state * 1664525U + 1013904223U;
    return state;
}

static void *worker(void *argument)
{
    uint32_t *const sum = argument;

    for (struct job *job = take(); job; job = take()) {
        stint_timer_stop(&job->waited); /* ... to here, on another thread */
        *sum += work(job->number);
    }
    pthread_barrier_wait(&s_done); /* stay alive until main has printed what each thread did */
    pthread_barrier_wait(&s_done);
    return NULL;
}

int main(void)
{
    pthread_t threads[WORKERS];
    uint32_t sums[WORKERS] = {0}, sum = 0;

    s_workers = stint_statset_get("Workers");
    s_queue = stint_statset_get("Queue");
    stint_statset_set_thread_info(s_workers, NULL, 1); /* a line per thread in printAllStatus() */
    pthread_barrier_init(&s_done, NULL, WORKERS + 1);
    for (int i = 0; i < WORKERS; ++i)
        if (pthread_create(&threads[i], NULL, worker, &sums[i]))
            return 1;
    for (unsigned i = 0; i < JOBS; ++i)
        put(i);
    pthread_barrier_wait(&s_done);
    printAllStatus();
    pthread_barrier_wait(&s_done);
    for (int i = 0; i < WORKERS; ++i) {
        REGISTER_TIMER("join");
        pthread_join(threads[i], NULL);
        sum += sums[i];
    }
    printf("sum of all walks: %u\n", (unsigned)sum);
    return 0;
}
