/* What unwinding must know of the processor: DWARF's numbers of its registers, where a signal keeps them, and where a
 * call leaves the address to which it returns. */
#ifndef STINT_SAMPLE_MACHINE_H
#define STINT_SAMPLE_MACHINE_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

/* STINT_CFI_RETURN is the register in whose row the return address stands. */
#if defined(__x86_64__)
enum { STINT_CFI_FP = 6, STINT_CFI_SP = 7, STINT_CFI_PC = 16, STINT_CFI_RETURN = STINT_CFI_PC, STINT_CFI_REGISTERS };
#elif defined(__aarch64__)
enum { STINT_CFI_FP = 29, STINT_CFI_RETURN = 30, STINT_CFI_SP = 31, STINT_CFI_PC, STINT_CFI_REGISTERS };
#else
#error "stint takes samples on x86-64 and aarch64"
#endif

/* Where a handler returns, the stack pointer points to what the system saved: so far above are the registers. */
#if defined(__x86_64__)
enum { STINT_SAVED_AT = offsetof(ucontext_t, uc_mcontext.gregs), STINT_SAVED_WORDS = NGREG };
#else
enum {
    STINT_SAVED_AT = sizeof(siginfo_t) + offsetof(ucontext_t, uc_mcontext.regs),
    STINT_SAVED_WORDS = STINT_CFI_REGISTERS
};
_Static_assert(offsetof(mcontext_t, pc) - offsetof(mcontext_t, regs) == STINT_CFI_PC * sizeof(uint64_t),
               "the registers do not stand in the order of their numbers");
#endif

static inline const void *stint_saved_in(const ucontext_t *context)
{
#if defined(__x86_64__)
    return context->uc_mcontext.gregs;
#else
    return context->uc_mcontext.regs;
#endif
}

/* From the order in which the system saves registers to that of their numbers. */
static inline void stint_take_saved(uint64_t *registers, const uint64_t *saved)
{
#if defined(__x86_64__)
    static const uint8_t order[STINT_CFI_REGISTERS] = {
        REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
        REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP,
    };
    for (size_t i = 0; i < STINT_CFI_REGISTERS; i++)
        registers[i] = saved[order[i]];
#else
    memcpy(registers, saved, STINT_CFI_REGISTERS * sizeof registers[0]);
#endif
}

/* A return address without the signature that a processor with pointer authentication adds to it. */
static inline uint64_t stint_plain_address(uint64_t address)
{
#if defined(__aarch64__)
    register uint64_t x30 __asm__("x30") = address;
    __asm__("hint #7" : "+r"(x30)); /* xpaclri, which does nothing where addresses are not signed */
    return x30;
#else
    return address;
#endif
}

/* Whether these bytes of code are where handlers return to the system, of which Linux on aarch64 has no description:
 * mov x8, #139; svc #0. */
static inline int stint_is_sigreturn(uint64_t code)
{
#if defined(__aarch64__)
    return code == UINT64_C(0xD4000001D2801168);
#else
    (void)code;
    return 0;
#endif
}

#endif
