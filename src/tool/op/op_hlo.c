/* What XLA's instructions cost, of which a recording was told when they were compiled, joined with the ranges and the
 * kernels of those that ran. */
#include "op/op_join.h"

#include <string.h>

#include "op/op_scan.h"

/* ------------------------------------------------------------------------------------------ what is known of them */

/* What is known of an instruction of a program, by its name, and by that of the kernel that XLA makes of it. Of what
 * JAX has from its cache, or had before recording began, nothing tells the number that XLA's ranges give it: an
 * instruction of any program is what all have in common that were told and did not run. */
enum { ANY_PROGRAM = -1 };

struct stint_op_instruction {
    int64_t pid, program;
    uint32_t module, name; /* in the texts */
    uint32_t is_kernel;
    uint32_t text; /* STINT_OP_NO_TEXT: kernels of several ones would have this name, or programs differ */
};

static const struct stint_table_key s_instruction =
    STINT_TABLE_KEY(struct stint_op_instruction, pid, program, module, name, is_kernel);

/* A program that ran. */
struct stint_op_program {
    int64_t pid, program;
    uint32_t module;
};

static const struct stint_table_key s_ran = STINT_TABLE_KEY(struct stint_op_program, pid, program, module);

/* What was compiled last on a thread. */
struct stint_op_compiled {
    int64_t pid, tid;
    int64_t program;
    uint32_t module;
    int64_t told; /* what JAX calls it, once that is known; -1 before */
};

static const struct stint_table_key s_compiled = STINT_TABLE_KEY(struct stint_op_compiled, pid, tid);

static uint32_t keep_piece(struct stint_op_join *join, struct stint_piece piece)
{
    return stint_op_texts_add_plain(&join->texts, piece.text, piece.length);
}

/* Returns 0, or -1 without memory. */
static int see_compiled(struct stint_op_join *join, int64_t pid, int64_t tid, struct stint_piece module,
                        struct stint_piece id)
{
    struct stint_op_scan scan = {id.text, id.text + id.length};
    struct stint_op_compiled like = {.pid = pid, .tid = tid, .module = keep_piece(join, module), .told = -1};
    if (stint_op_scan_whole(&scan, &like.program))
        return 0;
    struct stint_op_compiled *row = stint_table_take(&join->xla.compiled, &s_compiled, &join->arena, &like);
    if (row && row->program != like.program)
        *row = like;
    return row ? 0 : -1;
}

/* Returns the number that XLA's ranges have. What comes from a cache was not compiled. */
static int64_t program_of(struct stint_op_join *join, int64_t tid, const struct stint_op_instruction *told)
{
    struct stint_op_compiled like = {.pid = told->pid, .tid = tid};
    struct stint_op_compiled *row = stint_table_find(&join->xla.compiled, &s_compiled, &like);
    if (!row || row->module != told->module || (row->told >= 0 && row->told != told->program))
        return told->program;
    row->told = told->program;
    return row->program;
}

static int know(struct stint_op_join *join, struct stint_op_instruction like)
{
    struct stint_op_instruction *row = stint_table_take(&join->xla.known, &s_instruction, &join->arena, &like);
    if (row && row->text != like.text)
        row->text = like.is_kernel || like.program == ANY_PROGRAM ? STINT_OP_NO_TEXT : like.text;
    return row && like.name != STINT_OP_NO_TEXT ? 0 : -1;
}

/* The kernel of "gemm_fusion_dot.2" is gemm_fusion_dot_2. */
static uint32_t kernel_of(struct stint_op_join *join, struct stint_piece hlo_op)
{
    char *name = stint_arena_copy(&join->arena, hlo_op.text, hlo_op.length);
    for (size_t i = 0; name && i < hlo_op.length; i++)
        if (name[i] == '.' || name[i] == '-')
            name[i] = '_';
    return name ? keep_piece(join, (struct stint_piece){name, hlo_op.length}) : STINT_OP_NO_TEXT;
}

/* Takes ", KEY = " and a text behind it. */
static int take_quoted(struct stint_op_scan *scan, const char *key, struct stint_piece *value)
{
    return stint_op_scan_word(scan, key) ? stint_op_scan_text(scan, value) : -1;
}

