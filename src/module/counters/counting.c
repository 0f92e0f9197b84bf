/* Counts what libstint passes on; see stat/counting.h. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/env.h"
#include "base/log.h"
#include "counters/counted_device.h"
#include "counters/counter_rows.h"
#include "counters/kernel_choice.h"
#include "counters/kernel_shape.h"
#include "counters/replay_room.h"
#include "counters/replay_watch.h"
#include "counters/worker.h"
#include "import/cxx_name.h"

enum { MOST_RUNS = 1000, PATH_SIZE = 1024, PATIENCE_S = 10 };

struct kernel {
    const char *symbol;
    const char *name; /* as in the source */
    uint64_t launches;
};

/* Under the lock, which a thread that launches a kernel holds from the call's beginning to its end: meanwhile no other
 * kernel may be launched in the context. */
static struct {
    pthread_mutex_t lock;
    struct stint_counting_host host;
    struct stint_kernel_choice choice;
    struct stint_counted_device device;
    struct stint_kernel_names names;
    struct stint_arena arena;
    struct stint_array kernels; /* struct kernel */
    struct stint_counter_rows rows;
} s_counting = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The kernel that the calling thread launches. */
static _Thread_local struct {
    int is_locked;
    struct stint_range_session *session; /* NULL: it is not counted */
    struct kernel *kernel;
    struct stint_kernel_shape shape;
} tl_launch;

/* ------------------------------------------------------------------------------------------------------------- rows */

static void add_row(const char *name, const char *metric, double value)
{
    stint_counter_rows_add(&s_counting.rows, STINT_COUNTER_SET, name, metric, value);
}

static void skip(const char *kernel, const char *why)
{
    char text[STINT_COUNTED_REASON + 16];
    (void)snprintf(text, sizeof text, STINT_COUNTER_SKIPPED "%s", why);
    add_row(kernel, text, 1);
}

/* ---------------------------------------------------------------------------------------------------------- scopes */

/* Writes "outer/inner". */
static size_t write_path(char *out, size_t size, uint32_t path, int depth)
{
    enum { MOST_DEPTH = 64 };
    uint32_t parent;
    const char *name = depth < MOST_DEPTH ? s_counting.host.scope(path, &parent) : NULL;
    size_t used = name ? write_path(out, size, parent, depth + 1) : 0;
    if (!name)
        return 0;
    int length = snprintf(out + used, size - used, "%s%s", used ? "/" : "", name);
    used += length > 0 ? (size_t)length : 0;
    return used < size ? used : size - 1;
}

static int is_in_scope(uint32_t path)
{
    uint32_t parent;
    for (const char *name; (name = s_counting.host.scope(path, &parent)); path = parent)
        if (stint_kernel_is_among(s_counting.choice.scopes, name))
            return 1;
    return !s_counting.choice.scopes;
}

/* ---------------------------------------------------------------------------------------------------------- kernels */

/* Returns NULL without memory. */
static struct kernel *find_kernel(const char *symbol)
{
    struct kernel *kernels = s_counting.kernels.items;
    for (size_t i = 0; i < s_counting.kernels.count; i++)
        if (strcmp(kernels[i].symbol, symbol) == 0)
            return &kernels[i];
    struct kernel *kernel = stint_array_add(&s_counting.kernels, &s_counting.arena, sizeof *kernel);
    const char *copy = stint_arena_copy(&s_counting.arena, symbol, strlen(symbol));
    if (!kernel || !copy)
        return NULL;
    *kernel = (struct kernel){.symbol = copy, .name = stint_kernel_name(&s_counting.names, copy)};
    return kernel;
}

static int is_chosen(const struct kernel *kernel, uint32_t path)
{
    return kernel->launches >= s_counting.choice.first && kernel->launches <= s_counting.choice.last &&
           stint_kernel_is_among(s_counting.choice.kernels, kernel->name) && is_in_scope(path);
}

/* ---------------------------------------------------------------------------------------------------------- session */

/* Other runs of the program would say the same. */
static int is_first_run(void)
{
    return s_counting.device.run <= 1;
}

