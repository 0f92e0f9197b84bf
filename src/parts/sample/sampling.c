/* Joins the parts of the sampler: a signal comes, the stack is walked, the chain is added to the tree and the
 * sample is queued. A thread beside it looks for new threads and modules. Also what the host calls: start,
 * stop, fork, end, collect. */
#include "sample/sampling.h"

#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "sample/call_tree.h"
#include "sample/walk.h"
#include "stint/detail/api.h"
#include "support/own_thread.h"

#define NS_PER_S UINT64_C(1000000000)

enum { USUAL_HZ = 997, MOST_HZ = 10000 };

const struct stint_sampler_host *stint_sampler_host;

/* What handlers count, and others read and reset meanwhile. */
enum counter { SAMPLES, TIME_NS, LEAVES, CUT, DEEP, CROWDED, COUNTERS };

static struct {
    int on;
    int is_alone; /* processes that this one forks are not sampled */
    struct stint_task_plan plan;
    uint32_t hz;
    uint64_t began_cpu_ns; /* of the process, */
    uint64_t cpu_ns;       /* and for how long it has run since, if sampling was stopped */
    uint64_t counts[COUNTERS];
    pthread_mutex_t working; /* while the thread below works */
    sem_t wake;
    int may_look;
    int has_thread;
    char unsampled[PATH_MAX]; /* what STINT_SAMPLER_UNSAMPLED is, or "" */
    int has_ended;
} s_sampler = {.working = PTHREAD_MUTEX_INITIALIZER, .may_look = 1};

int stint_sampler_is_on(void)
{
    return __atomic_load_n(&s_sampler.on, __ATOMIC_ACQUIRE);
}

/* Wakes the thread that looks for threads and modules. Async-signal-safe. Code of a just-in-time compiler is in no
 * module, however often that is looked for: once in a pause is enough. */
static void look_again(void)
{
    if (__atomic_exchange_n(&s_sampler.may_look, 0, __ATOMIC_RELAXED))
        (void)sem_post(&s_sampler.wake);
}

static uint64_t cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static uint64_t cpu_since_begin(void)
{
    return cpu_ns() - __atomic_load_n(&s_sampler.began_cpu_ns, __ATOMIC_RELAXED);
}

/* --------------------------------------------------------------------------------------------------------- a sample */

static void count(enum counter counter, uint64_t by)
{
    __atomic_add_fetch(&s_sampler.counts[counter], by, __ATOMIC_RELAXED);
}

static void count_end(const struct stint_walk *walk, enum stint_walk_end end)
{
    if (end == STINT_WALK_DEEP)
        count(DEEP, 1);
    else if (end == STINT_WALK_CUT)
        count(walk->count > 1 ? CUT : LEAVES, 1);
}

/* Returns the node of the scope; the task's if there is no room. */
static uint32_t add_scope(struct stint_task *task, uint32_t scope)
{
    if (task->scope_node && scope == task->scope)
        return task->scope_node;
    task->links_count = 0;
    task->scope = scope;
    task->scope_node = stint_call_tree_child(task->root, STINT_CALL_SCOPE, scope, &task->latest);
    return task->scope_node;
}

/* Returns the node of a frame, the `depth`th from the outermost, below `parent`; 0: there is no room. */
static uint32_t add_frame(struct stint_task *task, size_t depth, uint32_t parent)
{
    const struct stint_walk_frame *frame = &task->walk.frames[task->walk.count - 1 - depth];
    struct stint_task_link *link = &task->links[depth];
    if (depth < task->links_count && link->address == frame->address && link->module == frame->module)
        return link->node;
    uint32_t node = stint_call_tree_child(parent, frame->module, frame->address, &task->latest);
    *link = (struct stint_task_link){frame->address, frame->module, node};
    task->links_count = node ? depth + 1 : depth;
    return node;
}

/* Adds the call chain below the scope, and returns its last node; if there is no more room, one that is
 * further out. */
static uint32_t add_chain(struct stint_task *task, uint32_t scope)
{
    uint32_t at = add_scope(task, scope), node = at ? at : task->root;
    for (size_t i = 0; at && i < task->walk.count; i++) {
        at = add_frame(task, i, node);
        node = at ? at : node;
    }
    if (!at)
        count(CROWDED, 1);
    return node;
}

