/* From the registers at a signal to the list of callers: frame by frame, by call frame information or frame pointers.
 * The stack is read from copies of its pages, so that nothing can fault, however broken it is. Rows that are simple are
 * kept by place in the code (row_cache.c), and where a stack lies is asked of the C library. */
#include "sample/walk.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/arena.h"

enum { RED_ZONE = 128, WORD = 8, MOST_SIGNALS = 16 };

/* -------------------------------------------------------------------------------------------------------- the stack */

/* Asks the system to read a signal set there, for an operation that does not exist: it reads before it looks at the
 * operation. */
static int is_readable(uint64_t address)
{
    enum { NO_OPERATION = -1, SET_SIZE = 8 };

    return syscall(SYS_rt_sigprocmask, NO_OPERATION, address, NULL, SET_SIZE) < 0 && errno == EINVAL;
}

/* Has the system copy a page, so that nothing happens if it is not there, or is unmapped meanwhile. Where a sandbox
 * forbids that, only whether it is there can be asked. Returns 0, or -1. */
static int copy_page(struct stint_walk *walk, uint64_t page)
{
    static int s_is_forbidden;
    struct iovec to = {walk->copy, sizeof walk->copy}, from = {(void *)(uintptr_t)page, sizeof walk->copy};
    walk->page = STINT_WALK_NO_PAGE;
    if (!__atomic_load_n(&s_is_forbidden, __ATOMIC_RELAXED)) {
        if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)sizeof walk->copy) {
            walk->page = page;
            return 0;
        }
        if (errno == EFAULT)
            return -1;
        __atomic_store_n(&s_is_forbidden, 1, __ATOMIC_RELAXED);
    }
    if (!is_readable(page))
        return -1;
    memcpy(walk->copy, (const void *)(uintptr_t)page, sizeof walk->copy);
    walk->page = page;
    return 0;
}

static int read_word(void *context, uint64_t address, uint64_t *word)
{
    struct stint_walk *walk = context;
    uint64_t page = address & ~(uint64_t)(STINT_WALK_PAGE - 1);
    if (address % sizeof *word)
        return -1;
    if (address >= walk->low && address < walk->high) {
        memcpy(word, (const void *)(uintptr_t)address, sizeof *word);
        return 0;
    }
    if (page != walk->page && copy_page(walk, page))
        return -1;
    *word = walk->copy[(address - page) / sizeof *word];
    return 0;
}

int stint_walk_read(struct stint_walk *walk, uint64_t address, uint64_t *word)
{
    return read_word(walk, address, word);
}

static void begin_walk(struct stint_walk *walk, const struct stint_loaded_set *set)
{
    walk->set = set;
    walk->latest = NULL;
    walk->count = 0;
}

/* What lies between the thread's stack pointer and the beginning of its stack is there. Where the stack is elsewhere,
 * as that of a coroutine, it is copied page by page. */
static void begin_stack(struct stint_walk *walk, uint64_t top)
{
    const struct stint_stack *stack = &walk->stack;
    int is_known = top >= stack->low + RED_ZONE && top < stack->high;
    walk->page = STINT_WALK_NO_PAGE;
    walk->low = is_known ? top - RED_ZONE : 0;
    walk->high = is_known ? stack->high : 0;
}

static const struct stint_loaded *module_at(struct stint_walk *walk, uint64_t address)
{
    const struct stint_loaded *module = stint_loaded_find(walk->set, address);
    if (module != walk->latest)
        walk->latest = module && stint_loaded_is_there(module, address) ? module : NULL;
    return walk->latest;
}

static void add_frame(struct stint_walk *walk, uint64_t address, uint64_t sp, const struct stint_loaded *module)
{
    if (module && module->is_own)
        return;
    walk->frames[walk->count++] =
        (struct stint_walk_frame){address, sp, module ? module->module : STINT_LOADED_NOWHERE};
}

/* ------------------------------------------------------------------------------------------------------------ steps */

/* What a step has found. */
enum step { CALLER, INTERRUPTED, OUTERMOST, LOST };

