/* Rows of kernels: each with its short name, its operation, and what that costs. */
#include "op/op_sum.h"

#include <string.h>

#include "demangle/demangle.h"
#include "op/op_join.h"
#include "stat/numbers.h"

/* ------------------------------------------------------------------------------------------------------ short names */

/* Removes each of them wherever it is. */
static void drop(char *name, const char *word)
{
    size_t length = strlen(word);
    for (char *at = name; (at = strstr(at, word));)
        memmove(at, at + length, strlen(at + length) + 1);
}

/* "void at::native::(anonymous namespace)::f<4>(int)" is f. What is cut off may have these words, too. */
const char *stint_op_kernel_name(struct stint_arena *arena, const char *name)
{
    static const char *const words[] = {"void ", "at::", "cuda::", "native::", "(anonymous namespace)::"};
    const char *text = stint_kernel_text(arena, name);
    char *copy = text ? stint_arena_copy(arena, text, strcspn(text, "<")) : NULL;
    if (!copy)
        return NULL;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        drop(copy, words[i]);
    copy[strcspn(copy, "(")] = '\0';
    return copy;
}

/* ------------------------------------------------------------------------------------------------------- operation */

/* What is found in a frame and those around it; frames, or STINT_OP_NO_FRAME. */
struct found {
    uint32_t marker; /* the innermost one with arguments */
    uint32_t call;   /* the innermost operation */
    uint32_t ruled;  /* the innermost one that has a formula */
};

static const struct stint_op_text *text_of(const struct stint_op_join *join, uint32_t frame)
{
    return stint_op_text_at(&join->texts, stint_op_frame_at(join, frame)->text);
}

static int has_rule(const struct stint_op_join *join, uint32_t frame)
{
    return frame != STINT_OP_NO_FRAME && text_of(join, frame)->rule;
}

static struct found find_operation(const struct stint_op_join *join, uint32_t frame)
{
    struct found found = {STINT_OP_NO_FRAME, STINT_OP_NO_FRAME, STINT_OP_NO_FRAME};
    for (; frame != STINT_OP_NO_FRAME; frame = stint_op_frame_at(join, frame)->parent) {
        const struct stint_op_text *text = text_of(join, frame);
        if (text->kind == STINT_OP_MARKER && found.marker == STINT_OP_NO_FRAME)
            found.marker = frame;
        if (text->kind != STINT_OP_CALL)
            continue;
        if (found.call == STINT_OP_NO_FRAME)
            found.call = frame;
        if (text->rule && found.ruled == STINT_OP_NO_FRAME)
            found.ruled = frame;
    }
    return found;
}

static void own(struct stint_op_row *row, uint32_t op, uint32_t owner)
{
    row->op = op;
    row->owner = owner;
}

/* Takes the forward operation for a backward one without a formula. Returns whether there is one. */
static int borrow(const struct stint_op_join *join, struct stint_op_row *row, const struct found *found)
{
    if (row->frame->direction != STINT_OP_BACKWARD || row->frame->forward == STINT_OP_NO_FRAME)
        return 0;
    struct found forward = find_operation(join, row->frame->forward);
    uint32_t op = has_rule(join, forward.marker) ? forward.marker : forward.ruled;
    if (op != STINT_OP_NO_FRAME)
        own(row, op, found->call);
    return op != STINT_OP_NO_FRAME;
}

/* A marker says more than PyTorch's own text. */
static void choose(const struct stint_op_join *join, struct stint_op_row *row)
{
    struct found found = find_operation(join, row->kernel->frame);
    own(row, STINT_OP_NO_FRAME, STINT_OP_NO_FRAME);
    if (has_rule(join, found.marker))
        own(row, found.marker, found.marker);
    else if (found.ruled != STINT_OP_NO_FRAME)
        own(row, found.ruled, found.ruled);
    else if (row->frame && borrow(join, row, &found))
        return;
    else if (found.marker != STINT_OP_NO_FRAME)
        own(row, found.marker, found.marker);
    else
        own(row, found.call, found.call);
}

/* ---------------------------------------------------------------------------------------------------------- kernel */

/* What is the same for all kernels of a name. */
struct name {
    const char *short_name;
    uint8_t tensor_cores[3]; /* for each kind of work, plus 1; 0: not asked yet */
    uint8_t type;            /* of matrices that it multiplies */
};

