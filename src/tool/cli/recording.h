/* Running a program so that it and its children record what they do, and leave their reports in a private folder. */
#ifndef STINT_CLI_RECORDING_H
#define STINT_CLI_RECORDING_H

#include "cli/child.h"
#include "cli/folder.h"
#include "cli/locate.h"
#include "cli/results.h"
#include "cli/stores.h"
#include "cli/system_profile.h"

struct stint_recording {
    const char *gpu;             /* for STINT_GPU; NULL: as it is */
    const char *adopt;           /* for STINT_ADOPT; NULL: as it is */
    int cpu;                     /* 1: measure CPU time */
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
    struct stint_located mpi_library;    /* if this is a rank of a program that may use MPI */
    int adds_ranks_up;                   /* 1: all ranks have one report; 0: calls of MPI are timed only */
};

/* The file in the folder of reports in which libstint_mpi leaves the sum of all ranks, if this is rank 0, else an empty
 * one. */
#define STINT_RECORDING_RANKS "ranks"

/* Prints what was recorded, to which it may add something; `launch` says how the program ended. */
typedef void stint_report_results(void *context, struct stint_results *results, const struct stint_launch *launch);

/* Runs the program with these arguments, its name first, up to NULL; calls `report` if it could be run. Returns the
 * exit code; dies of the signal that the program died of. */
int stint_record(struct stint_recording *recording, char **arguments, stint_report_results *report, void *context);

#endif