/* Keeps a sample whose chain ends with the node for a recording, if there is one. */
static void keep(const struct stint_task *task, uint32_t node, uint64_t time_ns)
{
    int is_place = stint_call_tree_at(node)->module < STINT_CALL_SCOPE;
    if (stint_sampler_host->ticks)
        stint_sample_ring_add(&(struct stint_waiting_sample){.ticks = stint_sampler_host->ticks(),
                                                             .time_ns = time_ns,
                                                             .tid = task->tid,
                                                             .path = task->scope,
                                                             .chain = is_place ? node : 0});
}

static int is_unknown(const struct stint_walk *walk)
{
    for (size_t i = 0; i < walk->count; i++)
        if (walk->frames[i].module == STINT_LOADED_NOWHERE)
            return 1;
    return 0;
}

/* `interrupted` is NULL for a thread that waits. */
static void take(struct stint_task *task, const struct stint_loaded_set *set, const void *interrupted)
{
    if (!__atomic_load_n(stint_sampler_host->state, __ATOMIC_RELAXED) ||
        (interrupted && stint_sampler_host->is_own_work())) {
        stint_task_pass_over(task);
        return;
    }
    uint64_t time_ns = stint_task_time(task);
    if (!time_ns)
        return;
    enum stint_walk_end end =
        interrupted ? stint_walk(&task->walk, set, interrupted) : stint_walk_from(&task->walk, set, &task->wait.place);
    uint64_t python = interrupted ? stint_python_state() : task->wait.python;
    count_end(&task->walk, stint_python_merge(&task->python, &task->walk, end, python, stint_python_interpreter()));
    uint32_t node = add_chain(task, interrupted ? stint_sampler_host->path_now() : task->wait.path);
    stint_call_tree_count(node, 1, time_ns);
    if (task->is_new && !s_sampler.plan.wall)
        stint_unsampled_time_goes_to(node);
    task->is_new = 0;
    keep(task, node, time_ns);
    __atomic_store_n(stint_sampler_host->have_rows, 1, __ATOMIC_RELAXED);
    count(SAMPLES, 1);
    count(TIME_NS, time_ns);
    if (is_unknown(&task->walk))
        look_again(); /* it may have been loaded just now */
}

/* The signal of a timer. Who stops sampling waits until this is left, and then gives tasks to other threads. */
static void see_signal(struct stint_task *task, const void *interrupted)
{
    unsigned turn;
    const struct stint_loaded_set *set = stint_loaded_enter(&turn);
    int64_t tid = syscall(SYS_gettid);
    if (stint_sampler_is_on() && __atomic_load_n(&task->tid, __ATOMIC_ACQUIRE) == tid) {
        enum stint_wait_place place = stint_wait_interrupted(&task->wait);
        stint_wait_know_self(task, tid);
        if (place != STINT_WAIT_SEEN)
            take(task, set, place == STINT_WAIT_HERE ? NULL : interrupted);
        stint_task_go_on(task);
    }
    stint_loaded_leave(turn);
}

/* Whoever forks has the lock, and may wait for one that is held here. */
void stint_sampler_see_waits(void)
{
    unsigned turn;
    if (!s_sampler.plan.wall || !stint_sampler_is_on() || stint_tasks_try_lock())
        return;
    const struct stint_loaded_set *set = stint_loaded_enter(&turn);
    for (uint32_t i = 0; i < stint_task_count(); i++) {
        struct stint_task *task = stint_task_at(i);
        if (task->tid && stint_wait_enter(&task->wait)) {
            take(task, set, NULL);
            stint_wait_leave(&task->wait);
        }
    }
    stint_loaded_leave(turn);
    stint_tasks_unlock();
}

/* ------------------------------------------------------------------------------------------------------- the thread */

/* Where threads are seen as they begin, only those are looked for that are not made by pthread_create. */
enum { PAUSE_MS = 50, LONG_PAUSE_MS = 250 };

/* Returns whether the pause is over; else modules are to be looked for. */
static int rest(void)
{
    return stint_wait_for_post(&s_sampler.wake, stint_sampler_sees_threads() ? LONG_PAUSE_MS : PAUSE_MS) != 0;
}

static void work(int is_due)
{
    pthread_mutex_lock(&s_sampler.working);
    if (stint_sampler_is_on()) {
        stint_loaded_refresh();
        stint_python_look();
        stint_timer_signal_check();
        if (is_due) {
            stint_tasks_scan(1);
            stint_sampler_see_waits();
        }
    }
    pthread_mutex_unlock(&s_sampler.working);
}

static struct stint_resting s_thread;

static void *run(void *unused)
{
    stint_own_files(0);
    stint_sampler_host->own_thread("stint-sample");
    while (!stint_sampler_host->must_rest(&s_thread)) {
        int is_due = rest();
        work(is_due);
        if (is_due)
            __atomic_store_n(&s_sampler.may_look, 1, __ATOMIC_RELAXED);
    }
    return unused;
}

