/* Messages between ranks. Each function is 0, or an error of MPI. */
#ifndef STINT_MPI_EXCHANGE_H
#define STINT_MPI_EXCHANGE_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#include "ranks/pack.h"

/* A communicator of this library's own, with the ranks of another one. */
struct stint_mpi_group {
    MPI_Comm comm;
    int rank;
    int size;
    int world_rank; /* of this process in MPI_COMM_WORLD */
};

/* Begins and ends it. Collective. */
int stint_mpi_group_begin(struct stint_mpi_group *group, MPI_Comm comm);
void stint_mpi_group_end(struct stint_mpi_group *group);

/* Sends bytes, or receives as many as were sent, into empty ones. Without memory for them, there are none. */
int stint_mpi_send(const struct stint_mpi_group *group, int to, const struct stint_packed *packed);
int stint_mpi_receive(const struct stint_mpi_group *group, int from, struct stint_packed *packed);

/* Gathers so many bytes of each rank on one of them. Collective. */
int stint_mpi_gather(const struct stint_mpi_group *group, int root, const void *mine, int size, void *all);

/* The least of a number on all ranks. Collective. */
int stint_mpi_least(const struct stint_mpi_group *group, int *number);

#endif
