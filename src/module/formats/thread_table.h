/* A table of the threads that recorded something. */
#ifndef STINT_FORMATS_THREAD_TABLE_H
#define STINT_FORMATS_THREAD_TABLE_H

#include "base/text.h"
#include "stint/report.h"

/* Writes a row for each thread, by falling CPU time or, if that was not measured, time within scopes and calls: as many
 * as the layout says, and a line about the others. */
void stint_thread_table_put(struct stint_text *text, const struct stint_snapshot *snapshot,
                            const struct stint_layout *layout);

/* Whether the CPU time of threads was measured. */
int stint_thread_table_has_cpu(const struct stint_snapshot *snapshot);

#endif
