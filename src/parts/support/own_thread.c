/* Makes threads of the library, which other tools see under a name of their own and which take no signals. Lists those
 * of the process, and finds where their stacks are. */
#include "support/own_thread.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/process.h"

void stint_own_thread(const char *name)
{
    stint_is_own_work = 1;
    if (!stint_process_was_confined())
        (void)prctl(PR_SET_NAME, name);
}

/* Where the kernel has no CLOSE_RANGE_UNSHARE, descriptors are shared. */
void stint_own_files(unsigned first)
{
    if (!stint_process_was_confined() && !stint_process_is_confined())
        (void)syscall(SYS_close_range, first, ~0U, CLOSE_RANGE_UNSHARE);
}

static void (*s_also)(void);

static void do_also(void)
{
    void (*also)(void) = __atomic_exchange_n(&s_also, NULL, __ATOMIC_ACQ_REL);
    if (also)
        also();
}

int stint_detach(void *(*run)(void *argument), void *argument, pthread_t *thread)
{
    sigset_t all, before;
    pthread_t id;
    if (stint_process_namespace()) /* whose threads the program's C library does not know, nor locks that it shares */
        return -1;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before))
        return -1;
    int error = pthread_create(&id, NULL, run, argument);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error)
        return -1;
    if (thread)
        *thread = id;
    (void)pthread_detach(id);
    do_also();
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ rests */

enum { GONE, DELAYED, RUNS, ASKED, RESTS };

static struct stint_resting *s_resting;
static int s_may_delay;

/* There if the program runs under ThreadSanitizer. It sees what these threads have the C library read, but not what
 * orders that, unless stint is compiled with it, too. */
extern void AnnotateIgnoreReadsBegin(const char *file, int line) __attribute__((weak));
extern void AnnotateIgnoreReadsEnd(const char *file, int line) __attribute__((weak));

static void *begin(void *argument)
{
    struct stint_resting *thread = argument;
    int is_seen_in_part = 0;
#ifndef __SANITIZE_THREAD__
    is_seen_in_part = AnnotateIgnoreReadsBegin && AnnotateIgnoreReadsEnd;
#endif
    __atomic_store_n(&thread->tid, syscall(SYS_gettid), __ATOMIC_RELEASE);
    if (is_seen_in_part)
        AnnotateIgnoreReadsBegin("", __LINE__);
    void *result = thread->run(NULL);
    if (is_seen_in_part)
        AnnotateIgnoreReadsEnd("", __LINE__);
    return result;
}

