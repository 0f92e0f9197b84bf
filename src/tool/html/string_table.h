/* The texts of a page, each once. */
#ifndef STINT_HTML_STRING_TABLE_H
#define STINT_HTML_STRING_TABLE_H

#include "base/keyed_table.h"

struct stint_html_strings {
    struct stint_arena *arena;
    struct stint_table all; /* const char * */
    int failed;             /* no memory */
};

/* Returns the text's position. It has to live as long as the strings. */
size_t stint_html_strings_add(struct stint_html_strings *strings, const char *text);

#endif
