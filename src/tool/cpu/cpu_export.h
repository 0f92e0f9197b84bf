/* Samples as files of other tools, and the names of functions in these. */
#ifndef STINT_CPU_CPU_EXPORT_H
#define STINT_CPU_CPU_EXPORT_H

#include "cpu/cpu_profile.h"
#include "stat/function_names.h"
#include "stint/sink.h"
#include "symbols/symbols.h"

enum stint_cpu_file {
    STINT_CPU_TABLE,     /* no file of another tool */
    STINT_CPU_COLLAPSED, /* flamegraph.pl, and others: a line for each call chain, with its number of samples */
    STINT_CPU_PPROF      /* profile.proto, not compressed; samples and CPU time */
};

/* The words for these, as --format takes them, by number; NULL at the end. */
#define STINT_CPU_FILES                                                                                                \
    {                                                                                                                  \
        "table", "collapsed", "pprof", NULL                                                                            \
    }

/* Writes all samples of the profile. Returns 0, or -1 if a write failed or there is not enough memory. */
int stint_cpu_export(const struct stint_cpu_profile *profile, enum stint_cpu_file file, stint_write_fn *write,
                     void *context);

/* Returns what looks functions up for timelines; addresses if `symbols` is NULL. They are used as long as that is. */
struct stint_function_names stint_cpu_names(struct stint_symbols *symbols);

#endif
