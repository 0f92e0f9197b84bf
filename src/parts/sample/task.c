/* A timer for each thread of the process, on its own CPU clock or on the clock on the wall. Threads are found as they
 * begin, or by reading /proc; what a sample stands for is the time since the thread's last one. */
#include "sample/sampling.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "sample/call_tree.h"
#include "sample/walk.h"
#include "support/own_thread.h"

#define NS_PER_S UINT64_C(1000000000)

enum { NS_PER_US = 1000 };
enum { MOST_TASKS = 1 << 13, MOST_KEPT = 1 << 8, HASHES = 1 << 10 };

static struct {
    struct stint_task *tasks;
    uint32_t count;          /* that were ever used */
    uint32_t free;           /* number + 1 */
    uint32_t kept;           /* of threads that have ended */
    uint32_t hashes[HASHES]; /* of tids: number + 1 */
    struct stint_task_plan plan;
    uint64_t refused;
    uint64_t random;
    int has_moved;        /* timers are to send another signal than they do */
    pthread_mutex_t lock; /* of all but what handlers use */
} s_tasks = {.lock = PTHREAD_MUTEX_INITIALIZER};

void stint_tasks_lock(void)
{
    pthread_mutex_lock(&s_tasks.lock);
}

int stint_tasks_try_lock(void)
{
    return pthread_mutex_trylock(&s_tasks.lock) ? -1 : 0;
}

static void change_timers(void);

void stint_tasks_unlock(void)
{
    if (__atomic_exchange_n(&s_tasks.has_moved, 0, __ATOMIC_ACQ_REL))
        change_timers();
    pthread_mutex_unlock(&s_tasks.lock);
}

struct stint_task *stint_task_at(uint32_t number)
{
    return &s_tasks.tasks[number];
}

uint32_t stint_task_count(void)
{
    return __atomic_load_n(&s_tasks.count, __ATOMIC_ACQUIRE);
}

uint64_t stint_tasks_refused(void)
{
    return __atomic_load_n(&s_tasks.refused, __ATOMIC_RELAXED);
}

int stint_tasks_start(const struct stint_task_plan *plan)
{
    struct timespec now;
    if (!s_tasks.tasks) {
        void *memory = mmap(NULL, MOST_TASKS * sizeof *s_tasks.tasks, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED)
            return -1;
        s_tasks.tasks = memory;
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    s_tasks.random = (uint64_t)now.tv_nsec ^ (uint64_t)getpid() << 32;
    s_tasks.plan = *plan;
    s_tasks.plan.tick_ns = clock_getres(CLOCK_MONOTONIC_COARSE, &now) ? 0 : (uint64_t)now.tv_nsec;
    return 0;
}

struct stint_task *stint_task_of(const siginfo_t *info)
{
    const char *pointer = info->si_value.sival_ptr, *begin = (const char *)s_tasks.tasks;
    size_t offset = (size_t)(pointer - begin);
    if (info->si_code != SI_TIMER || !begin || pointer < begin || offset % sizeof(struct stint_task) ||
        offset / sizeof(struct stint_task) >= stint_task_count())
        return NULL;
    return (struct stint_task *)info->si_value.sival_ptr;
}

/* ----------------------------------------------------------------------------------------------------------- timers */

/* The system's number for the clock of a thread's CPU time. */
static clockid_t cpu_clock_of(int64_t tid)
{
    enum { OF_A_THREAD = 4, SCHEDULED = 2 };

    return (clockid_t)(~(uint32_t)tid << 3 | OF_A_THREAD | SCHEDULED);
}

static uint64_t random_below(uint64_t limit)
{
    s_tasks.random = stint_hash_mix(s_tasks.random, 0);
    return s_tasks.random % limit;
}

static struct timespec span(uint64_t ns)
{
    return (struct timespec){(time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S)};
}

/* Of the time that passes. Signals of very many threads would leave no time for anything else. */
static uint64_t period_ns(void)
{
    enum { MANY_TASKS = 64 };
    return s_tasks.plan.period_ns * (1 + stint_task_count() / MANY_TASKS);
}

/* A timer of CPU time sends a signal at every tick that finds the thread running. The first signal of others comes at
 * a random time of the first period; each sets the time of the next. */
static struct itimerspec times(void)
{
    return s_tasks.plan.wall ? (struct itimerspec){{0, 0}, span(1 + random_below(period_ns()))}
                             : (struct itimerspec){span(NS_PER_US), span(1)};
}

/* Only now, so that the thread does something between two signals, however long they take. */
void stint_task_go_on(const struct stint_task *task)
{
    struct itimerspec next = {{0, 0}, span(period_ns())};
    if (s_tasks.plan.wall)
        (void)syscall(SYS_timer_settime, task->timer, 0, &next, NULL);
}

/* glibc's own functions cannot be used: they know no clock of another thread. */
static int start_timer(struct stint_task *task)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = s_tasks.plan.signal};
    struct itimerspec begin = times();
    event.sigev_value.sival_ptr = task;
    event._sigev_un._tid = (pid_t)task->tid;
    if (syscall(SYS_timer_create, s_tasks.plan.wall ? CLOCK_MONOTONIC : cpu_clock_of(task->tid), &event, &task->timer))
        return -1;
    if (syscall(SYS_timer_settime, task->timer, 0, &begin, NULL) == 0)
        return 0;
    (void)syscall(SYS_timer_delete, task->timer);
    return -1;
}

