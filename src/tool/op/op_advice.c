/* Looks for what may be made faster, and says it. */

#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/text.h"
#include "model/model.h"
#include "op/op_table.h"
#include "report/sheet.h"
#include "stat/numbers.h"

/* Of the time of all kernels; what takes less is not worth a line. */
enum { LEAST_PERCENT = 1, LEAST_GRID_PERCENT = 2, LEAST_IDLE_PERCENT = 5 };

/* Tensor Cores read rows in pieces of 16 bytes (NVIDIA, Deep Learning Performance: Matrix Multiplication Background,
 * "Tensor Core Requirements"). What is not known is taken for a type of 16 bits. */
enum { ALIGNED_BYTES = 16, USUAL_BYTES = 2 };

/* A device that waits for less than the first does not wait for a launch, which takes a host that long; if it waits for
 * more than the second, the host does something else, which no graph contains. Recording operations takes a host up to
 * a fifth of that. */
enum { LAUNCH_NS = 2000, OTHER_NS = 1000000, SEQUENCE_LEAST = 16 };

/* ------------------------------------------------------------------------------------------------------------- add */

static const struct stint_table_key s_advice = STINT_TABLE_KEY(struct stint_op_advice, rule, operation, kernel);

static uint32_t layer_of(const struct stint_op_rows *rows, uint32_t row)
{
    return rows->rows[row].frame ? rows->rows[row].frame->layer : STINT_OP_NO_TEXT;
}

/* Returns the advice, to which `ns` and kernels are added; NULL without memory. */
static struct stint_op_advice *add_kernels(struct stint_op_advices *advices, const struct stint_op_rows *rows,
                                           enum stint_op_advice_rule rule, uint32_t row, uint64_t ns, uint64_t kernels)
{
    struct stint_op_advice like = {.rule = rule, .row = row, .operation = stint_op_row_text(rows, &rows->rows[row])};
    if (rule != STINT_OP_ADVICE_ALIGNMENT)
        like.kernel = rows->rows[row].kernel->name;
    struct stint_op_advice *advice = stint_table_take(&advices->found, &s_advice, &advices->arena, &like);
    if (!advice)
        return NULL;
    stint_sum_up(&advice->ns, ns);
    advice->kernels += kernels;
    advice->has_layers |= layer_of(rows, advice->row) != layer_of(rows, row);
    return advice;
}

/* -------------------------------------------------------------------------------------------------------- alignment */

/* What is known of an operation's dimensions, once for each text. */
struct dimension {
    int is_known;
    char letter; /* of the first one that is no multiple; 0: none */
    uint64_t size, multiple;
};

/* Without Tensor Cores, numbers of 32 or 64 bits are multiplied as they are. */
static int is_wide(const struct stint_op_row *row)
{
    return row->tensor_cores == STINT_OP_TC_UNUSED && (row->type == STINT_OP_FP32 || row->type == STINT_OP_FP64);
}

static void find_dimension(struct stint_op_advices *advices, const struct stint_op_row *row,
                           const struct stint_op_text *text, struct dimension *dimension)
{
    struct stint_op_dimensions all = {.count = 0};
    struct stint_op_ask ask = {.operation = &advices->operation, .dimensions = &all};
    struct stint_op_cost cost;
    unsigned bytes = stint_op_type_bytes((enum stint_op_type)row->type);
    (void)stint_operation_read(&advices->operation, text->text, text->length);
    stint_op_cost(text->rule, &ask, &cost);
    *dimension = (struct dimension){.is_known = 1, .multiple = ALIGNED_BYTES / (bytes ? bytes : USUAL_BYTES)};
    for (size_t i = 0; i < all.count && !dimension->letter; i++)
        if (all.all[i].size > 1 && dimension->multiple && all.all[i].size % dimension->multiple) {
            dimension->letter = all.all[i].letter;
            dimension->size = all.all[i].size;
        }
}

