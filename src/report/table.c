/* One row per statistic, by falling total, for people. */
#include "report/columns.h"
#include "report/frame.h"
#include "report/label.h"
#include "report/report.h"

static void put_rows(struct stint_text *text, const struct stint_snapshot *snapshot,
                     const struct stint_columns *columns)
{
    stint_columns_header(columns, text);
    for (size_t i = 0; i < snapshot->stat_count; i++) {
        const struct stint_stat *stat = &snapshot->stats[i];
        stint_columns_row(columns, text, &stat->numbers);
        stint_label_put(text, stint_label_of(snapshot, stat), columns->name_columns);
        stint_text_string(text, "\n");
    }
}

void stint_report_table(struct stint_text *text, const struct stint_snapshot *snapshot,
                        const struct stint_layout *layout)
{
    struct stint_summary summary = stint_summarize(snapshot);
    struct stint_columns columns;
    stint_columns_begin(&columns, STINT_COLUMN_COUNT_OF_COLUMNS, layout);
    columns.flat = 1;
    columns.whole_ns = summary.measured_ns;
    for (size_t i = 0; i < snapshot->stat_count; i++) {
        const struct stint_stat *stat = &snapshot->stats[i];
        stint_columns_measure(&columns, &stat->numbers, stint_label_columns(stint_label_of(snapshot, stat)));
    }
    stint_columns_fit(&columns, layout->columns / 3);
    stint_frame_title(text, snapshot, &summary, layout);
    if (snapshot->stat_count)
        put_rows(text, snapshot, &columns);
    stint_frame_footer(text, snapshot, &summary, layout);
}
