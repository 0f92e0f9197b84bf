/* Looks up the real functions of MPI behind the wrappers, and the objects that constants such as MPI_COMM_WORLD stand
 * for in the library that the program has, which may be another than the one at build time. */
#include "mpi/timed_call.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* In a program that loads MPI itself, as Python does, MPI is in no scope that dlsym searches by default. */
static void *find_in_loaded(const char *name)
{
    static const char *const libraries[] = {"libmpi.so.40", "libmpi.so.12",       "libmpich.so.12",
                                            "libmpi.so",    "libmpi_mpifh.so.40", "libmpifort.so.12"};
    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++) {
        void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);
        void *found = library ? dlsym(library, name) : NULL;
        if (library)
            (void)dlclose(library);
        if (found)
            return found;
    }
    return NULL;
}

/* Objects may have been copied into the program, so the program comes first. */
void *stint_mpi_find(const char *name)
{
    void *found = dlsym(RTLD_DEFAULT, name);
    return found ? found : find_in_loaded(name);
}

void *stint_mpi_find_fortran(const char *name)
{
    char own[64];
    (void)snprintf(own, sizeof own, "p%s", name);
    void *found = stint_mpi_find(own);
    (void)snprintf(own, sizeof own, "pmpir_%s", name + strlen("mpi_"));
    return found ? found : stint_mpi_find(own);
}

#ifdef OPEN_MPI

static void *find_once(void **kept, const char *name)
{
    void *found = __atomic_load_n(kept, __ATOMIC_RELAXED);
    if (!found) {
        found = stint_mpi_find(name);
        __atomic_store_n(kept, found, __ATOMIC_RELAXED);
    }
    return found;
}

MPI_Comm stint_mpi_world(void)
{
    static void *s_world;
    return (MPI_Comm)find_once(&s_world, "ompi_mpi_comm_world");
}

MPI_Datatype stint_mpi_byte(void)
{
    static void *s_byte;
    return (MPI_Datatype)find_once(&s_byte, "ompi_mpi_byte");
}

int stint_mpi_is_known(void)
{
    return stint_mpi_world() != NULL;
}

#else

MPI_Comm stint_mpi_world(void)
{
    return MPI_COMM_WORLD;
}

MPI_Datatype stint_mpi_byte(void)
{
    return MPI_BYTE;
}

int stint_mpi_is_known(void)
{
    static int s_state; /* 0: not known yet */
    int state = __atomic_load_n(&s_state, __ATOMIC_RELAXED);
    if (!state) {
        state = stint_mpi_find("ompi_mpi_comm_world") ? 1 : 2;
        __atomic_store_n(&s_state, state, __ATOMIC_RELAXED);
    }
    return state == 2;
}

#endif
