/* nvprof's command line: what it asks for, and which of its options have no meaning here; and the reports on a process
 * that it asks for. */
#ifndef STINT_CLI_NVPROF_OPTIONS_H
#define STINT_CLI_NVPROF_OPTIONS_H

#include <stddef.h>

#include "cli/nvprof_metrics.h"
#include "cpu/cpu_profile.h"
#include "stint/report.h"
#include "stint/snapshot.h"

/* What to print; values add up. */
enum stint_nvprof_mode {
    STINT_NVPROF_SUMMARY = 1,
    STINT_NVPROF_PER_GPU = 2,
    STINT_NVPROF_GPU_SUMMARY = 4,
    STINT_NVPROF_API_SUMMARY = 8,
    STINT_NVPROF_GPU_TRACE = 16,
    STINT_NVPROF_API_TRACE = 32
};

enum { STINT_NVPROF_TRACES = STINT_NVPROF_GPU_TRACE | STINT_NVPROF_API_TRACE, STINT_NVPROF_MOST_OPTIONS = 96 };

/* --cpu-profiling and what belongs to it. */
struct stint_nvprof_cpu {
    int on;
    unsigned hz;
    enum stint_cpu_mode mode;
    unsigned deepest, least_percent; /* 0: all */
    int library;                     /* 1: name the file of each function */
    int by_lines;
};

struct stint_nvprof_asked {
    unsigned modes;     /* 0: not given */
    unsigned otherwise; /* the modes in that case */
    enum stint_time_unit unit;
    int csv;
    int mangled; /* show kernels' names as object files have them */
    int quiet;
    int force; /* replace a file that exists */
    int children;
    int system; /* --system-profiling on */
    struct stint_nvprof_cpu cpu;
    int from_start;              /* -1: not given */
    unsigned long long duration; /* seconds; 0: to the end */
    const char *gpu;             /* for STINT_GPU; NULL: as it is */
    const char *log_file, *export_file, *import_file;
    struct stint_nvprof_counters counters; /* of --metrics, --events and --kernels */
    int answered; /* 1: with the help, the version or names of metrics; nothing else is asked for */
    int queries;  /* 1: names of metrics were asked for */
    int program;  /* position of the program among the arguments; their number if there is none */
    unsigned char unmet[STINT_NVPROF_MOST_OPTIONS]; /* of each option: whether it was given, and has no meaning here */
};

/* Reads the options in front of the program; the first argument is nvprof's name. Returns 0, or -1 after saying what is
 * wrong. */
int stint_nvprof_read(struct stint_nvprof_asked *asked, int count, char **arguments);

/* Returns the name of option `index`, "metrics", and in *why, in one line, why it has no meaning here; *why is NULL if
 * it has one. NULL beyond the last. */
const char *stint_nvprof_option_at(size_t index, const char **why);

/* ---------------------------------------------------------------------------------------------------------- reports */

/* In nvprof_print.c. */

/* Whether CUDA was used, or should have been recorded. */
int stint_nvprof_has_profile(const struct stint_snapshot *snapshot);

/* Writes the reports of these modes, blank lines between, to the descriptor. Returns 0, or -1 after saying what
 * failed. */
int stint_nvprof_print(const struct stint_nvprof_asked *asked, unsigned modes, const struct stint_snapshot *snapshot,
                       int file);

/* Writes nvprof's table of metrics, or that in CSV. */
void stint_nvprof_counters_print(const struct stint_nvprof_counters *counters, const struct stint_snapshot *snapshot,
                                 int csv, int file);

#endif
