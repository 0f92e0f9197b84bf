/* The calls of MPI that are timed, from C. */
#include <string.h>

#include "mpi/real.h"
#include "mpi/timed_call.h"
#include "stint/timer.h"

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
        STINT_SCOPE(#name, UINT64_MAX, stint_mpi_set());                                                               \
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
