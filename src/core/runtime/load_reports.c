#include "runtime/load_reports.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/module.h"
#include "report/module_reports.h"

static stint_module_write_fn *s_write;
static char s_reason[512];

static void load(void)
{
    stint_module_reports_fn *reports;
    void *function = stint_module_find(STINT_MODULE_REPORTS, s_reason, sizeof s_reason);
    if (!function)
        return;
    memcpy(&reports, &function, sizeof reports);
    s_write = reports(STINT_MODULE_REPORTS_VERSION);
    if (!s_write)
        (void)snprintf(s_reason, sizeof s_reason,
                       "libstint_module.so has another version than this library; install the one that belongs "
                       "to it, or set STINT_MODULE to its path");
}

int stint_load_reports(void)
{
    static pthread_once_t s_once = PTHREAD_ONCE_INIT;
    pthread_once(&s_once, load);
    return s_write ? 0 : -1;
}

void stint_load_reports_tell(void)
{
    static int s_told;
    if (!__atomic_exchange_n(&s_told, 1, __ATOMIC_RELAXED))
        STINT_LOG(STINT_LOG_WARNING,
                  "reports that libstint_module.so writes are not available, the table is printed instead: %s",
                  s_reason);
}

enum stint_status stint_report_write_other(const struct stint_snapshot *snapshot, const struct stint_report_form *form,
                                           const struct stint_layout *layout, stint_write_fn *write, void *context)
{
    static const struct stint_report_form table = {.report = STINT_REPORT_TABLE};
    if (stint_load_reports() == 0)
        return s_write(snapshot, form, layout, write, context);
    stint_load_reports_tell();
    return stint_report_form_write(snapshot, &table, layout, write, context);
}
