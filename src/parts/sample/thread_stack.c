/* Asks the C library where a thread's stack lies, with care for that of the main thread, which still grows. */
#include "sample/thread_stack.h"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The C library notes where the stack of the main thread begins. */
extern void *__libc_stack_end __attribute__((weak)); // NOLINT

/* The system maps nothing else as near to it as that. If the program has raised its limit meanwhile, there may be other
 * stacks in what that allows. */
enum { KEPT_FREE = 64 << 20 };

static struct stint_walk_stack main_stack(void)
{
    uint64_t high = &__libc_stack_end ? (uintptr_t)__libc_stack_end : 0;
    struct rlimit limit;

    if (!high || getrlimit(RLIMIT_STACK, &limit))
        return (struct stint_walk_stack){0, 0};
    return (struct stint_walk_stack){high - (limit.rlim_cur < KEPT_FREE ? limit.rlim_cur : KEPT_FREE), high};
}

struct stint_walk_stack stint_own_stack(void)
{
    pthread_attr_t attributes;
    size_t size = 0, guard = 0;
    void *begin = NULL;

    if (syscall(SYS_gettid) == getpid())
        return main_stack();
    if (pthread_getattr_np(pthread_self(), &attributes))
        return (struct stint_walk_stack){0, 0};
    (void)pthread_attr_getstack(&attributes, &begin, &size);
    (void)pthread_attr_getguardsize(&attributes, &guard);
    (void)pthread_attr_destroy(&attributes);
    return (struct stint_walk_stack){(uintptr_t)begin + guard, (uintptr_t)begin + size};
}
