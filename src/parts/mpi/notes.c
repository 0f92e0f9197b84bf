/* Keeps how a rank's numbers grew during the run, and when it met the others, so that the sum over ranks can show who
 * was late and when. */
#include "mpi/timed_call.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

static uint64_t read_clock(clockid_t clock)
{
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* ---------------------------------------------------------------------------------------------------------- history */

/* What a note takes is a scope of its own, so that it is no part of what is measured, and everybody sees it. */

static pthread_mutex_t s_lock = PTHREAD_MUTEX_INITIALIZER;
static struct stint_history s_history;
static uint64_t s_due_ns; /* by the coarse clock; 0: at once */

static void note(const struct stint_snapshot *snapshot)
{
    stint_history_note(&s_history, snapshot);
    __atomic_store_n(&s_due_ns, read_clock(CLOCK_MONOTONIC_COARSE) + s_history.interval_ns, __ATOMIC_RELAXED);
}

void stint_mpi_note(void)
{
    struct stint_snapshot *snapshot;
    if (read_clock(CLOCK_MONOTONIC_COARSE) < __atomic_load_n(&s_due_ns, __ATOMIC_RELAXED) ||
        pthread_mutex_trylock(&s_lock))
        return;
    STINT_MPI_SCOPE("(notes for slow ranks)");
    if (stint_snapshot_take(&snapshot) == STINT_OK) {
        note(snapshot);
        stint_snapshot_free(snapshot);
    }
    pthread_mutex_unlock(&s_lock);
}

const struct stint_history *stint_mpi_history_take(const struct stint_snapshot *snapshot)
{
    pthread_mutex_lock(&s_lock);
    note(snapshot);
    return &s_history;
}

void stint_mpi_history_release(void)
{
    pthread_mutex_unlock(&s_lock);
}

/* ----------------------------------------------------------------------------------------------------------- rounds */

/* If there is no room left, every other round is dropped, and from then on every other one is kept: which these are
 * depends on their number alone, which is the same on all ranks. */
static struct {
    pthread_mutex_t lock;
    struct stint_mpi_round kept[STINT_MPI_ROUNDS];
    size_t count;
    uint64_t number; /* of all rounds */
    uint64_t stride; /* of which one in so many is kept */
    uint64_t left_ns;
} s_rounds = {.lock = PTHREAD_MUTEX_INITIALIZER, .stride = 1};

uint64_t stint_mpi_round_begin(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

static int is_over_all(MPI_Comm comm)
{
    return comm == stint_mpi_world();
}

static void drop_every_other(void)
{
    for (size_t i = 0; i < STINT_MPI_ROUNDS / 2; i++)
        s_rounds.kept[i] = s_rounds.kept[2 * i];
    s_rounds.count = STINT_MPI_ROUNDS / 2;
    s_rounds.stride *= 2;
}

void stint_mpi_round_end(MPI_Comm comm, uint64_t arrived_ns)
{
    if (!is_over_all(comm))
        return;
    uint64_t now = read_clock(CLOCK_MONOTONIC);
    pthread_mutex_lock(&s_rounds.lock);
    if (s_rounds.number % s_rounds.stride == 0 && s_rounds.count == STINT_MPI_ROUNDS)
        drop_every_other();
    if (s_rounds.number++ % s_rounds.stride == 0)
        s_rounds.kept[s_rounds.count++] = (struct stint_mpi_round){
            now - arrived_ns, s_rounds.left_ns && arrived_ns > s_rounds.left_ns ? arrived_ns - s_rounds.left_ns : 0};
    s_rounds.left_ns = now;
    pthread_mutex_unlock(&s_rounds.lock);
}

size_t stint_mpi_rounds(struct stint_mpi_round *rounds)
{
    pthread_mutex_lock(&s_rounds.lock);
    size_t count = s_rounds.count;
    memcpy(rounds, s_rounds.kept, count * sizeof *rounds);
    pthread_mutex_unlock(&s_rounds.lock);
    return count;
}
