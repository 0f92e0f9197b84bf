#include "op/op_sum.h"

#include <string.h>

#include "base/exact.h"
#include "base/sort.h"
#include "report/sheet.h"

const char *const stint_op_by_words[] = {"op", "module", "layer", "dir", "kernel", NULL};

/* ------------------------------------------------------------------------------------------------------------- sums */

struct sum {
    const char *name;
    uint64_t ns;
    uint64_t idle_ns;
    uint64_t kernels;
    uint64_t times; /* that operations ran */
    double flops, bytes;
    uint64_t flops_ns, bytes_ns; /* time of all kernels of the operations whose numbers these are */
    uint64_t used_ns, unused_ns; /* time of kernels that multiply matrices with Tensor Cores, and without */
};

struct sums {
    struct stint_arena arena;
    struct stint_array all; /* struct sum */
    struct stint_index index;
    size_t *order;
    uint64_t ns;
};

static int is_of(const void *array, size_t position, const void *name)
{
    return strcmp(((const struct sum *)array)[position].name, name) == 0;
}

static const char *copy_of(struct sums *sums, struct stint_piece piece, const char *otherwise)
{
    return piece.length ? stint_arena_copy(&sums->arena, piece.text, piece.length) : otherwise;
}

/* Returns what the row is added up by; NULL without memory. */
static const char *key_of(struct sums *sums, const struct stint_op_rows *rows, const struct stint_op_row *row,
                          enum stint_op_by by)
{
    static const struct stint_piece none = {"", 0};
    const struct stint_op_text *text = stint_op_row_text(rows, row);
    switch (by) {
    case STINT_OP_BY_OP:
        return copy_of(sums, text ? text->name : none, "(no operation)");
    case STINT_OP_BY_MODULE:
        return copy_of(sums, text ? text->module : none, "(no module)");
    case STINT_OP_BY_LAYER:
        if (!row->frame || row->frame->layer == STINT_OP_NO_TEXT)
            return "(no layer)";
        return stint_op_text_at(&rows->join->texts, row->frame->layer)->text;
    case STINT_OP_BY_DIRECTION:
        return row->frame ? stint_op_direction_word((enum stint_op_direction)row->frame->direction) : "(no operation)";
    default:
        return row->name;
    }
}

static struct sum *sum_of(struct sums *sums, const char *name)
{
    uint64_t hash = stint_hash(name, strlen(name), 0);
    size_t at = stint_index_find(&sums->index, hash, is_of, sums->all.items, name);
    if (at != STINT_INDEX_NONE)
        return (struct sum *)sums->all.items + at;
    struct sum *sum = stint_array_add(&sums->all, &sums->arena, sizeof *sum);
    if (!sum || stint_index_add(&sums->index, &sums->arena, hash, sums->all.count - 1))
        return NULL;
    *sum = (struct sum){.name = name};
    return sum;
}

static void add(struct sum *sum, const struct stint_op_row *row)
{
    uint64_t ns = row->kernel->ns;
    sum->ns += ns;
    sum->idle_ns += row->idle_ns;
    sum->kernels++;
    sum->times += row->is_main != 0;
    if (row->is_main && !row->cost.flops.state) {
        sum->flops += (double)row->cost.flops.value;
        sum->flops_ns += row->all_ns;
    }
    if (row->is_main && !row->cost.bytes.state) {
        sum->bytes += (double)row->cost.bytes.value;
        sum->bytes_ns += row->all_ns;
    }
    if (row->tensor_cores == STINT_OP_TC_USED)
        sum->used_ns += ns;
    if (row->tensor_cores == STINT_OP_TC_UNUSED)
        sum->unused_ns += ns;
}

static int is_before(const void *array, size_t a, size_t b)
{
    const struct sum *sums = array;
    return sums[a].ns != sums[b].ns ? sums[a].ns > sums[b].ns : strcmp(sums[a].name, sums[b].name) < 0;
}

static int make(struct sums *sums, const struct stint_op_rows *rows, enum stint_op_by by)
{
    for (size_t i = 0; i < rows->count; i++) {
        const char *key = key_of(sums, rows, &rows->rows[i], by);
        struct sum *sum = key ? sum_of(sums, key) : NULL;
        if (!sum)
            return -1;
        add(sum, &rows->rows[i]);
        sums->ns += rows->rows[i].kernel->ns;
    }
    sums->order = stint_arena_alloc(&sums->arena, (sums->all.count + 1) * sizeof *sums->order);
    for (size_t i = 0; sums->order && i < sums->all.count; i++)
        sums->order[i] = i;
    if (sums->order)
        stint_sort(sums->order, sums->all.count, is_before, sums->all.items);
    return sums->order ? 0 : -1;
}

/* ------------------------------------------------------------------------------------------------------------ table */

enum { SHARE, TOTAL, IDLE, KERNELS, TIMES, FLOPS, FLOPS_RATE, BYTES, BYTES_RATE, CORES, NAME, COLUMNS };

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
    [CORES] = {.key = "tensor_core_percent", .title = "TC", .unit = STINT_COLUMN_SHARE},
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

static int next_row(void *context, size_t *next, struct stint_sheet *sheet)
{
    const struct sums *sums = context;
    if (*next == sums->all.count)
        return 0;
    const struct sum *sum = (const struct sum *)sums->all.items + sums->order[(*next)++];
    uint64_t matrix_ns = sum->used_ns + sum->unused_ns;
    if (sums->ns)
        stint_sheet_number(sheet, SHARE, 100 * (double)sum->ns / (double)sums->ns);
    stint_sheet_value(sheet, TOTAL, sum->ns);
    stint_sheet_value(sheet, IDLE, sum->idle_ns);
    stint_sheet_value(sheet, KERNELS, sum->kernels);
    stint_sheet_value(sheet, TIMES, sum->times);
    put_amount(sheet, FLOPS, sum->flops, sum->flops_ns, 1e9, 1e12);
    put_amount(sheet, BYTES, sum->bytes, sum->bytes_ns, 1e9, 1e9);
    if (matrix_ns)
        stint_sheet_number(sheet, CORES, 100 * (double)sum->used_ns / (double)matrix_ns);
    stint_sheet_string(sheet, NAME, sum->name);
    return 1;
}

int stint_op_sums_put(const struct stint_op_rows *rows, enum stint_op_by by, int csv, const struct stint_layout *layout,
                      struct stint_text *text)
{
    enum { NAME_LEAST = 16 };
    struct sums sums = {0};
    int failed = make(&sums, rows, by);
    struct stint_sheet sheet = {STINT_COLUMNS(s_columns), .next = next_row, .context = &sums, .name_floor = NAME_LEAST,
                                .name_least = NAME_LEAST};
    if (!failed && csv) {
        stint_sheet_put_csv(&sheet, text, layout);
    } else if (!failed) {
        stint_sheet_fit(&sheet, layout);
        stint_sheet_put(&sheet, text);
    }
    stint_arena_free(&sums.arena);
    return failed;
}
