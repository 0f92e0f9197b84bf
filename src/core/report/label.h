/* Names on a screen: escaped so that none can break a line or control the terminal, measured in columns, and
 * shortened. */
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

/* Returns the width of the whole label in columns. */
size_t stint_label_columns(struct stint_label label);

/* Writes the label in at most `columns` columns, which is at least 1. If it is longer, "…" replaces its middle, because
 * names often have the same beginning and differ at the end. */
void stint_label_put(struct stint_text *text, struct stint_label label, size_t columns);

/* As stint_label_put, but shortens the end: for command lines, whose beginning matters most. */
void stint_label_put_start(struct stint_text *text, struct stint_label label, size_t columns);

#endif
