/* Where sums and parts are written. */
#ifndef STINT_MPI_SUM_OUTPUT_H
#define STINT_MPI_SUM_OUTPUT_H

#include "stint/snapshot.h"
#include "stint/status.h"

/* Writes the report called `name` to the file named by a pattern, which appears complete or not at all. Returns 0,
 * or -1 after logging why not; `variable` is where the pattern comes from. */
int stint_mpi_save(const struct stint_snapshot *snapshot, const char *variable, const char *pattern, const char *name);

/* Writes the sum as the environment asks. */
enum stint_status stint_mpi_print(const struct stint_snapshot *sum);

/* Leaves an empty file where rank 0 writes the sum, if `stint run` asks for that: so it knows that the sum is there,
 * and prints nothing of this rank. */
void stint_mpi_leave_mark(void);

#endif
