/* Title, rows and footer around tables that are reports of their own. */
#include "formats/row_table.h"

#include "report/frame.h"
#include "report/summary.h"

void stint_row_table_report(struct stint_text *text, const struct stint_snapshot *snapshot,
                            const struct stint_layout *layout, stint_row_table_fn *put)
{
    struct stint_summary summary = stint_summarize(snapshot);
    stint_frame_title(text, snapshot, &summary, layout);
    put(text, snapshot, layout);
    stint_frame_losses(text, snapshot, layout);
}

void stint_row_table_put(struct stint_sheet *sheet, const struct stint_rest *rest, const char *whole,
                         struct stint_text *text, const struct stint_layout *layout)
{
    stint_sheet_fit(sheet, layout);
    stint_sheet_put(sheet, text);
    stint_rest_put(rest, whole, text, layout);
}

void stint_row_table_csv(struct stint_sheet *sheet, struct stint_text *text)
{
    static const struct stint_layout plain = {0};
    sheet->hidden = 0;
    stint_sheet_put_csv(sheet, text, &plain);
}
