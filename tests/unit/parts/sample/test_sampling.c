/* The handler, as hosts meet it: src/parts/sample/sampling.c. Its host here stops in the middle of a sample. */
#include "sample/call_tree.h"
#include "sample/sampling.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "stat/builder.h"
#include "stint_test.h"

const struct stint_sampler *stint_sampler(const struct stint_sampler_host *host);

static const struct stint_sampler *s_sampler;
static pthread_t s_thread;
static int s_is_watched; /* the thread's next sample stops */
static int s_stopped, s_goes_on, s_finished;

static int is_set(const int *flag)
{
    return __atomic_load_n(flag, __ATOMIC_SEQ_CST);
}

static void set(int *flag)
{
    __atomic_store_n(flag, 1, __ATOMIC_SEQ_CST);
}

enum { MOST_SLOW = 500 };

static int s_slow; /* so many samples take longer than what is between two */

/* What the handler asks the host is where it stops. */
static uint32_t path_now(void)
{
    if (is_set(&s_slow)) {
        for (int i = 0; i < 2000; i++)
            (void)getppid();
        __atomic_sub_fetch(&s_slow, 1, __ATOMIC_SEQ_CST);
    }
    if (!is_set(&s_is_watched) || !pthread_equal(pthread_self(), s_thread) || is_set(&s_stopped))
        return 0;
    set(&s_stopped);
    while (!is_set(&s_goes_on))
        continue;
    for (int i = 0; i < 1000; i++)
        (void)getppid(); /* signals come when a system call ends */
    set(&s_finished);
    return 0;
}

static int s_works_for_stint;

static int is_own_work(void)
{
    return s_works_for_stint;
}

static uint32_t path_parent(uint32_t path)
{
    return path & 0;
}

static size_t path_stat(struct stint_builder *builder, uint32_t path)
{
    return path & 0;
}

static void collect_also(void (*add)(struct stint_builder *builder, int emergency)) {}

static int detach(struct stint_resting *thread)
{
    return 0;
}

static int hide_handler(int number, const struct stint_hidden_handler *handler)
{
    struct sigaction action = {.sa_sigaction = handler->handler, .sa_flags = handler->flags | SA_SIGINFO};
    memset(&action.sa_mask, 0xFF, sizeof action.sa_mask);
    sigdelset(&action.sa_mask, SIGSYS);
    return sigaction(number, &action, NULL);
}

static const uint32_t s_state = 1;
static int s_have_rows;
static const struct stint_sampler_host s_host = {
    .version = STINT_SAMPLER_VERSION,
    .state = &s_state,
    .have_rows = &s_have_rows,
    .is_own_work = is_own_work,
    .path_now = path_now,
    .path_parent = path_parent,
    .path_stat = path_stat,
    .collect_also = collect_also,
    .detach = detach,
    .hide_handler = hide_handler,
};

static int start(void **state)
{
    s_sampler = stint_sampler(&s_host);
    return s_sampler ? 0 : -1;
}

static void start_sampling(const char *how)
{
    char reason[256];
    assert_int_equal(s_sampler->start(how, reason, sizeof reason), STINT_OK);
}

static void *spin(void *asynchronous)
{
    if (asynchronous)
        (void)pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    s_thread = pthread_self();
    set(&s_is_watched);
    while (asynchronous || !is_set(&s_finished))
        continue;
    return NULL;
}

/* Starts a thread, and waits until it has stopped in a sample. */
static pthread_t thread_in_a_sample(void *asynchronous)
{
    pthread_t thread;
    s_is_watched = s_stopped = s_goes_on = s_finished = 0;
    assert_int_equal(pthread_create(&thread, NULL, spin, asynchronous), 0);
    while (!is_set(&s_stopped))
        continue;
    return thread;
}

TEST_ONCE(start, NULL)

TEST(cancelled_thread_finishes_its_sample)
{
    pthread_t thread;
    void *result;
#ifdef __SANITIZE_THREAD__
    skip(); /* it calls handlers later, as functions */
#endif
    start_sampling("wall:1000");
    thread = thread_in_a_sample(&thread);
    assert_int_equal(pthread_cancel(thread), 0);
    set(&s_goes_on);
    assert_int_equal(pthread_join(thread, &result), 0);
    assert_ptr_equal(result, PTHREAD_CANCELED);
    assert_true(is_set(&s_finished));
    s_sampler->stop();
}

int __real_nanosleep(const struct timespec *time, struct timespec *rest);
int __wrap_nanosleep(const struct timespec *time, struct timespec *rest);

/* Somebody waits for the thread. */
int __wrap_nanosleep(const struct timespec *time, struct timespec *rest)
{
    set(&s_goes_on);
    return __real_nanosleep(time, rest);
}

/* Or for 100 ms of CPU time. */
static void spin_until_sampled(uint64_t samples)
{
    for (clock_t end = clock() + CLOCKS_PER_SEC / 10; clock() < end && s_sampler->info().samples < samples;)
        continue;
}

