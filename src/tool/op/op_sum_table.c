#include "op/op_sum_table.h"

#include <string.h>

#include "base/exact.h"
#include "report/sheet.h"

enum {
    SHARE,
    TOTAL,
    IDLE,
    KERNELS,
    TIMES,
    FLOPS,
    FLOPS_RATE,
    BYTES,
    BYTES_RATE,
    EXECUTED,
    INTENSITY,
    FLOPS_SHARE,
    BYTES_SHARE,
    BOUND,
    CORES,
    BUS,
    BUS_RATE,
    NAME,
    COLUMNS
};

static const struct stint_column s_columns[COLUMNS] = {
    [SHARE] = {.title = "Time", .unit = STINT_COLUMN_SHARE},
    [TOTAL] = {.key = "total_ns", .title = "Total", .unit = STINT_COLUMN_SUM},
    [IDLE] = {.key = "idle_ns", .title = "Idle", .unit = STINT_COLUMN_SUM, .hide = 5},
    [KERNELS] = {.key = "kernels", .title = "Kernels", .unit = STINT_COLUMN_COUNT, .hide = 3},
    [TIMES] = {.key = "times", .title = "Times", .unit = STINT_COLUMN_COUNT, .hide = 4},
    [FLOPS] = {.key = "flops", .title = "GFLOP", .hide = 2},
    [FLOPS_RATE] = {.key = "flops_per_s", .title = "TFLOP/s"},
    [BYTES] = {.key = "bytes", .title = "GB", .hide = 1},
    [BYTES_RATE] = {.key = "bytes_per_s", .title = "GB/s"},
    [EXECUTED] = {.key = "executed_flops"},
    [INTENSITY] = {.key = "flops_per_byte", .title = "FLOP/B", .hide = 6},
    [FLOPS_SHARE] = {.key = "peak_flops_percent", .title = "Peak", .unit = STINT_COLUMN_SHARE, .hide = 7},
    [BYTES_SHARE] = {.key = "peak_bytes_percent", .title = "Memory", .unit = STINT_COLUMN_SHARE, .hide = 8},
    [BOUND] = {.key = "bound", .title = "Bound", .hide = 9, .left = 1},
    [CORES] = {.key = "tensor_core_percent", .title = "TC", .unit = STINT_COLUMN_SHARE},
    [BUS] = {.key = "bus_bytes"},
    [BUS_RATE] = {.key = "bus_bytes_per_s", .title = "Bus GB/s"},
    [NAME] = {.key = "name", .title = "Name", .unit = STINT_COLUMN_NAME},
};

/* Fills an amount and its rate: in CSV as they are, for people in these units. What is not known stays empty. */
static void put_amount(struct stint_sheet *sheet, size_t column, double amount, uint64_t ns, double unit,
                       double rate_unit)
{
    if (!ns)
        return;
    double rate = amount / (double)ns * 1e9;
    if (sheet->csv) {
        (void)stint_number_exact(stint_sheet_text(sheet, column), amount);
        (void)stint_number_exact(stint_sheet_text(sheet, column + 1), rate);
    } else {
        (void)stint_number_fixed(stint_sheet_text(sheet, column), amount / unit, 3);
        (void)stint_number_fixed(stint_sheet_text(sheet, column + 1), rate / rate_unit, 2);
    }
}

/* Shares of the peak are those of all operations whose numbers are known, or of none. */
static void put_peak(struct stint_sheet *sheet, const struct stint_op_sum *sum)
{
    const char *bound = stint_op_sum_bound(sum);
    if (sum->flops_ns && sheet->csv)
        (void)stint_number_exact(stint_sheet_text(sheet, EXECUTED), sum->executed);
    if (sum->both_bytes > 0)
        (void)stint_number_fixed(stint_sheet_text(sheet, INTENSITY), sum->both_flops / sum->both_bytes, 2);
    if (stint_op_sum_flops_share(sum) >= 0)
        stint_sheet_number(sheet, FLOPS_SHARE, 100 * stint_op_sum_flops_share(sum));
    if (stint_op_sum_bytes_share(sum) >= 0)
        stint_sheet_number(sheet, BYTES_SHARE, 100 * stint_op_sum_bytes_share(sum));
    if (bound)
        memcpy(stint_sheet_text(sheet, BOUND), bound, strlen(bound) + 1);
}

