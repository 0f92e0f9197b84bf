/* Finding what is installed beside the program. */
#ifndef STINT_CLI_LOCATE_H
#define STINT_CLI_LOCATE_H

#include <limits.h>

struct stint_located {
    char path[PATH_MAX]; /* absolute; "": not found */
};

/* Finds a library by its name, in the folder of libraries that belongs to the program's. */
struct stint_located stint_locate(const char *name);

/* Finds the library that records in programs that do not link stint: STINT_INJECT_LIBRARY, or libstint_inject.so. */
struct stint_located stint_locate_inject(void);

/* Finds the folder of what Python imports when it starts: for `stint run --ops`. */
struct stint_located stint_locate_python(void);

/* Finds libstint_mpi, STINT_MPI_LIBRARY or in the same places, if a launcher of MPI started this program, STINT_MPI is
 * not off, and the library fits the launcher's MPI. */
struct stint_located stint_locate_mpi(void);

#endif
