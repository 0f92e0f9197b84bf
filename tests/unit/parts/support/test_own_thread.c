#include "support/own_thread.h"

#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stint_test.h"

typedef void *run_fn(void *argument);

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, run_fn *run, void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, run_fn *run, void *argument);

static int s_fails, s_never_begins;
static sem_t s_done;
static pthread_t s_self;
static sigset_t s_mask;

static void *end_at_once(void *argument)
{
    return argument;
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, run_fn *run, void *argument)
{
    return s_fails ? EAGAIN : __real_pthread_create(thread, attributes, s_never_begins ? end_at_once : run, argument);
}

static void *look(void *argument)
{
    s_self = pthread_self();
    pthread_sigmask(SIG_SETMASK, NULL, &s_mask);
    sem_post(argument);
    return NULL;
}

static int takes(int signal)
{
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    return !sigismember(&mask, signal);
}

TEST(the_thread_runs_and_takes_no_signals)
{
    pthread_t thread;
    assert_int_equal(stint_detach(look, &s_done, &thread), 0);
    sem_wait(&s_done);
    assert_true(pthread_equal(thread, s_self));
    assert_int_equal(sigismember(&s_mask, SIGTERM), 1);
    assert_int_equal(sigismember(&s_mask, SIGPROF), 1);
}

TEST(its_id_need_not_be_wanted)
{
    assert_int_equal(stint_detach(look, &s_done, NULL), 0);
    sem_wait(&s_done);
}

TEST(the_caller_goes_on_taking_signals)
{
    for (s_fails = 0; s_fails <= 1; ++s_fails) {
        assert_int_equal(stint_detach(look, &s_done, NULL), s_fails ? -1 : 0);
        assert_true(takes(SIGTERM));
        if (!s_fails)
            sem_wait(&s_done);
    }
    s_fails = 0;
}

static int s_also;

static void note_also(void)
{
    s_also++;
    sem_wait(&s_done);
    assert_int_equal(stint_detach(look, &s_done, NULL), 0); /* may be with a thread of its own */
}

TEST(something_begins_with_the_first_thread_alone)
{
    stint_with_first_thread(note_also);
    s_fails = 1;
    assert_int_equal(stint_detach(look, &s_done, NULL), -1);
    s_fails = 0;
    assert_int_equal(s_also, 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(stint_detach(look, &s_done, NULL), 0);
        sem_wait(&s_done);
        assert_int_equal(s_also, 1);
    }
}

TEST(a_post_is_waited_for_no_longer_than_told)
{
    sem_t posted;
    sem_init(&posted, 0, 1);
    assert_int_equal(stint_wait_for_post(&posted, 60000), 0);
    assert_int_equal(stint_wait_for_post(&posted, 1), -1);
    assert_int_equal(stint_wait_for_post(&posted, 1001), -1); /* also into the next second */
    sem_destroy(&posted);
}

static struct stint_resting s_resting_thread;
static sem_t s_begun, s_woken;
static int s_cannot_be_woken;

static void *work(void *unused)
{
    sem_post(&s_begun);
    do
        sem_wait(&s_woken);
    while (!stint_must_rest(&s_resting_thread));
    return unused;
}

static int wake(void)
{
    return s_cannot_be_woken ? -1 : sem_post(&s_woken);
}

static struct stint_resting s_resting_thread = {.run = work, .wake = wake};

static void count_thread(void *count, int64_t tid)
{
    *(int *)count += tid == s_resting_thread.tid;
}

static int is_there(void)
{
    int count = 0;
    assert_int_equal(stint_each_thread(count_thread, &count), 0);
    return count;
}

TEST(thread_rests_until_it_goes_on)
{
    sem_init(&s_begun, 0, 0);
    sem_init(&s_woken, 0, 0);
    assert_int_equal(stint_detach_resting(&s_resting_thread), 0);
    for (int i = 0; i < 3; ++i) {
        sem_wait(&s_begun);
        assert_true(is_there());
        stint_threads_rest();
        assert_false(is_there());
        stint_threads_rest(); /* nothing is left to be done */
        stint_threads_go_on();
    }
    sem_wait(&s_begun);
    s_cannot_be_woken = 1;
    stint_threads_rest();
    assert_true(is_there());
    s_cannot_be_woken = 0;
    stint_threads_rest();
    assert_false(is_there());
}

static struct stint_resting s_maker, s_made;
static sem_t s_maker_woken;

