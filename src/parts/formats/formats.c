/* Which function writes which report, for the program stint, and for a library that loads libstint_module.so; and what
 * those that are tables have in common. */
#include "formats/formats.h"

#include "report/report.h"
#include "report/row_order.h"
#include "report/summary.h"

#define NOTHING(...)
#define WRITER(id, writer, ...) [STINT_REPORT_##id] = stint_report_##writer,
static stint_formats_writer *const s_writers[] = {STINT_REPORT_LIST(NOTHING, WRITER, WRITER, NOTHING)};

enum stint_status stint_report_write_other(const struct stint_snapshot *snapshot, const struct stint_report_form *form,
                                           const struct stint_layout *layout, stint_write_fn *write, void *context)
{
    struct stint_text text;
    enum stint_status status = STINT_OK;
    stint_text_begin(&text, write, context);
    if (form->report >= STINT_REPORT_NSYS)
        status = stint_nsys_write ? stint_nsys_write(&text, snapshot, form, layout) : STINT_ERROR_UNAVAILABLE;
    else
        s_writers[form->report](&text, snapshot, layout, form->csv);
    enum stint_status written = stint_text_end(&text);
    return status ? status : written;
}

__attribute__((visibility("default"))) stint_module_reports_fn stint_module_reports;

stint_module_write_fn *stint_module_reports(uint64_t version)
{
    stint_rest_is_by_environment();
    return version == STINT_MODULE_REPORTS_VERSION ? stint_report_write_other : NULL;
}

/* ----------------------------------------------------------------------------------------------------------- tables */

void stint_row_table_report(struct stint_text *text, const struct stint_snapshot *snapshot,
                            const struct stint_layout *layout, int csv, stint_formats_writer *put)
{
    if (csv) {
        put(text, snapshot, layout, 1);
        return;
    }
    struct stint_summary summary = stint_summarize(snapshot);
    stint_frame_title(text, snapshot, &summary, layout);
    put(text, snapshot, layout, 0);
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

size_t stint_distinct(const struct stint_rank *ranks, size_t count, struct stint_arena *arena)
{
    const size_t *order = stint_rank_order(ranks, count, arena);
    size_t distinct = 0;
    for (size_t i = 0; order && i < count; i++)
        distinct += i == 0 || ranks[order[i]].value != ranks[order[i - 1]].value;
    return order ? distinct : count;
}