static int look_at_dimensions(struct stint_op_advices *advices, const struct stint_op_rows *rows)
{
    size_t texts = rows->join->texts.rows.count;
    struct dimension *dimensions = stint_arena_alloc(&advices->arena, (texts + 1) * sizeof *dimensions);
    for (uint32_t i = 0; dimensions && i < rows->count; i++) {
        const struct stint_op_row *row = &rows->rows[i];
        const struct stint_op_text *text = stint_op_row_text(rows, row);
        if (!row->is_main || !text || !text->rule || !stint_op_rule_is_matrix(text->rule) || is_wide(row))
            continue;
        struct dimension *dimension = &dimensions[stint_op_frame_at(rows->join, row->op)->text];
        if (!dimension->is_known)
            find_dimension(advices, row, text, dimension);
        if (!dimension->letter)
            continue;
        struct stint_op_advice *advice = add_kernels(advices, rows, STINT_OP_ADVICE_ALIGNMENT, i, row->all_ns, 1);
        if (!advice)
            return -1;
        advice->dimension = dimension->letter;
        advice->is = dimension->size;
        advice->wanted = dimension->multiple;
    }
    return dimensions ? 0 : -1;
}

/* -------------------------------------------------------------------------------------------------------- precision */

static int look_at_types(struct stint_op_advices *advices, const struct stint_op_rows *rows)
{
    uint64_t used_ns = 0, unused_ns = 0;
    for (size_t i = 0; i < rows->count; i++) {
        stint_sum_up(&used_ns, rows->rows[i].tensor_cores == STINT_OP_TC_USED ? rows->rows[i].kernel->ns : 0);
        stint_sum_up(&unused_ns, rows->rows[i].tensor_cores == STINT_OP_TC_UNUSED ? rows->rows[i].kernel->ns : 0);
    }
    if (used_ns < unused_ns)
        return 0; /* it may be what is wanted */
    for (uint32_t i = 0; i < rows->count; i++) {
        const struct stint_op_row *row = &rows->rows[i];
        if (is_wide(row) && !add_kernels(advices, rows, STINT_OP_ADVICE_PRECISION, i, row->kernel->ns, 1))
            return -1;
    }
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------- grid */

static int look_at_grids(struct stint_op_advices *advices, const struct stint_op_rows *rows)
{
    for (uint32_t i = 0; i < rows->count; i++) {
        const struct stint_op_kernel *kernel = rows->rows[i].kernel;
        uint32_t multiprocessors = stint_gpu_device_of(rows->join->snapshot, kernel->device).multiprocessors;
        uint64_t blocks = (uint64_t)kernel->grid[0] * kernel->grid[1] * kernel->grid[2];
        if (!blocks || 2 * blocks >= multiprocessors)
            continue;
        struct stint_op_advice *advice = add_kernels(advices, rows, STINT_OP_ADVICE_GRID, i, kernel->ns, 1);
        if (!advice)
            return -1;
        advice->is = blocks > advice->is ? blocks : advice->is;
        advice->wanted = multiprocessors;
    }
    return 0;
}

/* --------------------------------------------------------------------------------------------------------- launches */

/* Kernels of a device that it waits for, one after the other. */
struct sequence {
    uint32_t first; /* row */
    uint64_t kernels;
    uint64_t ns, idle_ns;
};

/* All sequences are one advice, on the first kernel of the longest. */
static void end_sequence(struct stint_op_advice *all, const struct sequence *sequence)
{
    if (sequence->kernels < SEQUENCE_LEAST || sequence->idle_ns < sequence->ns)
        return;
    if (sequence->kernels > all->is) {
        all->is = sequence->kernels;
        all->row = sequence->first;
    }
    stint_sum_up(&all->ns, sequence->idle_ns);
    all->kernels += sequence->kernels;
    all->wanted++;
}

/* The kernel that ends another wait is the first of a sequence, though nothing waited long for it. */
static int look_at_launches(struct stint_op_advices *advices, const struct stint_op_rows *rows)
{
    enum { DEVICES = 64 };
    struct sequence sequences[DEVICES] = {{0}};
    struct stint_op_advice all = {.rule = STINT_OP_ADVICE_LAUNCH};
    for (uint32_t i = 0; i < rows->count; i++) {
        const struct stint_op_row *row = &rows->rows[i];
        struct sequence *sequence = &sequences[row->kernel->device % DEVICES];
        if (row->idle_ns < LAUNCH_NS || row->idle_ns > OTHER_NS) {
            end_sequence(&all, sequence);
            *sequence = (struct sequence){.first = i};
        } else {
            stint_sum_up(&sequence->idle_ns, row->idle_ns);
        }
        stint_sum_up(&sequence->ns, row->kernel->ns);
        sequence->kernels++;
    }
    for (size_t i = 0; i < DEVICES; i++)
        end_sequence(&all, &sequences[i]);
    if (!all.wanted)
        return 0;
    struct stint_op_advice *advice = add_kernels(advices, rows, STINT_OP_ADVICE_LAUNCH, all.row, all.ns, all.kernels);
    if (advice)
        *advice = all;
    return advice ? 0 : -1;
}

/* ------------------------------------------------------------------------------------------------------------- make */

static int is_worth_a_line(const struct stint_op_advices *advices, const struct stint_op_advice *advice)
{
    unsigned percent = advice->rule == STINT_OP_ADVICE_GRID     ? LEAST_GRID_PERCENT
                       : advice->rule == STINT_OP_ADVICE_LAUNCH ? LEAST_IDLE_PERCENT
                                                                : LEAST_PERCENT;
    return 100 * (double)advice->ns >= percent * (double)advices->ns;
}

static int is_before(const void *array, size_t a, size_t b)
{
    const struct stint_op_advice *all = array;
    return all[a].ns != all[b].ns ? all[a].ns > all[b].ns : a < b;
}

static int arrange(struct stint_op_advices *advices)
{
    const struct stint_op_advice *items = advices->found.items;
    size_t *order = stint_sorted(&advices->arena, advices->found.count, is_before, items);
    advices->all = stint_arena_alloc(&advices->arena, (advices->found.count + 1) * sizeof *advices->all);
    if (!order || !advices->all)
        return -1;
    advices->count = 0;
    for (size_t i = 0; i < advices->found.count; i++)
        if (is_worth_a_line(advices, &items[order[i]]))
            advices->all[advices->count++] = items[order[i]];
    return 0;
}

int stint_op_advices_make(struct stint_op_advices *advices, const struct stint_op_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        stint_sum_up(&advices->ns, rows->rows[i].kernel->ns);
    if (look_at_dimensions(advices, rows) || look_at_types(advices, rows) || look_at_grids(advices, rows) ||
        look_at_launches(advices, rows) || advices->operation.failed)
        return -1;
    return arrange(advices);
}

void stint_op_advices_free(struct stint_op_advices *advices)
{
    stint_operation_free(&advices->operation);
    stint_arena_free(&advices->arena);
}

/* -------------------------------------------------------------------------------------------------------------- say */

/* Writes a sentence, without a full stop. */
static void say_advice(const struct stint_op_advice *advice, const struct stint_op_rows *rows, struct stint_text *text)
{
    enum stint_op_type type = (enum stint_op_type)rows->rows[advice->row].type;
    switch (advice->rule) {
    case STINT_OP_ADVICE_ALIGNMENT:
        stint_text_put(text, &advice->dimension, 1);
        stint_text_say(text, " = %ju is not a multiple of %ju, which Tensor Cores need for %s: pad it to %ju",
                       advice->is, advice->wanted, type ? stint_op_type_name(type) : "16 bits",
                       advice->is - advice->is % advice->wanted + advice->wanted);
        break;
    case STINT_OP_ADVICE_PRECISION:
        stint_text_say(text,
                       "multiplies %s without Tensor Cores, although most others use them: use bf16, fp16 or tf32",
                       stint_op_type_name(type));
        break;
    case STINT_OP_ADVICE_GRID:
        stint_text_say(text, "has at most %ju blocks for %ju multiprocessors: the others are idle", advice->is,
                       advice->wanted);
        break;
    default:
        stint_text_say(text, "the device waits for each of %ju short kernels", advice->kernels);
        if (advice->wanted > 1)
            stint_text_say(text, " in %ju sequences", advice->wanted);
        stint_text_string(text, ": a CUDA graph would launch them together");
    }
}

/* -------------------------------------------------------------------------------------------------------------- put */

static const char *const s_rules[] = {"alignment", "precision", "grid", "launch"};

static void put_cell(struct stint_text *text, struct stint_op_cell *cell, const struct stint_op_rows *rows,
                     const struct stint_op_advice *advice, enum stint_op_column column, int csv)
{
    const char *words = stint_op_cell_fill(cell, rows, advice->row, column);
    stint_text_string(text, csv ? "," : " ");
    if (csv)
        stint_csv_quoted(text, words);
    else
        (void)stint_escape_put(text, stint_escape_terminal, words);
}

static void put_line(struct stint_text *text, struct stint_op_cell *cell, const struct stint_op_advices *advices,
                     const struct stint_op_rows *rows, const struct stint_op_advice *advice)
{
    char number[STINT_NUMBER_SIZE];
    size_t length = stint_number_fixed(number, 100 * (double)advice->ns / (double)(advices->ns ? advices->ns : 1), 2);
    stint_text_fill(text, ' ', length < 7 ? 7 - length : 0);
    stint_text_say(text, "%s %% %s:", number, s_rules[advice->rule]);
    put_cell(text, cell, rows, advice, STINT_OP_NAME, 0);
    put_cell(text, cell, rows, advice, STINT_OP_PARAMS, 0);
    if (advice->rule != STINT_OP_ADVICE_ALIGNMENT && advice->rule != STINT_OP_ADVICE_LAUNCH)
        put_cell(text, cell, rows, advice, STINT_OP_KERNEL, 0);
    stint_text_string(text, " in layer");
    put_cell(text, cell, rows, advice, STINT_OP_LAYER_NAME, 0);
    stint_text_string(text, advice->has_layers ? " and others: " : ": ");
    say_advice(advice, rows, text);
    stint_text_string(text, "\n");
}

static void put_csv(struct stint_text *text, struct stint_op_cell *cell, const struct stint_op_rows *rows,
                    const struct stint_op_advice *advice)
{
    static const enum stint_op_column columns[] = {STINT_OP_LAYER_NAME, STINT_OP_NAME, STINT_OP_PARAMS,
                                                   STINT_OP_KERNEL};
    stint_text_say(text, "%s,%ju,%ju", s_rules[advice->rule], advice->ns, advice->kernels);
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        put_cell(text, cell, rows, advice, columns[i], 1);
    stint_text_string(text, ",\"");
    say_advice(advice, rows, text);
    stint_text_string(text, "\"\n");
}

int stint_op_advices_put(const struct stint_op_rows *rows, int csv, struct stint_text *text)
{
    struct stint_op_advices advices = {.all = NULL};
    struct stint_op_cell cell = {0};
    int failed = stint_op_advices_make(&advices, rows);
    if (!failed && csv)
        stint_text_string(text, "rule,total_ns,kernels,layer,op,params,kernel,advice\n");
    for (size_t i = 0; !failed && i < advices.count; i++) {
        if (csv)
            put_csv(text, &cell, rows, &advices.all[i]);
        else
            put_line(text, &cell, &advices, rows, &advices.all[i]);
    }
    failed |= cell.failed ? -1 : 0;
    stint_op_cell_free(&cell);
    stint_op_advices_free(&advices);
    return failed;
}
