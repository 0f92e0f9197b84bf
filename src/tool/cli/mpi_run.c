/* Decides whether libstint_mpi fits the launcher that started this rank, and takes over the sum that it leaves. */
#include "cli/mpi_run.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/env.h"
#include "cli/command.h"
#include "import/read_json.h"

/* Launchers of Open MPI set the first. A library for Open MPI notices that a program has another MPI, and then does
 * nothing; a library for another MPI would pass on handles of Open MPI wrongly. */
static const char *const s_launchers[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK",
                                          "SLURM_PROCID"};

static int is_launched(void)
{
    for (size_t i = 0; i < sizeof s_launchers / sizeof s_launchers[0]; i++)
        if (stint_env_text(s_launchers[i]))
            return 1;
    return 0;
}

static int fits(void)
{
    return stint_env_text("STINT_MPI_LIBRARY") || STINT_CLI_MPI_IS_OPEN || !stint_env_text(s_launchers[0]);
}

struct stint_located stint_mpi_run_library(void)
{
    static const struct stint_located nothing;
    const char *wanted = stint_env_text("STINT_MPI");
    if ((wanted && strcmp(wanted, "off") == 0) || !is_launched() || !fits())
        return nothing;
    struct stint_located located = stint_locate_mpi();
    return strpbrk(located.path, " :") ? nothing : located;
}

int stint_mpi_run_take(const struct stint_folder *folder, struct stint_snapshot **sum)
{
    char path[PATH_MAX + sizeof STINT_MPI_RUN_FILE];
    struct stat status;
    struct stint_import_error error;
    *sum = NULL;
    (void)snprintf(path, sizeof path, "%s/%s", folder->path, STINT_MPI_RUN_FILE);
    if (stat(path, &status))
        return 0;
    if (status.st_size && stint_import_file(path, sum, &error))
        stint_cli_say("the sum of the ranks cannot be read: %s", error.reason);
    return 1;
}
