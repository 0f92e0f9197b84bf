/* The calls that begin and end MPI, from C and Fortran. Before the end, all ranks are added up. */
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/log.h"
#include "base/process.h"
#include "base/whole_file.h"
#include "mpi/timed_call.h"
#include "stint/mpi.h"
#include "stint/report.h"

/* Writes the sum over all ranks, in the form and to the place that the environment asks for, and leaves a mark for
 * `stint run`. */

static const char *report_asked_for(void)
{
    const char *name = stint_env_text("STINT_MPI_REPORT");
    return name ? name : "ranks";
}

/* "ranks:csv" is a report in CSV, as in STINT_REPORT. */
static enum stint_status write_report(const struct stint_snapshot *snapshot, const char *name, stint_write_fn *write_fn,
                                      void *context)
{
    char plain[64];
    size_t length = strcspn(name, ":");
    int csv = strcasecmp(name + length, ":csv") == 0;
    if (length >= sizeof plain)
        return STINT_ERROR_INVALID_ARGUMENT;
    memcpy(plain, name, length);
    plain[length] = '\0';
    return stint_report_named(snapshot, plain, csv, NULL, write_fn, context);
}

static int fail(const char *variable, const char *pattern, const char *reason)
{
    STINT_LOG(STINT_LOG_ERROR, "%s=%.200s: %s", variable, pattern, reason);
    return -1;
}

int stint_mpi_save(const struct stint_snapshot *snapshot, const char *variable, const char *pattern, const char *name)
{
    char prepared[PATH_MAX], path[PATH_MAX];
    struct stint_whole_file file;
    if (stint_path_prepare(prepared, sizeof prepared, pattern) || stint_path_finish(path, sizeof path, prepared))
        return fail(variable, pattern, "expected a path with %p, %i, %h, %r, %q{NAME} or %%");
    int error = stint_whole_file_open(&file, path, STINT_FILE_AT_ONCE);
    if (error)
        return fail(variable, path, strerror(error));
    enum stint_status status = write_report(snapshot, name, stint_whole_file_write, &file);
    error = stint_whole_file_close(&file, status != STINT_OK);
    if (status && status != STINT_ERROR_IO)
        return fail(variable, path, stint_status_string(status));
    return error ? fail(variable, path, strerror(error)) : 0;
}

/* Writes the sum as the environment asks. */
static enum stint_status print_sum(const struct stint_snapshot *sum)
{
    static const char variable[] = "STINT_MPI_OUTPUT";
    const char *output = stint_env_text(variable), *name = report_asked_for();
    size_t length = output ? strlen(output) : 0;
    int is_json = length > 5 && strcmp(output + length - 5, ".json") == 0;
    int failed = length && stint_mpi_save(sum, variable, output, is_json ? "json" : name);
    if (length && !failed)
        return STINT_OK;
    int file = stint_log_stderr();
    enum stint_status status = write_report(sum, name, stint_write_fd, &file);
    if (status == STINT_ERROR_INVALID_ARGUMENT)
        (void)fail("STINT_MPI_REPORT", name, "there is no such report");
    return failed ? STINT_ERROR_IO : status;
}

/* Leaves an empty file where rank 0 writes the sum, if `stint run` asks for that: so it knows that the sum is there,
 * and prints nothing of this rank. */
static void leave_mark(void)
{
    const char *output = stint_env_text("STINT_MPI_MARK") ? stint_env_text("STINT_MPI_OUTPUT") : NULL;
    int file = output ? open(output, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (file >= 0)
        (void)close(file);
}

/* ------------------------------------------------------------------------------------------------------------ calls */

enum stint_status stint_mpi_report(MPI_Comm comm)
{
    struct stint_snapshot *sum;
    enum stint_status status = stint_mpi_reduce(comm, &sum);
    if (!status && sum)
        status = print_sum(sum);
    else if (!status)
        leave_mark();
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

/* The same is true of the scope: begins it, or returns NULL. */
static struct stint_i_node *enter_init(void)
{
    static struct stint_i_site s_site = {__FILE__, __func__, __LINE__, 0};
    static int s_is_begun;
    if (!(stint_mpi_wanted() & STINT_MPI_TIMERS) || __atomic_exchange_n(&s_is_begun, 1, __ATOMIC_RELAXED))
        return NULL;
    return stint_mpi_enter(&s_site, "MPI_Init");
}

#define INIT_SCOPE() struct stint_i_node *scope STINT_I_CLEANUP(stint_mpi_leave) = enter_init()

/* --------------------------------------------------------------------------------------------------------------- C */

STINT_API int MPI_Init(int *count, char ***arguments)
{
    STINT_MPI_REAL(MPI_Init)
    if (!real)
        return MPI_ERR_INTERN;
    INIT_SCOPE();
    return real(count, arguments);
}

STINT_API int MPI_Init_thread(int *count, char ***arguments, int required, int *provided)
{
    STINT_MPI_REAL(MPI_Init_thread)
    if (!real)
        return MPI_ERR_INTERN;
    INIT_SCOPE();
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
    STINT_MPI_SCOPE("MPI_Finalize");
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
        if (real) {                                                                                                    \
            INIT_SCOPE();                                                                                              \
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
