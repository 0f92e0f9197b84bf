/* From the registers at a signal to the list of callers: frame by frame, by call frame information or frame pointers.
 * The stack is read from copies of its pages, so that nothing can fault, however broken it is. Rows that are simple are
 * kept by place in the code, and where a stack lies is asked of the C library. */
#include "sample/walk.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
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

#ifdef __x86_64__

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

/* A caller's frame lies above; only a signal may have changed stacks. */
static enum step apply_row(struct stint_walk *walk, const struct stint_cfi *cfi, const struct stint_cfi_row *row)
{
    uint64_t before[STINT_CFI_REGISTERS], frame, top = walk->registers[STINT_CFI_RSP];
    memcpy(before, walk->registers, sizeof before);
    if (row->rules[STINT_CFI_RIP].kind == STINT_CFI_UNDEFINED)
        return OUTERMOST;
    if (row->frame.kind == STINT_CFI_VALUE && row->reg < STINT_CFI_RIP)
        frame = before[row->reg] + (uint64_t)row->frame.offset;
    else if (row->frame.kind != STINT_CFI_VALUE_FORMULA ||
             stint_cfi_evaluate(cfi, &row->frame, before, 0, read_word, walk, &frame))
        return LOST;
    if (frame <= top)
        return LOST;
    walk->registers[STINT_CFI_RSP] = frame;
    for (size_t i = 0; i < STINT_CFI_REGISTERS; i++)
        if (apply_rule(walk, cfi, &row->rules[i], frame, before, &walk->registers[i]))
            return LOST;
    return row->rules[STINT_CFI_RIP].kind == STINT_CFI_SAME ? LOST : CALLER;
}

static enum step apply_short(struct stint_walk *walk, const struct stint_short_row *row)
{
    uint64_t *registers = walk->registers, frame = registers[row->reg] + (uint64_t)(int64_t)row->offset;
    if (frame <= registers[STINT_CFI_RSP] || read_word(walk, frame - WORD, &registers[STINT_CFI_RIP]))
        return LOST;
    for (size_t i = 0; i < STINT_SHORT_REGISTERS; i++)
        if (row->saved[i] &&
            read_word(walk, frame - (uint64_t)WORD * row->saved[i], &registers[stint_short_registers[i]]))
            return LOST;
    registers[STINT_CFI_RSP] = frame;
    return CALLER;
}

static void take_context(uint64_t *registers, const greg_t *from)
{
    static const uint8_t order[STINT_CFI_REGISTERS] = {
        REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
        REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP,
    };
    for (size_t i = 0; i < STINT_CFI_REGISTERS; i++)
        registers[i] = (uint64_t)from[order[i]];
}

/* At the function to which a handler returns, the stack pointer points to what the system saved. */
static enum step leave_handler(struct stint_walk *walk)
{
    uint64_t at = walk->registers[STINT_CFI_RSP] + offsetof(ucontext_t, uc_mcontext.gregs);
    greg_t saved[NGREG];
    for (size_t i = 0; i < NGREG; i++) {
        uint64_t word;
        if (read_word(walk, at + i * sizeof(greg_t), &word))
            return LOST;
        saved[i] = (greg_t)word;
    }
    take_context(walk->registers, saved);
    begin_stack(walk, walk->registers[STINT_CFI_RSP]);
    return INTERRUPTED;
}

/* Code of which nothing is known, such as that of a just-in-time compiler, often keeps frame pointers. Its caller may
 * have another use for the register, but is then in a module. */
static enum step follow_pointer(struct stint_walk *walk)
{
    uint64_t *registers = walk->registers, at = registers[STINT_CFI_RBP], pointer, back;
    if (at < registers[STINT_CFI_RSP] || read_word(walk, at, &pointer) || read_word(walk, at + WORD, &back))
        return LOST;
    if (pointer && pointer <= at && !module_at(walk, back - 1))
        return LOST;
    registers[STINT_CFI_RSP] = at + 2 * WORD;
    registers[STINT_CFI_RBP] = pointer;
    registers[STINT_CFI_RIP] = back;
    return CALLER;
}

