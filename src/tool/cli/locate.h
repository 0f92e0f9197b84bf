/* Finding what is installed beside the program. */
#ifndef STINT_CLI_LOCATE_H
#define STINT_CLI_LOCATE_H

#include <limits.h>

struct stint_located {
    char path[PATH_MAX]; /* absolute; "": not found */
};

/* Finds the library that records in programs that do not link stint: STINT_INJECT_LIBRARY, or
 * libstint_inject.so in the folder of libraries that belongs to the program's. */
struct stint_located stint_locate_inject(void);

/* Finds the library that also records waits in the C library, in that folder. */
struct stint_located stint_locate_osrt(void);

/* Finds the folder of what Python imports when it starts: for `stint run --ops`. */
struct stint_located stint_locate_python(void);

/* Finds the library that takes samples, in that folder. */
struct stint_located stint_locate_sample(void);

/* Find libstint itself, and libstint_functions, in the same places. */
struct stint_located stint_locate_library(void);
struct stint_located stint_locate_functions(void);

/* Finds libstint_mpi, STINT_MPI_LIBRARY or in the same places, if a launcher of MPI started this program, STINT_MPI is
 * not off, and the library fits the launcher's MPI. */
struct stint_located stint_locate_mpi(void);

#endif