static int apply_rule(struct stint_walk *walk, const struct stint_cfi *cfi, const struct stint_cfi_rule *rule,
                      uint64_t frame, const uint64_t *registers, uint64_t *value)
{
    uint64_t address = frame + (uint64_t)rule->offset;
    switch (rule->kind) {
    case STINT_CFI_AT:
        return read_word(walk, address, value);
    case STINT_CFI_VALUE:
        *value = address;
        return 0;
    case STINT_CFI_REGISTER:
        if ((uint64_t)rule->offset >= STINT_CFI_REGISTERS)
            return -1;
        *value = registers[rule->offset];
        return 0;
    case STINT_CFI_AT_FORMULA:
        return stint_cfi_evaluate(cfi, rule, registers, frame, read_word, walk, &address) ||
                       read_word(walk, address, value)
                   ? -1
                   : 0;
    case STINT_CFI_VALUE_FORMULA:
        return stint_cfi_evaluate(cfi, rule, registers, frame, read_word, walk, value);
    default:
        return 0;
    }
}

/* A caller's frame lies above; only a signal may have changed stacks. Where a call leaves the return address in a
 * register, a function that has called no other, and so was interrupted, may have put nothing on the stack. */
static enum step apply_row(struct stint_walk *walk, const struct stint_cfi *cfi, const struct stint_cfi_row *row,
                           enum step how)
{
    uint64_t before[STINT_CFI_REGISTERS], frame, *registers = walk->registers;
    int may_be_empty = STINT_CFI_RETURN != STINT_CFI_PC && how == INTERRUPTED;
    enum stint_cfi_kind back = row->rules[STINT_CFI_RETURN].kind;
    memcpy(before, registers, sizeof before);
    if (back == STINT_CFI_UNDEFINED)
        return OUTERMOST;
    if (row->frame.kind == STINT_CFI_VALUE && row->reg < STINT_CFI_PC)
        frame = before[row->reg] + (uint64_t)row->frame.offset;
    else if (row->frame.kind != STINT_CFI_VALUE_FORMULA ||
             stint_cfi_evaluate(cfi, &row->frame, before, 0, read_word, walk, &frame))
        return LOST;
    if (frame < before[STINT_CFI_SP] || (!may_be_empty && (frame == before[STINT_CFI_SP] || back == STINT_CFI_SAME)))
        return LOST;
    registers[STINT_CFI_SP] = frame;
    for (size_t i = 0; i < STINT_CFI_REGISTERS; i++)
        if (apply_rule(walk, cfi, &row->rules[i], frame, before, &registers[i]))
            return LOST;
    registers[STINT_CFI_PC] = stint_plain_address(registers[STINT_CFI_RETURN]);
    return CALLER;
}

static enum step apply_short(struct stint_walk *walk, const struct stint_short_row *row)
{
    uint64_t *registers = walk->registers, frame = registers[row->reg] + (uint64_t)(int64_t)row->offset, back;
    if (frame <= registers[STINT_CFI_SP] ||
        read_word(walk, frame - (uint64_t)WORD * stint_short_return(row->saved), &back))
        return LOST;
    for (size_t i = 0; i < STINT_SHORT_REGISTERS; i++)
        if (row->saved[i] &&
            read_word(walk, frame - (uint64_t)WORD * row->saved[i], &registers[stint_short_registers[i]]))
            return LOST;
    registers[STINT_CFI_RETURN] = back;
    registers[STINT_CFI_PC] = stint_plain_address(back);
    registers[STINT_CFI_SP] = frame;
    return CALLER;
}

static void take_context(uint64_t *registers, const void *saved)
{
    uint64_t words[STINT_SAVED_WORDS];
    memcpy(words, saved, sizeof words);
    stint_take_saved(registers, words);
}

