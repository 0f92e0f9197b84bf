/* Running a rank of a program that uses MPI: the ranks are added up by libstint_mpi, and the program that ran rank 0
 * prints the sum. */
#ifndef STINT_CLI_MPI_RUN_H
#define STINT_CLI_MPI_RUN_H

#include "cli/folder.h"
#include "cli/locate.h"
#include "stint/snapshot.h"

/* Returns libstint_mpi if a launcher of MPI started this program, STINT_MPI is not off, and the library fits the
 * launcher's MPI; else an empty path. */
struct stint_located stint_mpi_run_library(void);

/* The file in the folder of reports in which rank 0 leaves the sum, and the others an empty one. */
#define STINT_MPI_RUN_FILE "ranks"

/* Returns whether the ranks were added up. Then *sum is the sum, or NULL if it is in another rank's folder, or
 * cannot be read, which is said. */
int stint_mpi_run_take(const struct stint_folder *folder, struct stint_snapshot **sum);

#endif
