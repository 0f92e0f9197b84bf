/* Writes the sum over all ranks, in the form and to the place that the environment asks for, and leaves a mark for
 * `stint run`. */
#include "mpi/exchange.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/env.h"
#include "base/file_name.h"
#include "base/log.h"
#include "base/whole_file.h"
#include "stint/report.h"

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
        return fail(variable, pattern, "expected a path with %p, %h, %r, %q{NAME} or %%");
    int error = stint_whole_file_open(&file, path, 0);
    if (error)
        return fail(variable, path, strerror(error));
    enum stint_status status = write_report(snapshot, name, stint_whole_file_write, &file);
    error = stint_whole_file_close(&file, status != STINT_OK);
    if (status && status != STINT_ERROR_IO)
        return fail(variable, path, stint_status_string(status));
    return error ? fail(variable, path, strerror(error)) : 0;
}

enum stint_status stint_mpi_print(const struct stint_snapshot *sum)
{
    static const char variable[] = "STINT_MPI_OUTPUT";
    const char *output = stint_env_text(variable), *name = report_asked_for();
    size_t length = output ? strlen(output) : 0;
    if (length)
        return stint_mpi_save(sum, variable, output,
                              length > 5 && strcmp(output + length - 5, ".json") == 0 ? "json" : name)
                   ? STINT_ERROR_IO
                   : STINT_OK;
    int file = STDERR_FILENO;
    enum stint_status status = write_report(sum, name, stint_write_fd, &file);
    if (status == STINT_ERROR_INVALID_ARGUMENT)
        (void)fail("STINT_MPI_REPORT", name, "there is no such report");
    return status;
}

void stint_mpi_leave_mark(void)
{
    const char *output = stint_env_text("STINT_MPI_MARK") ? stint_env_text("STINT_MPI_OUTPUT") : NULL;
    int file = output ? open(output, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (file >= 0)
        (void)close(file);
}
