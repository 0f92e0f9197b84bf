/* nvprof's summary as CUDA 9 to 12 printed it, and its parts (--print-gpu-summary, --print-api-summary,
 * --print-summary-per-gpu): a group of rows for GPU activities and one for calls of CUDA's API, each of which adds up
 * to 100 %; then unified memory by device. */
#include <string.h>

#include "formats/nvprof.h"

enum { CELL = 8, CELL_DIGITS = 5, WIDE_DIGITS = 7 };

/* ---------------------------------------------------------------------------------------------------------- summary */

enum { TYPE, SHARE, TOTAL, CALLS, AVG, MIN, MAX, NAME, COLUMNS };

static const struct stint_column s_columns[COLUMNS] = {
    [TYPE] = {.key = "Type", .title = "Type", .least = 2 * CELL},
    [SHARE] = {.key = "Time(%)", .title = "Time(%)"},
    [TOTAL] = {.key = "Time", .title = "Time", .least = CELL},
    [CALLS] = {.key = "Calls", .title = "Calls", .least = CELL},
    [AVG] = {.key = "Avg", .title = "Avg", .least = CELL},
    [MIN] = {.key = "Min", .title = "Min", .least = CELL},
    [MAX] = {.key = "Max", .title = "Max", .least = CELL},
    [NAME] = {.key = "Name", .title = "Name", .unit = STINT_COLUMN_NAME},
};

struct summary {
    const struct stint_nvprof_rows *groups;
    struct stint_nvprof_unit units[COLUMNS];
    enum stint_nvprof_group group; /* group of the next row */
    size_t next;                   /* position of the next row in the group */
    struct stint_nvprof_row row;   /* the current row */
};

/* In tables, only the first row of a group names the group. */
static const char *type_of(enum stint_nvprof_group group, int is_first, int csv)
{
    static const char *const labels[] = {
        [STINT_NVPROF_RANGE] = "Range:", [STINT_NVPROF_GPU] = "GPU activities:", [STINT_NVPROF_API] = "API calls:"};
    if (csv)
        return stint_nvprof_group_name(group);
    return is_first ? labels[group] : "";
}

static void put_row(struct summary *summary, struct stint_sheet *sheet)
{
    static const size_t columns[STINT_NVPROF_TIMES] = {TOTAL, AVG, MIN, MAX};
    uint64_t times[STINT_NVPROF_TIMES];
    stint_nvprof_times_of(&summary->row, times);
    stint_nvprof_put_share(sheet, SHARE, times[0], summary->groups[summary->group].whole_ns);
    stint_sheet_value(sheet, CALLS, summary->row.numbers.count);
    for (size_t i = 0; i < STINT_NVPROF_TIMES; i++)
        stint_nvprof_put_time(sheet, columns[i], times[i], CELL_DIGITS, &summary->units[columns[i]]);
    stint_sheet_string(sheet, NAME, summary->row.name);
}

static int next_row(void *context, size_t *next, struct stint_sheet *sheet)
{
    struct summary *summary = context;
    if (*next == 0) {
        summary->group = 0;
        summary->next = 0;
    }
    (*next)++;
    for (; summary->group < STINT_NVPROF_GROUPS; summary->group++, summary->next = 0) {
        int is_first = summary->next == 0;
        if (!stint_nvprof_rows_next(&summary->groups[summary->group], &summary->next, &summary->row))
            continue;
        stint_sheet_string(sheet, TYPE, type_of(summary->group, is_first, sheet->csv));
        put_row(summary, sheet);
        return 1;
    }
    return 0;
}

void stint_nvprof_put_table(struct stint_text *text, const struct stint_nvprof_rows groups[STINT_NVPROF_GROUPS],
                            const struct stint_layout *layout, int csv)
{
    struct stint_nvprof_unit times[STINT_NVPROF_TIMES];
    stint_nvprof_choose_units(groups, layout->unit, csv, times);
    struct summary summary = {
        .groups = groups,
        .units = {[SHARE] = {"%", 1}, [TOTAL] = times[0], [AVG] = times[1], [MIN] = times[2], [MAX] = times[3]}};
    struct stint_sheet sheet = {.columns = s_columns, .count = COLUMNS, .next = next_row, .context = &summary};
    stint_nvprof_put_sheet(&sheet, text, csv, summary.units);
}

/* --------------------------------------------------------------------------------------------------- unified memory */

enum { MOVE_DEVICE, MOVE_COUNT, MOVE_AVG, MOVE_MIN, MOVE_MAX, MOVE_BYTES, MOVE_TIME, MOVE_NAME, MOVE_COLUMNS };

