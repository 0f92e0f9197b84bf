/* Tables of what samples say about functions. */
#ifndef STINT_CPU_CPU_TABLE_H
#define STINT_CPU_CPU_TABLE_H

#include "base/text.h"
#include "cpu/cpu_profile.h"
#include "stint/report.h"

enum stint_cpu_mode { STINT_CPU_FLAT, STINT_CPU_TOP_DOWN, STINT_CPU_BOTTOM_UP };

/* The modes' words, as --mode takes them, by number; NULL at the end. */
#define STINT_CPU_MODES                                                                                                \
    {                                                                                                                  \
        "flat", "top-down", "bottom-up", NULL                                                                          \
    }

struct stint_cpu_view {
    enum stint_cpu_mode mode;
    double least_percent; /* rows with a smaller share of the time are left out; 0: none is */
    unsigned deepest;     /* levels of a tree; 0: all */
    int csv;              /* flat only */
};

/* Writes what was sampled, a table, and what is missing. Returns 0, or -1 without memory. */
int stint_cpu_table_put(struct stint_cpu_profile *profile, const struct stint_cpu_view *view,
                        const struct stint_layout *layout, struct stint_text *text);

/* The same as nvprof prints it: the tree, or functions, between its lines; `module` adds the file of each function. */
int stint_cpu_table_put_nvprof(struct stint_cpu_profile *profile, const struct stint_cpu_view *view, int module,
                               struct stint_text *text);

#endif
