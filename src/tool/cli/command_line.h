/* The command lines of the subcommands that have many options of their own: run, nvprof and diff. */
#ifndef STINT_CLI_COMMAND_LINE_H
#define STINT_CLI_COMMAND_LINE_H

#include <stddef.h>

#include "cli/recording.h"
#include "cli/results.h"
#include "cpu/cpu_profile.h"
#include "diff/diff.h"
#include "stint/report.h"
#include "stint/snapshot.h"

/* ---------------------------------------------------------------------------------------------------- run_options.c */

/* The command line of stint run. */

struct stint_run_options {
    struct stint_recording recording;
    struct stint_stores stores;
    int is_store_kept; /* 0: none was asked for */
    struct stint_print print;
    const char *report, *format, *log_file; /* as given; NULL: not */
    const char *api;
};

/* Reads the options in front of the program, which optind then is the position of. Returns -1 if they were understood;
 * else the exit code, after --help or saying what is wrong. The struct may not be copied afterwards. */
int stint_run_options_read(struct stint_run_options *run, int count, char **arguments);

/* ------------------------------------------------------------------------------------------------- nvprof_metrics.c */

/* The metrics and events of nvprof that have an equivalent among those of today's devices, and its options --metrics,
 * --events and --kernels: counters by their old names, or by those of the device. */

enum { STINT_NVPROF_TERMS = 3 };

struct stint_nvprof_metric {
    const char *name;
    int is_event;
    struct {
        double factor;
        const char *metric;      /* NULL: no more */
    } terms[STINT_NVPROF_TERMS]; /* their sum is the value */
    const char *description;
};

/* Returns NULL beyond the last. */
const struct stint_nvprof_metric *stint_nvprof_metric_at(size_t index);

/* Returns NULL if nvprof had none of that name, or there is no equivalent. */
const struct stint_nvprof_metric *stint_nvprof_metric(const char *name, size_t length);

enum { STINT_NVPROF_WORDS_SIZE = 4096, STINT_NVPROF_METRICS_SIZE = 16384 };

struct stint_nvprof_counters {
    char words[STINT_NVPROF_WORDS_SIZE];     /* as asked for, separated by commas; "": none */
    char metrics[STINT_NVPROF_METRICS_SIZE]; /* for STINT_COUNTERS */
    char kernels[256];                       /* for STINT_COUNTERS_KERNELS; "": all */
    char launches[24];                       /* for STINT_COUNTERS_LAUNCHES */
};

/* Adds the words of an option. Returns 0, or -1 after saying that one is unknown, or that there are too many. */
int stint_nvprof_counters_add(struct stint_nvprof_counters *counters, const char *option, const char *words);

/* Reads --kernels: a name, or CONTEXT:STREAM:NAME:INVOCATION, of which any but the first two may be given. Returns 0,
 * or -1 after saying what is not supported. */
int stint_nvprof_counters_filter(struct stint_nvprof_counters *counters, const char *filter);

/* Prints what --query-metrics does: each name with its description, and the groups. */
void stint_nvprof_counters_list(void);

/* Prints the metrics of the device itself, or why there are none and what to do. */
void stint_device_metrics_list(void);

/* ------------------------------------------------------------------------------------------------- nvprof_options.c */

/* nvprof's command line: what it asks for, and which of its options have no meaning here; and the reports on a process
 * that it asks for. */

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
    const char *unified_memory;  /* for STINT_GPU_UNIFIED_MEMORY; NULL: as it is */
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

/* Whether kernels were counted. */
int stint_nvprof_has_counters(const struct stint_snapshot *snapshot);

/* Writes nvprof's table of metrics, or that in CSV. Returns 0, or -1 after saying what failed. */
int stint_nvprof_counters_print(const struct stint_nvprof_counters *counters, const struct stint_snapshot *snapshot,
                                int csv, int file);

/* --------------------------------------------------------------------------------------------------- diff_options.c */

/* The command line of stint diff. */

enum stint_diff_format { STINT_DIFF_TABLE, STINT_DIFF_CSV, STINT_DIFF_JSON, STINT_DIFF_JUNIT, STINT_DIFF_MARKDOWN };

struct stint_diff_options {
    struct stint_arena arena;
    struct stint_array files; /* const char *, those of A first */
    size_t of_a;              /* how many are A's */
    struct stint_array rules; /* struct stint_gate_rule */
    enum stint_diff_format format;
    const char *output; /* NULL: stdout */
    enum stint_diff_sort sort;
    size_t top;
    unsigned kinds;
    int other_gpu;
};

/* Reads it. Returns -1 if the comparison can begin; else the exit code, after --help or saying what is wrong. */
int stint_diff_options_read(struct stint_diff_options *options, int count, char **arguments);

void stint_diff_options_free(struct stint_diff_options *options);

#endif