static const struct stint_column s_move_columns[MOVE_COLUMNS] = {
    [MOVE_DEVICE] = {.key = "Device"},
    [MOVE_COUNT] = {.key = "Count", .title = "Count", .least = CELL},
    [MOVE_AVG] = {.key = "Avg Size", .title = "Avg Size"},
    [MOVE_MIN] = {.key = "Min Size", .title = "Min Size"},
    [MOVE_MAX] = {.key = "Max Size", .title = "Max Size"},
    [MOVE_BYTES] = {.key = "Total Size", .title = "Total Size"},
    [MOVE_TIME] = {.key = "Total Time", .title = "Total Time"},
    [MOVE_NAME] = {.key = "Name", .title = "Name", .unit = STINT_COLUMN_NAME},
};

enum { MOVE_SIZES = MOVE_TIME - MOVE_AVG };

struct moves {
    const struct stint_snapshot *snapshot;
    uint64_t first;  /* the device of the first row */
    int all_devices; /* all devices from the first one on */
    struct stint_nvprof_unit units[MOVE_COLUMNS];
    uint64_t device; /* device of the next row */
    size_t next;     /* position of the next row among those of the device */
    struct stint_line device_name;
};

static int next_move(struct moves *moves, size_t *next, struct stint_nvprof_move *move)
{
    if (*next == 0) {
        moves->device = moves->first;
        moves->next = 0;
    }
    (*next)++;
    while (!stint_nvprof_next_move(moves->snapshot, (uint32_t)moves->device, &moves->next, move)) {
        moves->device++;
        moves->next = 0;
        if (!moves->all_devices || !stint_nvprof_has_moves(moves->snapshot, &moves->device))
            return 0;
    }
    return 1;
}

static void sizes_of(const struct stint_nvprof_move *move, uint64_t sizes[MOVE_SIZES])
{
    sizes[MOVE_AVG - MOVE_AVG] = move->count ? move->bytes / move->count : 0;
    sizes[MOVE_MIN - MOVE_AVG] = move->min_bytes;
    sizes[MOVE_MAX - MOVE_AVG] = move->max_bytes;
    sizes[MOVE_BYTES - MOVE_AVG] = move->bytes;
}

static int next_move_row(void *context, size_t *next, struct stint_sheet *sheet)
{
    struct moves *moves = context;
    struct stint_nvprof_move move;
    uint64_t sizes[MOVE_SIZES];
    if (!next_move(moves, next, &move))
        return 0;
    sizes_of(&move, sizes);
    stint_nvprof_put_device(sheet, MOVE_DEVICE, moves->snapshot, (uint32_t)moves->device, &moves->device_name);
    stint_sheet_value(sheet, MOVE_COUNT, move.count);
    for (size_t i = MOVE_AVG; i < MOVE_TIME && !move.faults; i++)
        stint_nvprof_put_size(sheet, i, sizes[i - MOVE_AVG], i == MOVE_BYTES ? WIDE_DIGITS : CELL_DIGITS,
                              &moves->units[i]);
    stint_nvprof_put_time(sheet, MOVE_TIME, move.total_ns, WIDE_DIGITS, &moves->units[MOVE_TIME]);
    stint_sheet_string(sheet, MOVE_NAME, move.name);
    return 1;
}

static void choose_move_units(struct moves *moves, enum stint_time_unit wanted, int csv)
{
    uint64_t greatest[MOVE_SIZES] = {0}, greatest_ns = 0, sizes[MOVE_SIZES];
    struct stint_nvprof_move move;
    for (size_t next = 0; next_move(moves, &next, &move);) {
        sizes_of(&move, sizes);
        for (size_t i = 0; i < MOVE_SIZES && !move.faults; i++)
            greatest[i] = sizes[i] > greatest[i] ? sizes[i] : greatest[i];
        greatest_ns = move.total_ns > greatest_ns ? move.total_ns : greatest_ns;
    }
    for (size_t i = 0; i < MOVE_SIZES && csv; i++)
        moves->units[MOVE_AVG + i] = stint_nvprof_size_unit((double)greatest[i]);
    moves->units[MOVE_TIME] = stint_nvprof_column_unit(wanted, greatest_ns, csv);
}

