/* What stint top shows. */
#ifndef STINT_CLI_TOP_VIEW_H
#define STINT_CLI_TOP_VIEW_H

#include "base/text.h"
#include "cli/top_sample.h"
#include "stint/report.h"

struct stint_top_view {
    struct stint_layout layout;
    enum stint_live_order order;
    double seconds; /* between two looks */
    size_t rows;    /* most rows; 0: all */
    size_t first;   /* row that is shown first */
    int is_by_process;
    int is_paused;
    int shows_help;
};

void stint_top_put(struct stint_text *text, struct stint_top *top, const struct stint_top_view *view);

/* Returns the word for an order, as --sort takes it. */
const char *stint_top_order_word(enum stint_live_order order);

#endif