/* A timer that cannot be started is found by the next scan, as if its thread had exited. */
static void change_timers(void)
{
    for (uint32_t i = 0; i < s_tasks.count; i++)
        if (s_tasks.tasks[i].tid) {
            (void)syscall(SYS_timer_delete, s_tasks.tasks[i].timer);
            (void)start_timer(&s_tasks.tasks[i]);
        }
}

/* The lock may be the calling thread's own, when it is in a handler. */
void stint_tasks_use_signal(int signal)
{
    enum { TRIES = 100 };
    struct timespec moment = {0, 100000};

    __atomic_store_n(&s_tasks.plan.signal, signal, __ATOMIC_RELEASE);
    __atomic_store_n(&s_tasks.has_moved, 1, __ATOMIC_RELEASE);
    for (int i = 0; i < TRIES; i++) {
        if (!stint_tasks_try_lock()) {
            stint_tasks_unlock();
            return;
        }
        nanosleep(&moment, NULL);
    }
}

/* Whether the timer's thread has exited, even if another one has got its number. A timer of CPU time is then disarmed.
 * Timers of time that passes go on. */
static int is_dead(const struct stint_task *task)
{
    struct itimerspec times;
    return !s_tasks.plan.wall &&
           (syscall(SYS_timer_gettime, task->timer, &times) || (!times.it_value.tv_sec && !times.it_value.tv_nsec));
}

/* ------------------------------------------------------------------------------------------------------------- time */

