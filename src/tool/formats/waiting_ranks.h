/* Says how long ranks waited in kernels of collective calls. */
#ifndef STINT_FORMATS_WAITING_RANKS_H
#define STINT_FORMATS_WAITING_RANKS_H

#include "base/text.h"
#include "stint/report.h"

/* Writes a line for each such kernel of which it is known: of five, or as many as the layout says, that took
 * longest. */
void stint_waiting_ranks_put(struct stint_text *text, const struct stint_snapshot *snapshot,
                             const struct stint_layout *layout);

#endif
