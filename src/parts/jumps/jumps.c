/* Ends scopes that longjmp leaves, as it leaves them. setjmp and longjmp are interposed: the first notes which scope of
 * the thread runs, the second ends all that have begun since. Where the stack ends cannot tell them: a function that
 * was left may have been inlined into the one that called setjmp, or have needed less of the stack than the next. */
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>

#include "base/process.h"
#include "record/scope.h"
#include "record/thread.h"
#include "support/own_thread.h"

/* ThreadSanitizer finds where longjmp goes by the frame that has called its own setjmp. */
#if (defined(__x86_64__) || defined(__aarch64__)) && !defined(__SANITIZE_THREAD__)

struct stint_jump {
    const void *buffer; /* what setjmp was called with */
    const struct stint_i_node *running;
    uint64_t start;  /* of its activation */
    uintptr_t place; /* where the stack of setjmp's caller ends */
};

/* One that displaces another leaves that one's scopes to be popped by the end of an outer one. */
enum { SLOTS = 256, EARLY = 4 };

struct stint_jumps {
    struct stint_stack stack;
    struct stint_jump noted[SLOTS];
};

/* What was noted before the thread's first scope. */
static STINT_I_THREAD_LOCAL struct stint_jump tl_early[EARLY] __attribute__((tls_model("initial-exec")));
static STINT_I_THREAD_LOCAL unsigned tl_early_next __attribute__((tls_model("initial-exec")));

