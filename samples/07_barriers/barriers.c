/* Ten trainers meet at the end of each of ten batches. Trainer i needs i times 10 ms for its batch, so all of them wait
 * for trainer 9. Two barrier statistics show this: one from the times of arrival, and one from the duration that each
 * trainer measured. */
#define _POSIX_C_SOURCE 200809L /* barriers, nanosleep */

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include <stint/stint.h>

enum { TRAINERS = 10, BATCHES = 10 };

static const long s_step_ns = 10000000; /* 10 ms */
static pthread_barrier_t s_next_batch;

static void compute(int trainer)
{
    const struct timespec time = {0, trainer * s_step_ns};

    nanosleep(&time, NULL);
}

static void *train(void *argument)
{
    const int trainer = *(const int *)argument;

    for (int batch = 0; batch < BATCHES; ++batch) {
        uint64_t start_us = 0;

        pthread_barrier_wait(&s_next_batch);
        FOR_TIMING(start_us = stint_now_us());
        compute(trainer);
        REGISTER_BARRIER_DELTA_SERVER_SET(NULL, "forwardBackward", TRAINERS, trainer, stint_now_us() - start_us,
                                          "_took");
        REGISTER_BARRIER_TIMER_SERVER(NULL, "forwardBackward", TRAINERS, trainer, "_end");
        (void)start_us;
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[TRAINERS];
    int ids[TRAINERS];

    pthread_barrier_init(&s_next_batch, NULL, TRAINERS);
    for (int i = 0; i < TRAINERS; ++i) {
        ids[i] = i;
        if (pthread_create(&threads[i], NULL, train, &ids[i]))
            return 1;
    }
    for (int i = 0; i < TRAINERS; ++i)
        pthread_join(threads[i], NULL);
    if (CHECK_BARRIER_TIMER(NULL, "forwardBackward", TRAINERS, "_end") != STINT_OK)
        return 1; /* a trainer is missing */
    printBarrierTimerStatus();
    return 0;
}