TEST(what_a_thread_does_for_stint_is_not_sampled)
{
    start_sampling("wall:1000");
    spin_until_sampled(1);
    s_works_for_stint = 1;
    uint64_t samples = s_sampler->info().samples;
    spin_until_sampled(samples + 1);
    assert_int_equal(s_sampler->info().samples, samples);
    s_works_for_stint = 0;
    spin_until_sampled(samples + 1);
    s_sampler->stop();
    assert_true(s_sampler->info().samples > samples);
}

/* Takes what is in no sample when a new thread has worked for stint, for 25 ticks of the system's clock. */
static void *leave_time(void *left_ns)
{
    struct timespec now = {0, 0};
    stint_tasks_add_self(1);
    while (now.tv_nsec < 100000000 && !now.tv_sec)
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    *(uint64_t *)left_ns = stint_unsampled_time_take();
    stint_tasks_remove_self();
    return NULL;
}

TEST(time_of_other_threads_is_not_lost_in_what_a_thread_does_for_stint)
{
    pthread_t thread;
    uint64_t left_ns = 0;
#ifdef __SANITIZE_THREAD__
    skip();
#endif
    start_sampling("on");
    stint_unsampled_time_begin(0);
    stint_unsampled_time_end(3000, 2000);
    s_works_for_stint = 1;
    assert_int_equal(pthread_create(&thread, NULL, leave_time, &left_ns), 0);
    pthread_join(thread, NULL);
    s_works_for_stint = 0;
    s_sampler->stop();
    assert_int_equal(left_ns, 1000); /* each takes half of it */
}

static void *have_a_sample(void *unused)
{
    stint_tasks_add_self(1);
    spin_until_sampled(1);
    stint_tasks_remove_self();
    return unused;
}

/* Returns the time of all samples of a snapshot, which is that of its rows. */
static uint64_t time_of_a_snapshot(void)
{
    struct stint_builder builder;
    uint64_t time_ns = 0;
    stint_builder_begin(&builder);
    stint_sample_collect(&builder, 0);
    for (size_t i = 0; i < builder.rows[STINT_ROWS_SAMPLE_COUNTS].count; i++)
        time_ns += ((struct stint_sample_count *)stint_builder_row(&builder, STINT_ROWS_SAMPLE_COUNTS, i))->time_ns;
    assert_int_equal(builder.whole.sampling.time_ns, time_ns);
    stint_snapshot_free(stint_builder_end(&builder, &(struct stint_process){0}, &(struct stint_dropped){0}));
    return time_ns;
}

TEST(what_is_left_at_the_end_is_in_the_last_sample_that_had_such)
{
    enum { LEFT_NS = 7000 };
    pthread_t thread;
#ifdef __SANITIZE_THREAD__
    skip();
#endif
    start_sampling("on");
    assert_int_equal(pthread_create(&thread, NULL, have_a_sample, NULL), 0);
    pthread_join(thread, NULL);
    s_sampler->stop();
    uint64_t before_ns = time_of_a_snapshot();
    stint_unsampled_time_end(LEFT_NS, LEFT_NS);
    assert_int_equal(time_of_a_snapshot(), before_ns + LEFT_NS);
    s_sampler->reset();
    assert_int_equal(time_of_a_snapshot(), 0);
}

TEST(what_it_is_asked_for_is_checked)
{
    static const char *const wrong[] = {"", "-1", "+1", "x", "0", "12x", "10001", "wallx", "wall:", "wall:0", "wall 5"};
    char reason[256];
    s_sampler->stop(); /* nothing to be stopped */
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        reason[0] = '\0';
        assert_int_equal(s_sampler->start(wrong[i], reason, sizeof reason), STINT_ERROR_INVALID_ARGUMENT);
        assert_non_null(strstr(reason, "samples per second from 1 to 10000"));
    }
    start_sampling("wall");
    assert_int_equal(s_sampler->start("on", reason, sizeof reason), STINT_ERROR_BUSY);
    s_sampler->stop();
    start_sampling("process");
    assert_int_equal(s_sampler->info().hz, 997);
    s_sampler->stop();
}

TEST(one_library_of_the_same_version_may_use_it)
{
    struct stint_sampler_host other = s_host;
    assert_null(stint_sampler(&other));
    assert_ptr_equal(stint_sampler(&s_host), s_sampler);
    other.version++;
    assert_null(stint_sampler(&other));
}

static int lines_of(const char *path, intmax_t *pid, intmax_t *ns)
{
    int lines = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fscanf(file, "%jd %jd\n", pid, ns) == 2)
        lines++;
    fclose(file);
    return lines;
}

