/* Counts nested activations of all threads, and has CUDA's profiler switched on with the first and off with the last,
 * or by iterations. Nesting is a counter; only the way from and to 0 takes the lock and calls CUDA. */
#include "profiler/profiler.h"

#include <pthread.h>

#include "base/log.h"
#include "base/process.h"
#include "record/registry.h"
#include "record/suspend.h"

/* Held during a transition, including CUDA's call, so that no thread is inside a window before it is open. */
static pthread_mutex_t s_transition = PTHREAD_MUTEX_INITIALIZER;
static struct stint_window s_window;
static uint64_t s_next; /* iteration */
static int s_on;        /* cudaProfilerStop is due */
static struct {
    int given;
    struct stint_window window;
} s_recorded; /* iterations */

/* Activations of all threads. Changes from and to 0 are made only under the lock, all others without it. */
static uint64_t s_depth;

static enum stint_status s_status;
static int s_code;

/* The calling thread is in a transition, so the caller is a signal handler or CUDA itself. */
static STINT_I_THREAD_LOCAL int tl_inside __attribute__((tls_model("initial-exec")));

/* The child does not end what the parent began, because CUDA does not survive a fork. A fork does not wait for a
 * transition, because CUDA may take long; if another thread held the lock, it does not exist in the child to release
 * it. */
static void after_fork_in_child(void)
{
    s_on = 0;
    s_next = 0;
    if (!tl_inside)
        pthread_mutex_init(&s_transition, NULL);
}

/* ------------------------------------------------------------------------------------------------------ transitions */

static void start(void)
{
    const char *text = stint_env_text("STINT_PROFILE_WINDOW");
    if (text && stint_window_parse(&s_window, text))
        STINT_LOG(STINT_LOG_WARNING,
                  "STINT_PROFILE_WINDOW=%.64s is not understood: expected first:count, such as 10:3; everything is "
                  "profiled",
                  text);
    (void)pthread_atfork(NULL, NULL, after_fork_in_child);
}

/* Returns 1, or 0 in a signal handler that interrupted a transition of its thread. */
static int enter(void)
{
    static pthread_once_t s_once = PTHREAD_ONCE_INIT;
    if (tl_inside)
        return 0;
    tl_inside = 1;
    pthread_once(&s_once, start);
    pthread_mutex_lock(&s_transition);
    return 1;
}

static void leave(void)
{
    pthread_mutex_unlock(&s_transition);
    tl_inside = 0;
}

/* The log says once per process why nothing is profiled, and what would help. */
static void warn(enum stint_status status, int code, const struct stint_activation *activation)
{
    static int s_warned;
    if (__atomic_exchange_n(&s_warned, 1, __ATOMIC_RELAXED))
        return;
    if (!code)
        stint_log(STINT_LOG_WARNING, activation->file, activation->line,
                  "GPU Profiler Stat: [%s] is not profiled: this program has loaded no CUDA runtime or driver. If it "
                  "uses CUDA, load it before this, or include stint/profiler.h in a file compiled by nvcc",
                  activation->name);
    else if (status == STINT_ERROR_UNAVAILABLE)
        stint_log(STINT_LOG_WARNING, activation->file, activation->line,
                  "GPU Profiler Stat: [%s] is not profiled: CUDA finds no driver or no device (code %d). See "
                  "nvidia-smi, and CUDA_VISIBLE_DEVICES",
                  activation->name, code);
    else
        stint_log(STINT_LOG_WARNING, activation->file, activation->line,
                  "GPU Profiler Stat: [%s] is not profiled correctly: CUDA failed with code %d. CUDA's "
                  "driver_types.h lists the codes",
                  activation->name, code);
}

static enum stint_status status_of(int code)
{
    switch (code) {
    case 0:
        return STINT_OK;
    case STINT_CUDA_STUB_LIBRARY:
    case STINT_CUDA_INSUFFICIENT_DRIVER:
    case STINT_CUDA_NO_DEVICE:
        return STINT_ERROR_UNAVAILABLE;
    default:
        return STINT_ERROR_CUDA;
    }
}

static void note(enum stint_status status, int code)
{
    __atomic_store_n(&s_status, status, __ATOMIC_RELAXED);
    __atomic_store_n(&s_code, code, __ATOMIC_RELAXED);
}

/* The program's next cudaGetLastError must not return an error of this call, but must return one from before it. */
static int call(const struct stint_i_cuda_runtime *runtime, int (*function)(void))
{
    int pending = runtime->peek ? runtime->peek() : 0;
    int code = function();
    if (code && !pending && runtime->clear)
        (void)runtime->clear();
    return code;
}

static enum stint_status call_cuda(int on, const struct stint_activation *activation)
{
    struct stint_i_cuda_runtime runtime;
    enum stint_status status = STINT_ERROR_UNAVAILABLE;
    int code = 0;
    if (!stint_cuda_find(&runtime)) {
        code = call(&runtime, on ? runtime.start : runtime.stop);
        status = status_of(code);
    }
    note(status, code);
    if (status)
        warn(status, code, activation);
    return status;
}

