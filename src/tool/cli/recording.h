/* Running a program so that it records what it does, once or as often as its counters need, and what it left. */
#ifndef STINT_CLI_RECORDING_H
#define STINT_CLI_RECORDING_H

#include "base/arena.h"
#include "cli/files.h"
#include "cli/probe.h"
#include "cli/results.h"
#include "system/system_view.h"

/* ---------------------------------------------------------------------------------------------------------- child.c */

/* Running a program as if it had been run directly: its terminal, its signals, its exit status. */

struct stint_launch {
    char **arguments;                              /* of the program, its name first, up to NULL */
    void (*prepare)(void *context);                /* called in the new process: sets its environment */
    void (*started)(void *context, long long pid); /* called as soon as the program runs; may be NULL */
    void *context;
    long long pid;            /* of the program */
    int status;               /* waitpid's */
    int error;                /* errno, if it could not be run; `status` then means nothing */
    int survivors;            /* whether processes that it started still run */
    uint64_t wall_ns, cpu_ns; /* how long it ran, and what it and its children used that have ended */
    uint64_t children_cpu_ns; /* what these used without it */
};

/* Runs the program and waits for its end. Signals sent only to this process are forwarded; when the program
 * stops, this process stops, too, and they continue together. */
void stint_launch(struct stint_launch *launch);

/* Returns the exit code that corresponds to the program's end. If a signal killed it, kills this process with the same
 * signal, and returns only if that fails. */
int stint_launch_end(const struct stint_launch *launch);

/* --------------------------------------------------------------------------------------------------------- stores.c */

/* What a run's processes recorded: each writes a recording while it runs, and at the end databases are made of these,
 * or they get the names that were asked for. */

struct stint_stores {
    char path[PATH_MAX];        /* prepared (base/whole_file.h) */
    struct stint_folder folder; /* beside it, so that renaming is enough */
    int is_kept;                /* set: recordings that could not be moved are in the folder */
};

/* Reads what --store says. Returns 0, or -1 after saying what is wrong. */
int stint_stores_read(struct stint_stores *stores, const char *pattern);

/* Makes the folder. Returns 0, or -1 after saying what is wrong. */
int stint_stores_begin(struct stint_stores *stores);

/* Adds what is known of processes that left no report, because they were killed or the disk is full, from what they
 * recorded until then. */
void stint_stores_recover(const struct stint_stores *stores, struct stint_results *results,
                          const struct stint_launch *launch, int quiet);

/* Makes a database of the recordings in the folder, or gives them their name if that is to be a recording, and a
 * folder of several; if the name has the process id, of each. Those of processes that still run stay in the folder. If
 * there are none, writes what the processes reported: the one that began first gets the name that was asked for, others
 * the same name with the process id in front of the ending, because there are no events to put together. Says where
 * they are unless `quiet`, and what failed. Returns 0, or -1 if anything is missing. */
int stint_stores_take(struct stint_stores *stores, const struct stint_results *results, int quiet);

/* Does so for one process, whose snapshot this is, with the name `path`. Returns 0; 1 if not all that it recorded could
 * be written; or -1 and why not. */
int stint_stores_take_process(struct stint_stores *stores, const struct stint_snapshot *snapshot, const char *path,
                              char *reason, size_t size);

/* Writes the name that stores have got that is not of each process. Returns 0, or -1 if it is too long. */
int stint_stores_name(const struct stint_stores *stores, char *out, size_t size);

/* Removes what has that name. */
void stint_stores_remove(const char *path);

/* Removes the folder, unless it is kept. */
void stint_stores_end(const struct stint_stores *stores);

/* ------------------------------------------------------------------------------------------------- system_profile.c */

/* --system-profiling: what GPUs consumed while a program ran, beside what the program did. */

struct stint_system_profile {
    struct stint_arena arena;
    struct stint_system_view *view;    /* NULL: nothing is sampled */
    struct stint_event_writer *writer; /* NULL: events are not kept */
    uint64_t start_unix_ns;
    char command[128]; /* that the recording shows as its process */
};

/* Begins when the program runs, and says why if that is not possible. Each number becomes an event of a recording of
 * its own in the folder of `stores`, unless that is NULL; `program` is what runs. */
void stint_system_profile_begin(struct stint_system_profile *profile, const struct stint_stores *stores,
                                const char *program);

/* Ends, and gives the numbers to the snapshot of the process `pid`, or of the first if that has none; without results
 * they become one. */
void stint_system_profile_end(struct stint_system_profile *profile, struct stint_results *results, int64_t pid);

/* Frees what the snapshot got: when the results are not used any more. */
void stint_system_profile_free(struct stint_system_profile *profile);

/* ------------------------------------------------------------------------------------------------------ recording.c */

