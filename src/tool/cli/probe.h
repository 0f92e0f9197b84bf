/* What is installed beside the program and on the machine, and whether it works. */
#ifndef STINT_CLI_PROBE_H
#define STINT_CLI_PROBE_H

#include <limits.h>
#include <stddef.h>

#include "ceiling/ceilings.h"
#include "stint/status.h"

/* --------------------------------------------------------------------------------------------------------- locate.c */

/* Finding what is installed beside the program. */

struct stint_located {
    char path[PATH_MAX]; /* absolute; "": not found */
};

/* Finds a library by its name, in the folder of libraries that belongs to the program's. */
struct stint_located stint_locate(const char *name);

/* Finds the library that records in programs that do not link stint: STINT_INJECT_LIBRARY, or libstint_inject.so. */
struct stint_located stint_locate_inject(void);

/* Finds the folder of what Python imports when it starts: for `stint run --ops`. */
struct stint_located stint_locate_python(void);

/* Whether the program is called as those that start the ranks of a job. */
int stint_is_mpi_launcher(const char *program);

/* Finds libstint_mpi, STINT_MPI_LIBRARY or in the same places, if a launcher of MPI started this program, or is the
 * program to be run, STINT_MPI is not off, and the library fits the launcher's MPI, as far as known. */
struct stint_located stint_locate_mpi(const char *program);

/* ------------------------------------------------------------------------------------------------------- obstacle.c */

/* What keeps stint out of a program. */

struct stint_obstacle {
    char path[PATH_MAX]; /* the file that is executed: the interpreter, if the program is a script */
    int is_script;
    const char *what; /* is the matter with that file: "is linked statically: ..."; NULL: nothing known */
    const char *remedy;
    int is_fatal;       /* with stint's libraries in LD_PRELOAD, it would not start */
    const char *advice; /* what shows more of such a program; NULL: nothing special */
};

/* Looks for the program as a shell does. Returns 0, or -1 and errno if it is not there. */
int stint_obstacle_find(struct stint_obstacle *obstacle, const char *program);

/* ---------------------------------------------------------------------------------------------------------- probe.c */

/* Tries something in a process of its own, because opening drivers and CUPTI may hang, crash, or leave traces. */

/* Fills `result`, which is all 0 before. */
typedef void stint_trial_fn(void *result, const char *path);

/* Runs `try` with a path, for a minute at most, and takes over its result of so many bytes. Returns 0; or, with a
 * result that is all 0, the signal that ended the process, or -1 if something else went wrong. */
int stint_trial(stint_trial_fn *try, const char *path, void *result, size_t size);

/* Writes why a trial gave no result, as stint_trial returned it: "the trial was ended by: Segmentation fault". */
void stint_trial_reason(int ended, char *out, size_t size);

/* ------------------------------------------------------------------------------------------------------------ probe */

/* Whether GPU work can be recorded. */
struct stint_probe {
    char library[256];   /* why libstint cannot be loaded; "": it was */
    char no_driver[256]; /* why libcuda.so.1 cannot be loaded or used; "": it works */
    int driver_version;  /* the newest CUDA it supports: 13000 is 13.0 */
    int devices;
    char device[128]; /* the first one's name */
    enum stint_status status;
    char reason[512];     /* of the status */
    char cupti[PATH_MAX]; /* the CUPTI that was opened; "": none */
    unsigned cupti_version;
};

/* `library` is libstint's path. Returns what stint_trial does. */
int stint_probe(struct stint_probe *probe, const char *library);

/* Takes the median of several trials. To be called before this process uses CUDA, which is of no use in a forked one
 * then. Returns 0, or -1 with the cause. */
int stint_probe_cupti(struct stint_cupti_cost *cost, const char *cupti, char *reason, size_t size);

#endif
