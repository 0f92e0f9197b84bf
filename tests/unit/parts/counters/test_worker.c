#include <pthread.h>

#include "counters/counted_device.h"
#include "stint_test.h"

static int s_begins, s_context;
static void *s_current;
static pthread_t s_thread;

static int push(void *context)
{
    s_current = context;
    return 0;
}

static int pop(void **context)
{
    *context = s_current;
    s_current = NULL;
    return 0;
}

void __wrap_stint_driver_function(const char *name, void *pointer)
{
    if (name[5] == 'P' && name[6] == 'u')
        *(int (**)(void *))pointer = push;
    else
        *(int (**)(void **))pointer = pop;
}

static void begin(void)
{
    s_begins++;
}

static void note_where(void *context)
{
    *(void **)context = s_current;
    s_thread = pthread_self();
}

TEST(one_thread_does_all_in_the_context_of_each)
{
    void *seen = NULL;
    assert_int_equal(stint_worker_run(begin, note_where, &seen, &s_context), 0);
    pthread_t first = s_thread;
    assert_ptr_equal(seen, &s_context);
    assert_false(pthread_equal(first, pthread_self()));
    assert_int_equal(stint_worker_run(begin, note_where, &seen, &seen), 0);
    assert_ptr_equal(seen, &seen);
    assert_true(pthread_equal(first, s_thread));
    assert_int_equal(s_begins, 1);
    assert_null(s_current); /* nothing stays current there */
}
