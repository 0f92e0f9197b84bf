/* Unified memory: bytes that moved and page faults, by virtual address, and in one row. */
#include <string.h>

#include "formats/nsys.h"

#define COLUMN(name) .key = name, .title = name

/* A row of either report. */
struct row {
    uint64_t to_device_bytes;
    uint64_t to_host_bytes;
    uint64_t host_faults;
    uint64_t device_faults;
    uint64_t ns;    /* of the moves */
    uint64_t least; /* address; 0: not known, like the next */
    uint64_t greatest;
};

static uint64_t time_of(const void *row)
{
    return ((const struct row *)row)->ns;
}

/* Of faults there are two kinds, which differ by name only. */
static int is_of_device(const char *name)
{
    return strstr(name, "GPU") != NULL;
}

static int is_summed(enum stint_gpu_kind kind, enum stint_gpu_direction direction)
{
    return kind == STINT_GPU_FAULT ||
           (kind == STINT_GPU_UNIFIED && (direction == STINT_GPU_HTOD || direction == STINT_GPU_DTOH));
}

static void add_amount(struct row *row, enum stint_gpu_kind kind, enum stint_gpu_direction direction, const char *name,
                       uint64_t bytes)
{
    if (kind == STINT_GPU_FAULT)
        *(is_of_device(name) ? &row->device_faults : &row->host_faults) += bytes;
    else
        *(direction == STINT_GPU_HTOD ? &row->to_device_bytes : &row->to_host_bytes) += bytes;
}

static void add_address(struct row *row, uint64_t address)
{
    if (!row->greatest || address < row->least)
        row->least = address;
    if (address > row->greatest)
        row->greatest = address;
}

/* Returns the next event that has an address; NULL if there is none. */
static const struct stint_gpu_event *next_event(const struct stint_snapshot *snapshot, size_t *next)
{
    while (*next < snapshot->gpu_event_count) {
        const struct stint_gpu_event *event = &snapshot->gpu_events[(*next)++];
        if (!event->api && event->address && is_summed(event->kind, event->direction))
            return event;
    }
    return NULL;
}

static void put_address(char *out, uint64_t address)
{
    int shift = 60;
    if (!address)
        return;
    while (!(address >> shift))
        shift -= 4;
    *out++ = '0';
    *out++ = 'x';
    for (; shift >= 0; shift -= 4)
        *out++ = "0123456789ABCDEF"[address >> shift & 15];
    *out = '\0';
}

static void put_bytes(char *out, uint64_t bytes, int csv)
{
    stint_nsys_put_fixed(out, (double)bytes * 1e-6, 3, csv);
}

/* ------------------------------------------------------------------------------------------------------ by address */

enum page_column { ADDRESS, IN, OUT, FAULTS, GPU_FAULTS, RATE, PAGE_COLUMNS };

static const struct stint_column s_page_columns[PAGE_COLUMNS] = {
    [ADDRESS] = {COLUMN("Virtual Address"), .left = 1},    [IN] = {COLUMN("HtoD Migration size (MB)")},
    [OUT] = {COLUMN("DtoH Migration size (MB)")},          [FAULTS] = {COLUMN("CPU Page Faults"), .hide = 2},
    [GPU_FAULTS] = {COLUMN("GPU Page Faults"), .hide = 1}, [RATE] = {COLUMN("Migration Throughput (MB/s)"), .hide = 3},
};

/* In MB/s; 0: nothing moved. */
static double rate_of(const struct row *row)
{
    return row->ns ? (double)(row->to_device_bytes + row->to_host_bytes) * 1e3 / (double)row->ns : 0;
}

/* What an address has nothing of is left out. */
static void fill_page(const struct stint_nsys *nsys, const void *of, int csv, enum stint_time_unit unit,
                      struct stint_sheet *sheet)
{
    const struct row *row = of;
    (void)nsys;
    (void)unit;
    put_address(stint_sheet_text(sheet, ADDRESS), row->least);
    if (row->to_device_bytes)
        put_bytes(stint_sheet_text(sheet, IN), row->to_device_bytes, csv);
    if (row->to_host_bytes)
        put_bytes(stint_sheet_text(sheet, OUT), row->to_host_bytes, csv);
    if (row->host_faults)
        stint_nsys_put_u64(stint_sheet_text(sheet, FAULTS), row->host_faults, csv);
    if (row->device_faults)
        stint_nsys_put_u64(stint_sheet_text(sheet, GPU_FAULTS), row->device_faults, csv);
    if (row->ns)
        stint_nsys_put_fixed(stint_sheet_text(sheet, RATE), rate_of(row), 3, csv);
}

const struct stint_nsys_list stint_nsys_pages = {.columns = s_page_columns,
                                                 .count = PAGE_COLUMNS,
                                                 .row_size = sizeof(struct row),
                                                 .fill = fill_page,
                                                 .time_of = time_of};

static int is_at(const void *array, size_t position, const void *address)
{
    return ((const struct row *)array)[position].least == *(const uint64_t *)address;
}