/* Writes what moved to or from a device; as CSV, also what moved to or from all devices after it. */
static void put_moves(struct stint_text *text, const struct stint_snapshot *snapshot, uint64_t device,
                      enum stint_time_unit wanted, int csv)
{
    struct moves moves = {.snapshot = snapshot, .first = device, .all_devices = csv};
    struct stint_sheet sheet = {
        .columns = s_move_columns, .count = MOVE_COLUMNS, .next = next_move_row, .context = &moves};
    choose_move_units(&moves, wanted, csv);
    stint_nvprof_put_sheet(&sheet, text, csv, moves.units);
}

static void put_devices(struct stint_text *text, const struct stint_snapshot *snapshot, enum stint_time_unit wanted)
{
    for (uint64_t device = 0; stint_nvprof_has_moves(snapshot, &device); device++) {
        struct stint_gpu_device description = stint_gpu_device_of(snapshot, (uint32_t)device);
        stint_text_string(text, "Device ");
        stint_nvprof_quoted_device(text, &description);
        stint_text_string(text, "\n");
        put_moves(text, snapshot, device, wanted, 0);
    }
}

/* ------------------------------------------------------------------------------------------------------------- sums */

int stint_nvprof_sums_begin(struct stint_nvprof_sums *sums, struct stint_arena *arena, size_t size)
{
    *sums = (struct stint_nvprof_sums){
        .rows = stint_arena_alloc(arena, (size + 1) * sizeof *sums->rows),
        .touched = stint_arena_alloc(arena, (size + 1) * sizeof *sums->touched),
    };
    return sums->rows && sums->touched ? 0 : -1;
}

void stint_nvprof_sums_add(struct stint_nvprof_sums *sums, size_t index, const char *name,
                           const struct stint_numbers *numbers)
{
    struct stint_nvprof_row *row = &sums->rows[index];
    if (!numbers->count)
        return;
    if (!row->numbers.count)
        sums->touched[sums->count++] = index;
    row->name = name;
    stint_gpu_add_numbers(&row->numbers, numbers);
}

void stint_nvprof_sums_take(struct stint_nvprof_sums *sums, struct stint_nvprof_rows *rows,
                            const struct stint_layout *layout)
{
    struct stint_nvprof_row *all;
    *rows = (struct stint_nvprof_rows){.whole_ns = 0};
    all = stint_arena_alloc(&rows->arena, (sums->count + 1) * sizeof *all);
    for (size_t i = 0; i < sums->count; i++) {
        struct stint_nvprof_row *row = &sums->rows[sums->touched[i]];
        if (all)
            all[i] = *row;
        *row = (struct stint_nvprof_row){0};
    }
    if (all)
        stint_nvprof_rows_set(rows, all, sums->count, layout->sort, layout->top);
    sums->count = 0;
}

/* Activities of one kind and name are adjacent. */
size_t *stint_nvprof_leaders(const struct stint_snapshot *snapshot, struct stint_arena *arena)
{
    const struct stint_gpu_activity *activities = snapshot->gpu_activities;
    size_t *leaders = stint_arena_alloc(arena, (snapshot->gpu_activity_count + 1) * sizeof *leaders);
    for (size_t i = 0; leaders && i < snapshot->gpu_activity_count; i++) {
        int follows = i && activities[i].kind == activities[i - 1].kind &&
                      strcmp(activities[i].name, activities[i - 1].name) == 0;
        leaders[i] = follows ? leaders[i - 1] : i;
    }
    return leaders;
}

/* ----------------------------------------------------------------------------------------------------------- groups */

/* Writes a table of these groups, or lines that say which of them are empty. */
static void put_groups(struct stint_text *text, const struct stint_snapshot *snapshot, unsigned groups,
                       const struct stint_layout *layout, int csv)
{
    struct stint_nvprof_rows rows[STINT_NVPROF_GROUPS] = {{.snapshot = NULL}};
    if (!stint_nvprof_put_empty(text, snapshot, groups))
        return;
    for (enum stint_nvprof_group group = 0; group < STINT_NVPROF_GROUPS; group++)
        if (groups >> group & 1)
            stint_nvprof_rows_begin(&rows[group], snapshot, group, layout->sort, layout->top);
    stint_nvprof_put_table(text, rows, layout, csv);
    for (enum stint_nvprof_group group = 0; group < STINT_NVPROF_GROUPS; group++)
        stint_nvprof_rows_end(&rows[group]);
}

/* ----------------------------------------------------------------------------------------------------------- report */