static enum stint_op_work work_of(const struct stint_op_rows *rows, const struct stint_op_row *row)
{
    const struct stint_op_text *text = stint_op_row_text(rows, row);
    if (!text || !text->rule)
        return STINT_OP_WORK_UNKNOWN;
    return stint_op_rule_is_matrix(text->rule) ? STINT_OP_WORK_MATRIX : STINT_OP_WORK_OTHER;
}

static int describe_kernel(struct stint_op_rows *rows, struct name *names, struct stint_op_row *row)
{
    const char *text = stint_op_text_at(&rows->join->texts, row->kernel->name)->text;
    struct name *name = &names[row->kernel->name];
    enum stint_op_work work = work_of(rows, row);
    if (!name->short_name) {
        name->short_name = stint_op_kernel_name(&rows->arena, text);
        name->type = (uint8_t)stint_op_kernel_type(text);
    }
    if (!name->tensor_cores[work])
        name->tensor_cores[work] = (uint8_t)(stint_op_tensor_cores(text, work) + 1);
    row->name = name->short_name;
    row->tensor_cores = (uint8_t)(name->tensor_cores[work] - 1);
    row->type = work == STINT_OP_WORK_MATRIX ? name->type : STINT_OP_TYPE_UNKNOWN;
    return row->name ? 0 : -1;
}

/* ------------------------------------------------------------------------------------------------------------ idle */

/* A device, and until when kernels that began before keep it busy. */
struct busy {
    uint32_t device;
    uint64_t until_ns;
};

static struct busy *busy_of(struct stint_op_rows *rows, struct stint_array *devices, uint32_t device)
{
    struct busy *all = devices->items;
    for (size_t i = 0; i < devices->count; i++)
        if (all[i].device == device)
            return &all[i];
    struct busy *busy = stint_array_add(devices, &rows->arena, sizeof *busy);
    if (busy)
        *busy = (struct busy){.device = device, .until_ns = UINT64_MAX};
    return busy;
}

