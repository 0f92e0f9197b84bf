/* Looks for stint's libraries where its own program is, so that an installation can be moved, and decides whether
 * libstint_mpi fits the launcher that started this rank. */
#include "cli/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "base/process.h"
#include "cli/command.h"

/* Relative to the program's folder; the first one of each is set by the build. */
static const char *const s_folders[] = {STINT_CLI_LIBRARY_FOLDER, "../lib", "../lib64", ".", NULL};
static const char *const s_data_folders[] = {STINT_CLI_DATA_FOLDER, "../share", NULL};

/* Without /proc, the name by which this program was executed leads to it. */
static int own_folder(char out[PATH_MAX])
{
    const char *name = (const char *)getauxval(AT_EXECFN);
    if (!realpath("/proc/self/exe", out) && (!name || !realpath(name, out)))
        return -1;
    char *slash = strrchr(out, '/');
    if (!slash)
        return -1;
    *slash = '\0';
    return 0;
}

static struct stint_located locate_in(const char *const *folders, const char *name)
{
    struct stint_located located = {""};
    char folder[PATH_MAX], path[PATH_MAX];
    if (own_folder(folder))
        return located;
    for (size_t i = 0; folders[i]; i++) {
        int absolute = folders[i][0] == '/';
        int length =
            snprintf(path, sizeof path, "%s%s%s/%s", absolute ? "" : folder, absolute ? "" : "/", folders[i], name);
        if (length < (int)sizeof path && realpath(path, located.path))
            return located;
    }
    located.path[0] = '\0';
    return located;
}

struct stint_located stint_locate(const char *name)
{
    return locate_in(s_folders, name);
}

/* A variable may name another one. */
static struct stint_located locate_unless_named(const char *variable, const char *name)
{
    struct stint_located located = {""};
    const char *named = stint_env_text(variable);
    if (!named)
        return stint_locate(name);
    if (!realpath(named, located.path))
        located.path[0] = '\0';
    return located;
}

struct stint_located stint_locate_inject(void)
{
    return locate_unless_named("STINT_INJECT_LIBRARY", "libstint_inject.so");
}

struct stint_located stint_locate_python(void)
{
    struct stint_located located = locate_in(s_data_folders, "stint/python/sitecustomize.py");
    char *slash = strrchr(located.path, '/');
    if (slash)
        *slash = '\0';
    return located;
}

/* -------------------------------------------------------------------------------------------------------------- MPI */

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

int stint_is_mpi_launcher(const char *program)
{
    static const char *const s_names[] = {"mpirun", "mpiexec", "orterun", "prterun", "srun"};
    const char *slash = strrchr(program, '/'), *name = slash ? slash + 1 : program;
    for (size_t i = 0; i < sizeof s_names / sizeof s_names[0]; i++) {
        size_t length = strlen(s_names[i]);
        if (strncmp(name, s_names[i], length) == 0 && (!name[length] || name[length] == '.'))
            return 1; /* also mpirun.openmpi and mpiexec.hydra */
    }
    return 0;
}

/* Below a launcher that is yet to run, the program's MPI is not known. */
static int fits(int is_launched)
{
    return stint_env_text("STINT_MPI_LIBRARY") || STINT_CLI_MPI_IS_OPEN ||
           (is_launched && !stint_env_text(s_launchers[0]));
}

struct stint_located stint_locate_mpi(const char *program)
{
    static const struct stint_located nothing;
    const char *wanted = stint_env_text("STINT_MPI");
    int launched = is_launched();
    if ((wanted && strcmp(wanted, "off") == 0) || !(launched || stint_is_mpi_launcher(program)) || !fits(launched))
        return nothing;
    struct stint_located located = locate_unless_named("STINT_MPI_LIBRARY", "libstint_mpi.so." STINT_CLI_SO_VERSION);
    return strpbrk(located.path, " :") ? nothing : located;
}
