/* What tables that are reports of their own have in common: processes and threads. */
#ifndef STINT_FORMATS_ROW_TABLE_H
#define STINT_FORMATS_ROW_TABLE_H

#include "base/text.h"
#include "report/row_order.h"
#include "report/sheet.h"
#include "stint/report.h"

typedef void stint_row_table_fn(struct stint_text *text, const struct stint_snapshot *snapshot,
                                const struct stint_layout *layout);

/* Writes the table between a title and what was dropped. */
void stint_row_table_report(struct stint_text *text, const struct stint_snapshot *snapshot,
                            const struct stint_layout *layout, stint_row_table_fn *put);

/* Writes the rows, as wide as the screen, and a line on those that are left out. */
void stint_row_table_put(struct stint_sheet *sheet, const struct stint_rest *rest, const char *whole,
                         struct stint_text *text, const struct stint_layout *layout);

/* Writes all columns as CSV. */
void stint_row_table_csv(struct stint_sheet *sheet, struct stint_text *text);

#endif
