/* The source of functions with what was sampled in each line. */
#ifndef STINT_CPU_CPU_SOURCE_H
#define STINT_CPU_CPU_SOURCE_H

#include "base/text.h"
#include "cpu/cpu_profile.h"
#include "stint/report.h"

/* Lines around those that have samples are shown, too; and no more than so many of a function. */
enum { STINT_CPU_SOURCE_AROUND = 4, STINT_CPU_SOURCE_LINES = 2000 };

struct stint_cpu_source_line {
    int line;
    const struct stint_cpu_function *sampled; /* NULL: nothing was */
    const char *text;                         /* without the line's end, blanks for tabs; NULL: it cannot be read */
};

/* What a function has in a file: in others it has what it includes. */
struct stint_cpu_source {
    const char *function, *module;
    const char *file; /* as the compiler had it */
    const char *path; /* where it was found; NULL: it was not */
    int is_newer;     /* than the program: its lines may have moved */
    int is_cut;       /* there are more lines */
    uint64_t self_ns;
    struct stint_array lines; /* struct stint_cpu_source_line, in order */
};

/* Finds the functions that match a pattern (support/pattern.h) and have samples, those first that took the most time,
 * in a profile that is by lines: an array of struct stint_cpu_source in its arena. They have the lines with samples,
 * without texts. Returns 0, or -1 without memory. */
int stint_cpu_sources_find(struct stint_cpu_profile *profile, const char *pattern, struct stint_array *sources);

/* Reads the texts of the lines, and those around them. The file is looked for below `folder`, unless that is NULL, by
 * as much of the end of its path as there is, and then where it was compiled. Returns 0, also if it is nowhere, or -1
 * without memory. */
int stint_cpu_source_read(struct stint_cpu_profile *profile, struct stint_cpu_source *source, const char *folder);

/* Reads and writes the first of them for people, as many as the layout says, and says how many more there are. Returns
 * 0, or -1 without memory. */
int stint_cpu_sources_put(struct stint_cpu_profile *profile, const struct stint_array *sources, const char *folder,
                          const struct stint_layout *layout, struct stint_text *text);

#endif
