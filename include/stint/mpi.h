/* stint/mpi.h - one report for all ranks of a program that uses MPI. Library: libstint_mpi.
 *
 *     stint_mpi_report(MPI_COMM_WORLD);      // so far; rank 0 prints
 *     MPI_Finalize();                        // prints the whole by itself
 *
 * A program needs only to be linked with libstint_mpi, or to have it preloaded (as stint-run(1) does below mpirun). The
 * ranks' snapshots are added up along a tree, with a message of some ten kilobytes from each rank, in a number of steps
 * that is logarithmic in the number of ranks. Rows are matched by name, and need not be the same on all ranks. The
 * result knows how the ranks differ (rank_stats.h): STINT_FORMAT_RANKS shows it.
 *
 * Calls of MPI that communicate or wait become scopes of the set STINT_MPI_SET, so that waiting is not part of the
 * self time of their callers. For collective calls over all ranks, two barrier statistics say which rank arrived
 * last, and which took longest in between. Each rank also notes all its statistics at growing intervals, so that the
 * report can say which rank became slower, and when.
 *
 *   STINT_MPI=on|timers|report|off   calls of MPI as scopes, the report in MPI_Finalize, both (the default), or neither
 *   STINT_MPI_OUTPUT=PATH            where rank 0 writes the report; JSON if it ends in .json. Default: stderr
 *   STINT_MPI_REPORT=NAME            the report, as STINT_REPORT has them. Default: ranks
 *   STINT_MPI_RANKS=PATH             each rank also writes its own part there, as JSON, for `stint merge`; %r is the
 *                                    rank
 *
 * Calls from Fortran count, too, through mpif.h, `use mpi` or `use mpi_f08`; without their bytes. */
#ifndef STINT_MPI_H
#define STINT_MPI_H

#include <mpi.h>

#include "stint/detail/api.h"
#include "stint/snapshot.h"
#include "stint/status.h"

STINT_EXTERN_C_BEGIN

/** Adds up what all ranks of `comm` have recorded so far. Collective. Ranks have their numbers in MPI_COMM_WORLD.
 *
 *  @param sum receives the sum on rank 0 of `comm`, and NULL on the others. Free it with stint_snapshot_free. Its
 *         process.ranks says how many ranks are in it: one that had no memory for its part is not.
 *  @return STINT_OK; STINT_ERROR_INVALID_ARGUMENT: sum is NULL; STINT_ERROR_NO_MEMORY; STINT_ERROR_BUSY: MPI is not
 *          initialized, or is finalized; STINT_ERROR_IO: MPI reported an error. */
STINT_API enum stint_status stint_mpi_reduce(MPI_Comm comm, struct stint_snapshot **sum);

/** Adds up what all ranks of `comm` have recorded so far, and has its rank 0 write the report. Collective.
 *
 *  @return as stint_mpi_reduce; STINT_ERROR_IO: also if the report could not be written. */
STINT_API enum stint_status stint_mpi_report(MPI_Comm comm);

STINT_EXTERN_C_END

#endif
