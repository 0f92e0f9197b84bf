/* Samples added up by function, and what is shown of them: tables, and sources. */
#ifndef STINT_CPU_CPU_PROFILE_H
#define STINT_CPU_CPU_PROFILE_H

#include "base/text.h"
#include "export/stacks.h"
#include "model/model.h"
#include "stint/report.h"
#include "stint/sink.h"
#include "stint/snapshot.h"
#include "support/keyed_table.h"
#include "symbols/symbols.h"

/* ---------------------------------------------------------------------------------------------------- cpu_profile.c */

/* Samples added up by function: the functions at the addresses that were sampled, those inlined there as well. */

/* What is asked for. */
struct stint_cpu_options {
    const char *scope;             /* only samples within scopes of this name; NULL: all */
    int by_lines;                  /* 1: by line of the source, not by function */
    int no_inline;                 /* 1: what was inlined counts in the function that it is in */
    int is_brief;                  /* 1: for a few rows below other tables: what takes long to look up is left out */
    struct stint_symbols *symbols; /* what looks functions up, which is kept; NULL: the profile has its own */
};

/* A function, or a line of one. */
struct stint_cpu_function {
    struct stint_symbol symbol; /* without a line unless it is by lines */
    uint64_t self_ns, self_samples;
    uint64_t total_ns, total_samples; /* also while functions ran that it called; once for each sample */
    uint64_t code_ns;                 /* in its machine code, and so also in what was inlined into it */
    size_t last;                      /* the sample that it was counted in last */
    size_t places;                    /* that have no names, and are this one function together; 0: it has a name */
};

/* A node of a tree of calls. */
struct stint_cpu_node {
    size_t function; /* index in functions; of the root, STINT_CPU_ROOT */
    size_t parent;
    size_t child, next; /* the first child, the next sibling; 0: none */
    uint64_t self_ns, total_ns, samples;
};

#define STINT_CPU_ROOT ((size_t)-1)

struct stint_cpu_profile {
    const struct stint_snapshot *snapshot;
    struct stint_symbols *symbols, *own_symbols;
    struct stint_arena arena;
    struct stint_table functions; /* struct stint_cpu_function */
    struct stint_array places;    /* size_t, functions of each frame, one after the other, the innermost first */
    size_t *first_places;         /* of each frame, where its functions begin; one more at the end */
    char *is_wanted;              /* of each context; NULL: all are */
    char *is_within;              /* of each stack: it is the interpreter's work for a function of Python */
    uint64_t time_ns, samples;    /* that are in it */
    uint64_t nowhere_ns;          /* of samples without a place: there was no room for their stack */
    const char *nameless;         /* the file in which code without a name took most; NULL: there is none */
    uint64_t nameless_ns;
    int failed; /* there is not enough memory */
};

/* Looks up all functions, and adds up what ran where. The snapshot has to outlive the profile. Returns 0, or -1 without
 * memory. */
int stint_cpu_profile_make(struct stint_cpu_profile *profile, const struct stint_snapshot *snapshot,
                           const struct stint_cpu_options *options);
void stint_cpu_profile_free(struct stint_cpu_profile *profile);

/* Fills `chain` with the functions of a sample's calls, the innermost first; returns how many. What the interpreter of
 * Python does itself while it runs a function of Python is part of that function. */
enum { STINT_CPU_DEEPEST = 1024 };
size_t stint_cpu_profile_chain(const struct stint_cpu_profile *profile, const struct stint_sample_count *count,
                               size_t chain[STINT_CPU_DEEPEST]);

static inline struct stint_cpu_function *stint_cpu_function_at(const struct stint_cpu_profile *profile, size_t at)
{
    return (struct stint_cpu_function *)profile->functions.items + at;
}

/* A share of the time in percent, INFINITY if that exceeds 64 bits, and half the width of the interval in which the
 * true share is in 95 of 100 cases. */
double stint_cpu_share(const struct stint_cpu_profile *profile, uint64_t ns);
double stint_cpu_error(const struct stint_cpu_profile *profile, uint64_t ns);

/* Makes the tree of calls: from the outermost function to the innermost, or `bottom_up` from each function to those
 * that called it, with siblings by falling time. The root is the first of `nodes`, a table of struct stint_cpu_node in
 * the profile's arena. Returns 0, or -1 without memory. */
int stint_cpu_tree_make(struct stint_cpu_profile *profile, int bottom_up, struct stint_table *nodes);

/* ----------------------------------------------------------------------------------------------------------- export */

/* The samples of a profile, for export/export.h. */
struct stint_cpu_stacks {
    struct stint_stacks stacks; /* has to be the first member */
    const struct stint_cpu_profile *profile;
};

struct stint_cpu_stacks stint_cpu_stacks(const struct stint_cpu_profile *profile);

/* Returns what looks functions up for timelines; addresses if `symbols` is NULL. They are used as long as that is. */
struct stint_function_names stint_cpu_names(struct stint_symbols *symbols);

/* -------------------------------------------------------------------------------------------------- function_name.c */

/* Writes a function's name as tables show it. */
void stint_cpu_short_name(const char *function, char *out, size_t size);

/* ------------------------------------------------------------------------------------------------------ cpu_table.c */

/* Tables of what samples say about functions. */

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
    int is_brief;         /* flat: below other tables, without what ran nothing itself */
};

/* Writes what was sampled, a table, and what is missing. Returns 0, or -1 without memory. */
int stint_cpu_table_put(struct stint_cpu_profile *profile, const struct stint_cpu_view *view,
                        const struct stint_layout *layout, struct stint_text *text);

/* The same as nvprof prints it: the tree, or functions, between its lines; `module` adds the file of each function. */
int stint_cpu_table_put_nvprof(struct stint_cpu_profile *profile, const struct stint_cpu_view *view, int module,
                               struct stint_text *text);

/* ----------------------------------------------------------------------------------------------------- cpu_source.c */

/* The source of functions with what was sampled in each line. */

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

/* Finds the functions that match a pattern (support/annotation.h) and have samples, those first that took the most
 * time, in a profile that is by lines: an array of struct stint_cpu_source in its arena. They have the lines with
 * samples, without texts. Returns 0, or -1 without memory. */
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
