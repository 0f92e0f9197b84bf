/* Says which ranks of a job are slow, in which scopes, and since when. */
#ifndef STINT_FORMATS_SLOW_RANKS_H
#define STINT_FORMATS_SLOW_RANKS_H

#include "base/text.h"
#include "report/summary.h"
#include "stint/report.h"

/* Writes a line for each scope in which a rank is much slower than the others, or much slower than it was before:
 * the five, or as many as the layout says, that cost most. What counts is self time: ranks that wait for a slow one
 * in calls of MPI are not slow. */
void stint_slow_ranks_put(struct stint_text *text, const struct stint_snapshot *snapshot,
                          const struct stint_summary *summary, const struct stint_layout *layout);

#endif