static enum stint_status switch_on(const struct stint_activation *activation)
{
    enum stint_status status = call_cuda(1, activation);
    stint_suspend_tell(1); /* also without CUDA: everything else is recorded all the same */
    if (status)
        return status;
    s_on = 1;
    stint_log(STINT_LOG_INFO, activation->file, activation->line, "Enable GPU Profiler Stat: [%s] %s", activation->name,
              activation->arguments ? stint_activation_info(activation->arguments) : activation->info);
    return STINT_OK;
}

static enum stint_status switch_off(void)
{
    static const struct stint_activation s_end = {STINT_LOG_FILE, __LINE__, "stint_profiler_stop", NULL, ""};
    stint_suspend_tell(0);
    if (!s_on)
        return STINT_OK;
    s_on = 0;
    return call_cuda(0, &s_end);
}

/* ------------------------------------------------------------------------------------------------------ activations */

/* Adds an activation to others. Returns 0 if there are none. */
static int nest(void)
{
    uint64_t depth = __atomic_load_n(&s_depth, __ATOMIC_RELAXED);
    while (depth)
        if (__atomic_compare_exchange_n(&s_depth, &depth, depth + 1, 1, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return 1;
    return 0;
}

/* Removes an activation if there are more than `least`. Returns how many there were. */
static uint64_t unnest(uint64_t least)
{
    uint64_t depth = __atomic_load_n(&s_depth, __ATOMIC_RELAXED);
    while (depth > least)
        if (__atomic_compare_exchange_n(&s_depth, &depth, depth - 1, 1, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            break;
    return depth;
}

/* Switches recording on or off, depending on whether this iteration is one of those that are recorded. */
static void record_iteration(uint64_t iteration)
{
    if (s_recorded.given)
        stint_suspend(STINT_SUSPENDED_ITERATION, !stint_window_has(&s_recorded.window, iteration));
}

static enum stint_status begin_outermost(const struct stint_activation *activation)
{
    uint64_t iteration = s_next++;
    enum stint_status status = stint_window_has(&s_window, iteration) ? switch_on(activation) : STINT_OK;
    record_iteration(iteration);
    __atomic_store_n(&s_depth, UINT64_C(1), __ATOMIC_RELEASE);
    return status;
}

enum stint_status stint_activation_begin(const struct stint_activation *activation)
{
    if (nest())
        return STINT_OK;
    if (!enter())
        return STINT_ERROR_BUSY;
    enum stint_status status = nest() ? STINT_OK : begin_outermost(activation);
    leave();
    return status;
}

static enum stint_status complain(void)
{
    static int s_logged;
    note(STINT_ERROR_NOT_STARTED, 0);
    (void)stint_count_dropped(&stint_dropped.mismatched);
    if (!__atomic_exchange_n(&s_logged, 1, __ATOMIC_RELAXED))
        STINT_LOG(STINT_LOG_WARNING, "stint_profiler_stop was called more often than stint_profiler_start");
    return STINT_ERROR_NOT_STARTED;
}

static enum stint_status end_outermost(void)
{
    switch (unnest(0)) {
    case 0:
        return complain();
    case 1:
        if (s_recorded.given)
            stint_suspend(STINT_SUSPENDED_ITERATION, 1);
        return switch_off();
    default: /* others came while we waited for the lock */
        return STINT_OK;
    }
}

enum stint_status stint_activation_end(void)
{
    if (unnest(1) > 1)
        return STINT_OK;
    if (!enter())
        return STINT_ERROR_BUSY;
    enum stint_status status = end_outermost();
    leave();
    return status;
}

static enum stint_status step(void)
{
    static const struct stint_activation s_step = {STINT_LOG_FILE, __LINE__, "stint_profiler_step", NULL, ""};
    int wanted = stint_window_has(&s_window, s_next);
    if (!__atomic_load_n(&s_depth, __ATOMIC_RELAXED))
        return begin_outermost(&s_step);
    record_iteration(s_next++);
    stint_suspend_tell(wanted);
    if (wanted == s_on)
        return STINT_OK;
    return wanted ? switch_on(&s_step) : switch_off();
}

enum stint_status stint_activation_step(void)
{
    if (!enter())
        return STINT_ERROR_BUSY;
    enum stint_status status = step();
    leave();
    return status;
}

void stint_activation_set_window(uint64_t first, uint64_t count)
{
    if (!enter())
        return;
    s_window = (struct stint_window){first, count};
    s_next = 0;
    leave();
}

void stint_activation_record_window(const struct stint_window *window)
{
    s_recorded.window = *window;
    s_recorded.given = 1;
    stint_suspend(STINT_SUSPENDED_ITERATION, 1);
}

enum stint_status stint_activation_status(void)
{
    return __atomic_load_n(&s_status, __ATOMIC_RELAXED);
}

int stint_activation_cuda_code(void)
{
    return __atomic_load_n(&s_code, __ATOMIC_RELAXED);
}