/* Whether a handler returns here to the system. Its instructions may stand across two words. */
static int is_at_sigreturn(struct stint_walk *walk)
{
    uint64_t at = walk->registers[STINT_CFI_PC], low, high = 0;
    unsigned odd = at % WORD * 8;
    if (at % 4 || read_word(walk, at - at % WORD, &low) || (odd && read_word(walk, at + WORD - at % WORD, &high)))
        return 0;
    return stint_is_sigreturn(odd ? low >> odd | high << (64 - odd) : low);
}

static enum step leave_handler(struct stint_walk *walk)
{
    uint64_t at = walk->registers[STINT_CFI_SP] + STINT_SAVED_AT, saved[STINT_SAVED_WORDS];
    for (size_t i = 0; i < STINT_SAVED_WORDS; i++)
        if (read_word(walk, at + i * WORD, &saved[i]))
            return LOST;
    take_context(walk->registers, saved);
    begin_stack(walk, walk->registers[STINT_CFI_SP]);
    return INTERRUPTED;
}

/* Code of which nothing is known, such as that of a just-in-time compiler, often keeps frame pointers. Its caller may
 * have another use for the register, but is then in a module. */
static enum step follow_pointer(struct stint_walk *walk)
{
    uint64_t *registers = walk->registers, at = registers[STINT_CFI_FP], pointer, back;
    if (at < registers[STINT_CFI_SP] || read_word(walk, at, &pointer) || read_word(walk, at + WORD, &back))
        return LOST;
    back = stint_plain_address(back);
    if (pointer && pointer <= at && !module_at(walk, back - 1))
        return LOST;
    registers[STINT_CFI_SP] = at + 2 * WORD;
    registers[STINT_CFI_FP] = pointer;
    registers[STINT_CFI_PC] = back;
    return CALLER;
}

static enum step step(struct stint_walk *walk, const struct stint_loaded *module, uint64_t pc, enum step how)
{
    struct stint_short_row row;
    if (module && stint_row_cache_find(walk->set->salt, pc, &row))
        return apply_short(walk, &row);
    if (!module || !module->cfi.count || stint_cfi_find(&module->cfi, pc, &walk->room))
        return is_at_sigreturn(walk) ? leave_handler(walk) : follow_pointer(walk);
    if (walk->room.row.is_signal)
        return leave_handler(walk);
    if (stint_row_cache_put(walk->set->salt, pc, &walk->room.row, &row))
        return apply_short(walk, &row);
    return apply_row(walk, &module->cfi, &walk->room.row, how);
}

/* From the registers on. */
static enum stint_walk_end follow(struct stint_walk *walk)
{
    enum step how = INTERRUPTED;
    int signals = 0;
    begin_stack(walk, walk->registers[STINT_CFI_SP]);
    while (walk->count < STINT_WALK_FRAMES) {
        uint64_t pc = walk->registers[STINT_CFI_PC] - (how == CALLER);
        const struct stint_loaded *module = module_at(walk, pc);
        add_frame(walk, pc, walk->registers[STINT_CFI_SP], module);
        how = step(walk, module, pc, how);
        if (how == OUTERMOST || (how == CALLER && !walk->registers[STINT_CFI_PC]))
            return STINT_WALK_WHOLE;
        if (how == LOST || (how == INTERRUPTED && signals++ == MOST_SIGNALS))
            return STINT_WALK_CUT;
    }
    return STINT_WALK_DEEP;
}

enum stint_walk_end stint_walk(struct stint_walk *walk, const struct stint_loaded_set *set, const void *interrupted)
{
    begin_walk(walk, set);
    take_context(walk->registers, stint_saved_in(interrupted));
    return follow(walk);
}

enum stint_walk_end stint_walk_from(struct stint_walk *walk, const struct stint_loaded_set *set,
                                    const struct stint_walk_place *place)
{
    begin_walk(walk, set);
    add_frame(walk, place->function, 0, module_at(walk, place->function));
    memset(walk->registers, 0, sizeof walk->registers);
    walk->registers[STINT_CFI_PC] = place->back - 1;
    walk->registers[STINT_CFI_SP] = place->sp;
    walk->registers[STINT_CFI_FP] = place->fp;
    return follow(walk);
}
