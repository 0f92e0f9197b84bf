/* If this library is preloaded, threads are found as they begin. */
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "sample/sampling.h"
#include "sample/task.h"
#include "stint/detail/api.h"

typedef int create_fn(pthread_t *thread, const pthread_attr_t *attributes, void *(*begin)(void *), void *argument);

/* What a thread that has not begun yet is to do. */
struct birth {
    void *(*begin)(void *argument);
    void *argument;
    struct birth *next; /* of those that are free */
};

enum { BIRTHS = 64 };

static struct {
    create_fn *create;
    int is_called;     /* the program calls this library's function, not the C library's */
    pthread_key_t key; /* its destructor is called when a thread ends */
    int has_key;
    struct birth births[BIRTHS];
    struct birth *free;
    pthread_mutex_t lock; /* of what is free */
} s_calls = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void end_thread(void *unused)
{
    (void)unused;
    stint_tasks_remove_self();
}

/* Whether a function is this library's. */
static int is_here(const void *function)
{
    Dl_info its, own;

    return dladdr(function, &its) && dladdr(&s_calls, &own) && its.dli_fbase == own.dli_fbase;
}

__attribute__((constructor(101))) static void find_functions(void)
{
    void *found = dlsym(RTLD_NEXT, "pthread_create");

    memcpy(&s_calls.create, &found, sizeof found);
    s_calls.is_called = is_here(dlsym(RTLD_DEFAULT, "pthread_create"));
    s_calls.has_key = pthread_key_create(&s_calls.key, end_thread) == 0;
    for (size_t i = 0; i < BIRTHS; i++) {
        s_calls.births[i].next = s_calls.free;
        s_calls.free = &s_calls.births[i];
    }
}

int stint_sampler_sees_threads(void)
{
    return s_calls.is_called;
}

static struct birth *take_birth(void)
{
    pthread_mutex_lock(&s_calls.lock);
    struct birth *birth = s_calls.free;
    if (birth)
        s_calls.free = birth->next;
    pthread_mutex_unlock(&s_calls.lock);
    return birth;
}

static void give_back(struct birth *birth)
{
    pthread_mutex_lock(&s_calls.lock);
    birth->next = s_calls.free;
    s_calls.free = birth;
    pthread_mutex_unlock(&s_calls.lock);
}

static void *begin_thread(void *argument)
{
    struct birth birth = *(struct birth *)argument;

    give_back(argument);
    if (s_calls.has_key && !pthread_setspecific(s_calls.key, &s_calls))
        stint_tasks_add_self(1);
    return birth.begin(birth.argument);
}

/* A thread for which there is no room here is found by the next scan. */
STINT_API int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*begin)(void *),
                             void *argument)
{
    struct birth *birth = NULL;

    if (!s_calls.create)
        find_functions();
    if (stint_sampler_is_on()) {
        stint_sampler_thread_begins();
        birth = take_birth();
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