static void note_absent(void)
{
    const struct stint_counter_plan *plan = &s_counting.device.plan;
    char text[STINT_COUNTED_REASON];
    if (!is_first_run())
        return;
    for (size_t i = 0; i < plan->absent.count; i++)
        add_row(STINT_COUNTER_ABSENT, ((const char **)plan->absent.items)[i], 1);
    for (size_t i = 0; i < plan->unsplit.count; i++) {
        (void)snprintf(text, sizeof text, STINT_COUNTER_WIDE "%s", ((const char **)plan->unsplit.items)[i]);
        add_row(STINT_COUNTER_ABSENT, text, 1);
    }
}

static struct stint_range_session *find_session(void *context)
{
    int was_planned = s_counting.device.is_planned;
    struct stint_range_session *session = stint_counted_session(&s_counting.device, context);
    if (!was_planned)
        note_absent();
    return session;
}

/* ------------------------------------------------------------------------------------------------------------ count */

static const char s_graph[] = "kernels of CUDA graphs are not replayed one by one";
static const char s_captured[] = "it is captured into a CUDA graph, and runs when that is launched";

/* The beginning of a launch, as the worker gets it. */
struct start {
    const struct stint_counted_call *call;
    struct stint_range_session *session; /* NULL: the kernel is not counted */
    struct stint_kernel_shape *shape;
    char why[STINT_COUNTED_REASON];
};

static void start_session(void *argument)
{
    struct start *start = argument;
    struct stint_range_session *session = find_session(start->call->context);
    if (!session) {
        (void)snprintf(start->why, sizeof start->why, "%s", s_counting.device.reason);
        return;
    }
    stint_kernel_shape(start->shape, start->call);
    if (s_counting.device.plan.schedule.passes > 1 && stint_replay_room(start->why, sizeof start->why))
        return;
    if (stint_range_begin(session, &s_counting.device.plan))
        stint_range_explain(&s_counting.device.api, start->why, sizeof start->why);
    else
        start->session = session;
}

static const char *refuse(const struct stint_counted_call *call)
{
    if (call->is_captured)
        return s_counting.device.run ? s_captured : s_graph;
    if (!call->symbol)
        return s_counting.device.run ? NULL : s_graph;
    return stint_kernel_waits(call->symbol);
}

static void begin_kernel(struct kernel *kernel, const struct stint_counted_call *call)
{
    struct start start = {.call = call, .shape = &tl_launch.shape};
    const char *refused = refuse(call);
    if (refused) {
        skip(kernel->name, refused);
        return;
    }
    stint_replay_watch_begin(kernel->name);
    if (stint_worker_run(s_counting.host.begin_thread, start_session, &start, call->context))
        skip(kernel->name, "there is no thread to count it");
    else if (!start.session)
        skip(kernel->name, start.why);
    if (!start.session)
        stint_replay_watch_end();
    tl_launch.session = start.session;
    tl_launch.kernel = kernel;
}

/* Keeps the lock: what another thread launches meanwhile, counted or not, would run within this kernel's range. */
static void begin(const struct stint_counted_call *call)
{
    if (!tl_launch.is_locked) /* else the end of the launch before was not told */
        pthread_mutex_lock(&s_counting.lock);
    tl_launch.is_locked = 1;
    struct kernel *kernel = find_kernel(call->symbol ? call->symbol : STINT_COUNTER_GRAPH);
    if (kernel)
        kernel->launches++;
    if (kernel && is_chosen(kernel, call->path))
        begin_kernel(kernel, call);
}

/* A value that is not a number, such as a ratio to nothing, is left out. */
static void add_values(const char *set, const char *name)
{
    const char *const *metrics = s_counting.device.plan.names.items;
    for (size_t i = 0; i < s_counting.device.plan.names.count; i++)
        if (isfinite(s_counting.device.values[i]))
            stint_counter_rows_add(&s_counting.rows, set, name, metrics[i], s_counting.device.values[i]);
}

static void add_shape(const char *name)
{
    if (!is_first_run())
        return;
    for (size_t i = 0; i < tl_launch.shape.count; i++)
        add_row(name, tl_launch.shape.values[i].metric, tl_launch.shape.values[i].value);
    if (s_counting.device.run)
        add_row(name, STINT_COUNTER_RUNS, (double)s_counting.device.plan.runs);
    else
        add_row(name, "profiler__replayer_passes", (double)s_counting.device.plan.schedule.passes);
}

struct finish {
    struct stint_range_session *session;
    int failed;
    char why[STINT_COUNTED_REASON];
};

