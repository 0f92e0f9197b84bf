/* Reports in other tools' formats, for the library that loads this module. */
#include "report/module_reports.h"
#include "report/row_order.h"

__attribute__((visibility("default"))) stint_module_reports_fn stint_module_reports;

stint_module_write_fn *stint_module_reports(uint64_t version)
{
    stint_rest_is_by_environment();
    return version == STINT_MODULE_REPORTS_VERSION ? stint_report_write_other : NULL;
}
