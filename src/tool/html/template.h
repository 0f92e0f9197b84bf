/* The page without its data, made of page.html and the files it names when stint is built (embed.cmake). */
#ifndef STINT_HTML_TEMPLATE_H
#define STINT_HTML_TEMPLATE_H

#include <stddef.h>

/* Between them stand what else the page's policy allows, the title, and the data. */
enum { STINT_TEMPLATE_PARTS = 4 };

extern const char *const stint_template_parts[STINT_TEMPLATE_PARTS];
extern const size_t stint_template_lengths[STINT_TEMPLATE_PARTS];

#endif
