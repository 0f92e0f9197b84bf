/* Runs a function on a stack of its own, made with ucontext, since reports at exit may begin on a small one. */
#include "runtime/own_stack.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <ucontext.h>

/* There if the program runs under AddressSanitizer or ThreadSanitizer. These know of no stacks but those of threads,
 * and say so on stderr, in the program's name. */
extern void __asan_init(void) __attribute__((weak)); // NOLINT(bugprone-reserved-identifier)
extern void __tsan_init(void) __attribute__((weak)); // NOLINT(bugprone-reserved-identifier)

/* As large as a main thread's usually is, because CUPTI, the driver and a program's own log run on it, too. Pages that
 * are never touched cost nothing. */
enum { SIZE = 8 << 20, GUARD = 64 << 10 };

/* At the upper end of the mapping, because contexts are large. */
struct call {
    ucontext_t before;
    ucontext_t during;
    void (*function)(void *argument);
    void *argument;
};

/* Arguments of a context are ints. */
static void begin(unsigned high, unsigned low)
{
    const struct call *call = (struct call *)((uintptr_t)high << 32 | low); // NOLINT(performance-no-int-to-ptr)

    call->function(call->argument);
}

/* Returns -1 if the context cannot be made. */
static int run(struct call *call, char *stack, size_t size)
{
    uint64_t address = (uintptr_t)call;

    if (getcontext(&call->during))
        return -1;
    call->during.uc_stack = (stack_t){.ss_sp = stack, .ss_size = size};
    call->during.uc_link = &call->before;
    makecontext(&call->during, (void (*)(void))begin, 2, (unsigned)(address >> 32), (unsigned)address);
    return swapcontext(&call->before, &call->during);
}

void stint_on_own_stack(void (*function)(void *argument), void *argument)
{
    if (__asan_init || __tsan_init) {
        function(argument);
        return;
    }
    char *memory =
        mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) {
        function(argument);
        return;
    }
    struct call *call = (struct call *)(void *)(memory + SIZE) - 1;
    call->function = function;
    call->argument = argument;
    (void)mprotect(memory, GUARD, PROT_NONE);
    if (run(call, memory, (size_t)((char *)call - memory)))
        function(argument);
    (void)munmap(memory, SIZE);
}
