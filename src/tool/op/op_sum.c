/* Adds kernels up by what is asked for, says what bounds them, and prints the sums as a table. */
#include "op/op_sum.h"

#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "model/model.h"
#include "op/op_roofline.h"
#include "report/sheet.h"
#include "stat/numbers.h"

const char *const stint_op_by_words[] = {"op", "module", "layer", "dir", "kernel", NULL};

/* ------------------------------------------------------------------------------------------------------------- sums */

static const struct stint_table_key s_sum = STINT_TABLE_KEY(struct stint_op_sum, parent, level, name);

static struct stint_piece piece_of(const char *text)
{
    return (struct stint_piece){text, strlen(text)};
}

/* Returns what the row is added up by. */
static struct stint_piece key_of(const struct stint_op_rows *rows, const struct stint_op_row *row, enum stint_op_by by)
{
    const struct stint_op_text *text = stint_op_row_text(rows, row);
    switch (by) {
    case STINT_OP_BY_OP:
        return text && text->name.length ? text->name : piece_of("(no operation)");
    case STINT_OP_BY_MODULE:
        return text && text->module.length ? text->module : piece_of("(no module)");
    case STINT_OP_BY_LAYER:
        if (!row->frame || row->frame->layer == STINT_OP_NO_TEXT)
            return piece_of("(no layer)");
        return piece_of(stint_op_text_at(&rows->join->texts, row->frame->layer)->text);
    case STINT_OP_BY_DIRECTION:
        return piece_of(row->frame ? stint_op_direction_word((enum stint_op_direction)row->frame->direction)
                                   : "(no operation)");
    default:
        return piece_of(row->name);
    }
}

/* How the operation's cost compares with what its device can do. */
static void add_best(struct stint_op_sum *sum, const struct stint_op_row *row, const struct stint_gpu_device *device)
{
    const struct stint_op_cost *cost = &row->cost;
    double peak = stint_op_peak(device, (enum stint_op_type)row->type, (enum stint_op_tensor_cores)row->tensor_cores);
    double bandwidth = (double)device->memory_bytes_per_s;
    if (!cost->flops.state && (peak > 0 || !cost->flops.value)) {
        sum->flops_best_ns += cost->flops.value ? (double)cost->flops.value / peak * 1e9 : 0;
        stint_sum_up(&sum->flops_peak_ns, row->all_ns);
    }
    if (!cost->bytes.state && bandwidth > 0) {
        sum->bytes_best_ns += (double)cost->bytes.value / bandwidth * 1e9;
        stint_sum_up(&sum->bytes_peak_ns, row->all_ns);
    }
    if (!cost->flops.state && !cost->bytes.state) {
        sum->both_flops += (double)cost->flops.value;
        sum->both_bytes += (double)cost->bytes.value;
        stint_sum_up(&sum->both_ns, row->all_ns);
    }
}

static void add_kernel(struct stint_op_sum *sum, const struct stint_op_row *row, const struct stint_gpu_device *device)
{
    uint64_t ns = row->kernel->ns;
    stint_sum_up(&sum->ns, ns);
    stint_sum_up(&sum->idle_ns, row->idle_ns);
    sum->kernels++;
    sum->times += row->is_main != 0;
    if (row->is_main && !row->cost.flops.state) {
        sum->flops += (double)row->cost.flops.value;
        sum->executed += (double)row->cost.executed_flops.value;
        stint_sum_up(&sum->flops_ns, row->all_ns);
    }
    if (row->is_main && !row->cost.bytes.state) {
        sum->bytes += (double)row->cost.bytes.value;
        stint_sum_up(&sum->bytes_ns, row->all_ns);
    }
    if (row->is_main && row->cost.bus_bytes.value) {
        sum->bus_bytes += (double)row->cost.bus_bytes.value;
        stint_sum_up(&sum->bus_ns, row->all_ns);
    }
    if (row->is_main)
        add_best(sum, row, device);
    if (row->tensor_cores == STINT_OP_TC_USED)
        stint_sum_up(&sum->used_ns, ns);
    if (row->tensor_cores == STINT_OP_TC_UNUSED)
        stint_sum_up(&sum->unused_ns, ns);
}

/* Adds the row to the sum of that name within another one. Returns its position plus 1; 0 without memory. */
static size_t add_to(struct stint_op_sums *sums, size_t parent, enum stint_op_level level, struct stint_piece name,
                     const struct stint_op_row *row)
{
    struct stint_gpu_device device = stint_gpu_device_of(sums->snapshot, row->kernel->device);
    struct stint_op_sum like = {.name = name, .parent = parent, .level = level};
    like.depth = parent ? stint_op_sum_at(sums, parent)->depth + 1 : 0;
    struct stint_op_sum *sum = stint_table_take(&sums->all, &s_sum, &sums->arena, &like);
    if (!sum)
        return 0;
    add_kernel(sum, row, &device);
    return stint_table_position(&sums->all, &s_sum, sum) + 1;
}

/* Adds to the layer of that name and to those around it: "net" and "net.layer1" of "net.layer1:conv". XLA's
 * paths, "jit(step)/second", have slashes between names that may have parentheses. */
