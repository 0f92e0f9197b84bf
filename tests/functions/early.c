/* Initialised before every other library, so its fork handlers run last before a fork and first after it. */
#include <pthread.h>

int early(int number);

int early(int number)
{
    return number;
}

__attribute__((noinline)) static void early_before_fork(void)
{
    __asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void early_after_fork(void)
{
    __asm__ volatile("" ::: "memory");
}

__attribute__((constructor, no_instrument_function)) static void start(void)
{
    pthread_atfork(early_before_fork, early_after_fork, early_after_fork);
}
