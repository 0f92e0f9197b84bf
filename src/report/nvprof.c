/* nvprof's summary as CUDA 9 to 12 printed it: a group of rows for GPUs and one for calls of CUDA's API, each of them
 * 100 %, and unified memory by device. */
#include "report/nvprof.h"
#include "report/grid.h"
#include "report/report.h"

enum { CELL = 8, CELL_DIGITS = 5, WIDE_DIGITS = 7 };

static void fill_cells(struct stint_cells *cells, const char *label, const struct stint_nvprof_row *row, uint64_t whole)
{
    const struct stint_numbers *numbers = &row->numbers;
    cells->count = 0;
    stint_cells_string(cells, label);
    stint_nvprof_share(stint_cells_next(cells), numbers->total_ns, whole);
    stint_nvprof_time(stint_cells_next(cells), numbers->total_ns, CELL_DIGITS);
    stint_cells_u64(cells, numbers->count);
    stint_nvprof_time(stint_cells_next(cells), stint_numbers_avg_ns(numbers), CELL_DIGITS);
    stint_nvprof_time(stint_cells_next(cells), numbers->min_ns, CELL_DIGITS);
    stint_nvprof_time(stint_cells_next(cells), numbers->max_ns, CELL_DIGITS);
}

/* Measures the group's rows, or writes them if there is a text. */
static void do_group(struct stint_grid *grid, struct stint_text *text, const struct stint_snapshot *snapshot,
                     enum stint_nvprof_group group)
{
    struct stint_cells cells;
    struct stint_nvprof_row row;
    const char *label = group == STINT_NVPROF_GPU ? "GPU activities:" : "API calls:";
    uint64_t whole = stint_nvprof_whole_ns(snapshot, group);
    for (size_t next = 0; stint_nvprof_next(snapshot, group, &next, &row); label = "") {
        fill_cells(&cells, label, &row, whole);
        if (!text) {
            stint_grid_measure(grid, &cells);
            continue;
        }
        stint_grid_row(grid, text, &cells);
        stint_nvprof_name(text, row.name);
        stint_text_string(text, "\n");
    }
}

static void put_summary(struct stint_text *text, const struct stint_snapshot *snapshot)
{
    static const char *const titles[] = {"Type", "Time(%)", "Time", "Calls", "Avg", "Min", "Max"};
    struct stint_grid grid = {0};
    stint_grid_column(&grid, titles[0], "", 2 * CELL);
    for (size_t i = 1; i < sizeof titles / sizeof titles[0]; i++)
        stint_grid_column(&grid, titles[i], "", i == 1 ? 0 : CELL);
    do_group(&grid, NULL, snapshot, STINT_NVPROF_GPU);
    do_group(&grid, NULL, snapshot, STINT_NVPROF_API);
    stint_grid_header(&grid, text, "Name\n");
    do_group(&grid, text, snapshot, STINT_NVPROF_GPU);
    do_group(&grid, text, snapshot, STINT_NVPROF_API);
}

static void fill_move(struct stint_cells *cells, const struct stint_nvprof_move *move)
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
    stint_nvprof_time(stint_cells_next(cells), move->total_ns, WIDE_DIGITS);
}

static void put_device(struct stint_text *text, const struct stint_snapshot *snapshot, uint32_t device)
{
    static const char *const titles[] = {"Count", "Avg Size", "Min Size", "Max Size", "Total Size", "Total Time"};
    struct stint_gpu_device description = stint_gpu_device_of(snapshot, device);
    struct stint_nvprof_move move;
    struct stint_cells cells;
    struct stint_grid grid = {0};
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
        stint_grid_column(&grid, titles[i], "", CELL);
    for (size_t next = 0; stint_nvprof_next_move(snapshot, device, &next, &move);) {
        fill_move(&cells, &move);
        stint_grid_measure(&grid, &cells);
    }
    stint_text_string(text, "Device ");
    stint_nvprof_quoted_device(text, &description);
    stint_text_string(text, "\n");
    stint_grid_header(&grid, text, "Name\n");
    for (size_t next = 0; stint_nvprof_next_move(snapshot, device, &next, &move);) {
        fill_move(&cells, &move);
        stint_grid_row(&grid, text, &cells);
        stint_nvprof_name(text, move.name);
        stint_text_string(text, "\n");
    }
}

void stint_report_nvprof(struct stint_text *text, const struct stint_snapshot *snapshot)
{
    stint_nvprof_head(text, snapshot);
    stint_nvprof_result(text, snapshot);
    if (stint_nvprof_put_empty(text, snapshot) < STINT_NVPROF_GROUPS)
        put_summary(text, snapshot);
    if (!stint_nvprof_has_unified(snapshot))
        return;
    stint_nvprof_begin_unified(text, snapshot);
    for (uint64_t device = 0; stint_nvprof_has_moves(snapshot, &device); device++)
        put_device(text, snapshot, (uint32_t)device);
    stint_nvprof_put_cpu_faults(text, snapshot);
}