static enum step step(struct stint_walk *walk, const struct stint_loaded *module, uint64_t pc)
{
    struct stint_short_row row;
    if (module && stint_row_cache_find(walk->set->salt, pc, &row))
        return apply_short(walk, &row);
    if (!module || !module->cfi.count || stint_cfi_find(&module->cfi, pc, &walk->room))
        return follow_pointer(walk);
    if (walk->room.row.is_signal)
        return leave_handler(walk);
    if (stint_row_cache_put(walk->set->salt, pc, &walk->room.row, &row))
        return apply_short(walk, &row);
    return apply_row(walk, &module->cfi, &walk->room.row);
}

/* From the registers on. */
static enum stint_walk_end follow(struct stint_walk *walk)
{
    enum step how = INTERRUPTED;
    int signals = 0;
    begin_stack(walk, walk->registers[STINT_CFI_RSP]);
    while (walk->count < STINT_WALK_FRAMES) {
        uint64_t pc = walk->registers[STINT_CFI_RIP] - (how == CALLER);
        const struct stint_loaded *module = module_at(walk, pc);
        add_frame(walk, pc, walk->registers[STINT_CFI_RSP], module);
        how = step(walk, module, pc);
        if (how == OUTERMOST || (how == CALLER && !walk->registers[STINT_CFI_RIP]))
            return STINT_WALK_WHOLE;
        if (how == LOST || (how == INTERRUPTED && signals++ == MOST_SIGNALS))
            return STINT_WALK_CUT;
    }
    return STINT_WALK_DEEP;
}

enum stint_walk_end stint_walk(struct stint_walk *walk, const struct stint_loaded_set *set, const void *interrupted)
{
    const ucontext_t *context = interrupted;
    begin_walk(walk, set);
    take_context(walk->registers, context->uc_mcontext.gregs);
    return follow(walk);
}

enum stint_walk_end stint_walk_from(struct stint_walk *walk, const struct stint_loaded_set *set,
                                    const struct stint_walk_place *place)
{
    begin_walk(walk, set);
    add_frame(walk, place->function, 0, module_at(walk, place->function));
    memset(walk->registers, 0, sizeof walk->registers);
    walk->registers[STINT_CFI_RIP] = place->back - 1;
    walk->registers[STINT_CFI_RSP] = place->sp;
    walk->registers[STINT_CFI_RBP] = place->fp;
    return follow(walk);
}

#else

/* Frame pointers alone: the ABI asks for them. */
static enum stint_walk_end follow(struct stint_walk *walk, uint64_t pc, uint64_t sp, uint64_t at)
{
    uint64_t back, pointer;
    begin_stack(walk, sp);
    add_frame(walk, pc, sp, module_at(walk, pc));
    for (; walk->count < STINT_WALK_FRAMES; at = pointer) {
        if (!at)
            return STINT_WALK_WHOLE;
        if (read_word(walk, at, &pointer) || read_word(walk, at + WORD, &back) || (pointer && pointer <= at))
            return STINT_WALK_CUT;
        if (!back)
            return STINT_WALK_WHOLE;
        add_frame(walk, back - 1, pointer, module_at(walk, back - 1));
    }
    return STINT_WALK_DEEP;
}

enum stint_walk_end stint_walk(struct stint_walk *walk, const struct stint_loaded_set *set, const void *interrupted)
{
    const ucontext_t *context = interrupted;
    begin_walk(walk, set);
    return follow(walk, context->uc_mcontext.pc, context->uc_mcontext.sp, context->uc_mcontext.regs[29]);
}

enum stint_walk_end stint_walk_from(struct stint_walk *walk, const struct stint_loaded_set *set,
                                    const struct stint_walk_place *place)
{
    begin_walk(walk, set);
    add_frame(walk, place->function, 0, module_at(walk, place->function));
    return follow(walk, place->back - 1, place->sp, place->fp);
}

