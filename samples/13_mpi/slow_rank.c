/* A solver on several ranks, of which one has more work than the others, and another one becomes slow after a while, as
 * on a processor that throttles. Only the scopes are stint's: MPI's calls and the table of all ranks come from
 * libstint_mpi. */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

#include <stint/stint.h>

enum { ITERATIONS = 100, CELLS = 4000, MORE_WORK = 1, THROTTLED = 2, THROTTLED_FROM = 50 };

/* Stands for work: it takes the same time however busy the machine is. */
static void compute_for(double milliseconds)
{
    struct timespec time = {0, (long)(milliseconds * 1e6)};
    (void)nanosleep(&time, NULL);
}

static void update_cells(int rank, int iteration)
{
    REGISTER_TIMER("update cells");
    compute_for(rank == THROTTLED && iteration >= THROTTLED_FROM ? 6 : 3);
}

/* Only one rank has boundaries: the domain was cut badly. */
static void update_boundaries(int rank)
{
    REGISTER_TIMER("update boundaries");
    compute_for(rank == MORE_WORK ? 2 : 0.1);
}

static void exchange_halos(int rank, int size)
{
    static char to_next[CELLS], from_previous[CELLS];
    REGISTER_TIMER("exchange halos");
    (void)MPI_Sendrecv(to_next, CELLS, MPI_CHAR, (rank + 1) % size, 0, from_previous, CELLS, MPI_CHAR,
                       (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double residual(double mine)
{
    double sum = 0;
    REGISTER_TIMER("residual");
    (void)MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

int main(int count, char **arguments)
{
    int rank, size;
    double rest = 0;
    (void)MPI_Init(&count, &arguments);
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < ITERATIONS; ++i) {
        REGISTER_TIMER("iteration");
        update_cells(rank, i);
        update_boundaries(rank);
        exchange_halos(rank, size);
        rest = residual(1.0 / (i + 1));
    }
    if (rank == 0)
        (void)printf("%d iterations on %d ranks, residual %.2f\n", ITERATIONS, size, rest);
    (void)MPI_Finalize(); /* libstint_mpi prints the table here */
    return 0;
}
