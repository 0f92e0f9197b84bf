/* An MPI in which one process plays one rank after another: what one sends, the next receives. Link with the sources of
 * src/parts/mpi, which find these functions in the program by their names. */
#ifndef STINT_TESTS_FAKE_MPI_H
#define STINT_TESTS_FAKE_MPI_H

#include <mpi.h>

struct fake_mpi {
    int rank, size;
    int is_begun, is_ended;
    int error;           /* of all calls that communicate */
    int works;           /* but for so many first ones */
    int calls;           /* of these */
    const char *missing; /* what no library has: names that begin so */
};

extern struct fake_mpi fake_mpi;

/* Test setup: one rank, and MPI has begun. */
int fake_mpi_reset(void **state);

#endif