static uint64_t read_clock(clockid_t clock)
{
    struct timespec now;
    return clock_gettime(clock, &now) ? 0 : (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/* Notes what the calling thread has used since it was last asked. */
static void note_cpu(struct stint_task *task)
{
    uint64_t cpu_ns = read_clock(CLOCK_THREAD_CPUTIME_ID);
    if (cpu_ns > task->cpu_ns) { /* a sandbox may forbid to read the clock */
        task->rest_ns += cpu_ns - task->cpu_ns;
        task->cpu_ns = cpu_ns;
    }
}

/* A sample stands for the CPU time since the one before. */
static uint64_t time_of_tick(struct stint_task *task)
{
    note_cpu(task);
    if (task->is_new)
        task->rest_ns += stint_unsampled_time_take();
    return task->rest_ns;
}

static uint64_t time_that_passed(struct stint_task *task)
{
    uint64_t before_ns = task->wall_ns;
    task->wall_ns = read_clock(CLOCK_MONOTONIC);
    return task->wall_ns > before_ns ? task->wall_ns - before_ns : 0;
}

uint64_t stint_task_time(struct stint_task *task)
{
    const struct stint_task_plan *plan = &s_tasks.plan;
    if (plan->wall)
        return time_that_passed(task);
    uint64_t time_ns = time_of_tick(task);
    if (time_ns + plan->tick_ns / 2 < plan->period_ns)
        return 0; /* fewer samples are asked for than there are ticks */
    task->rest_ns = 0;
    return time_ns;
}

void stint_task_pass_over(struct stint_task *task)
{
    uint64_t rest_ns = task->rest_ns;
    if (s_tasks.plan.wall)
        (void)time_that_passed(task);
    else
        note_cpu(task);
    task->rest_ns = rest_ns;
}

/* ------------------------------------------------------------------------------------------------------------ tasks */

static uint32_t *hash_of(int64_t tid)
{
    return &s_tasks.hashes[(uint64_t)tid % HASHES];
}

static struct stint_task *find_task(int64_t tid)
{
    uint32_t at = *hash_of(tid);
    while (at && s_tasks.tasks[at - 1].tid != tid)
        at = s_tasks.tasks[at - 1].next;
    return at ? &s_tasks.tasks[at - 1] : NULL;
}

/* Returns a task that nobody uses, with a node; NULL: there are too many. */
static struct stint_task *take_free(void)
{
    uint32_t number = s_tasks.free;
    if (number) {
        s_tasks.free = s_tasks.tasks[number - 1].next;
        return &s_tasks.tasks[number - 1];
    }
    if (s_tasks.count == MOST_TASKS)
        return NULL;
    struct stint_task *task = &s_tasks.tasks[s_tasks.count];
    task->latest = 0; /* its page is written first, which costs one fault instead of two */
    task->root = stint_call_tree_child(0, STINT_CALL_TASK, s_tasks.count, &task->latest);
    if (!task->root)
        return NULL;
    __atomic_store_n(&s_tasks.count, s_tasks.count + 1, __ATOMIC_RELEASE);
    return task;
}

static void give_back(struct stint_task *task)
{
    __atomic_store_n(&task->tid, 0, __ATOMIC_RELEASE);
    task->ended_tid = 0;
    task->name[0] = '\0';
    task->next = s_tasks.free;
    s_tasks.free = (uint32_t)(task - s_tasks.tasks) + 1;
}

static void link_task(struct stint_task *task)
{
    uint32_t *first = hash_of(task->tid);
    task->next = *first;
    *first = (uint32_t)(task - s_tasks.tasks) + 1;
}

static void unlink_task(const struct stint_task *task)
{
    uint32_t number = (uint32_t)(task - s_tasks.tasks) + 1, *at = hash_of(task->tid);
    while (*at && *at != number)
        at = &s_tasks.tasks[*at - 1].next;
    if (*at)
        *at = task->next;
}

/* `stack` is that of the thread, as far as known. */
static void add_task(int64_t tid, int is_found, int is_new, struct stint_stack stack)
{
    struct stint_task *task = take_free();
    if (!task) {
        __atomic_add_fetch(&s_tasks.refused, 1, __ATOMIC_RELAXED);
        return;
    }
    task->walk.stack = stack;
    task->is_found = is_found;
    task->is_seen = 1;
    task->is_new = is_new;
    task->scope_node = 0;
    task->wait.state = 0;
    task->rest_ns = 0;
    task->wall_ns = read_clock(CLOCK_MONOTONIC);
    task->begin_ns = task->cpu_ns = is_new ? 0 : read_clock(cpu_clock_of(tid));
    __atomic_store_n(&task->tid, tid, __ATOMIC_RELEASE);
    if (start_timer(task)) {
        if (errno != ESRCH && errno != EINVAL) /* else it has just exited */
            __atomic_add_fetch(&s_tasks.refused, 1, __ATOMIC_RELAXED);
        give_back(task);
        return;
    }
    link_task(task);
}

/* The task's timer is deleted. Samples of the first threads stay their own, those of others become one sum. */
static void end_task(struct stint_task *task)
{
    unlink_task(task);
    if (!task->is_new && s_tasks.kept < MOST_KEPT) {
        s_tasks.kept++;
        task->ended_tid = task->tid;
        __atomic_store_n(&task->tid, 0, __ATOMIC_RELEASE);
        return;
    }
    stint_call_tree_retire(task->latest);
    give_back(task);
}

/* Its thread has ended without a word about what it used since its last sample. */
static void remove_task(struct stint_task *task)
{
    (void)syscall(SYS_timer_delete, task->timer);
    stint_unsampled_time_end(task->cpu_ns - task->begin_ns - task->rest_ns, 0);
    end_task(task);
}

void stint_tasks_add_self(int is_new)
{
    int64_t tid = syscall(SYS_gettid);
    struct stint_stack stack = stint_own_stack();
    stint_tasks_lock();
    struct stint_task *task = find_task(tid);
    if (task && is_dead(task)) { /* another thread had the same number */
        remove_task(task);
        task = NULL;
    }
    if (task)
        task->is_found = 0; /* the scan was faster */
    else
        add_task(tid, 0, is_new, stack);
    stint_wait_know_self(find_task(tid), tid);
    stint_tasks_unlock();
}

void stint_tasks_remove_self(void)
{
    stint_tasks_lock();
    struct stint_task *task = find_task(syscall(SYS_gettid));
    if (task) {
        (void)syscall(SYS_timer_delete, task->timer);
        note_cpu(task); /* no signal comes between */
        stint_unsampled_time_end(task->cpu_ns - task->begin_ns, task->rest_ns);
        (void)prctl(PR_GET_NAME, task->name);
        end_task(task);
    }
    stint_tasks_unlock();
}

/* ------------------------------------------------------------------------------------------------------------- scan */

static void see_thread(void *are_new, int64_t tid)
{
    struct stint_task *task = find_task(tid);
    if (task && is_dead(task)) {
        remove_task(task);
        task = NULL;
    }
    if (task)
        task->is_seen = 1;
    else
        add_task(tid, 1, *(const int *)are_new, (struct stint_stack){0, 0});
}

/* Compares what threads have said with what the process has used. Who goes on meanwhile makes it less. */
static void compare(int are_new)
{
    uint64_t process_ns = read_clock(CLOCK_PROCESS_CPUTIME_ID), alive_ns = 0;
    for (uint32_t i = 0; i < s_tasks.count; i++) {
        const struct stint_task *task = &s_tasks.tasks[i];
        uint64_t cpu_ns = task->tid ? read_clock(cpu_clock_of(task->tid)) : 0;
        if (task->tid && !cpu_ns)
            return; /* it has just exited */
        alive_ns += task->tid ? cpu_ns - task->begin_ns : 0;
    }
    if (are_new)
        stint_unsampled_time_compare(process_ns, alive_ns);
    else
        stint_unsampled_time_begin(process_ns - alive_ns);
}

/* A thread that was added by itself may not be listed any more while it ends, and then removes itself. */
void stint_tasks_scan(int are_new)
{
    stint_tasks_lock();
    for (uint32_t i = 0; i < s_tasks.count; i++)
        s_tasks.tasks[i].is_seen = 0;
    int failed = stint_each_thread(see_thread, &are_new);
    for (uint32_t i = 0; i < s_tasks.count && !failed; i++) {
        struct stint_task *task = &s_tasks.tasks[i];
        if (task->tid && !task->is_seen && task->is_found)
            remove_task(task);
    }
    if (!s_tasks.plan.wall && !s_tasks.refused)
        compare(are_new);
    stint_tasks_unlock();
}

void stint_tasks_begin_alone(void)
{
    stint_tasks_lock();
    if (!s_tasks.plan.wall && !s_tasks.refused)
        compare(0);
    stint_tasks_unlock();
}

/* `are_unused`: no handler uses a task. Else others may not have them. */
static void forget(int are_unused)
{
    for (uint32_t i = 0; i < s_tasks.count; i++) {
        struct stint_task *task = &s_tasks.tasks[i];
        if (!task->tid)
            continue;
        stint_call_tree_retire(task->latest);
        if (are_unused)
            give_back(task);
        else
            __atomic_store_n(&task->tid, 0, __ATOMIC_RELEASE);
    }
    memset(s_tasks.hashes, 0, sizeof s_tasks.hashes);
}

void stint_tasks_stop(void)
{
    stint_tasks_lock();
    for (uint32_t i = 0; i < s_tasks.count; i++)
        if (s_tasks.tasks[i].tid)
            (void)syscall(SYS_timer_delete, s_tasks.tasks[i].timer);
    forget(stint_loaded_wait() == 0);
    stint_tasks_unlock();
}

/* Timers are not inherited. */
void stint_tasks_after_fork(void)
{
    pthread_mutex_init(&s_tasks.lock, NULL);
    forget(1);
    for (uint32_t i = 0; i < s_tasks.count; i++)
        if (s_tasks.tasks[i].ended_tid)
            give_back(&s_tasks.tasks[i]);
    s_tasks.kept = 0;
    s_tasks.refused = 0;
    stint_unsampled_time_begin(0);
}