TEST(who_ends_without_a_report_leaves_one_line)
{
    char path[] = "unsampled.XXXXXX";
    intmax_t pid, ns;
    assert_true(mkstemp(path) >= 0);
    s_sampler->end(); /* nothing is sampled */
    setenv(STINT_SAMPLER_UNSAMPLED, path, 1);
    start_sampling("1");
    s_sampler->end();
    s_sampler->end();
    assert_int_equal(lines_of(path, &pid, &ns), 1);
    assert_int_equal(pid, getpid());
    assert_in_range(ns, 1, UINT64_C(10000000000));
    s_sampler->reset();
    s_sampler->end();
    assert_int_equal(lines_of(path, &pid, &ns), 2);
    s_sampler->stop();
    s_sampler->end();
    assert_int_equal(lines_of(path, &pid, &ns), 2);
    unsetenv(STINT_SAMPLER_UNSAMPLED);
    assert_int_equal(unlink(path), 0);
}

TEST(stop_waits_for_samples_that_are_taken)
{
#ifdef __SANITIZE_THREAD__
    skip();
#endif
    start_sampling("wall:1000");
    pthread_t thread = thread_in_a_sample(NULL);
    s_sampler->stop();
    int finished = is_set(&s_finished);
    set(&s_goes_on);
    pthread_join(thread, NULL);
    assert_true(finished);
}

TEST(thread_goes_on_however_long_samples_take)
{
#ifdef __SANITIZE_THREAD__
    skip();
#endif
    s_slow = MOST_SLOW;
    start_sampling("wall:10000");
    for (volatile int i = 0; i < 1000000; i = i + 1)
        continue;
    s_sampler->stop();
    int left = s_slow;
    s_slow = 0;
    assert_in_range(left, MOST_SLOW / 4, MOST_SLOW);
}

static void *wait_for_end(void *end)
{
    sem_wait(end);
    return NULL;
}

TEST(threads_have_fewer_samples_each_the_more_there_are)
{
    enum { THREADS = 200, PERIOD_NS = 1000000 };
    static pthread_t s_threads[THREADS];
    struct itimerspec left, most = {{0, 0}, {0, 0}};
    sem_t end;
#ifdef __SANITIZE_THREAD__
    skip();
#endif
    sem_init(&end, 0, 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&s_threads[i], NULL, wait_for_end, &end), 0);
    start_sampling("wall:1000");
    for (int i = 0; i < 100; i++) {
        const struct stint_task *task = stint_task_at((uint32_t)i);
        stint_task_go_on(task);
        if (!syscall(SYS_timer_gettime, task->timer, &left) && left.it_value.tv_nsec > most.it_value.tv_nsec)
            most = left;
    }
    s_sampler->stop();
    for (int i = 0; i < THREADS; i++)
        sem_post(&end);
    for (int i = 0; i < THREADS; i++)
        pthread_join(s_threads[i], NULL);
    assert_in_range(most.it_value.tv_nsec, 2 * PERIOD_NS, 5 * PERIOD_NS);
}

/* The system maps libraries and stacks of others below what the limit was when the program began. */
TEST(stack_of_main_does_not_grow_with_its_limit)
{
    struct rlimit before, limit;
    assert_int_equal(getrlimit(RLIMIT_STACK, &before), 0);
    limit = before;
    limit.rlim_cur = limit.rlim_max < (rlim_t)1 << 44 ? limit.rlim_max : (rlim_t)1 << 44;
    assert_int_equal(setrlimit(RLIMIT_STACK, &limit), 0);
    start_sampling("1");
    assert_int_equal(setrlimit(RLIMIT_STACK, &before), 0);
    for (uint32_t i = 0; i < stint_task_count(); i++)
        if (stint_task_at(i)->tid == getpid())
            assert_in_range(stint_task_at(i)->walk.stack.high - stint_task_at(i)->walk.stack.low, 0, 64 << 20);
    s_sampler->stop();
}

/* ------------------------------------------------------------------------------------------------------ sandboxes */

#ifdef __x86_64__

static volatile int s_seen;

/* Of a sandbox that answers some system calls itself. */
static void answer(int number, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    s_seen++;
    registers[REG_RAX] = info->si_syscall == SYS_gettid ? getpid() : -EPERM;
}

static int begin_sandbox(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_gettid, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_gettime, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
    };
    struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
    struct sigaction action = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO};
    return sigaction(SIGSYS, &action, NULL) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* Returns the status of a child that is sampled in a sandbox. */
static int sandboxed(const char *how)
{
    pid_t child = fork();
    int status = -1;
    if (child == 0) {
        start_sampling(how);
        for (volatile int i = 0; i < 50000000; i = i + 1)
            continue; /* a clock that is behind what it was is wrong in another way than one that never went */
        if (begin_sandbox())
            _exit(77);
        while (s_seen < 20)
            continue;
        _exit(stint_sampler_info().time_ns < UINT64_C(1000000000) * 1000 ? 0 : 1);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

TEST(sandbox_may_answer_system_calls)
{
#if defined __SANITIZE_THREAD__ || defined __SANITIZE_ADDRESS__
    skip(); /* they make system calls of their own */
#endif
    int status = sandboxed("wall:1000");
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        skip();
    assert_int_equal(status, 0);
    assert_int_equal(sandboxed("on"), 0);
}

#endif
