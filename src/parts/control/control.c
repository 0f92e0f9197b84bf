/* Switches recording as the environment asks. If time or requests are to switch it, this is done by the thread
 * "stint-control". */

#include <link.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/process.h"
#include "control/listen.h"
#include "nvtx/handler.h"
#include "profiler/profiler.h"
#include "record/part.h"
#include "record/suspend.h"
#include "runtime/runtime.h"
#include "support/own_thread.h"

#define NS_PER_S UINT64_C(1000000000)
#define LEAST_PERIOD_NS UINT64_C(10000000)
#define LONGEST_PAUSE_NS UINT64_C(100000000) /* where the thread cannot be woken */

/* Times by CLOCK_MONOTONIC. `delay_ns`, `duration_ns` and `period_ns` are 0 if there is none. */
static struct {
    uint64_t loaded_ns;   /* the process began at this time or shortly before */
    uint64_t delay_ns;    /* STINT_DELAY */
    uint64_t duration_ns; /* STINT_DURATION */
    uint64_t begin_ns;    /* when recording begins; 0: it has begun */
    uint64_t end_ns;      /* when recording ends; 0: never, or it has ended */
    uint64_t period_ns;   /* STINT_CHECKPOINT */
    uint64_t next_ns;     /* the next checkpoint */
} s_control;

/* Preloaded or linked, the library is loaded when the process begins. Other constructors follow, and may start CUDA. */
__attribute__((constructor(101))) static void note_load(void)
{
    s_control.loaded_ns = stint_clock_now_ns();
}

/* ---------------------------------------------------------------------------------------------------------- seconds */

/* Reads seconds with or without decimals, 1e9 at most. Returns 0, or -1 for anything else. strtod is not used, because
 * its decimal point depends on the locale. */
static int parse_seconds(const char *text, uint64_t *ns)
{
    uint64_t whole = 0, fraction = 0, unit = NS_PER_S;
    const char *at = text;
    for (; *at >= '0' && *at <= '9' && whole <= NS_PER_S; at++)
        whole = 10 * whole + (uint64_t)(*at - '0');
    if (*at == '.' && at[1])
        for (++at; *at >= '0' && *at <= '9'; at++) {
            unit /= 10;
            fraction += (uint64_t)(*at - '0') * unit;
        }
    if (at == text || *at || whole > NS_PER_S)
        return -1;
    *ns = whole * NS_PER_S + fraction;
    return 0;
}

static uint64_t read_seconds(const char *name)
{
    const char *text = stint_env_text(name);
    uint64_t ns = 0;
    if (text && parse_seconds(text, &ns))
        STINT_LOG(STINT_LOG_WARNING, "%s=%.64s is not understood: expected seconds, such as 2.5; it is ignored", name,
                  text);
    return ns;
}

/* ------------------------------------------------------------------------------------------------------------- time */

/* Switches recording on between the two times, and off outside. Returns when to check again; 0: never. */
static uint64_t keep_time(uint64_t now)
{
    if (s_control.end_ns && now >= s_control.end_ns) {
        stint_suspend(STINT_SUSPENDED_DURATION, 1);
        s_control.end_ns = 0;
    }
    if (s_control.begin_ns && now >= s_control.begin_ns) {
        stint_suspend(STINT_SUSPENDED_DELAY, 0);
        s_control.begin_ns = 0;
    }
    return s_control.begin_ns ? s_control.begin_ns : s_control.end_ns;
}

static void begin_time(void)
{
    uint64_t begin = s_control.loaded_ns + s_control.delay_ns;
    s_control.begin_ns = s_control.delay_ns ? begin : 0;
    s_control.end_ns = s_control.duration_ns ? begin + s_control.duration_ns : 0;
    s_control.next_ns = s_control.period_ns ? stint_clock_now_ns() + s_control.period_ns : 0;
    stint_suspend(STINT_SUSPENDED_DELAY, s_control.delay_ns != 0);
    stint_suspend(STINT_SUSPENDED_DURATION, 0);
    (void)keep_time(stint_clock_now_ns());
}

static sem_t s_is_written;

static void *write_checkpoint(void *unused)
{
    stint_own_files(STDERR_FILENO + 1);
    stint_own_thread("stint-write");
    stint_exit_checkpoint();
    (void)sem_post(&s_is_written);
    return unused;
}

static int will_end(void)
{
    return 0;
}

static int is_cuda(struct dl_phdr_info *object, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    return strstr(object->dlpi_name, "/libcuda.so") != NULL;
}

