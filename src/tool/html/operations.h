/* Operations of neural networks on the page: layers, in each its operations, in each of these its kernels; where
 * operations are below the roofs of their device, and what may be made faster. */
#ifndef STINT_HTML_OPERATIONS_H
#define STINT_HTML_OPERATIONS_H

#include "html/page_json.h"
#include "op/op_sum.h"
#include "report/json.h"

/* A sum on the page. */
struct stint_html_operation {
    const char *name;
    int64_t place;
};

struct stint_html_operations {
    struct stint_op_sums sums;
    struct stint_html_operation *shown; /* a sum each */
    uint64_t least_ns;                  /* what takes less is left out */
    size_t beyond;                      /* so many are left out */
    const char *advice;                 /* lines */
    const char *roofline;               /* an SVG image; "" if no operation or kernel has FLOPs and bytes */
    struct stint_arena arena;
};

/* Adds up rows; NULL: there are none. Returns 0, or -1 without memory. Free it in either case. */
int stint_html_operations_make(struct stint_html_operations *operations, const struct stint_op_rows *rows);

void stint_html_operations_free(struct stint_html_operations *operations);

/* Writes them. */
void stint_html_operations_put(struct stint_html_operations *operations, struct stint_html_strings *strings,
                               struct stint_json *json);

#endif