static void finish_session(void *argument)
{
    struct finish *finish = argument;
    finish->failed = stint_range_end(finish->session, &s_counting.device.plan, s_counting.device.values);
    if (finish->failed)
        stint_range_explain(&s_counting.device.api, finish->why, sizeof finish->why);
}

static void finish_kernel(const struct stint_counted_call *call)
{
    char path[PATH_SIZE];
    const struct kernel *kernel = tl_launch.kernel;
    struct finish finish = {.session = tl_launch.session};
    (void)stint_worker_run(s_counting.host.begin_thread, finish_session, &finish, call->context);
    stint_replay_watch_end();
    tl_launch.session = NULL;
    if (call->failed) {
        skip(kernel->name, "its launch failed");
    } else if (finish.failed) {
        skip(kernel->name, finish.why);
    } else {
        add_values(STINT_COUNTER_SET, kernel->name);
        add_shape(kernel->name);
        if (write_path(path, sizeof path, call->path, 0))
            add_values(STINT_COUNTER_SCOPE_SET, path);
    }
}

static void end(const struct stint_counted_call *call)
{
    if (!tl_launch.is_locked)
        return;
    if (tl_launch.session)
        finish_kernel(call);
    tl_launch.is_locked = 0;
    pthread_mutex_unlock(&s_counting.lock);
}

static void note_call(const struct stint_counted_call *call)
{
    if (call->ends)
        end(call);
    else
        begin(call);
}

/* -------------------------------------------------------------------------------------------------------- interface */

/* How many launches of a kernel there were, of which some were not to be counted. */
static void put_launches(stint_counting_put_fn *put, void *context)
{
    const struct kernel *kernels = s_counting.kernels.items;
    for (size_t i = 0; i < s_counting.kernels.count && is_first_run(); i++) {
        struct stint_nvtx_value value = {.set = STINT_COUNTER_SET,
                                         .name = kernels[i].name,
                                         .field = STINT_COUNTER_LAUNCHES,
                                         .count = 1,
                                         .sum = (double)kernels[i].launches};
        value.min = value.max = value.sum;
        if (kernels[i].launches)
            put(context, &value);
    }
}

/* A launch whose end is not told, because collecting has been stopped meanwhile, keeps the lock. Returns whether it is
 * to be unlocked: not if the calling thread has it already, or if it was not free soon. */
static int lock_soon(void)
{
    struct timespec until;
    if (tl_launch.is_locked)
        return 0;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE_S;
    return pthread_mutex_timedlock(&s_counting.lock, &until) == 0;
}

static void collect(stint_counting_put_fn *put, void *context)
{
    int is_locked = lock_soon();
    stint_counter_rows_put(&s_counting.rows, put, context);
    put_launches(put, context);
    if (is_locked)
        pthread_mutex_unlock(&s_counting.lock);
}

static void reset(void)
{
    struct kernel *kernels = s_counting.kernels.items;
    int is_locked = lock_soon();
    stint_arena_free(&s_counting.rows.arena);
    s_counting.rows = (struct stint_counter_rows){0};
    for (size_t i = 0; i < s_counting.kernels.count; i++)
        kernels[i].launches = 0;
    if (is_locked)
        pthread_mutex_unlock(&s_counting.lock);
}

/* Counting takes long, so it is not to be for nothing. */
static void check_reports(void)
{
    const char *reports = stint_env_text("STINT_REPORT");
    if (reports && (strstr(reports, "counters") || strstr(reports, "json") || strcmp(reports, "off") == 0))
        return;
    STINT_LOG(
        STINT_LOG_WARNING,
        "STINT_COUNTERS: no report that is printed at the end shows counters; set STINT_REPORT=%.200s,counters, or "
        "json",
        reports ? reports : "table");
}

__attribute__((visibility("default"))) stint_counting_open_fn stint_counting_open;

const struct stint_counting *stint_counting_open(int version, const char *metrics,
                                                 const struct stint_counting_host *host)
{
    static const struct stint_counting counting = {note_call, collect, reset};
    if (version != STINT_COUNTING_VERSION)
        return NULL;
    check_reports();
    s_counting.host = *host;
    s_counting.device.cupti = host->cupti;
    s_counting.device.wanted = metrics;
    s_counting.choice = stint_kernel_choice();
    s_counting.device.run = (size_t)stint_env_number("STINT_COUNTERS_RUN", 0, 1, MOST_RUNS);
    return &counting;
}
