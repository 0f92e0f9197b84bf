/* If this library is preloaded, threads are found as they begin. */
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sample/sampling.h"
#include "stint/detail/api.h"

typedef int create_fn(pthread_t *thread, const pthread_attr_t *attributes, void *(*begin)(void *), void *argument);

/* What a thread that has not begun yet is to do. */
struct birth {
    void *(*begin)(void *argument);
    void *argument;
};

enum { BIRTHS = 64 };

static struct {
    create_fn *create;
    int is_called;     /* the program calls this library's function, not the C library's */
    pthread_key_t key; /* its destructor is called when a thread ends */
    int has_key;
    int has_seen;
    struct birth births[BIRTHS];
    uint64_t used; /* a bit for each of them */
} s_calls;

/* The C library asks again as long as there is a value, so many times: what other destructors do is the thread's. In
 * the last round sanitizers end the thread, after which nothing of it may call them. */
static const char s_rounds[PTHREAD_DESTRUCTOR_ITERATIONS - 1];

static void end_thread(void *round)
{
    const char *next = (const char *)round + 1;
    if (!stint_sampler_is_on())
        return;
    if (next == s_rounds + sizeof s_rounds || pthread_setspecific(s_calls.key, next))
        stint_tasks_remove_self();
}

/* Whether a function is this library's. */
static int is_here(const void *function)
{
    Dl_info its, own;
    return dladdr(function, &its) && dladdr(&s_calls, &own) && its.dli_fbase == own.dli_fbase;
}

static void find_all(void)
{
    void *found = dlsym(RTLD_NEXT, "pthread_create");
    memcpy(&s_calls.create, &found, sizeof found);
    s_calls.is_called = is_here(dlsym(RTLD_DEFAULT, "pthread_create"));
    s_calls.has_key = pthread_key_create(&s_calls.key, end_thread) == 0;
}

/* Also before its use: constructors of other libraries that run before this one may start threads. */
__attribute__((constructor(101))) static void find_functions(void)
{
    static pthread_once_t s_once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&s_once, find_all);
}

int stint_sampler_sees_threads(void)
{
    return s_calls.is_called;
}

int stint_sampler_has_seen_threads(void)
{
    return __atomic_load_n(&s_calls.has_seen, __ATOMIC_ACQUIRE);
}

/* No lock, which another thread may hold when the process forks. */
static struct birth *take_birth(void)
{
    uint64_t used = __atomic_load_n(&s_calls.used, __ATOMIC_RELAXED);
    while (~used) {
        int at = __builtin_ctzll(~used);
        if (__atomic_compare_exchange_n(&s_calls.used, &used, used | UINT64_C(1) << at, 1, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED))
            return &s_calls.births[at];
    }
    return NULL;
}

static void give_back(const struct birth *birth)
{
    __atomic_and_fetch(&s_calls.used, ~(UINT64_C(1) << (birth - s_calls.births)), __ATOMIC_RELEASE);
}

void stint_sampler_threads_after_fork(void)
{
    s_calls.used = 0; /* who had begun others is not here */
}

/* Threads of stint's take no signals, so there is nothing to prepare for samples of them. */
static int takes_signal(int number)
{
    sigset_t blocked = {0};
    return syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &blocked, sizeof(uint64_t)) || !sigismember(&blocked, number);
}

static void *begin_thread(void *argument)
{
    struct birth birth = *(struct birth *)argument;
    give_back(argument);
    if (takes_signal(stint_timer_signal()) && s_calls.has_key && !pthread_setspecific(s_calls.key, s_rounds))
        stint_tasks_add_self(1);
    return birth.begin(birth.argument);
}

/* A thread for which there is no room here is found by the next scan. So are all in programs that have a function of
 * this name in front, such as that of ThreadSanitizer: it does not know a thread yet that begins here, which therefore
 * must not allocate. */
STINT_API int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*begin)(void *),
                             void *argument)
{
    struct birth *birth = NULL;
    find_functions();
    if (!stint_sampler_has_seen_threads() && takes_signal(SIGTERM))
        __atomic_store_n(&s_calls.has_seen, 1, __ATOMIC_RELEASE);
    if (stint_sampler_is_on()) {
        stint_sampler_thread_begins();
        birth = s_calls.is_called ? take_birth() : NULL;
    }
    if (!birth)
        return s_calls.create(thread, attributes, begin, argument);
    birth->begin = begin;
    birth->argument = argument;
    int error = s_calls.create(thread, attributes, begin_thread, birth);
    if (error)
        give_back(birth);
    return error;
}