/* The kernel that a device waited for is the one that was late. */
static int find_idle(struct stint_op_rows *rows, struct stint_array *devices, struct stint_op_row *row)
{
    if (row->kernel->device == STINT_OP_HOST)
        return 0;
    struct busy *busy = busy_of(rows, devices, row->kernel->device);
    if (!busy)
        return -1;
    uint64_t start = row->kernel->start_ns, end = start + row->kernel->ns;
    if (busy->until_ns != UINT64_MAX && start > busy->until_ns)
        row->idle_ns = start - busy->until_ns;
    if (busy->until_ns == UINT64_MAX || end > busy->until_ns)
        busy->until_ns = end;
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ cost */

/* Kernels of one time that an operation ran. */
struct instance {
    size_t main; /* row plus 1; 0: none yet */
    uint32_t count;
    uint64_t ns;
};

/* The longest one that does not only help others. */
static int is_better(const struct stint_op_row *row, const struct stint_op_row *than)
{
    int helps = row->tensor_cores == STINT_OP_TC_NONE, helped = than->tensor_cores == STINT_OP_TC_NONE;
    return helps != helped ? helped : row->kernel->ns > than->kernel->ns;
}

/* Whether the frame is one time that an operation ran. */
static int is_one_time(const struct stint_op_rows *rows, uint32_t frame)
{
    return frame != STINT_OP_NO_FRAME && stint_op_frame_at(rows->join, frame)->tid;
}

static void join_instance(struct stint_op_rows *rows, struct instance *instances, size_t at)
{
    struct stint_op_row *row = &rows->rows[at];
    if (!is_one_time(rows, row->owner))
        return;
    struct instance *instance = &instances[row->owner];
    row->sub = instance->count++;
    stint_sum_up(&instance->ns, row->kernel->ns);
    if (!instance->main || is_better(row, &rows->rows[instance->main - 1]))
        instance->main = at + 1;
}

/* The cost of the last operation of a text, which that of the next one usually is. */
struct last {
    uint32_t output; /* shape of the result, as in struct stint_op_frame */
    uint8_t is_known, is_backward;
    uint8_t type; /* as in struct stint_op_row */
    struct stint_op_cost cost;
};

/* Of the operation that was read last. */
static enum stint_op_type first_type(const struct stint_operation *operation)
{
    for (size_t i = 0; i < operation->values.count; i++)
        if (stint_op_values(operation)[i].kind == STINT_OP_TENSOR)
            return stint_op_values(operation)[i].type;
    return STINT_OP_TYPE_UNKNOWN;
}

static void compute_cost(struct stint_op_rows *rows, const struct stint_op_row *row, struct stint_op_cost *cost)
{
    const struct stint_op_frame *op = stint_op_frame_at(rows->join, row->op);
    const struct stint_op_text *text = stint_op_row_text(rows, row);
    const struct stint_piece *shapes = rows->join->shapes.items;
    struct stint_op_ask ask = {.operation = &rows->operation, .is_backward = row->op != row->owner};
    if (op->output && !ask.is_backward) {
        ask.output = (const int64_t *)(const void *)shapes[op->output - 1].text;
        ask.output_dims = shapes[op->output - 1].length / sizeof *ask.output;
    }
    (void)stint_operation_read(&rows->operation, text->text, text->length);
    ask.is_backward |= text->pass == STINT_OP_BACKWARD && !stint_op_is_backward(text->name);
    stint_op_cost(text->rule, &ask, cost);
}

static void set_cost(struct stint_op_rows *rows, struct last *lasts, struct stint_op_row *row)
{
    const struct stint_op_frame *op = stint_op_frame_at(rows->join, row->op);
    struct last *last = &lasts[op->text];
    uint8_t is_backward = row->op != row->owner;
    if (!last->is_known || last->output != op->output || last->is_backward != is_backward) {
        compute_cost(rows, row, &last->cost);
        last->type = (uint8_t)first_type(&rows->operation);
        last->output = op->output;
        last->is_backward = is_backward;
        last->is_known = 1;
    }
    row->cost = last->cost;
    if (last->type)
        row->type = last->type;
    rows->too_large += row->cost.flops.state == STINT_OP_IS_TOO_LARGE || row->cost.bytes.state == STINT_OP_IS_TOO_LARGE;
}

static void share_costs(struct stint_op_rows *rows, const struct instance *instances, struct last *lasts)
{
    for (size_t i = 0; i < rows->count; i++) {
        struct stint_op_row *row = &rows->rows[i];
        const struct stint_op_text *text = stint_op_row_text(rows, row);
        int is_one = is_one_time(rows, row->owner);
        row->is_main = is_one && instances[row->owner].main == i + 1;
        row->all_ns = row->is_main ? instances[row->owner].ns : 0;
        if (!is_one || !text || !text->rule)
            row->cost.flops = row->cost.executed_flops = row->cost.bytes = stint_op_unknown();
        else if (row->is_main)
            set_cost(rows, lasts, row);
    }
}

/* ------------------------------------------------------------------------------------------------------------ make */

int stint_op_rows_make(struct stint_op_rows *rows, const struct stint_op_join *join)
{
    size_t count = join->kernels.count;
    struct name *names = stint_arena_alloc(&rows->arena, (join->texts.rows.count + 1) * sizeof *names);
    struct stint_array devices = {0}; /* struct busy */
    struct last *lasts = stint_arena_alloc(&rows->arena, (join->texts.rows.count + 1) * sizeof *lasts);
    struct instance *instances = stint_arena_alloc(&rows->arena, (join->frames.count + 1) * sizeof *instances);
    rows->rows = stint_arena_alloc(&rows->arena, (count + 1) * sizeof *rows->rows);
    rows->join = join;
    if (!names || !instances || !lasts || !rows->rows)
        return -1;
    for (rows->count = 0; rows->count < count; rows->count++) {
        struct stint_op_row *row = &rows->rows[rows->count];
        row->kernel = stint_op_kernel_at(join, rows->count);
        row->frame = row->kernel->frame == STINT_OP_NO_FRAME ? NULL : stint_op_frame_at(join, row->kernel->frame);
        choose(join, row);
        if (describe_kernel(rows, names, row) || find_idle(rows, &devices, row))
            return -1;
        join_instance(rows, instances, rows->count);
    }
    share_costs(rows, instances, lasts);
    return rows->operation.failed ? -1 : 0;
}

void stint_op_rows_free(struct stint_op_rows *rows)
{
    stint_arena_free(&rows->arena);
    stint_operation_free(&rows->operation);
}

int stint_op_rows_have_operations(const struct stint_op_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        if (rows->rows[i].frame)
            return 1;
    return 0;
}

const char *stint_op_direction_word(enum stint_op_direction direction)
{
    static const char *const words[] = {"fprop", "bprop", "optim"};
    return words[direction];
}