static int change(struct stint_resting *thread, int from, int to)
{
    return __atomic_compare_exchange_n(&thread->state, &from, to, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

static int start(struct stint_resting *thread)
{
    if (!stint_detach(begin, thread, NULL))
        return 0;
    __atomic_store_n(&thread->state, GONE, __ATOMIC_RELAXED);
    return -1;
}

/* Those that another one makes come behind it: it rests first. */
static void enlist(struct stint_resting *thread, int state)
{
    struct stint_resting **at = &s_resting, *there = NULL;
    while (!__atomic_compare_exchange_n(at, &there, thread, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) && there != thread) {
        at = &there->next;
        there = NULL;
    }
    __atomic_store_n(&thread->tid, getpid(), __ATOMIC_RELAXED); /* until it begins, that of a thread that is there */
    __atomic_store_n(&thread->state, state, __ATOMIC_SEQ_CST);
}

static struct stint_resting *following(struct stint_resting *const *link)
{
    return __atomic_load_n(link, __ATOMIC_ACQUIRE);
}

int stint_detach_resting(struct stint_resting *thread)
{
    enlist(thread, RUNS);
    return start(thread);
}

/* Returns whether the thread was delayed; by the parent of a forked child does not count. */
static int end_delay(struct stint_resting *thread, int state)
{
    return __atomic_load_n(&thread->tid, __ATOMIC_RELAXED) == getpid() && change(thread, DELAYED, state);
}

void stint_threads_are_due(void)
{
    __atomic_store_n(&s_may_delay, 0, __ATOMIC_SEQ_CST);
    for (struct stint_resting *thread = following(&s_resting); thread; thread = following(&thread->next))
        if (end_delay(thread, RUNS))
            (void)start(thread);
}

/* Who makes threads due sees this one, or is seen. */
int stint_detach_delayed(struct stint_resting *thread)
{
    enlist(thread, DELAYED);
    do_also();
    if (!__atomic_load_n(&s_may_delay, __ATOMIC_SEQ_CST))
        stint_threads_are_due();
    return __atomic_load_n(&thread->state, __ATOMIC_RELAXED) == GONE ? -1 : 0;
}

void stint_with_first_thread(void (*then)(void))
{
    __atomic_store_n(&s_also, then, __ATOMIC_RELEASE);
    s_may_delay = 1;
}

int stint_must_rest(struct stint_resting *thread)
{
    return change(thread, ASKED, RESTS);
}

/* The kernel counts a thread until it has no number. One of the process that this one was forked from has none here. */
static int is_gone(struct stint_resting *thread)
{
    int64_t tid = __atomic_load_n(&thread->tid, __ATOMIC_ACQUIRE);
    return syscall(SYS_tgkill, getpid(), tid, 0) && errno == ESRCH;
}

/* A thread that is busy for longer, with a slow disk perhaps, stays. */
static void wait_for_rest(struct stint_resting *thread)
{
    enum { LONGEST = 20000, PAUSE_NS = 100000 };
    struct timespec pause = {0, PAUSE_NS};
    for (int i = 0; i < LONGEST && !is_gone(thread); i++)
        (void)clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
    if (is_gone(thread))
        (void)change(thread, ASKED, GONE);
    else
        (void)change(thread, ASKED, RUNS);
}

void stint_threads_rest(void)
{
    for (struct stint_resting *thread = following(&s_resting); thread; thread = following(&thread->next))
        if (end_delay(thread, RESTS))
            (void)thread->wake();
    for (struct stint_resting *thread = following(&s_resting); thread; thread = following(&thread->next)) {
        if (!change(thread, RUNS, ASKED))
            continue;
        if (is_gone(thread) || !thread->wake())
            wait_for_rest(thread);
        else
            (void)change(thread, ASKED, RUNS);
    }
}

void stint_threads_go_on(void)
{
    for (struct stint_resting *thread = following(&s_resting); thread; thread = following(&thread->next))
        if (change(thread, RESTS, GONE))
            (void)stint_detach_resting(thread);
}

int stint_wait_for_post(sem_t *semaphore, unsigned ms)
{
    enum { MS_PER_S = 1000, NS_PER_MS = 1000000, NS_PER_S = 1000000000 };
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += ms / MS_PER_S;
    until.tv_nsec += (long)(ms % MS_PER_S) * NS_PER_MS;
    if (until.tv_nsec >= NS_PER_S) {
        until.tv_nsec -= NS_PER_S;
        until.tv_sec++;
    }
    while (sem_timedwait(semaphore, &until))
        if (errno != EINTR)
            return -1;
    return 0;
}

/* An entry of a folder, as the system writes it. */
struct entry {
    uint64_t inode;
    int64_t offset;
    uint16_t length;
    uint8_t type;
    char name[];
};

int stint_each_thread(void (*see)(void *context, int64_t tid), void *context)
{
    int folder = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    _Alignas(struct entry) char entries[4096];
    long size;
    if (folder < 0)
        return -1;
    while ((size = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0)
        for (long at = 0; at < size; at += ((const struct entry *)(const void *)(entries + at))->length) {
            const struct entry *entry = (const struct entry *)(const void *)(entries + at);
            if (entry->name[0] >= '1' && entry->name[0] <= '9')
                see(context, strtol(entry->name, NULL, 10));
        }
    (void)close(folder);
    return size < 0 ? -1 : 0;
}

enum stint_adopt_rule stint_adopt_rule_asked(void)
{
    return (enum stint_adopt_rule)stint_env_choice("STINT_ADOPT", "off|autograd|main|all", STINT_ADOPT_AUTOGRAD);
}

int stint_is_autograd(const char *name)
{
    static const char prefix[] = "pt_autograd_";
    return strncmp(name, prefix, sizeof prefix - 1) == 0;
}

/* ------------------------------------------------------------------------------------------------------------ stack */

/* The C library notes where the stack of the main thread begins. */
extern void *__libc_stack_end __attribute__((weak)); // NOLINT

/* The system maps nothing else as near to it as that. If the program has raised its limit meanwhile, there may be other
 * stacks in what that allows. */
enum { KEPT_FREE = 64 << 20 };

static struct stint_stack main_stack(void)
{
    uint64_t high = &__libc_stack_end ? (uintptr_t)__libc_stack_end : 0;
    struct rlimit limit;
    if (!high || getrlimit(RLIMIT_STACK, &limit))
        return (struct stint_stack){0, 0};
    return (struct stint_stack){high - (limit.rlim_cur < KEPT_FREE ? limit.rlim_cur : KEPT_FREE), high};
}

struct stint_stack stint_own_stack(void)
{
    pthread_attr_t attributes;
    size_t size = 0, guard = 0;
    void *begin = NULL;
    if (syscall(SYS_gettid) == getpid())
        return main_stack();
    if (pthread_getattr_np(pthread_self(), &attributes))
        return (struct stint_stack){0, 0};
    (void)pthread_attr_getstack(&attributes, &begin, &size);
    (void)pthread_attr_getguardsize(&attributes, &guard);
    (void)pthread_attr_destroy(&attributes);
    return (struct stint_stack){(uintptr_t)begin + guard, (uintptr_t)begin + size};
}