static size_t add_to_layers(struct stint_op_sums *sums, struct stint_piece name, const struct stint_op_row *row)
{
    size_t parent = 0, depth = name.length && name.text[0] == '(';
    const char *signs = name.length && memmem(name.text, name.length, ")/", 2) ? ":./" : ":.";
    for (size_t i = 1; i <= name.length || !parent; i++) {
        if (i < name.length) {
            depth += name.text[i] == '(';
            depth -= depth && name.text[i] == ')';
        }
        if (i < name.length && (depth || !strchr(signs, name.text[i])))
            continue;
        struct stint_piece part = {name.text, i < name.length ? i : name.length};
        parent = add_to(sums, parent, STINT_OP_LEVEL_LAYER, part, row);
        if (!parent)
            return 0;
    }
    return parent;
}

static int add_row(struct stint_op_sums *sums, const struct stint_op_rows *rows, const struct stint_op_row *row,
                   enum stint_op_by by)
{
    if (by != STINT_OP_BY_LAYER && by != STINT_OP_BY_ALL)
        return add_to(sums, 0, STINT_OP_LEVEL_LAYER, key_of(rows, row, by), row) ? 0 : -1;
    size_t at = add_to_layers(sums, key_of(rows, row, STINT_OP_BY_LAYER), row);
    if (at && by == STINT_OP_BY_ALL)
        at = add_to(sums, at, STINT_OP_LEVEL_OPERATION, key_of(rows, row, STINT_OP_BY_OP), row);
    if (at && by == STINT_OP_BY_ALL)
        at = add_to(sums, at, STINT_OP_LEVEL_KERNEL, key_of(rows, row, STINT_OP_BY_KERNEL), row);
    return at ? 0 : -1;
}

static int is_before(const void *array, size_t a, size_t b)
{
    const struct stint_op_sum *sums = array;
    return sums[a].ns != sums[b].ns ? sums[a].ns > sums[b].ns : a < b;
}

/* Puts sums below the one around them, those beside each other by falling time. */
static int arrange(struct stint_op_sums *sums)
{
    struct stint_op_sum *all = sums->all.items;
    size_t *order = stint_sorted(&sums->arena, sums->all.count, is_before, all);
    if (!order)
        return -1;
    for (size_t i = sums->all.count; i-- > 0;) {
        size_t *first = all[order[i]].parent ? &all[all[order[i]].parent - 1].first : &sums->first;
        all[order[i]].next = *first;
        *first = order[i] + 1;
    }
    return 0;
}

size_t stint_op_sum_after(const struct stint_op_sums *sums, size_t at)
{
    if (!at)
        return sums->first;
    if (stint_op_sum_at(sums, at)->first)
        return stint_op_sum_at(sums, at)->first;
    while (at && !stint_op_sum_at(sums, at)->next)
        at = stint_op_sum_at(sums, at)->parent;
    return at ? stint_op_sum_at(sums, at)->next : 0;
}

int stint_op_sums_make(struct stint_op_sums *sums, const struct stint_op_rows *rows, enum stint_op_by by)
{
    sums->snapshot = rows->join->snapshot;
    for (size_t i = 0; i < rows->count; i++) {
        if (add_row(sums, rows, &rows->rows[i], by))
            return -1;
        stint_sum_up(&sums->ns, rows->rows[i].kernel->ns);
    }
    return arrange(sums);
}

void stint_op_sums_free(struct stint_op_sums *sums)
{
    stint_arena_free(&sums->arena);
}

/* ----------------------------------------------------------------------------------------------------------- bounds */

double stint_op_sum_flops_share(const struct stint_op_sum *sum)
{
    return sum->flops_peak_ns && sum->flops_peak_ns == sum->flops_ns ? sum->flops_best_ns / (double)sum->flops_ns : -1;
}

double stint_op_sum_bytes_share(const struct stint_op_sum *sum)
{
    return sum->bytes_peak_ns && sum->bytes_peak_ns == sum->bytes_ns ? sum->bytes_best_ns / (double)sum->bytes_ns : -1;
}

const char *stint_op_sum_bound(const struct stint_op_sum *sum)
{
    if (sum->idle_ns && sum->idle_ns >= sum->ns)
        return "launch";
    if (sum->flops_peak_ns != sum->bytes_peak_ns || stint_op_sum_flops_share(sum) < 0 ||
        stint_op_sum_bytes_share(sum) < 0)
        return NULL;
    return sum->bytes_best_ns >= sum->flops_best_ns ? "memory" : "compute";
}

/* ------------------------------------------------------------------------------------------------------------ table */

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
    int failed;                  /* there was no memory for one */
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
        stint_op_buffer_put(&table->name, &table->arena, "", 1)) {
        table->failed = -1;
        return "";
    }
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
    double matrix_ns = (double)sum->used_ns + (double)sum->unused_ns;
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
    if (matrix_ns > 0)
        stint_sheet_number(sheet, CORES, 100 * (double)sum->used_ns / matrix_ns);
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
    return failed | table.failed;
}
