/* A table of the processes whose snapshots were merged. */
#ifndef STINT_FORMATS_PROCESS_TABLE_H
#define STINT_FORMATS_PROCESS_TABLE_H

#include "base/text.h"
#include "stint/report.h"

/* Returns how many processes there are in a merged snapshot: one that executed another program is one. Ranks may have
 * the same id, as on several hosts. */
size_t stint_process_count(const struct stint_snapshot *snapshot);

/* Writes a row for each process: those with the most GPU time, or time if no GPU was used, as many as the layout says,
 * by rank, then by start; and a line about the others. The only process of a snapshot that was not merged is a row,
 * too. */
void stint_process_table_put(struct stint_text *text, const struct stint_snapshot *snapshot,
                             const struct stint_layout *layout);

#endif
