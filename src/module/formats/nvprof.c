/* nvprof's summary as CUDA 9 to 12 printed it: a group of rows for GPUs and one for calls of CUDA's API, each of them
 * 100 %, and unified memory by device. */
#include "formats/nvprof.h"
#include "formats/formats.h"
#include "report/grid.h"

enum { CELL = 8, CELL_DIGITS = 5, WIDE_DIGITS = 7 };

struct summary {
    const struct stint_nvprof_rows *groups;
    struct stint_nvprof_unit units[STINT_NVPROF_TIMES];
    struct stint_grid grid;
};

static void fill_cells(struct stint_cells *cells, const char *label, const struct stint_nvprof_row *row, uint64_t whole,
                       const struct stint_nvprof_unit units[STINT_NVPROF_TIMES])
{
    uint64_t times[STINT_NVPROF_TIMES];
    stint_nvprof_times_of(row, times);
    cells->count = 0;
    stint_cells_string(cells, label);
    stint_nvprof_share(stint_cells_next(cells), times[0], whole);
    stint_nvprof_time_in(stint_cells_next(cells), times[0], CELL_DIGITS, &units[0]);
    stint_cells_u64(cells, row->numbers.count);
    for (size_t i = 1; i < STINT_NVPROF_TIMES; i++)
        stint_nvprof_time_in(stint_cells_next(cells), times[i], CELL_DIGITS, &units[i]);
}

/* Measures the group's rows, or writes them if there is a text. */
static void do_group(struct summary *summary, struct stint_text *text, enum stint_nvprof_group group)
{
    static const char *const labels[] = {
        [STINT_NVPROF_RANGE] = "Range:", [STINT_NVPROF_GPU] = "GPU activities:", [STINT_NVPROF_API] = "API calls:"};
    const struct stint_nvprof_rows *rows = &summary->groups[group];
    struct stint_grid *grid = &summary->grid;
    struct stint_cells cells;
    struct stint_nvprof_row row;
    const char *label = labels[group];
    for (size_t next = 0; stint_nvprof_rows_next(rows, &next, &row); label = "") {
        fill_cells(&cells, label, &row, rows->whole_ns, summary->units);
        if (!text) {
            stint_grid_measure(grid, &cells);
            continue;
        }
        stint_grid_row(grid, text, &cells);
        stint_nvprof_name(text, row.name);
        stint_text_string(text, "\n");
    }
}

void stint_nvprof_put_table(struct stint_text *text, const struct stint_nvprof_rows groups[STINT_NVPROF_GROUPS],
                            const struct stint_layout *layout)
{
    static const char *const titles[] = {"Type", "Time(%)", "Time", "Calls", "Avg", "Min", "Max"};
    struct summary summary = {.groups = groups};
    stint_nvprof_choose_units(groups, layout->unit, 0, summary.units);
    stint_grid_column(&summary.grid, titles[0], "", 2 * CELL);
    for (size_t i = 1; i < sizeof titles / sizeof titles[0]; i++)
        stint_grid_column(&summary.grid, titles[i], "", i == 1 ? 0 : CELL);
    for (enum stint_nvprof_group group = 0; group < STINT_NVPROF_GROUPS; group++)
        do_group(&summary, NULL, group);
    stint_grid_header(&summary.grid, text, "Name\n");
    for (enum stint_nvprof_group group = 0; group < STINT_NVPROF_GROUPS; group++)
        do_group(&summary, text, group);
}

static void fill_move(struct stint_cells *cells, const struct stint_nvprof_move *move,
                      const struct stint_nvprof_unit *unit)
{
    cells->count = 0;
    stint_cells_u64(cells, move->count);
    for (int i = 0; move->faults && i < 4; i++)
        stint_cells_string(cells, "-");
    if (!move->faults) {
        stint_nvprof_size(stint_cells_next(cells), move->count ? move->bytes / move->count : 0, CELL_DIGITS);
        stint_nvprof_size(stint_cells_next(cells), move->min_bytes, CELL_DIGITS);
        stint_nvprof_size(stint_cells_next(cells), move->max_bytes, CELL_DIGITS);
        stint_nvprof_size(stint_cells_next(cells), move->bytes, WIDE_DIGITS);
    }
    stint_nvprof_time_in(stint_cells_next(cells), move->total_ns, WIDE_DIGITS, unit);
}

static void put_device(struct stint_text *text, const struct stint_snapshot *snapshot, uint32_t device,
                       enum stint_time_unit wanted)
{
    static const char *const titles[] = {"Count", "Avg Size", "Min Size", "Max Size", "Total Size", "Total Time"};
    struct stint_gpu_device description = stint_gpu_device_of(snapshot, device);
    struct stint_nvprof_move move;
    struct stint_cells cells;
    struct stint_grid grid = {0};
    uint64_t greatest_ns = 0;
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
        stint_grid_column(&grid, titles[i], "", CELL);
    for (size_t next = 0; stint_nvprof_next_move(snapshot, device, &next, &move);)
        greatest_ns = move.total_ns > greatest_ns ? move.total_ns : greatest_ns;
    struct stint_nvprof_unit unit = stint_nvprof_column_unit(wanted, greatest_ns, 0);
    for (size_t next = 0; stint_nvprof_next_move(snapshot, device, &next, &move);) {
        fill_move(&cells, &move, &unit);
        stint_grid_measure(&grid, &cells);
    }
    stint_text_string(text, "Device ");
    stint_nvprof_quoted_device(text, &description);
    stint_text_string(text, "\n");
    stint_grid_header(&grid, text, "Name\n");
    for (size_t next = 0; stint_nvprof_next_move(snapshot, device, &next, &move);) {
        fill_move(&cells, &move, &unit);
        stint_grid_row(&grid, text, &cells);
        stint_nvprof_name(text, move.name);
        stint_text_string(text, "\n");
    }
}

void stint_report_nvprof(struct stint_text *text, const struct stint_snapshot *snapshot,
                         const struct stint_layout *layout)
{
    stint_nvprof_head(text, snapshot);
    stint_nvprof_result(text, snapshot);
    stint_nvprof_put_groups(text, snapshot, STINT_NVPROF_BOTH_BITS, layout, stint_nvprof_put_table);
    if (!stint_nvprof_has_unified(snapshot))
        return;
    stint_nvprof_begin_unified(text, snapshot);
    for (uint64_t device = 0; stint_nvprof_has_moves(snapshot, &device); device++)
        put_device(text, snapshot, (uint32_t)device, layout->unit);
    stint_nvprof_put_cpu_faults(text, snapshot);
}
