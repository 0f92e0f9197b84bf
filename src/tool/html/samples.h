/* Samples on the page: a tree of calls for the flame graph, functions for a table, and how much of each was sampled in
 * which calling context, so that the page can show what is inside a scope. */
#ifndef STINT_HTML_SAMPLES_H
#define STINT_HTML_SAMPLES_H

#include "cpu/cpu_profile.h"
#include "cpu/cpu_source.h"
#include "html/page_json.h"
#include "report/json.h"

/* The source of functions that were sampled, those that took the most time, with what each line took. */
struct stint_html_sources {
    struct stint_array all; /* struct stint_cpu_source */
    size_t count;           /* of the first of them, which were read */
};

struct stint_html_contexts; /* html/data.h */

/* What was sampled of a row, a function or a node of the tree, in one calling context. */
struct stint_html_sample_part {
    int64_t row;       /* -1: none */
    int64_t context;   /* as stint_html_context has it */
    uint64_t self_ns;  /* of a node also that of nodes within it that have no row */
    uint64_t samples;  /* of self_ns */
    uint64_t total_ns; /* of a function also while others ran that it called */
};

struct stint_html_samples {
    int any; /* whether there are samples; all else is of them */
    struct stint_cpu_profile profile;
    struct stint_cpu_profile by_lines;
    const struct stint_cpu_function **lines; /* of each function the one of by_lines with most of its time, or NULL */
    struct stint_html_sources sources;
    struct stint_table nodes; /* struct stint_cpu_node */
    int64_t *node_places;     /* of each node, its row, or that of the nearest node around it; -1: none */
    int64_t *function_places; /* of each function its row; -1: it has none */
    size_t *counted;          /* of each function, the last sample, from 1 on, that it was counted for */
    uint64_t least_ns;        /* what took less is left out */
    size_t node_count, function_count;
    size_t nodes_beyond, functions_beyond;         /* that are left out */
    uint64_t crowded_ns;                           /* of samples whose calling context there was no room for */
    struct stint_table node_parts, function_parts; /* struct stint_html_sample_part */
};

/* Adds up the snapshot's samples, if it has any. Sources are looked for below `source_path`, too, unless it is NULL.
 * Returns 0, or -1 without memory. Free it in either case. */
int stint_html_samples_make(struct stint_html_samples *samples, const struct stint_snapshot *snapshot,
                            const struct stint_html_contexts *contexts, const char *source_path);

void stint_html_samples_free(struct stint_html_samples *samples);

/* Writes them; nothing if there are none. */
void stint_html_samples_put(struct stint_html_samples *samples, struct stint_html_strings *strings,
                            struct stint_json *json);

#endif
