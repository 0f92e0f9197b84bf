/* Which function writes which report, for the program stint, and for a library that loads libstint_module.so. */
#include "formats/formats.h"

#include "report/module_reports.h"
#include "report/report_form.h"
#include "report/row_order.h"

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
