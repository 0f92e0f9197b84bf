/* The source of functions that were sampled, those that took the most time, with what each line took. */
#ifndef STINT_HTML_SOURCES_H
#define STINT_HTML_SOURCES_H

#include "cpu/cpu_source.h"
#include "html/string_table.h"
#include "report/json.h"

struct stint_html_sources {
    struct stint_array all; /* struct stint_cpu_source */
    size_t count;           /* of the first of them, which were read */
};

/* Reads them, of a profile that is by lines, until there are as many lines as a page has room for. `folder` is as in
 * stint_cpu_source_read. Memory is the profile's. Returns 0, or -1 without memory. */
int stint_html_sources_make(struct stint_html_sources *sources, struct stint_cpu_profile *by_lines, const char *folder);

/* Writes the objects "sources" and "source_lines". */
void stint_html_sources_put(const struct stint_html_sources *sources, struct stint_html_strings *strings,
                            struct stint_json *json);

#endif