#endif

enum { SLOTS = 1 << 12 };

const uint8_t stint_short_registers[STINT_SHORT_REGISTERS] = {
    STINT_CFI_RBX, STINT_CFI_RBP, STINT_CFI_R12, STINT_CFI_R12 + 1, STINT_CFI_R12 + 2, STINT_CFI_R12 + 3,
};

/* What two threads write at the same time may be mixed. Then the words do not add up to the key. */
static struct slot {
    uint64_t check; /* the key, exclusive or both words of the row */
    uint64_t row[2];
} s_slots[SLOTS];

_Static_assert(sizeof(struct stint_short_row) <= sizeof s_slots[0].row, "a row does not fit into a slot");

static struct slot *slot_of(uint64_t key)
{
    return &s_slots[stint_hash_mix(key, 0) % SLOTS];
}

int stint_row_cache_find(uint64_t salt, uint64_t pc, struct stint_short_row *row)
{
    struct slot *slot = slot_of(pc ^ salt);
    uint64_t check = __atomic_load_n(&slot->check, __ATOMIC_RELAXED);
    uint64_t words[2] = {__atomic_load_n(&slot->row[0], __ATOMIC_RELAXED),
                         __atomic_load_n(&slot->row[1], __ATOMIC_RELAXED)};
    memcpy(row, words, sizeof *row);
    return (check ^ words[0] ^ words[1]) == (pc ^ salt);
}

/* Returns whether the rule of a register that the row has no room for can be left out: the register is not saved. */
static int is_left_out(const struct stint_cfi_row *row, size_t reg)
{
    return row->rules[reg].kind == STINT_CFI_SAME || row->rules[reg].kind == STINT_CFI_UNDEFINED;
}

static int is_below(const struct stint_cfi_rule *rule, int64_t most)
{
    return rule->kind == STINT_CFI_AT && rule->offset < 0 && rule->offset >= -most * WORD && rule->offset % WORD == 0;
}

static int shorten(const struct stint_cfi_row *row, struct stint_short_row *brief)
{
    uint32_t done = UINT32_C(1) << STINT_CFI_RIP;
    memset(brief, 0, sizeof *brief);
    if (row->frame.kind != STINT_CFI_VALUE || row->reg >= STINT_CFI_RIP || row->frame.offset > INT32_MAX ||
        row->frame.offset < INT32_MIN || row->rules[STINT_CFI_RIP].kind != STINT_CFI_AT ||
        row->rules[STINT_CFI_RIP].offset != -WORD)
        return 0;
    brief->offset = (int32_t)row->frame.offset;
    brief->reg = (uint8_t)row->reg;
    for (size_t i = 0; i < STINT_SHORT_REGISTERS; i++) {
        const struct stint_cfi_rule *rule = &row->rules[stint_short_registers[i]];
        done |= UINT32_C(1) << stint_short_registers[i];
        if (is_below(rule, UINT8_MAX))
            brief->saved[i] = (uint8_t)(-rule->offset / WORD);
        else if (rule->kind != STINT_CFI_SAME)
            return 0;
    }
    for (size_t i = 0; i < STINT_CFI_REGISTERS; i++)
        if (!(done >> i & 1) && !is_left_out(row, i))
            return 0;
    return 1;
}

int stint_row_cache_put(uint64_t salt, uint64_t pc, const struct stint_cfi_row *row, struct stint_short_row *brief)
{
    struct slot *slot = slot_of(pc ^ salt);
    uint64_t words[2] = {0, 0};
    if (!shorten(row, brief))
        return 0;
    memcpy(words, brief, sizeof *brief);
    __atomic_store_n(&slot->check, pc ^ salt ^ words[0] ^ words[1], __ATOMIC_RELAXED);
    __atomic_store_n(&slot->row[0], words[0], __ATOMIC_RELAXED);
    __atomic_store_n(&slot->row[1], words[1], __ATOMIC_RELAXED);
    return 1;
}