/* Reads the text behind its name. Returns 0; 1 if it is damaged; -1 without memory. */
static int add_known(struct stint_op_join *join, int64_t pid, int64_t tid, struct stint_op_scan scan)
{
    struct stint_op_instruction row = {.pid = pid};
    struct stint_piece module, hlo_op, path;
    join->xla.text.length = 0;
    if (stint_op_scan_whole(&scan, &row.program) || take_quoted(&scan, ", module = ", &module) ||
        take_quoted(&scan, ", op = ", &hlo_op) || !hlo_op.length || take_quoted(&scan, ", name = ", &path))
        return 1;
    if (stint_op_xla_put(&join->xla, path, hlo_op, stint_op_scan_rest(&scan)))
        return -1;
    const struct stint_op_buffer *made = &join->xla.text;
    if (stint_operation_read(&join->operation, made->text, made->length) != STINT_OP_CALL || join->operation.is_cut)
        return 1;
    row.text = stint_op_texts_add(&join->texts, &join->operation, made->text, made->length);
    row.module = keep_piece(join, module);
    row.name = keep_piece(join, hlo_op);
    row.program = program_of(join, tid, &row);
    if (know(join, row))
        return -1;
    row.name = kernel_of(join, hlo_op);
    row.is_kernel = 1;
    return know(join, row);
}

int stint_op_hlo_add(struct stint_op_join *join, int64_t pid, int64_t tid, struct stint_piece text)
{
    static const char known[] = "stint.xla, op_id = ", xla[] = "Xla", modules[] = "XlaModule";
    struct stint_op_scan scan = {text.text, text.text + text.length};
    if (stint_op_scan_word(&scan, known)) {
        int result = add_known(join, pid, tid, scan);
        join->unparsed += result > 0;
        return result < 0 ? -1 : 1;
    }
    if (!stint_op_scan_word(&scan, xla) || strncmp(text.text, modules, sizeof modules - 1) == 0)
        return 0;
    const char *data = memchr(text.text, '#', text.length);
    struct stint_piece rest = {"", 0};
    if (data && text.text[text.length - 1] == '#' && data + 1 < scan.end)
        rest = (struct stint_piece){data + 1, (size_t)(scan.end - data) - 2};
    struct stint_piece module = stint_op_xla_value(rest, "module=", ",program_id="),
                       id = stint_op_xla_value(rest, "program_id=", ",");
    return module.length && id.length && see_compiled(join, pid, tid, module, id) ? -1 : 1;
}

/* Returns the text of what is known, or STINT_OP_NO_TEXT. */
static uint32_t find_known(struct stint_op_join *join, const struct stint_op_frame *frame, uint32_t name,
                           uint32_t is_kernel)
{
    const struct stint_op_text *program = stint_op_text_at(&join->texts, stint_op_frame_at(join, frame->program)->text);
    struct stint_op_instruction like = {.pid = frame->pid, .name = name, .is_kernel = is_kernel};
    like.program = program->program;
    like.module = keep_piece(join, program->name);
    const struct stint_op_instruction *row = stint_table_find(&join->xla.known, &s_instruction, &like);
    if (!row) {
        like.program = ANY_PROGRAM;
        row = stint_table_find(&join->xla.known, &s_instruction, &like);
    }
    return row ? row->text : (uint32_t)STINT_OP_NO_TEXT;
}

/* Returns the instruction that the text is about, as a text; STINT_OP_NO_TEXT: none that is known. */
static uint32_t instruction_of(struct stint_op_join *join, uint32_t text)
{
    const struct stint_op_text *row = stint_op_text_at(&join->texts, text);
    char name[512];
    if (row->kind != STINT_OP_CALL)
        return STINT_OP_NO_TEXT;
    (void)stint_operation_read(&join->operation, row->text, row->length);
    struct stint_piece hlo_op = join->operation.hlo_op;
    if (!hlo_op.length || hlo_op.length >= sizeof name)
        return STINT_OP_NO_TEXT;
    memcpy(name, hlo_op.text, hlo_op.length);
    name[hlo_op.length] = '\0';
    return stint_op_texts_find(&join->texts, name);
}

