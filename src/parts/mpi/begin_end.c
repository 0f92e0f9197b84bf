/* The calls that begin and end MPI, from C and Fortran. Before the end, all ranks are added up. */
#include <string.h>

#include "base/log.h"
#include "mpi/exchange.h"
#include "mpi/timed_call.h"
#include "stint/mpi.h"
#include "stint/timer.h"

enum stint_status stint_mpi_report(MPI_Comm comm)
{
    struct stint_snapshot *sum;
    enum stint_status status = stint_mpi_reduce(comm, &sum);
    if (!status && sum)
        status = stint_mpi_print(sum);
    else if (!status)
        stint_mpi_leave_mark();
    stint_snapshot_free(sum);
    return status;
}

/* A library may make the call of C in that of Fortran: only the outer one counts. */
static void report_once(void)
{
    static int s_is_done;
    if (!(stint_mpi_wanted() & STINT_MPI_REPORT) || __atomic_exchange_n(&s_is_done, 1, __ATOMIC_RELAXED))
        return;
    enum stint_status status = stint_mpi_report(stint_mpi_world());
    if (status)
        STINT_LOG(STINT_LOG_ERROR, "the ranks could not be added up: %s", stint_status_string(status));
}

static int is_timed(void)
{
    static int s_is_begun;
    return (stint_mpi_wanted() & STINT_MPI_TIMERS) && !__atomic_exchange_n(&s_is_begun, 1, __ATOMIC_RELAXED);
}

/* --------------------------------------------------------------------------------------------------------------- C */

STINT_API int MPI_Init(int *count, char ***arguments)
{
    STINT_MPI_REAL(MPI_Init)
    if (!real)
        return MPI_ERR_INTERN;
    if (!is_timed())
        return real(count, arguments);
    STINT_SCOPE("MPI_Init", UINT64_MAX, stint_mpi_set());
    return real(count, arguments);
}

STINT_API int MPI_Init_thread(int *count, char ***arguments, int required, int *provided)
{
    STINT_MPI_REAL(MPI_Init_thread)
    if (!real)
        return MPI_ERR_INTERN;
    if (!is_timed())
        return real(count, arguments, required, provided);
    STINT_SCOPE("MPI_Init", UINT64_MAX, stint_mpi_set());
    return real(count, arguments, required, provided);
}

STINT_API int MPI_Finalize(void)
{
    STINT_MPI_REAL(MPI_Finalize)
    if (!real)
        return MPI_ERR_INTERN;
    report_once();
    if (!(stint_mpi_wanted() & STINT_MPI_TIMERS))
        return real();
    STINT_SCOPE("MPI_Finalize", UINT64_MAX, stint_mpi_set());
    return real();
}

/* --------------------------------------------------------------------------------------------------------- Fortran */

/* Names end with f08_ where a program has `use mpi_f08`. */
#define INIT(name, parameters, arguments)                                                                              \
    STINT_API void name parameters;                                                                                    \
    void name parameters                                                                                               \
    {                                                                                                                  \
        void(*real) parameters;                                                                                        \
        void *found = stint_mpi_find_fortran(#name);                                                                   \
        memcpy(&real, &found, sizeof real);                                                                            \
        if (real && is_timed()) {                                                                                      \
            STINT_SCOPE("MPI_Init", UINT64_MAX, stint_mpi_set());                                                      \
            real arguments;                                                                                            \
        } else if (real) {                                                                                             \
            real arguments;                                                                                            \
        }                                                                                                              \
    }

INIT(mpi_init_, (MPI_Fint * error), (error))
INIT(mpi_init_thread_, (MPI_Fint * required, MPI_Fint *provided, MPI_Fint *error), (required, provided, error))

#define FINALIZE(name)                                                                                                 \
    STINT_API void name(MPI_Fint *error);                                                                              \
    void name(MPI_Fint *error)                                                                                         \
    {                                                                                                                  \
        void (*real)(MPI_Fint *);                                                                                      \
        void *found = stint_mpi_find_fortran(#name);                                                                   \
        memcpy(&real, &found, sizeof real);                                                                            \
        report_once();                                                                                                 \
        if (real)                                                                                                      \
            real(error);                                                                                               \
    }

FINALIZE(mpi_finalize_)

INIT(mpi_init_f08_, (MPI_Fint * error), (error))
INIT(mpi_init_thread_f08_, (MPI_Fint * required, MPI_Fint *provided, MPI_Fint *error), (required, provided, error))
FINALIZE(mpi_finalize_f08_)
