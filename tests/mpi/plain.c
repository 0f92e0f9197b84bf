/* A program that knows nothing of stint. Rank 2 works longest, and so waits least. */
#include <mpi.h>
#include <time.h>

int main(int count, char **arguments)
{
    int rank;
    (void)MPI_Init(&count, &arguments);
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 12; i++) {
        struct timespec time = {0, rank == 2 ? 50000000 : 2000000};
        double mine[4] = {0}, sum[4];
        (void)nanosleep(&time, NULL);
        (void)MPI_Allreduce(mine, sum, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    (void)MPI_Barrier(MPI_COMM_WORLD);
    (void)MPI_Finalize();
    return 0;
}
