/* The functions of the MPI library that the program uses. They are looked up by name, so that this library can be
 * preloaded into programs without MPI, and into those that load MPI later. */
#ifndef STINT_MPI_REAL_H
#define STINT_MPI_REAL_H

#include <mpi.h>

/* Returns the function or object of that name, or NULL if there is none. */
void *stint_mpi_find(const char *name);

/* Returns what "mpi_barrier_" of Fortran does: "pmpi_barrier_". That of MPICH's "mpi_barrier_f08_" is
 * "pmpir_barrier_f08_". */
void *stint_mpi_find_fortran(const char *name);

/* Whether the program's MPI is the one that this library was built for. */
int stint_mpi_is_known(void);

/* MPI_COMM_WORLD and MPI_BYTE. */
MPI_Comm stint_mpi_world(void);
MPI_Datatype stint_mpi_byte(void);

/* Declares the pointer `real` to the function PMPI_…, which is looked up once. */
#define STINT_MPI_REAL(name)                                                                                           \
    static __typeof__(&P##name) s_real;                                                                                \
    __typeof__(&P##name) real = __atomic_load_n(&s_real, __ATOMIC_RELAXED);                                            \
    if (!real) {                                                                                                       \
        void *found = stint_mpi_find("P" #name);                                                                       \
        memcpy(&real, &found, sizeof real);                                                                            \
        __atomic_store_n(&s_real, real, __ATOMIC_RELAXED);                                                             \
    }

#endif
