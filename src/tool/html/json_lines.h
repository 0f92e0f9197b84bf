/* Lines of a text as strings of an array. */
#ifndef STINT_HTML_JSON_LINES_H
#define STINT_HTML_JSON_LINES_H

#include <stddef.h>

#include "report/json.h"

struct stint_html_lines {
    struct stint_json *json;
    size_t used;
    char line[2048];
};

/* Writes each line that is complete, its beginning if it is long. `context` is a struct stint_html_lines. For
 * stint_text_begin. */
int stint_html_lines_put(void *context, const char *text, size_t length);

#endif