void stint_report_nvprof(struct stint_text *text, const struct stint_snapshot *snapshot,
                         const struct stint_layout *layout, int csv)
{
    struct stint_layout shown = stint_nvprof_layout(layout, csv);
    uint64_t device = 0;
    stint_nvprof_head(text, snapshot);
    stint_nvprof_result(text, snapshot);
    put_groups(text, snapshot, STINT_NVPROF_BOTH_BITS, &shown, csv);
    if (!stint_nvprof_has_unified(snapshot))
        return;
    stint_nvprof_begin_unified(text, snapshot);
    if (!csv)
        put_devices(text, snapshot, layout->unit);
    else if (stint_nvprof_has_moves(snapshot, &device))
        put_moves(text, snapshot, device, layout->unit, 1);
    stint_nvprof_put_cpu_faults(text, snapshot);
}

static void put_alone(struct stint_text *text, const struct stint_snapshot *snapshot, unsigned groups,
                      const struct stint_layout *layout, int csv)
{
    struct stint_layout shown = stint_nvprof_layout(layout, csv);
    stint_nvprof_head(text, snapshot);
    stint_nvprof_result(text, snapshot);
    put_groups(text, snapshot, groups, &shown, csv);
}

void stint_report_nvprof_gpu(struct stint_text *text, const struct stint_snapshot *snapshot,
                             const struct stint_layout *layout, int csv)
{
    put_alone(text, snapshot, STINT_NVPROF_GPU_BIT, layout, csv);
}

void stint_report_nvprof_api(struct stint_text *text, const struct stint_snapshot *snapshot,
                             const struct stint_layout *layout, int csv)
{
    put_alone(text, snapshot, STINT_NVPROF_API_BIT, layout, csv);
}

/* ---------------------------------------------------------------------------------------------------------- devices */

struct devices {
    const struct stint_snapshot *snapshot;
    struct stint_layout layout;
    int csv;
    struct stint_arena arena;
    const size_t *leaders; /* NULL if there is no memory */
    struct stint_nvprof_sums sums;
};

static void begin_devices(struct devices *devices)
{
    const size_t *leaders = stint_nvprof_leaders(devices->snapshot, &devices->arena);
    if (stint_nvprof_sums_begin(&devices->sums, &devices->arena, devices->snapshot->gpu_activity_count) == 0)
        devices->leaders = leaders;
}

/* Returns whether any device from *device on has rows; *device receives the first such device. */
static int next_device(const struct devices *devices, uint64_t *device)
{
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < devices->snapshot->gpu_activity_count; i++) {
        const struct stint_gpu_activity *activity = &devices->snapshot->gpu_activities[i];
        if (stint_nvprof_is_row(activity) && activity->device >= *device && activity->device < least)
            least = activity->device;
    }
    *device = least;
    return least != UINT64_MAX;
}

static void put_device(struct stint_text *text, struct devices *devices, uint32_t device)
{
    const struct stint_snapshot *snapshot = devices->snapshot;
    struct stint_gpu_device description = stint_gpu_device_of(snapshot, device);
    struct stint_nvprof_rows rows[STINT_NVPROF_GROUPS] = {{.snapshot = NULL}};
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++) {
        const struct stint_gpu_activity *activity = &snapshot->gpu_activities[i];
        if (stint_nvprof_is_row(activity) && activity->device == device)
            stint_nvprof_sums_add(&devices->sums, devices->leaders[i], activity->name, &activity->numbers);
    }
    stint_nvprof_sums_take(&devices->sums, &rows[STINT_NVPROF_GPU], &devices->layout);
    stint_nvprof_begin(text, snapshot);
    stint_text_string(text, "Device ");
    stint_nvprof_quoted_device(text, &description);
    stint_text_string(text, "\n");
    stint_nvprof_put_table(text, rows, &devices->layout, devices->csv);
    stint_text_string(text, "\n");
    stint_nvprof_rows_end(&rows[STINT_NVPROF_GPU]);
}

void stint_report_nvprof_per_gpu(struct stint_text *text, const struct stint_snapshot *snapshot,
                                 const struct stint_layout *layout, int csv)
{
    struct devices devices = {.snapshot = snapshot, .layout = stint_nvprof_layout(layout, csv), .csv = csv};
    uint64_t first = 0;
    begin_devices(&devices);
    stint_nvprof_head(text, snapshot);
    stint_nvprof_result(text, snapshot);
    if (!next_device(&devices, &first))
        stint_text_string(text, "No kernels were profiled.\n");
    for (uint64_t device = 0; devices.leaders && next_device(&devices, &device); device++)
        put_device(text, &devices, (uint32_t)device);
    stint_nvprof_begin(text, snapshot);
    stint_text_string(text, "API calls:\n");
    put_groups(text, snapshot, STINT_NVPROF_API_BIT, &devices.layout, csv);
    stint_arena_free(&devices.arena);
}
