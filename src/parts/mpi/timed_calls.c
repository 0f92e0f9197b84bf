/* The calls of MPI that are timed, from C. */
#include <string.h>

#include "mpi/timed_call.h"

static uint64_t bytes_of(uint64_t count, MPI_Datatype type)
{
    STINT_MPI_REAL(MPI_Type_size)
    int size = 0;
    return real && real(type, &size) == MPI_SUCCESS && size > 0 ? count * (uint64_t)size : 0;
}

static uint64_t sum_of(const int *counts, MPI_Comm comm)
{
    STINT_MPI_REAL(MPI_Comm_size)
    int size = 0;
    uint64_t sum = 0;
    if (!real || real(comm, &size) != MPI_SUCCESS)
        return 0;
    for (int i = 0; i < size; i++)
        sum += (uint64_t)counts[i];
    return sum;
}

#define BYTES(count, type) bytes_of((uint64_t)(count), type)
#define OF(buffer, count, type) ((buffer) == MPI_IN_PLACE ? 0 : BYTES(count, type))
#define SUM(buffer, counts, type, comm) ((buffer) == MPI_IN_PLACE ? 0 : bytes_of(sum_of(counts, comm), type))

#define TIMED(name, arguments)                                                                                         \
    {                                                                                                                  \
        STINT_MPI_SCOPE(#name);                                                                                        \
        result = real arguments;                                                                                       \
    }

/* Without a library that has the function, nobody can call it. */
#define CALL(name, parameters, arguments, bytes)                                                                       \
    STINT_API int name parameters                                                                                      \
    {                                                                                                                  \
        STINT_MPI_REAL(name)                                                                                           \
        int result;                                                                                                    \
        if (!real)                                                                                                     \
            return MPI_ERR_INTERN;                                                                                     \
        if (!stint_mpi_call_begin())                                                                                   \
            return real arguments;                                                                                     \
        TIMED(name, arguments)                                                                                         \
        stint_mpi_call_end(STINT_MPI_CALL_##name, bytes);                                                              \
        return result;                                                                                                 \
    }

#define ROUND(name, parameters, arguments, bytes, comm)                                                                \
    STINT_API int name parameters                                                                                      \
    {                                                                                                                  \
        STINT_MPI_REAL(name)                                                                                           \
        int result;                                                                                                    \
        if (!real)                                                                                                     \
            return MPI_ERR_INTERN;                                                                                     \
        if (!stint_mpi_call_begin())                                                                                   \
            return real arguments;                                                                                     \
        uint64_t arrived_ns = stint_mpi_round_begin();                                                                 \
        TIMED(name, arguments)                                                                                         \
        stint_mpi_round_end(comm, arrived_ns);                                                                         \
        stint_mpi_call_end(STINT_MPI_CALL_##name, bytes);                                                              \
        return result;                                                                                                 \
    }

STINT_MPI_CALLS(CALL, ROUND)

/* The same calls from Fortran, where all arguments are addresses. Some MPI libraries make the call of C in them, and
 * then only this one counts; others do not. Their bytes are not counted. */

#define PARAMETERS_2 void *a, void *b
#define PARAMETERS_3 PARAMETERS_2, void *c
#define PARAMETERS_4 PARAMETERS_3, void *d
#define PARAMETERS_5 PARAMETERS_4, void *e
#define PARAMETERS_6 PARAMETERS_5, void *f
#define PARAMETERS_7 PARAMETERS_6, void *g
#define PARAMETERS_8 PARAMETERS_7, void *h
#define PARAMETERS_9 PARAMETERS_8, void *i
#define PARAMETERS_10 PARAMETERS_9, void *j
#define PARAMETERS_13 PARAMETERS_10, void *k, void *l, void *m
#define ARGUMENTS_2 a, b
#define ARGUMENTS_3 ARGUMENTS_2, c
#define ARGUMENTS_4 ARGUMENTS_3, d
#define ARGUMENTS_5 ARGUMENTS_4, e
#define ARGUMENTS_6 ARGUMENTS_5, f
#define ARGUMENTS_7 ARGUMENTS_6, g
#define ARGUMENTS_8 ARGUMENTS_7, h
#define ARGUMENTS_9 ARGUMENTS_8, i
#define ARGUMENTS_10 ARGUMENTS_9, j
#define ARGUMENTS_13 ARGUMENTS_10, k, l, m

/* Handles of MPICH and its relatives are the same numbers in both languages. */
static MPI_Comm comm_of(const void *number)
{
#ifdef OPEN_MPI
    STINT_MPI_REAL(MPI_Comm_f2c)
    return real ? real(*(const MPI_Fint *)number) : NULL;
#else
    return *(const MPI_Fint *)number;
#endif
}

#define FORTRAN(name, c_name, count, comm)                                                                             \
    STINT_API void name(PARAMETERS_##count);                                                                           \
    STINT_API void name(PARAMETERS_##count)                                                                            \
    {                                                                                                                  \
        static void (*s_real)(PARAMETERS_##count);                                                                     \
        void (*real)(PARAMETERS_##count) = __atomic_load_n(&s_real, __ATOMIC_RELAXED);                                 \
        if (!real) {                                                                                                   \
            void *found = stint_mpi_find_fortran(#name);                                                               \
            memcpy(&real, &found, sizeof real);                                                                        \
            __atomic_store_n(&s_real, real, __ATOMIC_RELAXED);                                                         \
        }                                                                                                              \
        if (!real)                                                                                                     \
            return;                                                                                                    \
        if (!stint_mpi_call_begin()) {                                                                                 \
            real(ARGUMENTS_##count);                                                                                   \
            return;                                                                                                    \
        }                                                                                                              \
        const void *const arguments[] = {ARGUMENTS_##count};                                                           \
        uint64_t arrived_ns = (comm) < 0 ? 0 : stint_mpi_round_begin();                                                \
        {                                                                                                              \
            STINT_MPI_SCOPE(#c_name);                                                                                  \
            real(ARGUMENTS_##count);                                                                                   \
        }                                                                                                              \
        if ((comm) >= 0)                                                                                               \
            stint_mpi_round_end(comm_of(arguments[(comm) < 0 ? 0 : (comm)]), arrived_ns);                              \
        stint_mpi_call_end(STINT_MPI_CALL_##c_name, 0);                                                                \
    }

STINT_MPI_FORTRAN_CALLS(FORTRAN)

/* With `use mpi_f08` names end with f08_, and handles are structs with that number. In MPICH calls with buffers end
 * with f08ts_, and make the calls of C. */
#define FORTRAN_2008(name, c_name, count, comm) FORTRAN(name##f08_, c_name, count, comm)

STINT_MPI_FORTRAN_CALLS(FORTRAN_2008)
