/* Where XLA is a plugin of JAX, a program that comes from JAX's persistent cache has another number in XLA's ranges
 * than JAX has, and no ranges of its compilation say which. If of that module one program ran of which nothing was
 * told, and of one that was told nothing ran, these are the same. */
#include "op/op_join.h"

/* A program by its number: whether JAX told of it, and whether it ran. */
struct program {
    int64_t pid, program;
    uint32_t module; /* in the texts */
    uint8_t told, ran;
};

/* Of a module, the number of the program that was only told of, and of the one that only ran. */
struct stint_op_pair {
    int64_t pid;
    uint32_t module;
    uint32_t tolds, rans;
    int64_t told, ran;
};

static const struct stint_table_key s_program = STINT_TABLE_KEY(struct program, pid, program, module);
static const struct stint_table_key s_pair = STINT_TABLE_KEY(struct stint_op_pair, pid, module);

static struct program *program_at(struct stint_op_join *join, int64_t pid, int64_t program, uint32_t module)
{
    struct program like = {.pid = pid, .program = program, .module = module};
    return stint_table_take(&join->xla.programs, &s_program, &join->arena, &like);
}

int stint_op_program_told(struct stint_op_join *join, int64_t pid, int64_t program, uint32_t module)
{
    struct program *row = program_at(join, pid, program, module);
    if (row)
        row->told = 1;
    return row ? 0 : -1;
}

static int note_those_that_ran(struct stint_op_join *join)
{
    for (size_t i = 0; i < join->frames.count; i++) {
        const struct stint_op_frame *frame = stint_op_frame_at(join, (uint32_t)i);
        if (frame->program != i)
            continue;
        struct stint_op_text text = *stint_op_text_at(&join->texts, frame->text);
        uint32_t module = stint_op_texts_add_plain(&join->texts, text.name.text, text.name.length);
        struct program *row = program_at(join, frame->pid, text.program, module);
        if (!row || module == STINT_OP_NO_TEXT)
            return -1;
        row->ran = 1;
    }
    return 0;
}

int stint_op_programs_pair(struct stint_op_join *join)
{
    if (note_those_that_ran(join))
        return -1;
    const struct program *programs = join->xla.programs.items;
    for (size_t i = 0; i < join->xla.programs.count; i++) {
        const struct program *program = &programs[i];
        struct stint_op_pair like = {.pid = program->pid, .module = program->module};
        if (program->told && program->ran)
            continue;
        struct stint_op_pair *pair = stint_table_take(&join->xla.pairs, &s_pair, &join->arena, &like);
        if (!pair)
            return -1;
        pair->tolds += program->told;
        pair->rans += program->ran;
        *(program->told ? &pair->told : &pair->ran) = program->program;
    }
    return 0;
}

int64_t stint_op_program_of(const struct stint_op_join *join, int64_t pid, int64_t program, uint32_t module)
{
    struct stint_op_pair like = {.pid = pid, .module = module};
    const struct stint_op_pair *pair = stint_table_find(&join->xla.pairs, &s_pair, &like);
    return pair && pair->tolds == 1 && pair->rans == 1 && pair->ran == program ? pair->told : -1;
}
