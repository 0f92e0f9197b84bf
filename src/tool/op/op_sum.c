#include "op/op_sum.h"

#include <string.h>

#include "base/exact.h"
#include "base/sort.h"
#include "op/op_peak.h"
#include "report/gpu_sum.h"
#include "report/sheet.h"

const char *const stint_op_by_words[] = {"op", "module", "layer", "dir", "kernel", NULL};

/* ------------------------------------------------------------------------------------------------------------- sums */

struct sum {
    struct stint_piece name;    /* of a layer with those around it: "net.layer1" */
    size_t parent, first, next; /* the layer around it, the first one within, the next one beside; plus 1; 0: none */
    size_t depth;
    uint64_t ns;
    uint64_t idle_ns;
    uint64_t kernels;
    uint64_t times; /* that operations ran */
    double flops, bytes, executed;
    double both_flops, both_bytes;         /* of operations of which both are known */
    uint64_t flops_ns, bytes_ns;           /* time of all kernels of the operations whose numbers these are */
    double flops_best_ns, bytes_best_ns;   /* how long it would take the device at its best */
    uint64_t flops_peak_ns, bytes_peak_ns; /* time of all kernels of the operations that have one */
    uint64_t used_ns, unused_ns;           /* time of kernels that multiply matrices with Tensor Cores, and without */
};

struct sums {
    struct stint_arena arena;
    struct stint_array all; /* struct sum */
    struct stint_index index;
    size_t first; /* plus 1 */
    uint64_t ns;
    const struct stint_snapshot *snapshot;
    struct stint_op_buffer name; /* of the row */
};

static int is_of(const void *array, size_t position, const void *key)
{
    const struct sum *sum = (const struct sum *)array + position;
    const struct stint_piece *name = key;
    return sum->name.length == name->length && memcmp(sum->name.text, name->text, name->length) == 0;
}

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

/* Returns the position of the sum plus 1; 0 without memory. */
static size_t sum_of(struct sums *sums, struct stint_piece name, size_t parent)
{
    uint64_t hash = stint_hash(name.text, name.length, 0);
    size_t at = stint_index_find(&sums->index, hash, is_of, sums->all.items, &name);
    if (at != STINT_INDEX_NONE)
        return at + 1;
    struct sum *sum = stint_array_add(&sums->all, &sums->arena, sizeof *sum);
    if (!sum || stint_index_add(&sums->index, &sums->arena, hash, sums->all.count - 1))
        return 0;
    *sum = (struct sum){.name = name, .parent = parent};
    if (parent)
        sum->depth = ((struct sum *)sums->all.items)[parent - 1].depth + 1;
    return sums->all.count;
}

/* How the operation's cost compares with what its device can do. */
static void add_best(struct sum *sum, const struct stint_op_row *row, const struct stint_gpu_device *device)
{
    const struct stint_op_cost *cost = &row->cost;
    double peak = stint_op_peak(device, (enum stint_op_type)row->type, (enum stint_op_tensor_cores)row->tensor_cores);
    double bandwidth = (double)device->memory_bytes_per_s;
    if (!cost->flops.state && (peak > 0 || !cost->flops.value)) {
        sum->flops_best_ns += cost->flops.value ? (double)cost->flops.value / peak * 1e9 : 0;
        sum->flops_peak_ns += row->all_ns;
    }
    if (!cost->bytes.state && bandwidth > 0) {
        sum->bytes_best_ns += (double)cost->bytes.value / bandwidth * 1e9;
        sum->bytes_peak_ns += row->all_ns;
    }
    if (!cost->flops.state && !cost->bytes.state) {
        sum->both_flops += (double)cost->flops.value;
        sum->both_bytes += (double)cost->bytes.value;
    }
}

static void add(struct sum *sum, const struct stint_op_row *row, const struct stint_gpu_device *device)
{
    uint64_t ns = row->kernel->ns;
    sum->ns += ns;
    sum->idle_ns += row->idle_ns;
    sum->kernels++;
    sum->times += row->is_main != 0;
    if (row->is_main && !row->cost.flops.state) {
        sum->flops += (double)row->cost.flops.value;
        sum->executed += (double)row->cost.executed_flops.value;
        sum->flops_ns += row->all_ns;
    }
    if (row->is_main && !row->cost.bytes.state) {
        sum->bytes += (double)row->cost.bytes.value;
        sum->bytes_ns += row->all_ns;
    }
    if (row->is_main)
        add_best(sum, row, device);
    if (row->tensor_cores == STINT_OP_TC_USED)
        sum->used_ns += ns;
    if (row->tensor_cores == STINT_OP_TC_UNUSED)
        sum->unused_ns += ns;
}

/* Adds to the sum of that name and, if it is a layer's, to those around it: "net" and "net.layer1" of
 * "net.layer1:conv". */
static int add_all(struct sums *sums, struct stint_piece name, int is_layer, const struct stint_op_row *row)
{
    struct stint_gpu_device device = stint_gpu_device_of(sums->snapshot, row->kernel->device);
    size_t parent = 0;
    for (size_t i = 1; i <= name.length || !parent; i++) {
        int is_end = i >= name.length || (is_layer && (name.text[i] == ':' || name.text[i] == '.'));
        if (!is_end)
            continue;
        parent = sum_of(sums, (struct stint_piece){name.text, i < name.length ? i : name.length}, parent);
        if (!parent)
            return -1;
        add((struct sum *)sums->all.items + parent - 1, row, &device);
    }
    return 0;
}

static int is_before(const void *array, size_t a, size_t b)
{
    const struct sum *sums = array;
    return sums[a].ns != sums[b].ns ? sums[a].ns > sums[b].ns : a < b;
}