/* Running a program so that it and its children record what they do, and leave their reports in a private folder. */

struct stint_recording {
    const char *gpu;             /* for STINT_GPU; NULL: as it is */
    const char *unified_memory;  /* for STINT_GPU_UNIFIED_MEMORY; NULL: as it is */
    const char *adopt;           /* for STINT_ADOPT; NULL: as it is */
    int cpu;                     /* 1: measure CPU time */
    const char *budget;          /* what recording may cost; NULL: any */
    int nvtx;                    /* 1: record NVTX */
    unsigned long long trace;    /* events; 0: none */
    int from_start;              /* 1: record at once; 0: from cudaProfilerStart on; -1: as it is */
    double delay, duration;      /* seconds until recording begins, and how long it lasts; 0: none */
    const char *window;          /* for STINT_WINDOW; NULL: as it is */
    double live;                 /* seconds between blocks of what has been recorded so far; 0: none (cli/live.h) */
    const char *sample;          /* for STINT_SAMPLE; NULL: as it is */
    const char *functions;       /* for STINT_FUNCTIONS; NULL: functions are not recorded */
    int osrt;                    /* 1: record waits in the C library */
    const char *osrt_threshold;  /* for STINT_OSRT_THRESHOLD; NULL: as it is */
    struct stint_stores *stores; /* databases with all events that are to be kept; NULL: none */
    const char *store_max;       /* for STINT_TRACE_MAX, and the next for STINT_TRACE_RING; NULL: as it is */
    const char *store_ring;
    int store_wait;                    /* 1: for STINT_TRACE_WAIT */
    int ops;                           /* 1: PyTorch says which operations it runs */
    unsigned long long ops_iterations; /* of which it says types and arguments, too */
    unsigned long long trace_calls;    /* lines of the program's call stack for each; 0: none */
    int system;                        /* 1: sample what GPUs consume */
    const char *counters;              /* for STINT_COUNTERS; NULL: as it is, here and in the next three */
    const char *counter_kernels;       /* for STINT_COUNTERS_KERNELS */
    const char *counter_launches;      /* for STINT_COUNTERS_LAUNCHES */
    const char *counter_scopes;        /* for STINT_COUNTERS_SCOPES */
    size_t counter_run;                /* for STINT_COUNTERS_RUN; 0: kernels are replayed */
    int quiet;                         /* 1: no messages but errors */
    void (*started)(void *recording, long long pid); /* called as soon as the program runs; may be NULL */
    struct stint_folder folder;
    struct stint_located inject;            /* empty: stint_record finds it */
    struct stint_located functions_library; /* if functions are recorded */
    struct stint_located python;            /* if operations are */
    struct stint_system_profile system_profile;
    struct stint_located sample_library; /* if samples are taken */
    const char *program;                 /* set by stint_record */
    struct stint_located mpi_library;    /* if this is a rank of a program that may use MPI, or starts such */
    int adds_ranks_up;                   /* 1: all ranks have one report; 0: calls of MPI are timed only */
};

/* The file in the folder of reports in which libstint_mpi leaves the sum of all ranks, if this is rank 0, else an empty
 * one. */
#define STINT_RECORDING_RANKS "ranks"

/* The file in the same folder to which processes append for how long they ran without a sample (model/sampler.h). */
#define STINT_RECORDING_UNSAMPLED "unsampled"

/* Prints what was recorded, to which it may add something; `launch` says how the program ended. */
typedef void stint_report_results(void *context, struct stint_results *results, const struct stint_launch *launch);

/* Runs the program with these arguments, its name first, up to NULL; calls `report` if it could be run. Returns the
 * exit code; dies of the signal that the program died of. */
int stint_record(struct stint_recording *recording, char **arguments, stint_report_results *report, void *context);

/* --------------------------------------------------------------------------------------------------- counter_runs.c */

/* Hardware counters that were asked for: in runs of the program, one after the other if kernels are not replayed (stint
 * run --replay-mode application). */

/* Returns 0 if a kernel was counted in some process; -1 after saying why none was. */
int stint_counted_check(const struct stint_results *results);

/* Checks what --counters got. Returns 0, or -1 after saying that a word is neither a group nor may be a metric. */
int stint_counted_read(const char *metrics);

/* Checks what --launches got. Returns 0, or -1 after saying what is expected. */
int stint_counted_read_launches(const char *text);

/* As stint_record. If kernels are not replayed, then has the program run as often again as its counters need, and adds
 * what each run counted to the results of the first, and to what that recorded, before they are reported. Says how
 * often, and what was launched otherwise than in the first run. */
int stint_record_runs(struct stint_recording *recording, char **arguments, stint_report_results *report, void *context);

#endif
