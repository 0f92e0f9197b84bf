/* Metrics and changes as people read them. */
#ifndef STINT_DIFF_AMOUNT_H
#define STINT_DIFF_AMOUNT_H

#include "diff/kind.h"
#include "report/line.h"

/* "3.100 ms", "12 MB", "400" */
void stint_amount_put(struct stint_line *line, enum stint_metric metric, double value);

/* The same with a sign: "+3.100 ms". */
void stint_amount_put_change(struct stint_line *line, enum stint_metric metric, double value);

/* "+12.9%", "0%"; "from 0" if `part` is not finite. */
void stint_amount_put_percent(struct stint_line *line, double part);

/* Writes "+12.9", STINT_NUMBER_SIZE bytes, with one decimal, more for a change below 0.1 %; "=" for none. Returns the
 * length. */
size_t stint_amount_percent(char *out, double part);

#endif
