/* A recording as one HTML page that needs nothing else: no network, no other file. */
#ifndef STINT_HTML_HTML_H
#define STINT_HTML_HTML_H

#include <stddef.h>

#include "html/overview.h"
#include "op/op_row.h"
#include "stint/report.h"
#include "stint/snapshot.h"

struct stint_html {
    const struct stint_snapshot *snapshot;
    struct stint_overview *overview;        /* its events; is made coarser if the page would become too large */
    struct stint_functions *functions;      /* that were sampled, for parts of the timeline; NULL: they lack samples */
    const char *title;                      /* NULL: the program's name */
    const char *remarks;                    /* lines about the recording; NULL: none */
    const struct stint_op_rows *operations; /* NULL: there are none */
    uint64_t from_ns;                       /* when what it shows begins */
    const char *source_path;                /* where sources are, if not where they were compiled; NULL: nowhere else */
    int is_served;                          /* the page may ask for parts of its timeline */
};

/* Writes the page, or only its timeline as JSON, which is what a page that is served asks for. Return STINT_OK;
 * STINT_ERROR_IO: a write failed; STINT_ERROR_NO_MEMORY. */
enum stint_status stint_html_write(const struct stint_html *html, stint_write_fn *write, void *context);
enum stint_status stint_html_write_timeline(const struct stint_html *html, stint_write_fn *write, void *context);

/* The page without its data, made of page.html and the files it names when stint is built (embed.cmake). Between its
 * parts stand what else the page's policy allows, the title, and the data. */
enum { STINT_TEMPLATE_PARTS = 4 };

extern const char *const stint_template_parts[STINT_TEMPLATE_PARTS];
extern const size_t stint_template_lengths[STINT_TEMPLATE_PARTS];

#endif