struct table {
    struct stint_op_sums sums;
    struct stint_arena arena;
    struct stint_op_buffer name; /* of the row */
};

/* Returns the name as the table has it: a layer's own, below that of the one around it. */
static const char *name_of(struct table *table, const struct stint_op_sum *sum, int csv)
{
    static const char blanks[] = "                                ";
    size_t skipped = !csv && sum->parent ? stint_op_sum_at(&table->sums, sum->parent)->name.length + 1 : 0;
    size_t indent = csv ? 0 : 2 * sum->depth < sizeof blanks ? 2 * sum->depth : sizeof blanks - 1;
    table->name.length = 0;
    if (stint_op_buffer_put(&table->name, &table->arena, blanks, indent) ||
        stint_op_buffer_put(&table->name, &table->arena, sum->name.text + skipped, sum->name.length - skipped) ||
        stint_op_buffer_put(&table->name, &table->arena, "", 1))
        return "";
    return table->name.text;
}

static int next_row(void *context, size_t *next, struct stint_sheet *sheet)
{
    struct table *table = context;
    size_t at = stint_op_sum_after(&table->sums, *next);
    if (!at)
        return 0;
    *next = at;
    const struct stint_op_sum *sum = stint_op_sum_at(&table->sums, at);
    uint64_t matrix_ns = sum->used_ns + sum->unused_ns;
    if (table->sums.ns)
        stint_sheet_number(sheet, SHARE, 100 * (double)sum->ns / (double)table->sums.ns);
    stint_sheet_value(sheet, TOTAL, sum->ns);
    stint_sheet_value(sheet, IDLE, sum->idle_ns);
    stint_sheet_value(sheet, KERNELS, sum->kernels);
    stint_sheet_value(sheet, TIMES, sum->times);
    put_amount(sheet, FLOPS, sum->flops, sum->flops_ns, 1e9, 1e12);
    put_amount(sheet, BYTES, sum->bytes, sum->bytes_ns, 1e9, 1e9);
    put_amount(sheet, BUS, sum->bus_bytes, sum->bus_ns, 1e9, 1e9);
    put_peak(sheet, sum);
    if (matrix_ns)
        stint_sheet_number(sheet, CORES, 100 * (double)sum->used_ns / (double)matrix_ns);
    stint_sheet_string(sheet, NAME, name_of(table, sum, sheet->csv));
    return 1;
}

static int has_collectives(const struct stint_op_sums *sums)
{
    for (size_t i = 1; i <= sums->all.count; i++)
        if (stint_op_sum_at(sums, i)->bus_ns)
            return 1;
    return 0;
}

int stint_op_sum_table_put(const struct stint_op_rows *rows, enum stint_op_by by, int csv,
                           const struct stint_layout *layout, struct stint_text *text)
{
    enum { NAME_LEAST = 16 };
    struct table table = {.name = {0}};
    int failed = stint_op_sums_make(&table.sums, rows, by);
    struct stint_column columns[COLUMNS];
    memcpy(columns, s_columns, sizeof columns);
    if (!has_collectives(&table.sums)) /* the column would be empty */
        columns[BUS_RATE].title = NULL;
    struct stint_sheet sheet = {STINT_COLUMNS(columns), .next = next_row, .context = &table, .name_floor = NAME_LEAST,
                                .name_least = NAME_LEAST};
    if (!failed && csv) {
        stint_sheet_put_csv(&sheet, text, layout);
    } else if (!failed) {
        stint_sheet_fit(&sheet, layout);
        stint_sheet_put(&sheet, text);
    }
    stint_op_sums_free(&table.sums);
    stint_arena_free(&table.arena);
    return failed;
}
