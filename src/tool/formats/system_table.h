/* A table of what GPUs consumed and how fast they ran (STINT_SYSTEM_SET). */
#ifndef STINT_FORMATS_SYSTEM_TABLE_H
#define STINT_FORMATS_SYSTEM_TABLE_H

#include "base/text.h"
#include "stint/report.h"

/* Whether that was sampled. */
int stint_system_table_is_needed(const struct stint_snapshot *snapshot);

/* Writes a row for each GPU, with what tells most. */
void stint_system_table_put(struct stint_text *text, const struct stint_snapshot *snapshot,
                            const struct stint_layout *layout);

#endif
