/* Numbers that NVTX's events carried, and counters: a row for each field. nsys stats has no such report. */
#include "formats/nsys.h"
#include "stint/nvtx_stats.h"

static void name_row(struct stint_nsys_row *row, const struct stint_nvtx_value *value)
{
    static const struct {
        const char *kind, *style;
    } styles[] = {{STINT_NVTX_SET, "PushPop"},
                  {STINT_NVTX_START_END_SET, "StartEnd"},
                  {STINT_NVTX_MARK_SET, "Mark"},
                  {STINT_NVTX_COUNTER_SET, "Counter"},
                  {STINT_SYSTEM_SET, "System"}};
    row->domain = value->set;
    row->style = "";
    for (size_t i = 0; i < sizeof styles / sizeof styles[0]; i++) {
        const char *domain = stint_nsys_domain_in(value->set, styles[i].kind);
        if (!domain)
            continue;
        row->domain = domain;
        row->style = styles[i].style;
    }
}

void stint_nsys_collect_values(struct stint_nsys *nsys)
{
    for (size_t i = 0; i < nsys->snapshot->nvtx_value_count; i++) {
        const struct stint_nvtx_value *value = &nsys->snapshot->nvtx_values[i];
        struct stint_nsys_row *row = stint_nsys_add_row(nsys);
        if (!row)
            return;
        name_row(row, value);
        row->range = value->name;
        row->field = value->field;
        row->spread.count = value->count;
        row->sum = value->sum;
        row->min = value->min;
        row->max = value->max;
    }
}