/* Where files are opened without the program's notice, which the thread "stint-control" cannot do as long as it may
 * call CUDA, and say something on stderr. */
static void make_checkpoint(void)
{
    static struct stint_resting s_writer = {.run = write_checkpoint, .wake = will_end};
    (void)sem_init(&s_is_written, 0, 0);
    if (dl_iterate_phdr(is_cuda, NULL) || stint_detach_resting(&s_writer)) {
        stint_exit_checkpoint();
        return;
    }
    while (sem_wait(&s_is_written))
        continue;
}

/* Returns when the next checkpoint is due; 0: never. One that takes longer than the period leaves others out. */
static uint64_t keep_checkpoints(uint64_t now)
{
    if (!s_control.period_ns || now < s_control.next_ns)
        return s_control.next_ns;
    make_checkpoint();
    s_control.next_ns += ((stint_clock_now_ns() - s_control.next_ns) / s_control.period_ns + 1) * s_control.period_ns;
    return s_control.next_ns;
}

/* ----------------------------------------------------------------------------------------------------------- thread */

static uint64_t sooner(uint64_t a, uint64_t b)
{
    return a && (a < b || !b) ? a : b;
}

static void wait_until(uint64_t next)
{
    uint64_t now = stint_clock_now_ns(), left = next > now ? next - now : 0;
    if (!stint_listen_is_open() && left > LONGEST_PAUSE_NS)
        left = LONGEST_PAUSE_NS;
    struct timespec time = {(time_t)(left / NS_PER_S), (long)(left % NS_PER_S)};
    stint_listen_wait(next ? &time : NULL);
}

static struct stint_resting s_thread;

static void *control(void *unused)
{
    stint_own_thread("stint-control");
    stint_listen_open();
    while (!stint_must_rest(&s_thread)) {
        uint64_t now = stint_clock_now_ns(), next = sooner(keep_time(now), keep_checkpoints(now));
        if (!next && !stint_listen_is_open())
            return unused;
        wait_until(next);
    }
    return unused;
}

static struct stint_resting s_thread = {.run = control, .wake = stint_listen_wake};

static void make_thread(int in_child)
{
    int has_times = s_control.begin_ns || s_control.end_ns || s_control.period_ns;
    if (!has_times && !stint_listen_is_wanted())
        return;
    stint_listen_prepare(in_child);
    if (!(has_times ? stint_detach_resting(&s_thread) : stint_detach_delayed(&s_thread)))
        return;
    STINT_LOG(STINT_LOG_WARNING, "cannot create a thread: STINT_DELAY, STINT_DURATION, STINT_CHECKPOINT and "
                                 "STINT_CONTROL are ignored");
    stint_suspend(STINT_SUSPENDED_DELAY, 0);
}

/* ------------------------------------------------------------------------------------------------------------ start */

static void read_window(void)
{
    const char *text = stint_env_text("STINT_WINDOW");
    struct stint_window window;
    if (!text)
        return;
    if (strchr(text, ':') && !stint_window_parse(&window, text))
        stint_activation_record_window(&window);
    else if (stint_nvtx_window_set(text))
        STINT_LOG(STINT_LOG_WARNING,
                  "STINT_WINDOW=%.64s is not understood: expected an NVTX range, name or name@domain, or iterations, "
                  "first:count, such as 10:3; everything is recorded",
                  text);
}

static void read_period(void)
{
    uint64_t ns = read_seconds("STINT_CHECKPOINT");
    if (ns && !stint_output_is_file()) {
        STINT_LOG(STINT_LOG_WARNING, "STINT_CHECKPOINT is ignored: name a file in STINT_OUTPUT");
        return;
    }
    s_control.period_ns = ns && ns < LEAST_PERIOD_NS ? LEAST_PERIOD_NS : ns;
}

static void start(void)
{
    read_window();
    s_control.delay_ns = read_seconds("STINT_DELAY");
    s_control.duration_ns = read_seconds("STINT_DURATION");
    read_period();
    begin_time();
    stint_listen_start();
}

static void run(int in_child)
{
    if (!in_child)
        stint_budget_start();
    make_thread(in_child);
}

/* The delay and the duration start again. */
static void after_fork_in_child(void)
{
    stint_listen_after_fork();
    s_control.loaded_ns = stint_clock_now_ns();
    begin_time();
}

STINT_PART(control) = {
    .name = "control",
    .at[STINT_AT_START] = start,
    .run = run,
    .at[STINT_IN_CHILD] = after_fork_in_child,
    .at[STINT_AT_END] = stint_listen_end,
};