static int wake(void)
{
    return sem_post(&s_sampler.wake);
}

static struct stint_resting s_thread = {.run = run, .wake = wake};

static void start_thread(void)
{
    if (!__atomic_exchange_n(&s_sampler.has_thread, 1, __ATOMIC_ACQ_REL))
        (void)stint_sampler_host->detach(&s_thread);
}

void stint_sampler_thread_begins(void)
{
    if (stint_sampler_is_on())
        start_thread(); /* of a forked child, which begins without */
}

/* ------------------------------------------------------------------------------------------------------------- fork */

static void before_fork(void)
{
    pthread_mutex_lock(&s_sampler.working);
    stint_tasks_lock();
}

static void after_fork_in_parent(void)
{
    stint_tasks_unlock();
    pthread_mutex_unlock(&s_sampler.working);
}

static void begin_anew(void)
{
    stint_call_tree_reset();
    for (int i = 0; i < COUNTERS; i++)
        __atomic_store_n(&s_sampler.counts[i], 0, __ATOMIC_RELAXED);
    s_sampler.has_ended = 0;
    __atomic_store_n(&s_sampler.cpu_ns, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&s_sampler.began_cpu_ns, cpu_ns(), __ATOMIC_RELAXED);
}

/* The child has neither timers nor the thread, which would stop it from doing what only a process with one thread may;
 * it is started when the child starts a thread. */
static void after_fork_in_child(void)
{
    pthread_mutex_init(&s_sampler.working, NULL);
    (void)sem_init(&s_sampler.wake, 0, 0);
    s_sampler.has_thread = 0;
    if (s_sampler.is_alone) {
        s_sampler.on = 0;
        stint_sampler_host->collect_also(NULL);
    }
    stint_loaded_after_fork();
    stint_sample_ring_after_fork();
    stint_tasks_after_fork();
    stint_sampler_threads_after_fork();
    begin_anew();
    if (stint_sampler_is_on())
        stint_tasks_add_self(1);
}

/* As pthread_atfork, but not for as long as this library is loaded only (runtime/start.c). */
int __register_atfork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void), void *library); // NOLINT

/* ------------------------------------------------------------------------------------------------------ start, stop */

/* Reads "on", "process", "wall", "HZ" or "wall:HZ". Returns 0, or -1. */
static int read_how(const char *how, struct stint_task_plan *plan, uint32_t *hz)
{
    char *end;
    *hz = USUAL_HZ;
    plan->wall = strncmp(how, "wall", 4) == 0;
    if (strcmp(how, "on") != 0 && strcmp(how, "wall") != 0 && strcmp(how, STINT_SAMPLER_ALONE) != 0) {
        how += plan->wall ? 4 : 0;
        if (plan->wall && *how++ != ':')
            return -1;
        unsigned long asked = strtoul(how, &end, 10);
        if (*how < '0' || *how > '9' || *end || !asked || asked > MOST_HZ)
            return -1;
        *hz = (uint32_t)asked;
    }
    plan->period_ns = NS_PER_S / *hz;
    return 0;
}

static enum stint_status start(const char *how, char *reason, size_t size)
{
    static int s_is_registered;
    struct stint_task_plan plan = {0};
    uint32_t hz;
    if (read_how(how, &plan, &hz)) {
        (void)snprintf(reason, size, "expected on, wall, samples per second from 1 to %d, or wall:997", MOST_HZ);
        return STINT_ERROR_INVALID_ARGUMENT;
    }
    if (stint_sampler_is_on())
        return STINT_ERROR_BUSY;
    plan.signal = stint_timer_signal_take(see_signal);
    if (!plan.signal) {
        (void)snprintf(reason, size, "the program uses all real-time signals");
        return STINT_ERROR_UNAVAILABLE;
    }
    if (stint_call_tree_start() || stint_tasks_start(&plan) ||
        (stint_sampler_host->ticks && stint_sample_ring_start())) {
        (void)snprintf(reason, size, "there is not enough memory");
        return STINT_ERROR_NO_MEMORY;
    }
    const char *unsampled = stint_env_text(STINT_SAMPLER_UNSAMPLED);
    (void)snprintf(s_sampler.unsampled, sizeof s_sampler.unsampled, "%s", unsampled ? unsampled : "");
    s_sampler.is_alone = strcmp(how, STINT_SAMPLER_ALONE) == 0;
    s_sampler.plan = plan;
    s_sampler.hz = hz;
    if (!s_is_registered) {
        s_is_registered = 1;
        (void)sem_init(&s_sampler.wake, 0, 0);
        (void)__register_atfork(before_fork, after_fork_in_parent, after_fork_in_child, NULL);
    }
    pthread_mutex_lock(&s_sampler.working);
    begin_anew();
    stint_sampler_host->collect_also(stint_sample_collect);
    stint_loaded_refresh();
    stint_python_look();
    __atomic_store_n(&s_sampler.on, 1, __ATOMIC_RELEASE);
    stint_tasks_add_self(0);
    if (stint_sampler_sees_threads() && !stint_sampler_has_seen_threads())
        stint_tasks_begin_alone();
    else
        stint_tasks_scan(0);
    pthread_mutex_unlock(&s_sampler.working);
    start_thread();
    return STINT_OK;
}

