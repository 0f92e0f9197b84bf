/* Names on a screen: escaped so that none can break a line or steer the terminal, measured in columns, shortened. */
#ifndef STINT_REPORT_LABEL_H
#define STINT_REPORT_LABEL_H

#include "base/text.h"
#include "stint/statset.h"

/* "Set/Name", or just the name where `set` is "". */
struct stint_label {
    const char *set;
    const char *name;
};

/* Names the statistic; the global set's name is left out. */
struct stint_label stint_label_of(const struct stint_snapshot *snapshot, const struct stint_stat *stat);

/* Returns the columns that the whole label takes. */
size_t stint_label_columns(struct stint_label label);

/* Writes the label within `columns` columns, at least 1: what does not fit is replaced by "…" in its middle, because
 * names often share their beginning and differ at their end. */
void stint_label_put(struct stint_text *text, struct stint_label label, size_t columns);

/* Likewise, but replaces the end: for command lines, which begin with what matters. */
void stint_label_put_start(struct stint_text *text, struct stint_label label, size_t columns);

#endif
