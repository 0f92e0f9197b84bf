/* JSON within a <script> element, which no text in it can end: what HTML or old JavaScript could take for something else
 * is escaped. */
#ifndef STINT_HTML_SCRIPT_H
#define STINT_HTML_SCRIPT_H

#include "stint/report.h"

/* Zeroed but for the first two. */
struct stint_script {
    stint_write_fn *write;
    void *context;
    size_t held; /* bytes of U+2028 or U+2029 that have been seen and not written */
};

/* A stint_write_fn; `context` is a struct stint_script. The text has to be whole characters of JSON, in the end. */
int stint_script_write(void *context, const char *text, size_t length);

#endif