static int note_those_that_ran(struct stint_op_join *join)
{
    for (size_t i = 0; i < join->frames.count; i++) {
        const struct stint_op_frame *frame = stint_op_frame_at(join, (uint32_t)i);
        if (frame->program != i)
            continue;
        const struct stint_op_text *program = stint_op_text_at(&join->texts, frame->text);
        struct stint_op_program like = {.pid = frame->pid, .program = program->program};
        like.module = keep_piece(join, program->name);
        if (!stint_table_take(&join->xla.ran, &s_ran, &join->arena, &like))
            return -1;
    }
    return 0;
}

static int know_of_any(struct stint_op_join *join)
{
    size_t count = join->xla.known.count;
    for (size_t i = 0; i < count; i++) {
        struct stint_op_instruction row = ((const struct stint_op_instruction *)join->xla.known.items)[i];
        struct stint_op_program like = {.pid = row.pid, .program = row.program, .module = row.module};
        if (stint_table_find(&join->xla.ran, &s_ran, &like))
            continue;
        row.program = ANY_PROGRAM;
        if (know(join, row))
            return -1;
    }
    return 0;
}

static void retell_frames(struct stint_op_join *join)
{
    for (size_t i = 0; i < join->frames.count; i++) {
        const struct stint_op_frame *frame = stint_op_frame_at(join, (uint32_t)i);
        if (frame->program == STINT_OP_NO_FRAME || frame->program == i)
            continue;
        uint32_t name = instruction_of(join, frame->text);
        uint32_t text = name == STINT_OP_NO_TEXT ? name : find_known(join, frame, name, 0);
        if (text != STINT_OP_NO_TEXT)
            stint_op_frame_retell(join, (uint32_t)i, text);
    }
}

/* ------------------------------------------------------------------------------------------------- kernels by name */

/* Within an operation of which nothing is known, as a graph whose nodes were made before the recording began. */
static int find_by_name(struct stint_op_join *join, struct stint_op_kernel *kernel)
{
    const struct stint_op_frame *frame = stint_op_frame_at(join, kernel->frame);
    struct stint_op_range range = {0};
    int failed = 0;
    if (frame->program == STINT_OP_NO_FRAME || stint_op_text_at(&join->texts, frame->text)->rule)
        return 0;
    range.text = find_known(join, frame, kernel->name, 1);
    if (range.text != STINT_OP_NO_TEXT)
        kernel->frame = stint_op_frame_add(join, kernel->frame, frame->pid, frame->tid, &range, &failed);
    return failed;
}

/* Kernels with which XLA waits, fills buffers and compares results while it looks for the fastest way. */
static int is_of_autotuning(const char *kernel)
{
    static const char *const words[] = {"RedzoneAllocatorKernel", "redzone_checker",    "xla_fp",
                                        "xla_int_comparison",     "RepeatBufferKernel", "DelayKernel"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(kernel, words[i]))
            return 1;
    return 0;
}

/* Returns a frame for all of them. */
static uint32_t add_autotuning(struct stint_op_join *join, int *failed)
{
    struct stint_op_range range;
    (void)stint_operation_read(&join->operation, STINT_OP_AUTOTUNING, sizeof STINT_OP_AUTOTUNING - 1);
    if (!stint_op_range_keep(join, &range, STINT_OP_AUTOTUNING, sizeof STINT_OP_AUTOTUNING - 1))
        return stint_op_frame_add(join, STINT_OP_NO_FRAME, 0, 0, &range, failed);
    *failed = 1;
    return STINT_OP_NO_FRAME;
}

int stint_op_hlo_apply(struct stint_op_join *join)
{
    uint32_t autotuning = STINT_OP_NO_FRAME;
    int failed = 0;
    if (join->xla.known.count) {
        failed = note_those_that_ran(join) || know_of_any(join);
        retell_frames(join);
    }
    for (size_t i = 0; i < join->kernels.count && !failed; i++) {
        struct stint_op_kernel *kernel = (struct stint_op_kernel *)join->kernels.items + i;
        if (kernel->frame != STINT_OP_NO_FRAME) {
            failed = find_by_name(join, kernel);
        } else if (is_of_autotuning(stint_op_text_at(&join->texts, kernel->name)->text)) {
            if (autotuning == STINT_OP_NO_FRAME)
                autotuning = add_autotuning(join, &failed);
            kernel->frame = autotuning;
        }
    }
    return failed ? -1 : 0;
}