static struct stint_jump *slot_of(struct stint_jumps *jumps, const void *buffer)
{
    return &jumps->noted[((uintptr_t)buffer >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 56];
}

/* Returns NULL without memory, or in a handler that has interrupted this library. */
static struct stint_jumps *jumps_of(struct stint_thread_record *record)
{
    if (record->jumps || !stint_guard_begin())
        return record->jumps;
    struct stint_jumps *jumps = stint_arena_alloc(&record->tree.arena, sizeof *jumps);
    if (jumps)
        jumps->stack = stint_own_stack();
    record->jumps = jumps;
    stint_guard_end();
    return jumps;
}

static void note(const void *buffer, uintptr_t place)
{
    struct stint_thread_record *record = stint_thread_self();
    struct stint_jump jump = {.buffer = buffer, .place = place};
    if (!record) {
        tl_early[tl_early_next++ % EARLY] = jump;
        return;
    }
    struct stint_jumps *jumps = jumps_of(record);
    if (!jumps)
        return;
    jump.running = record->tree.hot.current;
    jump.start = jump.running->start;
    *slot_of(jumps, buffer) = jump;
}

/* ------------------------------------------------------------------------------------------------------------- jump */

/* Returns what was noted for the buffer, with the scope that then ran; a NULL buffer if nothing was. */
static struct stint_jump find_noted(const struct stint_thread_record *record, const void *buffer)
{
    if (record->jumps && slot_of(record->jumps, buffer)->buffer == buffer)
        return *slot_of(record->jumps, buffer);
    for (unsigned i = 0; i < EARLY; i++)
        if (tl_early[i].buffer == buffer)
            return (struct stint_jump){buffer, record->tree.root, 0, tl_early[i].place};
    return (struct stint_jump){0};
}

static int is_within(struct stint_stack stack, uintptr_t place)
{
    return place >= stack.low && place < stack.high;
}

static int is_on_signal_stack(uintptr_t place)
{
    stack_t stack;
    return !stint_signal_stack(NULL, &stack) && (stack.ss_flags & SS_ONSTACK) &&
           place - (uintptr_t)stack.ss_sp < stack.ss_size;
}

/* Whether all scopes that have begun since are of frames that the jump discards. Coroutines, which may be switched by
 * longjmp, have stacks of their own, and go on. */
static int are_left(const struct stint_thread_record *record, const struct stint_jump *jump)
{
    struct stint_stack stack = record->jumps ? record->jumps->stack : stint_own_stack();
    const struct stint_i_node *at = record->tree.hot.current;
    if (!is_within(stack, jump->place))
        return 0;
    for (; at != jump->running && at->parent; at = at->parent)
        if (at->place && !is_within(stack, at->place) && !is_on_signal_stack(at->place))
            return 0;
    return at == jump->running && at->start == jump->start;
}

/* ------------------------------------------------------------------------------------------------------- interposed */

enum {
    JUMP_SETJMP,
    JUMP_SETJMP_PLAIN,
    JUMP_SIGSETJMP,
    JUMP_LONGJMP,
    JUMP_LONGJMP_PLAIN,
    JUMP_SIGLONGJMP,
    JUMP_CHECKED
};

static void *real(unsigned which)
{
    static const char names[][16] = {"setjmp",   "_setjmp",    "__sigsetjmp",  "longjmp",
                                     "_longjmp", "siglongjmp", "__longjmp_chk"}; /* pointers cost relocations */
    static void *s_real[sizeof names / sizeof names[0]];
    void *function = __atomic_load_n(&s_real[which], __ATOMIC_RELAXED);
    if (!function) {
        function = dlsym(RTLD_NEXT, names[which]);
        __atomic_store_n(&s_real[which], function, __ATOMIC_RELAXED);
    }
    return function;
}

/* Later that would change what dlerror(3) tells the program. */
__attribute__((constructor(101))) static void find_all(void)
{
    for (unsigned which = JUMP_SETJMP; which <= JUMP_CHECKED; which++)
        (void)real(which);
}

/* Returns the C library's function, to which the caller then jumps. */
void *stint_jump_note(const void *buffer, uintptr_t place, unsigned which);

__attribute__((used)) void *stint_jump_note(const void *buffer, uintptr_t place, unsigned which)
{
    int error = errno;
    note(buffer, place);
    void *function = real(which);
    errno = error;
    return function;
}

/* AddressSanitizer would take the frame for one that goes on, as its own part of longjmp has been passed. */
__attribute__((noreturn, no_sanitize_address)) static void jump(unsigned which, void *buffer, int value)
{
    void (*function)(void *, int);
    struct stint_thread_record *record = stint_thread_self();
    if (record) {
        struct stint_jump noted = find_noted(record, buffer);
        if (noted.buffer && are_left(record, &noted))
            stint_scope_leave_until(noted.running);
    }
    void *address = real(which);
    __builtin_memcpy(&function, &address, sizeof address);
    function(buffer, value);
    __builtin_unreachable();
}

#define INTERPOSE_LONGJMP(function, name, which)                                                                       \
    STINT_API __attribute__((noreturn)) void function(void *buffer, int value) __asm__(name);                          \
    void function(void *buffer, int value)                                                                             \
    {                                                                                                                  \
        jump(which, buffer, value);                                                                                    \
    }

INTERPOSE_LONGJMP(jump_long, "longjmp", JUMP_LONGJMP)
INTERPOSE_LONGJMP(jump_long_plain, "_longjmp", JUMP_LONGJMP_PLAIN)
INTERPOSE_LONGJMP(jump_long_signal, "siglongjmp", JUMP_SIGLONGJMP)
INTERPOSE_LONGJMP(jump_long_checked, "__longjmp_chk", JUMP_CHECKED)

/* setjmp notes its caller's registers, so it has to be entered as if it had been called itself. */
#if defined(__x86_64__)
#define INTERPOSE_SETJMP(name, which)                                                                                  \
    __asm__(".pushsection .text\n.p2align 4\n.globl " name "\n.type " name ", @function\n" name ":\n"                  \
            ".cfi_startproc\nendbr64\n"                                                                                \
            "push %rdi\n.cfi_adjust_cfa_offset 8\npush %rsi\n.cfi_adjust_cfa_offset 8\n"                               \
            "lea 24(%rsp), %rsi\nmov $" #which ", %edx\n"                                                              \
            "sub $8, %rsp\n.cfi_adjust_cfa_offset 8\ncall stint_jump_note\n"                                           \
            "add $8, %rsp\n.cfi_adjust_cfa_offset -8\n"                                                                \
            "pop %rsi\n.cfi_adjust_cfa_offset -8\npop %rdi\n.cfi_adjust_cfa_offset -8\n"                               \
            "jmp *%rax\n.cfi_endproc\n.size " name ", . - " name "\n.popsection")
#else
#define INTERPOSE_SETJMP(name, which)                                                                                  \
    __asm__(".pushsection .text\n.p2align 4\n.globl " name "\n.type " name ", %function\n" name ":\n"                  \
            ".cfi_startproc\nhint #34\n"                                                                               \
            "mov x16, sp\nstp x0, x1, [sp, #-32]!\n.cfi_adjust_cfa_offset 32\n"                                        \
            "str x30, [sp, #16]\n.cfi_rel_offset x30, 16\n"                                                            \
            "mov x1, x16\nmov w2, #" #which "\nbl stint_jump_note\nmov x16, x0\n"                                      \
            "ldr x30, [sp, #16]\n.cfi_restore x30\n"                                                                   \
            "ldp x0, x1, [sp], #32\n.cfi_adjust_cfa_offset -32\n"                                                      \
            "br x16\n.cfi_endproc\n.size " name ", . - " name "\n.popsection")
#endif

INTERPOSE_SETJMP("setjmp", 0);
INTERPOSE_SETJMP("_setjmp", 1);
INTERPOSE_SETJMP("__sigsetjmp", 2);

#endif