/* Puts layers below the one around them, those beside each other by falling time. */
static int arrange(struct sums *sums)
{
    struct sum *all = sums->all.items;
    size_t *order = stint_arena_alloc(&sums->arena, (sums->all.count + 1) * sizeof *order);
    for (size_t i = 0; order && i < sums->all.count; i++)
        order[i] = i;
    if (!order)
        return -1;
    stint_sort(order, sums->all.count, is_before, all);
    for (size_t i = sums->all.count; i-- > 0;) {
        size_t *first = all[order[i]].parent ? &all[all[order[i]].parent - 1].first : &sums->first;
        all[order[i]].next = *first;
        *first = order[i] + 1;
    }
    return 0;
}

/* Returns the sum that follows in the table. */
static size_t after(const struct sums *sums, size_t at)
{
    const struct sum *all = sums->all.items;
    if (all[at - 1].first)
        return all[at - 1].first;
    while (at && !all[at - 1].next)
        at = all[at - 1].parent;
    return at ? all[at - 1].next : 0;
}

static int make(struct sums *sums, const struct stint_op_rows *rows, enum stint_op_by by)
{
    for (size_t i = 0; i < rows->count; i++) {
        if (add_all(sums, key_of(rows, &rows->rows[i], by), by == STINT_OP_BY_LAYER, &rows->rows[i]))
            return -1;
        sums->ns += rows->rows[i].kernel->ns;
    }
    return arrange(sums);
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

/* Returns what the sum's kernels wait for, or NULL. */
static const char *bound_of(const struct sum *sum)
{
    if (sum->idle_ns && sum->idle_ns >= sum->ns)
        return "launch";
    if (!sum->flops_peak_ns || sum->flops_peak_ns != sum->bytes_peak_ns || sum->flops_peak_ns != sum->flops_ns ||
        sum->bytes_peak_ns != sum->bytes_ns)
        return NULL;
    return sum->bytes_best_ns >= sum->flops_best_ns ? "memory" : "compute";
}

/* Shares of the peak are those of all operations whose numbers are known, or of none. */
static void put_peak(struct stint_sheet *sheet, const struct sum *sum)
{
    const char *bound = bound_of(sum);
    if (sum->flops_ns && sheet->csv)
        (void)stint_number_exact(stint_sheet_text(sheet, EXECUTED), sum->executed);
    if (sum->both_bytes > 0)
        (void)stint_number_fixed(stint_sheet_text(sheet, INTENSITY), sum->both_flops / sum->both_bytes, 2);
    if (sum->flops_peak_ns && sum->flops_peak_ns == sum->flops_ns)
        stint_sheet_number(sheet, FLOPS_SHARE, 100 * sum->flops_best_ns / (double)sum->flops_ns);
    if (sum->bytes_peak_ns && sum->bytes_peak_ns == sum->bytes_ns)
        stint_sheet_number(sheet, BYTES_SHARE, 100 * sum->bytes_best_ns / (double)sum->bytes_ns);
    if (bound)
        memcpy(stint_sheet_text(sheet, BOUND), bound, strlen(bound) + 1);
}

/* Returns the name as the table has it: a layer's own, below that of the one around it. */
static const char *name_of(struct sums *sums, const struct sum *sum, int csv)
{
    static const char blanks[] = "                                ";
    const struct sum *all = sums->all.items;
    size_t skipped = !csv && sum->parent ? all[sum->parent - 1].name.length + 1 : 0;
    size_t indent = csv ? 0 : 2 * sum->depth < sizeof blanks ? 2 * sum->depth : sizeof blanks - 1;
    sums->name.length = 0;
    if (stint_op_buffer_put(&sums->name, &sums->arena, blanks, indent) ||
        stint_op_buffer_put(&sums->name, &sums->arena, sum->name.text + skipped, sum->name.length - skipped) ||
        stint_op_buffer_put(&sums->name, &sums->arena, "", 1))
        return "";
    return sums->name.text;
}

static int next_row(void *context, size_t *next, struct stint_sheet *sheet)
{
    struct sums *sums = context;
    size_t at = *next ? after(sums, *next) : sums->first;
    if (!at)
        return 0;
    *next = at;
    const struct sum *sum = (const struct sum *)sums->all.items + at - 1;
    uint64_t matrix_ns = sum->used_ns + sum->unused_ns;
    if (sums->ns)
        stint_sheet_number(sheet, SHARE, 100 * (double)sum->ns / (double)sums->ns);
    stint_sheet_value(sheet, TOTAL, sum->ns);
    stint_sheet_value(sheet, IDLE, sum->idle_ns);
    stint_sheet_value(sheet, KERNELS, sum->kernels);
    stint_sheet_value(sheet, TIMES, sum->times);
    put_amount(sheet, FLOPS, sum->flops, sum->flops_ns, 1e9, 1e12);
    put_amount(sheet, BYTES, sum->bytes, sum->bytes_ns, 1e9, 1e9);
    put_peak(sheet, sum);
    if (matrix_ns)
        stint_sheet_number(sheet, CORES, 100 * (double)sum->used_ns / (double)matrix_ns);
    stint_sheet_string(sheet, NAME, name_of(sums, sum, sheet->csv));
    return 1;
}

int stint_op_sums_put(const struct stint_op_rows *rows, enum stint_op_by by, int csv, const struct stint_layout *layout,
                      struct stint_text *text)
{
    enum { NAME_LEAST = 16 };
    struct sums sums = {.snapshot = rows->join->snapshot};
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
