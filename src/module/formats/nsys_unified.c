/* Unified memory: bytes that moved and page faults, in one row. */
#include "formats/nsys.h"

enum column { TO_DEVICE, TO_HOST, HOST_FAULTS, DEVICE_FAULTS, LEAST_ADDRESS, GREATEST_ADDRESS, COLUMNS };

#define COLUMN(name) .key = name, .title = name

/* Faults of devices are not recorded. CUPTI tells addresses, but stint does not keep them. */
static const struct stint_column s_columns[COLUMNS] = {
    [TO_DEVICE] = {COLUMN("Total HtoD Migration Size (MB)")},
    [TO_HOST] = {COLUMN("Total DtoH Migration Size (MB)")},
    [HOST_FAULTS] = {COLUMN("Total CPU Page Faults"), .hide = 4},
    [DEVICE_FAULTS] = {COLUMN("Total GPU PageFaults"), .hide = 3},
    [LEAST_ADDRESS] = {COLUMN("Minimum Virtual Address"), .hide = 1},
    [GREATEST_ADDRESS] = {COLUMN("Maximum Virtual Address"), .hide = 2},
};

struct totals {
    uint64_t to_device_bytes;
    uint64_t to_host_bytes;
    uint64_t faults;
    uint64_t ns;
};

static void fill(const struct stint_nsys *nsys, const void *row, int csv, enum stint_time_unit unit,
                 struct stint_sheet *sheet)
{
    const struct totals *totals = row;
    (void)nsys;
    (void)unit;
    stint_nsys_put_fixed(stint_sheet_text(sheet, TO_DEVICE), (double)totals->to_device_bytes * 1e-6, 3, csv);
    stint_nsys_put_fixed(stint_sheet_text(sheet, TO_HOST), (double)totals->to_host_bytes * 1e-6, 3, csv);
    stint_nsys_put_u64(stint_sheet_text(sheet, HOST_FAULTS), totals->faults, csv);
}

static uint64_t time_of(const void *row)
{
    return ((const struct totals *)row)->ns;
}

const struct stint_nsys_list stint_nsys_unified_sum = {
    .columns = s_columns, .count = COLUMNS, .row_size = sizeof(struct totals), .fill = fill, .time_of = time_of};

void stint_nsys_collect_unified(struct stint_nsys *nsys)
{
    struct totals totals = {0};
    int any = 0;
    for (size_t i = 0; i < nsys->snapshot->gpu_activity_count; i++) {
        const struct stint_gpu_activity *activity = &nsys->snapshot->gpu_activities[i];
        int is_move = activity->kind == STINT_GPU_UNIFIED, is_fault = activity->kind == STINT_GPU_FAULT;
        any |= is_move || is_fault;
        totals.to_device_bytes += is_move && activity->direction == STINT_GPU_HTOD ? activity->bytes : 0;
        totals.to_host_bytes += is_move && activity->direction == STINT_GPU_DTOH ? activity->bytes : 0;
        totals.faults += is_fault ? activity->bytes : 0;
        totals.ns += is_move ? activity->numbers.total_ns : 0;
    }
    struct totals *row = any ? stint_array_add(&nsys->list, &nsys->arena, sizeof *row) : NULL;
    nsys->failed |= any && !row;
    if (row)
        *row = totals;
}
