/* Has threads that are all alive exit one after the other, for exits.sh, which counts what an exit costs. They
 * record without an inlined scope, whose clock valgrind cannot read everywhere.
 *
 *     cost_exits THREADS */
#include <pthread.h>
#include <stdlib.h>

#include "stint/stint.h"

enum { MOST = 1000 };

static pthread_barrier_t s_recorded;
static pthread_mutex_t s_turn[MOST]; /* held until it is the thread's turn to exit */

static void *record(void *turn)
{
    stint_statset_add(NULL, "thread", 1);
    pthread_barrier_wait(&s_recorded);
    pthread_mutex_lock(turn);
    pthread_mutex_unlock(turn);
    return NULL;
}

int main(int argc, char **argv)
{
    const int count = argc > 1 ? atoi(argv[1]) : 0;
    pthread_t threads[MOST];
    if (count < 1 || count > MOST)
        return 2;
    pthread_barrier_init(&s_recorded, NULL, (unsigned)count + 1);
    for (int i = 0; i < count; i++) {
        pthread_mutex_init(&s_turn[i], NULL);
        pthread_mutex_lock(&s_turn[i]);
        if (pthread_create(&threads[i], NULL, record, &s_turn[i]))
            return 1;
    }
    pthread_barrier_wait(&s_recorded);
    for (int i = 0; i < count; i++) {
        pthread_mutex_unlock(&s_turn[i]);
        pthread_join(threads[i], NULL);
    }
    return 0;
}