static void *take_long(void *unused)
{
    usleep(50000);
    return unused;
}

static int end_by_itself(void)
{
    return 0;
}

static void *make_one(void *unused)
{
    (void)stint_detach_resting(&s_made);
    sem_wait(&s_maker_woken);
    (void)stint_detach_resting(&s_made);
    return stint_must_rest(&s_maker) ? unused : NULL;
}

static int wake_maker(void)
{
    return sem_post(&s_maker_woken);
}

static struct stint_resting s_maker = {.run = make_one, .wake = wake_maker},
                            s_made = {.run = take_long, .wake = end_by_itself};

static void count_any(void *count, int64_t tid)
{
    (void)tid;
    ++*(int *)count;
}

/* As that which keeps checkpoints has another write each of them. */
TEST(thread_that_a_resting_one_has_made_is_waited_for)
{
    int before = 0, count = 0;
    sem_init(&s_maker_woken, 0, 0);
    assert_int_equal(stint_each_thread(count_any, &before), 0);
    assert_int_equal(stint_detach_resting(&s_maker), 0);
    usleep(100000); /* the first that it makes has ended */
    stint_threads_rest();
    assert_int_equal(stint_each_thread(count_any, &count), 0);
    assert_int_equal(count, before);
}

static sem_t s_late_begun;

static void *work_once(void *unused)
{
    sem_post(&s_late_begun);
    return unused;
}

static int s_opens;

static int open_instead(void)
{
    return s_opens++ & 0;
}

static int end_anyway(void)
{
    return 0;
}

static int begins(void)
{
    return stint_wait_for_post(&s_late_begun, 100) == 0;
}

TEST(thread_is_delayed_until_it_is_due)
{
    static struct stint_resting s_late = {.run = work_once, .wake = end_anyway};
    stint_with_first_thread(NULL);
    assert_int_equal(stint_detach_delayed(&s_late), 0);
    assert_false(begins());
    stint_threads_are_due();
    assert_true(begins());
    assert_int_equal(stint_detach_delayed(&s_late), 0); /* it is no longer young */
    assert_true(begins());
}

TEST(thread_that_is_delayed_does_not_begin_while_others_rest)
{
    static struct stint_resting s_late = {.run = work_once, .wake = open_instead};
    stint_with_first_thread(NULL);
    assert_int_equal(stint_detach_delayed(&s_late), 0);
    stint_threads_rest();
    assert_int_equal(s_opens, 1);
    stint_threads_are_due();
    assert_false(begins());
    stint_threads_go_on();
    assert_true(begins());
}

TEST(thread_that_is_delayed_may_fail_to_begin)
{
    static struct stint_resting s_late = {.run = work_once, .wake = end_anyway};
    stint_with_first_thread(stint_threads_are_due); /* as if its own could not be started */
    s_fails = 1;
    assert_int_equal(stint_detach_delayed(&s_late), -1);
    s_fails = 0;
}

TEST(forked_child_starts_nothing_that_was_delayed_before)
{
    static struct stint_resting s_late = {.run = work_once, .wake = end_anyway};
    int status;
    stint_with_first_thread(NULL);
    assert_int_equal(stint_detach_delayed(&s_late), 0);
    pid_t child = fork();
    if (child == 0) {
        stint_threads_are_due();
        stint_threads_rest();
        stint_threads_go_on();
        _exit(begins());
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    stint_threads_are_due();
    assert_true(begins());
}

int test_main(int argc, char **argv)
{
    sem_init(&s_done, 0, 0);
    sem_init(&s_late_begun, 0, 0);
    return test_run(NULL, NULL);
}

static void count_self(void *count, int64_t tid)
{
    *(int *)count += tid == gettid();
}

TEST(threads_of_the_process_are_listed_once)
{
    int count = 0;
    assert_int_equal(stint_each_thread(count_self, &count), 0);
    assert_int_equal(count, 1);
}

/* It has noted no number of its own yet. */
TEST(thread_that_had_not_begun_is_gone_in_a_forked_child)
{
    enum { GONE };
    static struct stint_resting s_late = {.run = work, .wake = wake};
    int status;
    s_never_begins = 1;
    assert_int_equal(stint_detach_resting(&s_late), 0);
    s_never_begins = 0;
    pid_t child = fork();
    if (child == 0) {
        stint_threads_rest();
        _exit(s_late.state != GONE);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}
