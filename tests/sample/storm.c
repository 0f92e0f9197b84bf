/* Does to a sampler what programs rarely do, all at once: threads that come and go, forks, exec, setuid, libraries that
 * are unloaded, coroutines, longjmp, small stacks, blocked signals, and stacks that are corrupted on purpose.
 * Usage: storm MILLISECONDS PLUGIN [THREADS] */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

static const char *s_self, *s_plugin;
static volatile unsigned s_sink;
static volatile int s_failed;

static uint64_t now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

__attribute__((noinline)) static void spin(unsigned us)
{
    for (uint64_t end = now_us() + us; now_us() < end;)
        for (unsigned i = 0; i < 500; i++)
            s_sink += i;
}

__attribute__((noinline)) static void nested(unsigned depth, unsigned us)
{
    if (depth)
        nested(depth - 1, us);
    else
        spin(us);
    s_sink++;
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void complain(const char *what)
{
    fprintf(stderr, "storm: %s: %s\n", what, strerror(errno));
    s_failed = 1;
}

/* ----------------------------------------------------------------------------------------------------- what is done */

static void deep(uint32_t *random)
{
    nested(next_random(random) % 1000, 1000);
}

static void spin_in_coroutine(void)
{
    nested(5, 500);
}

static void coroutine(uint32_t *random)
{
    enum { SIZE = 65536 };
    ucontext_t here, there;
    void *stack = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (stack == MAP_FAILED || getcontext(&there))
        return;
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = SIZE;
    there.uc_link = &here;
    makecontext(&there, spin_in_coroutine, 0);
    if (swapcontext(&here, &there))
        complain("swapcontext");
    munmap(stack, SIZE);
}

__attribute__((noinline)) static void jump(jmp_buf where, unsigned depth)
{
    if (depth)
        jump(where, depth - 1);
    spin(20);
    if (s_sink != UINT_MAX)
        longjmp(where, 1);
}

static void jumps(uint32_t *random)
{
    jmp_buf where;
    volatile int count = 0;
    if (setjmp(where) < 0 || count++ > 20)
        return;
    jump(where, 10);
}

static void unload(uint32_t *random)
{
    void *library = dlopen(s_plugin, RTLD_NOW | RTLD_LOCAL);
    void (*call)(void (*)(unsigned), unsigned);
    void *found = library ? dlsym(library, "plugin_call") : NULL;
    if (!found) {
        fprintf(stderr, "storm: %s\n", dlerror());
        s_failed = 1;
        return;
    }
    memcpy(&call, &found, sizeof call);
    call(spin, 300);
    dlclose(library);
}

static void *small_thread(void *argument)
{
    spin(300);
    return argument;
}

static void start_small(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, (size_t)PTHREAD_STACK_MIN + 16384);
    if (!pthread_create(&thread, &attributes, small_thread, NULL))
        pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
}

static void forks(uint32_t *random)
{
    int executes = next_random(random) % 2 != 0;
    pid_t child = fork();
    int status = 0;
    if (child == 0) {
        nested(10, 2000);
        start_small();
        if (executes)
            execl(s_self, s_self, "2", "", "0", (char *)NULL);
        _exit(executes ? 99 : 0);
    }
    if (child < 0)
        return; /* too many processes */
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (status) {
        fprintf(stderr, "storm: a child ended with status %d\n", status);
        s_failed = 1;
    }
}

static void change_user(uint32_t *random)
{
    for (int i = 0; i < 3; i++)
        if (setresuid((uid_t)-1, geteuid(), (uid_t)-1))
            complain("setresuid");
    spin(200);
}

static void block(uint32_t *random)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    spin(1000);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    spin(300);
}

static void on_user_signal(int number)
{
    nested(5, 300);
}

static void handler(uint32_t *random)
{
    raise(SIGUSR1);
}

static void waits(uint32_t *random)
{
    struct timespec moment = {0, 300000};
    if (nanosleep(&moment, NULL) && errno != EINTR)
        complain("nanosleep");
}

/* ------------------------------------------------------------------------------------------------- corrupted stacks */

/* What a careless program may have in a register or on its stack. */
static uint64_t garbage(uint32_t *random)
{
    static uint64_t s_elsewhere; /* an address in another thread's stack */
    uint64_t here = (uintptr_t)__builtin_frame_address(0),
             any = (uint64_t)next_random(random) << 24 | next_random(random);
    uint64_t other = __atomic_exchange_n(&s_elsewhere, here, __ATOMIC_RELAXED);
    switch (next_random(random) % 9) {
    case 0:
        return 0;
    case 1:
        return UINT64_MAX - (any & 0xFFFF);
    case 2:
        return here + (any & 0x3FF8);
    case 3:
        return here - (any & 0xFFF8);
    case 4:
        return other + (any & 0xFFF8);
    case 5:
        return (uintptr_t)spin + (any & 0xFF);
    case 6:
        return any & 0x7FFFFFFFFFF8;
    case 7:
        return UINT64_C(0xFFFF800000000000) | any;
    default:
        return any;
    }
}

/* Waits without using the stack: for some microseconds. */
#if defined(__x86_64__)
#define LOOP "mov $40000, %%ecx; 1: dec %%ecx; jnz 1b;"
#elif defined(__aarch64__)
#define LOOP "mov w9, #40000; 1: subs w9, w9, #1; b.ne 1b;"
#endif

