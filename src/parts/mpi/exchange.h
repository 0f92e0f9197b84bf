/* Messages between ranks. Each function is 0, or an error of MPI. */
#ifndef STINT_MPI_EXCHANGE_H
#define STINT_MPI_EXCHANGE_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#include "ranks/ranks.h"
#include "stat/builder.h"
#include "stint/snapshot.h"
#include "stint/status.h"

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

/* ---------------------------------------------------------------------------------------------------------- notes.c */

/* The history of this process (ranks/ranks.h), and its rounds: collective calls over all ranks. Both have a fixed
 * size, whatever the length of the run. */

/* Takes a note of all statistics if it is time for one. */
void stint_mpi_note(void);

/* Takes a last note, of this snapshot, and returns the history, which no other thread uses until it is released. */
const struct stint_history *stint_mpi_history_take(const struct stint_snapshot *snapshot);
void stint_mpi_history_release(void);

enum { STINT_MPI_ROUNDS = 128 };

/* One of the rounds that are kept: all ranks keep the same. */
struct stint_mpi_round {
    uint64_t wait_ns; /* from the rank's arrival until it went on */
    uint64_t work_ns; /* from the end of its round before until it arrived */
};

/* Copies the rounds, STINT_MPI_ROUNDS at most, and returns how many they are. */
size_t stint_mpi_rounds(struct stint_mpi_round *rounds);

/* Where sums and parts are written. */

/* Writes the report called `name` to the file named by a pattern, which appears complete or not at all. Returns 0,
 * or -1 after logging why not; `variable` is where the pattern comes from. */
int stint_mpi_save(const struct stint_snapshot *snapshot, const char *variable, const char *pattern, const char *name);

#endif
