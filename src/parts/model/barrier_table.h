/* Barrier tables, as PaddlePaddle prints them. */
#ifndef STINT_MODEL_BARRIER_TABLE_H
#define STINT_MODEL_BARRIER_TABLE_H

#include "report/paddle.h"
#include "stint/barrier.h"

/* What is shown; the same for all that print. */
struct stint_barrier_display {
    enum stint_barrier_show show;
    unsigned lowest; /* how many participants are shown at most */
};

struct stint_barrier_display stint_barrier_get_display(void);

/* The share of rounds from which it is considered unusual that one participant was the slowest; 0 if all barriers are
 * shown. */
float stint_barrier_threshold(uint32_t participants, enum stint_barrier_show show);

/* Writes the table, each line ended by '\n', if the barrier is to be shown. */
void stint_report_barrier(struct stint_text *text, const struct stint_barrier_stat *barrier,
                          const struct stint_barrier_display *display);

#endif
