#include "memory.h"

#include <errno.h>
#include <limits.h>
#include <sys/mman.h>

static long s_until_failure = LONG_MAX;
static int s_once;
static long s_failures;
static long s_calls;
static size_t s_mapped;

void *__real_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset);
int __real_munmap(void *address, size_t size);
static void plan(long calls, int once)
{
    __atomic_store_n(&s_failures, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&s_once, once, __ATOMIC_RELAXED);
    __atomic_store_n(&s_until_failure, calls, __ATOMIC_SEQ_CST);
}

void memory_fail_after(long calls)
{
    plan(calls, 0);
}

void memory_fail_once_after(long calls)
{
    plan(calls, 1);
}

long memory_recover(void)
{
    const long failures = __atomic_load_n(&s_failures, __ATOMIC_RELAXED);
    plan(LONG_MAX, 0);
    return failures;
}

size_t memory_mapped(void)
{
    return __atomic_load_n(&s_mapped, __ATOMIC_RELAXED);
}

long memory_calls(void)
{
    return __atomic_load_n(&s_calls, __ATOMIC_RELAXED);
}

static int fails(void)
{
    const long left = __atomic_fetch_sub(&s_until_failure, 1, __ATOMIC_SEQ_CST);
    return __atomic_load_n(&s_once, __ATOMIC_RELAXED) ? left == 0 : left <= 0;
}

void *__wrap_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    void *memory = MAP_FAILED;
    __atomic_add_fetch(&s_calls, 1, __ATOMIC_RELAXED);
    if (fails()) {
        __atomic_add_fetch(&s_failures, 1, __ATOMIC_RELAXED);
        errno = ENOMEM;
    } else {
        memory = __real_mmap(address, size, protection, flags, fd, offset);
    }
    if (memory != MAP_FAILED)
        __atomic_add_fetch(&s_mapped, size, __ATOMIC_RELAXED);
    return memory;
}

int __wrap_munmap(void *address, size_t size)
{
    __atomic_sub_fetch(&s_mapped, size, __ATOMIC_RELAXED);
    return __real_munmap(address, size);
}
