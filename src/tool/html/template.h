/* The page without its data, made of page.html and the files it names when stint is built (embed.cmake). */
#ifndef STINT_HTML_TEMPLATE_H
#define STINT_HTML_TEMPLATE_H

#include <stddef.h>

/* Between the first and the second stands the title, between the second and the third the data. */
enum { STINT_TEMPLATE_PARTS = 3 };

extern const char *const stint_template_parts[STINT_TEMPLATE_PARTS];
extern const size_t stint_template_lengths[STINT_TEMPLATE_PARTS];

#endif