/* Returns the row of the address, which may be new; NULL if there is no memory. */
static struct row *page_at(struct stint_nsys *nsys, struct stint_index *index, uint64_t address)
{
    uint64_t hash = stint_hash_mix(address, 0);
    size_t at = stint_index_find(index, hash, is_at, nsys->list.items, &address);
    if (at != STINT_INDEX_NONE)
        return (struct row *)nsys->list.items + at;
    struct row *row = stint_array_add(&nsys->list, &nsys->arena, sizeof *row);
    if (!row || stint_index_add(index, &nsys->arena, hash, nsys->list.count - 1)) {
        nsys->failed = 1;
        return NULL;
    }
    *row = (struct row){.least = address, .greatest = address};
    return row;
}

/* By falling rate, then address. */
static int page_before(const void *array, size_t a, size_t b)
{
    const struct row *x = (const struct row *)array + a, *y = (const struct row *)array + b;
    double x_rate = rate_of(x), y_rate = rate_of(y);
    if (x_rate > y_rate || x_rate < y_rate)
        return x_rate > y_rate;
    return x->least < y->least;
}

void stint_nsys_collect_pages(struct stint_nsys *nsys)
{
    struct stint_index index = {0};
    size_t next = 0;
    const struct stint_gpu_event *event;
    while (!nsys->failed && (event = next_event(nsys->snapshot, &next))) {
        struct row *row = page_at(nsys, &index, event->address);
        if (!row)
            return;
        add_amount(row, event->kind, event->direction, event->name, event->bytes);
        if (event->kind == STINT_GPU_UNIFIED)
            row->ns += event->end_ns - event->start_ns;
    }
    stint_nsys_reorder(nsys, &nsys->list, sizeof(struct row), stint_nsys_order(nsys, &nsys->list, page_before));
}

/* ---------------------------------------------------------------------------------------------------------- totals */

enum column { TO_DEVICE, TO_HOST, HOST_FAULTS, DEVICE_FAULTS, LEAST_ADDRESS, GREATEST_ADDRESS, COLUMNS };

static const struct stint_column s_columns[COLUMNS] = {
    [TO_DEVICE] = {COLUMN("Total HtoD Migration Size (MB)")},
    [TO_HOST] = {COLUMN("Total DtoH Migration Size (MB)")},
    [HOST_FAULTS] = {COLUMN("Total CPU Page Faults"), .hide = 4},
    [DEVICE_FAULTS] = {COLUMN("Total GPU PageFaults"), .hide = 3},
    [LEAST_ADDRESS] = {COLUMN("Minimum Virtual Address"), .left = 1, .hide = 1},
    [GREATEST_ADDRESS] = {COLUMN("Maximum Virtual Address"), .left = 1, .hide = 2},
};

/* stint does not record faults of devices: none are known unless Nsight Systems did. */
static void fill_totals(const struct stint_nsys *nsys, const void *of, int csv, enum stint_time_unit unit,
                        struct stint_sheet *sheet)
{
    const struct row *row = of;
    (void)nsys;
    (void)unit;
    put_bytes(stint_sheet_text(sheet, TO_DEVICE), row->to_device_bytes, csv);
    put_bytes(stint_sheet_text(sheet, TO_HOST), row->to_host_bytes, csv);
    stint_nsys_put_u64(stint_sheet_text(sheet, HOST_FAULTS), row->host_faults, csv);
    if (row->device_faults)
        stint_nsys_put_u64(stint_sheet_text(sheet, DEVICE_FAULTS), row->device_faults, csv);
    put_address(stint_sheet_text(sheet, LEAST_ADDRESS), row->least);
    put_address(stint_sheet_text(sheet, GREATEST_ADDRESS), row->greatest);
}

const struct stint_nsys_list stint_nsys_unified_sum = {
    .columns = s_columns, .count = COLUMNS, .row_size = sizeof(struct row), .fill = fill_totals, .time_of = time_of};

/* The extent is known only if the trace has every move and every fault, with addresses. */
static void find_extent(const struct stint_snapshot *snapshot, uint64_t count, struct row *row)
{
    struct row found = {0};
    size_t next = 0;
    const struct stint_gpu_event *event;
    for (; (event = next_event(snapshot, &next)); count--)
        add_address(&found, event->address);
    if (count)
        return;
    row->least = found.least;
    row->greatest = found.greatest;
}

void stint_nsys_collect_unified(struct stint_nsys *nsys)
{
    struct row totals = {0};
    uint64_t count = 0;
    int any = 0;
    for (size_t i = 0; i < nsys->snapshot->gpu_activity_count; i++) {
        const struct stint_gpu_activity *activity = &nsys->snapshot->gpu_activities[i];
        any |= activity->kind == STINT_GPU_UNIFIED || activity->kind == STINT_GPU_FAULT;
        totals.ns += activity->kind == STINT_GPU_UNIFIED ? activity->numbers.total_ns : 0;
        if (!is_summed(activity->kind, activity->direction))
            continue;
        add_amount(&totals, activity->kind, activity->direction, activity->name, activity->bytes);
        count += activity->numbers.count;
    }
    find_extent(nsys->snapshot, count, &totals);
    struct row *row = any ? stint_array_add(&nsys->list, &nsys->arena, sizeof *row) : NULL;
    nsys->failed |= any && !row;
    if (row)
        *row = totals;
}
