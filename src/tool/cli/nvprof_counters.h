/* nvprof's --metrics, --events and --kernels: counters by their old names, or by those of the device. */
#ifndef STINT_CLI_NVPROF_COUNTERS_H
#define STINT_CLI_NVPROF_COUNTERS_H

#include "stint/snapshot.h"

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

/* Writes nvprof's table of metrics, or that in CSV. */
void stint_nvprof_counters_print(const struct stint_nvprof_counters *counters, const struct stint_snapshot *snapshot,
                                 int csv, int file);

#endif
