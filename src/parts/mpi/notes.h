/* The history of this process (ranks/history.h), and its rounds: collective calls over all ranks. Both have a fixed
 * size, whatever the length of the run. */
#ifndef STINT_MPI_NOTES_H
#define STINT_MPI_NOTES_H

#include "ranks/history.h"
#include "stat/builder.h"

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

#endif