/* As an address of 48 bits. With another as stack pointer some processors fault when an interrupt returns, which ends
 * the process with or without a sampler. */
static uint64_t canonical(uint64_t address)
{
    enum { UNUSED_BITS = 16 };
    return (uint64_t)((int64_t)(address << UNUSED_BITS) >> UNUSED_BITS);
}

/* Handlers run on a stack of their own meanwhile. Where the pointer is already in that, the system goes on from there,
 * and ends the process if that leaves no room: no handler can do anything about that. */
static void lose_stack(uint32_t *random)
{
    uint64_t stack = canonical(garbage(random)), pointer = garbage(random);
    stack_t alternate;

    if (sigaltstack(NULL, &alternate) || stack - (uintptr_t)alternate.ss_sp <= alternate.ss_size)
        return;
#if defined(__x86_64__)
    __asm__ volatile("mov %%rsp, %%r12; mov %%rbp, %%r13; mov %0, %%rsp; mov %1, %%rbp;" LOOP
                     "mov %%r12, %%rsp; mov %%r13, %%rbp"
                     :
                     : "a"(stack), "d"(pointer)
                     : "rcx", "r12", "r13", "memory", "cc");
#elif defined(__aarch64__)
    __asm__ volatile("mov x20, sp; mov x21, x29; mov sp, %0; mov x29, %1;" LOOP "mov sp, x20; mov x29, x21"
                     :
                     : "r"(stack), "r"(pointer)
                     : "x9", "x20", "x21", "memory", "cc");
#endif
}

#define COPY_FROM(source)                                                                                              \
    "mov x10, %0; mov x11, " source                                                                                    \
    "; mov x12, %2; 2: ldr x9, [x11], #8; str x9, [x10], #8; subs x12, x12, #1; b.ne 2b;"

/* Spins while what is above its frame is garbage. */
__attribute__((noinline)) static void overwrite_stack(uint32_t *random)
{
    enum { WORDS = 96 };
    uint64_t saved[WORDS], *above = __builtin_dwarf_cfa();
    struct {
        uint64_t rows[WORDS];
    } junk;

    for (unsigned i = 0; i < WORDS; i++)
        junk.rows[i] = garbage(random);
    memcpy(saved, above, sizeof saved);
    /* Neither the copies nor the loop may call anything. */
#if defined(__x86_64__)
    __asm__ volatile("cld; mov %2, %%rcx; rep movsq;" LOOP
                     : "+D"(above), "+S"((const uint64_t *){junk.rows})
                     : "i"(WORDS)
                     : "rcx", "memory", "cc");
    above -= WORDS;
    const uint64_t *from = saved;
    __asm__ volatile("mov %2, %%rcx; rep movsq" : "+D"(above), "+S"(from) : "i"(WORDS) : "rcx", "memory", "cc");
#elif defined(__aarch64__)
    __asm__ volatile(COPY_FROM("%1") LOOP COPY_FROM("%3")
                     :
                     : "r"(above), "r"(junk.rows), "r"((uint64_t)WORDS), "r"(saved)
                     : "x9", "x10", "x11", "x12", "memory", "cc");
#endif
}

/* ---------------------------------------------------------------------------------------------------------- threads */

typedef void deed(uint32_t *random);

static deed *const s_deeds[] = {deep,  coroutine, jumps, unload,     change_user,     block,
                                waits, handler,   forks, lose_stack, overwrite_stack, deep};

static uint64_t s_end;

static void *worker(void *argument)
{
    uint32_t random = (uint32_t)(uintptr_t)argument * 2654435761u;
    static const size_t size = 65536;
    stack_t stack = {.ss_sp = malloc(size), .ss_size = size};
    if (!stack.ss_sp || sigaltstack(&stack, NULL))
        return NULL;
    for (int i = 0; i < 40 && now_us() < s_end; i++) {
        if (next_random(&random) % 16 == 0)
            start_small();
        size_t deed_at = next_random(&random) % (uint32_t)(sizeof s_deeds / sizeof s_deeds[0]);
        if (s_deeds[deed_at] == forks && next_random(&random) % 4)
            continue;
        s_deeds[deed_at](&random);
    }
    stack.ss_flags = SS_DISABLE;
    sigaltstack(&stack, NULL);
    free(stack.ss_sp);
    return NULL;
}

int main(int count, char **arguments)
{
    enum { MOST = 256 };
    pthread_t threads[MOST];
    int used[MOST] = {0};
    size_t number = count > 3 ? strtoul(arguments[3], NULL, 10) : 8;
    struct sigaction action = {.sa_handler = on_user_signal, .sa_flags = SA_ONSTACK};

    if (count < 3 || number > MOST)
        return 2;
    s_self = arguments[0];
    s_plugin = arguments[2];
    s_end = now_us() + strtoul(arguments[1], NULL, 10) * 1000;
    sigaction(SIGUSR1, &action, NULL);
    nested(10, 500);
    for (uintptr_t seed = 1; number && now_us() < s_end; seed++) {
        size_t at = seed % number;
        if (used[at])
            pthread_join(threads[at], NULL);
        used[at] = !pthread_create(&threads[at], NULL, worker, (void *)seed);
    }
    for (size_t i = 0; i < number; i++)
        if (used[i])
            pthread_join(threads[i], NULL);
    if (number)
        puts(s_failed ? "failed" : "survived");
    return s_failed;
}
