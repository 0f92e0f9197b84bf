/* Unified memory, for people: by device what moved in which direction, and how often pages faulted. */
#include <string.h>

#include "formats/formats.h"
#include "formats/nvprof.h"
#include "report/line.h"
#include "report/row_order.h"
#include "report/sheet.h"
#include "stat/numbers.h"

enum { COUNT, BYTES, AVG, LEAST, MOST, TIME, NAME, COLUMNS };

static const struct stint_column s_columns[COLUMNS] = {
    [COUNT] = {.title = "Count", .unit = STINT_COLUMN_COUNT},
    [BYTES] = {.title = "Bytes", .unit = STINT_COLUMN_BYTES},
    [AVG] = {.title = "Avg", .unit = STINT_COLUMN_BYTES, .hide = 3},
    [LEAST] = {.title = "Min", .unit = STINT_COLUMN_BYTES, .hide = 1},
    [MOST] = {.title = "Max", .unit = STINT_COLUMN_BYTES, .hide = 2},
    [TIME] = {.title = "Time", .unit = STINT_COLUMN_SUM, .hide = 4},
    [NAME] = {.title = "Unified memory", .unit = STINT_COLUMN_NAME},
};

/* The rows of one device after the other, then that of the host. */
struct view {
    const struct stint_snapshot *snapshot;
    size_t most;     /* rows that are shown */
    uint64_t device; /* UINT64_MAX: it is the host's turn */
    size_t activity; /* where the device's next row begins */
    uint64_t host_faults;
    struct stint_line name;
};

static void begin(struct view *view, const struct stint_snapshot *snapshot)
{
    view->snapshot = snapshot;
    view->device = 0;
    view->activity = 0;
    view->host_faults = stint_nvprof_cpu_faults(snapshot);
}

/* Fills a row of a device, or, with no name, that of the host. Returns 0 after it. */
static int next_move(struct view *view, struct stint_nvprof_move *move)
{
    while (view->device != UINT64_MAX) {
        if (stint_nvprof_next_move(view->snapshot, (uint32_t)view->device, &view->activity, move))
            return 1;
        view->activity = 0;
        view->device++;
        (void)stint_nvprof_has_moves(view->snapshot, &view->device);
    }
    *move = (struct stint_nvprof_move){.faults = "CPU page faults", .bytes = view->host_faults};
    view->host_faults = 0;
    return move->bytes != 0;
}

/* Of faults, only their number and, on a device, their time are known. */
static int next_row(void *context, size_t *next, struct stint_sheet *sheet)
{
    struct view *view = context;
    struct stint_nvprof_move move;
    if (!*next)
        begin(view, view->snapshot);
    if (*next == view->most || !next_move(view, &move))
        return 0;
    (*next)++;
    view->name.used = 0;
    if (view->device != UINT64_MAX)
        stint_line_say(&view->name, "GPU %ju ", (uintmax_t)view->device);
    stint_line_string(&view->name, move.faults ? move.faults : move.name);
    stint_sheet_string(sheet, NAME, view->name.text);
    stint_sheet_value(sheet, COUNT, move.faults ? move.bytes : move.count);
    if (move.total_ns)
        stint_sheet_value(sheet, TIME, move.total_ns);
    if (!move.faults && move.count) {
        stint_sheet_value(sheet, BYTES, move.bytes);
        stint_sheet_value(sheet, AVG, move.bytes / move.count);
        stint_sheet_value(sheet, LEAST, move.min_bytes);
        stint_sheet_value(sheet, MOST, move.max_bytes);
    }
    return 1;
}

void stint_unified_table_put(struct stint_text *text, const struct stint_snapshot *snapshot,
                             const struct stint_layout *layout)
{
    enum { NAME_FLOOR = 16, NAME_LEAST = 24 };
    struct view view = {0};
    struct stint_nvprof_move move;
    size_t rows = 0;
    for (begin(&view, snapshot); next_move(&view, &move);)
        rows++;
    if (!rows)
        return;
    view.most = layout->top && layout->top < rows ? layout->top : rows;
    struct stint_sheet sheet = {STINT_COLUMNS(s_columns), .next = next_row, .context = &view, .name_floor = NAME_FLOOR,
                                .name_least = NAME_LEAST};
    struct stint_rest rest = {.rows = rows - view.most};
    stint_text_string(text, "\n");
    stint_row_table_put(&sheet, &rest, "", text, layout);
}
