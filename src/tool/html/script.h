/* JSON within a <script> element. Characters that HTML could interpret are escaped: no text can end the element. */
#ifndef STINT_HTML_SCRIPT_H
#define STINT_HTML_SCRIPT_H

#include "stint/report.h"

struct stint_script {
    stint_write_fn *write;
    void *context;
};

/* A stint_write_fn; `context` is a struct stint_script. */
int stint_script_write(void *context, const char *text, size_t length);

#endif
