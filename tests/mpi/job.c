/* A job in which rank 2 becomes slow in "compute" from iteration SLOW_FROM on.
 *
 * job [report]: with `report`, the ranks also report in the middle. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "stint/mpi.h"
#include "stint/stint.h"

enum { ITERATIONS = 60, SLOW_FROM = 30, SLOW_RANK = 2 };

static void work(long milliseconds)
{
    struct timespec time = {0, milliseconds * 1000000};
    (void)nanosleep(&time, NULL);
}

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_REALTIME, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void exchange(int rank, int size)
{
    STINT_SCOPE("exchange");
    char to[1000] = "", from[1000];
    double mine = rank, sum;
    (void)MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    (void)MPI_Sendrecv(to, sizeof to, MPI_CHAR, (rank + 1) % size, 0, from, sizeof from, MPI_CHAR,
                       (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void iterate(int rank, int size, int iteration)
{
    STINT_SCOPE("step");
    if (rank == SLOW_RANK && iteration == SLOW_FROM)
        (void)printf("slow from %.3f on\n", now());
    {
        STINT_SCOPE("compute");
        work(rank == SLOW_RANK && iteration >= SLOW_FROM ? 20 : 4);
    }
    exchange(rank, size);
}

int main(int count, char **arguments)
{
    int rank, size;
    (void)MPI_Init(&count, &arguments);
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < ITERATIONS; i++)
        iterate(rank, size, i);
    if (rank == 0) {
        STINT_SCOPE("write");
        work(1);
    }
    if (count > 1 && strcmp(arguments[1], "report") == 0 && stint_mpi_report(MPI_COMM_WORLD))
        return 1;
    (void)MPI_Finalize();
    return 0;
}
