/* What every timed call of MPI does around the real one. */
#ifndef STINT_MPI_TIMED_CALL_H
#define STINT_MPI_TIMED_CALL_H

#include <mpi.h>
#include <stdint.h>

#include "mpi/mpi_call_list.h"
#include "stint/statset.h"

#define STINT_MPI_NUMBER(name, ...) STINT_MPI_CALL_##name,
enum stint_mpi_call_number { STINT_MPI_CALLS(STINT_MPI_NUMBER, STINT_MPI_NUMBER) STINT_MPI_CALL_COUNT };

/* What STINT_MPI asks for. */
enum { STINT_MPI_TIMERS = 1, STINT_MPI_REPORT = 2 };
int stint_mpi_wanted(void);

/* Begins a call. Returns 0 if it is not timed: timers are off, or it is made by another one, as those from Fortran
 * are in some libraries. Then stint_mpi_call_end must not be called. */
int stint_mpi_call_begin(void);

/* The set of the calls' scopes. */
struct stint_statset *stint_mpi_set(void);

/* Ends a call. */
void stint_mpi_call_end(enum stint_mpi_call_number call, uint64_t bytes);

/* The times of a collective call, which is in every rank's list of rounds if it is over all ranks. */
uint64_t stint_mpi_round_begin(void);
void stint_mpi_round_end(MPI_Comm comm, uint64_t arrived_ns);

/* Adds to a rank's part: bytes by call. */
struct stint_builder;
void stint_mpi_call_add_bytes(struct stint_builder *builder);

#endif