static void stop(void)
{
    if (!stint_sampler_is_on())
        return;
    pthread_mutex_lock(&s_sampler.working);
    __atomic_store_n(&s_sampler.on, 0, __ATOMIC_RELEASE);
    stint_tasks_stop();
    __atomic_store_n(&s_sampler.cpu_ns, cpu_since_begin(), __ATOMIC_RELAXED);
    pthread_mutex_unlock(&s_sampler.working);
}

/* A shell that looks for a program comes here once for each folder of PATH. */
static void end(void)
{
    char line[48];
    if (s_sampler.has_ended || !s_sampler.unsampled[0] || !stint_sampler_is_on())
        return;
    s_sampler.has_ended = 1;
    int fd = open(s_sampler.unsampled, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return;
    int length = snprintf(line, sizeof line, "%ld %ju\n", (long)getpid(), (uintmax_t)cpu_since_begin());
    (void)stint_write_fd(&fd, line, (size_t)length);
    (void)close(fd);
}

static uint64_t counted(enum counter counter)
{
    return __atomic_load_n(&s_sampler.counts[counter], __ATOMIC_RELAXED);
}

struct stint_sample_info stint_sampler_info(void)
{
    return (struct stint_sample_info){
        .sampled = 1,
        .wall = s_sampler.plan.wall,
        .hz = s_sampler.hz,
        .samples = counted(SAMPLES),
        .time_ns = counted(TIME_NS),
        .cpu_ns = stint_sampler_is_on() ? cpu_since_begin() : __atomic_load_n(&s_sampler.cpu_ns, __ATOMIC_RELAXED),
        .leaves = counted(LEAVES),
        .cut = counted(CUT),
        .deep = counted(DEEP),
        .crowded = counted(CROWDED),
        .unsampled = stint_tasks_refused(),
    };
}

/* -------------------------------------------------------------------------------------------------------- recording */

static struct stint_event_chain chain_of(uint32_t chain)
{
    const struct stint_call_node *node = stint_call_tree_at(chain), *parent = stint_call_tree_at(node->parent);
    return (struct stint_event_chain){.chain = chain,
                                      .parent = parent->module < STINT_CALL_SCOPE ? node->parent : 0,
                                      .module = node->module,
                                      .address = node->address - stint_sample_bias(node->module)};
}

uint64_t stint_sample_bias(uint32_t number)
{
    return number >= STINT_PYTHON_FIRST ? 0 : stint_loaded_module(number)->bias;
}

struct stint_sample_module stint_sample_module(uint32_t number)
{
    if (number >= STINT_PYTHON_FIRST)
        return (struct stint_sample_module){
            .pid = getpid(), .path = stint_python_function(number), .build_id = STINT_SAMPLE_PYTHON};
    const struct stint_loaded_module *module = stint_loaded_module(number);
    return (struct stint_sample_module){.pid = getpid(),
                                        .path = module->path,
                                        .build_id = module->build_id,
                                        .begin = module->begin,
                                        .end = module->end,
                                        .bias = module->bias};
}

STINT_API const struct stint_sampler *stint_sampler(const struct stint_sampler_host *host);

const struct stint_sampler *stint_sampler(const struct stint_sampler_host *host)
{
    static const struct stint_sampler s_functions = {
        .start = start,
        .stop = stop,
        .reset = begin_anew,
        .end = end,
        .take = stint_sample_ring_take,
        .waiting = stint_sample_ring_waiting,
        .chain = chain_of,
        .module = stint_sample_module,
        .info = stint_sampler_info,
    };
    if (host->version != STINT_SAMPLER_VERSION || (stint_sampler_host && stint_sampler_host != host))
        return NULL;
    stint_sampler_host = host;
    return &s_functions;
}
