/* Calls of CUDA's API, below the table of scopes: those that took longest, unless the layout has another order. */
#include "report/line.h"
#include "report/sheet.h"
#include "stat/numbers.h"

enum { CALLS_MOST = 10 };

struct calls {
    const struct stint_snapshot *snapshot;
    const size_t *order; /* of all statistics; NULL: the snapshot's order */
    size_t end;          /* after the last function that is shown */
    size_t functions;
    uint64_t calls;
    uint64_t total_ns;
    size_t shown; /* number of functions */
    uint64_t shown_ns;
    struct stint_scope_whole whole;
};

static const struct stint_stat *stat_at(const struct calls *calls, size_t i)
{
    return &calls->snapshot->stats[calls->order ? calls->order[i] : i];
}

static void count_calls(struct calls *calls, unsigned most)
{
    for (size_t i = 0; i < calls->snapshot->stat_count; i++) {
        const struct stint_stat *stat = stat_at(calls, i);
        if (!stint_gpu_is_call(stat))
            continue;
        stint_sum_up(&calls->calls, stat->numbers.count);
        stint_sum_up(&calls->total_ns, stat->numbers.total_ns);
        if (calls->functions++ >= most)
            continue;
        calls->shown++;
        stint_sum_up(&calls->shown_ns, stat->numbers.total_ns);
        calls->end = i + 1;
    }
}

static int next_call(void *context, size_t *next, struct stint_sheet *sheet)
{
    const struct calls *calls = context;
    while (*next < calls->end) {
        const struct stint_stat *stat = stat_at(calls, (*next)++);
        if (!stint_gpu_is_call(stat))
            continue;
        stint_scope_put_numbers(sheet, &calls->whole, &stat->numbers);
        stint_sheet_string(sheet, STINT_SCOPE_NAME, stat->name);
        return 1;
    }
    return 0;
}

static void put_title(struct stint_text *text, const struct calls *calls, const struct stint_layout *layout)
{
    struct stint_line line = {0};
    stint_line_string(&line, "CUDA API calls: ");
    stint_line_count(&line, calls->calls, "call", "calls");
    stint_line_string(&line, " of ");
    stint_line_count(&line, calls->functions, "function", "functions");
    stint_line_string(&line, ", ");
    stint_line_time(&line, (double)calls->total_ns);
    stint_text_string(text, "\n");
    stint_line_put(&line, text, layout, STINT_LINE_PLAIN);
}

static void put_rest(struct stint_text *text, const struct calls *calls, const struct stint_layout *layout)
{
    struct stint_line line = {0};
    stint_line_string(&line, "and ");
    stint_line_count(&line, calls->functions - calls->shown, "more function", "more functions");
    stint_line_string(&line, ", ");
    stint_line_time(&line, (double)(calls->total_ns - calls->shown_ns));
    stint_line_put(&line, text, layout, STINT_LINE_PLAIN);
}

void stint_table_calls(struct stint_text *text, const struct stint_snapshot *snapshot,
                       const struct stint_layout *layout, const size_t *order, struct stint_sheet *sheet)
{
    struct calls calls = {.snapshot = snapshot, .order = order};
    count_calls(&calls, layout->top ? layout->top : CALLS_MOST);
    if (!calls.functions)
        return;
    calls.whole = (struct stint_scope_whole){.ns = calls.total_ns, .flat = 1};
    stint_scope_sheet_begin(sheet, &calls.whole, next_call, &calls, layout);
    put_title(text, &calls, layout);
    stint_sheet_put(sheet, text);
    if (calls.functions > calls.shown)
        put_rest(text, &calls, layout);
    stint_text_string(text, "\n");
}
