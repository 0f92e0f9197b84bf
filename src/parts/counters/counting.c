/* Counts what libstint passes on; see model/counting.h. */
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "base/process.h"
#include "counters/counted_device.h"
#include "counters/counter_plan.h"
#include "counters/kernel_choice.h"
#include "cxxabi/cxxabi.h"

enum { MOST_RUNS = 1000, PATH_SIZE = 1024, PATIENCE_S = 10 };

struct kernel {
    const char *symbol;
    const char *name; /* as in the source, if the program can demangle it */
    uint64_t launches;
    uint64_t before; /* launches before counting has begun */
};

/* Under the lock, which a thread that launches a kernel holds from the call's beginning to its end: meanwhile no other
 * kernel may be launched in the context. */
static struct {
    pthread_mutex_t lock;
    int is_on;
    int is_by_environment;                 /* 1: from the beginning to the end of the program */
    enum stint_status status;              /* of the last start */
    char said[STINT_COUNTED_REASON + 256]; /* its reason, or that of the last skip */
    int has_skipped;                       /* a kernel, since the last start */
    int has_counted;
    struct stint_arena asked; /* what was asked for by the program */
    struct stint_counting_host host;
    struct stint_kernel_choice choice;
    struct stint_counted_device device;
    stint_cxxabi_fn *demangle; /* NULL: the program has no C++ runtime library */
    struct stint_arena arena;
    struct stint_array kernels; /* struct kernel */
    struct stint_counter_rows rows;
} s_counting = {.lock = PTHREAD_MUTEX_INITIALIZER, .status = STINT_ERROR_NOT_STARTED};

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
    (void)snprintf(s_counting.said, sizeof s_counting.said, "%.200s: %s", kernel, why);
    s_counting.has_skipped = 1;
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
    char *text = stint_cxxabi_kernel(s_counting.demangle, symbol);
    const char *name = text ? stint_arena_copy(&s_counting.arena, text, strlen(text)) : NULL;
    free(text);
    *kernel = (struct kernel){.symbol = copy, .name = name ? name : copy};
    return kernel;
}

static int is_chosen(const struct kernel *kernel, uint32_t path)
{
    uint64_t launch = kernel->launches - kernel->before;
    return launch >= s_counting.choice.first && launch <= s_counting.choice.last &&
           stint_kernel_is_among(s_counting.choice.kernels, kernel->name) &&
           stint_scope_is_among(s_counting.choice.scopes, s_counting.host.scope, path);
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

static const char s_graph[] = "kernels of CUDA graphs are not replayed one by one: --replay-mode application counts "
                              "each launch of a graph as a whole";
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
    tl_launch.is_locked = s_counting.is_on;
    if (!s_counting.is_on) {
        pthread_mutex_unlock(&s_counting.lock);
        return;
    }
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
        s_counting.has_counted = 1;
        add_values(STINT_COUNTER_SET, kernel->name);
        add_shape(kernel->name);
        if (stint_scope_path(path, sizeof path, s_counting.host.scope, call->path))
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
        kernels[i].launches = kernels[i].before = 0;
    if (is_locked)
        pthread_mutex_unlock(&s_counting.lock);
}

/* ------------------------------------------------------------------------------------------------------ counters.h */

static int copy_text(const char **copy, const char *text)
{
    *copy = text ? stint_arena_copy(&s_counting.asked, text, strlen(text)) : NULL;
    return text && !*copy ? -1 : 0;
}

static enum stint_status choose(const struct stint_counters_options *options)
{
    struct stint_kernel_choice choice = {.first = 1, .last = UINT64_MAX};
    if (options->launches && stint_kernel_launches(&choice, options->launches))
        return STINT_ERROR_INVALID_ARGUMENT;
    stint_arena_free(&s_counting.asked);
    if (copy_text(&choice.kernels, options->kernels) || copy_text(&choice.scopes, options->scopes) ||
        copy_text(&s_counting.device.wanted, options->metrics))
        return STINT_ERROR_NO_MEMORY;
    s_counting.choice = choice;
    return STINT_OK;
}

static void try_session(void *context)
{
    (void)find_session(context);
}

static void close_session(void *session)
{
    stint_counted_close(&s_counting.device, session);
}

static void close_all(void)
{
    struct stint_counted_device *device = &s_counting.device;
    for (size_t i = 0; i < device->session_count; i++)
        (void)stint_worker_run(s_counting.host.begin_thread, close_session, &device->sessions[i],
                               device->sessions[i].context);
    stint_counted_forget(device);
}

/* Asks the device of the context that is current, if there is one. */
static enum stint_status try_device(void)
{
    int (*current)(void **context);
    void *context = NULL;
    stint_driver_function("cuCtxGetCurrent", &current);
    if (!current || current(&context) || !context)
        return STINT_OK;
    (void)stint_worker_run(s_counting.host.begin_thread, try_session, context, context);
    enum stint_status status = s_counting.device.status;
    if (!status)
        return STINT_OK;
    (void)snprintf(s_counting.said, sizeof s_counting.said, "%s", s_counting.device.reason);
    close_all();
    return status;
}

static enum stint_status say(enum stint_status status, const char *why)
{
    (void)snprintf(s_counting.said, sizeof s_counting.said, "%s", why);
    return status;
}

static enum stint_status start_now(const struct stint_counters_options *options)
{
    struct kernel *kernels = s_counting.kernels.items;
    enum stint_status status = choose(options);
    if (status == STINT_ERROR_INVALID_ARGUMENT)
        return say(status, "launches are not understood: expected a number, such as 3, a range, such as 2-5, or all");
    if (status)
        return say(status, "there is no memory");
    *s_counting.said = '\0';
    s_counting.has_skipped = s_counting.has_counted = 0;
    s_counting.device.is_strict = 1;
    for (size_t i = 0; i < s_counting.kernels.count; i++)
        kernels[i].before = kernels[i].launches;
    return try_device();
}

static enum stint_status start(const struct stint_counters_options *options)
{
    if (s_counting.is_by_environment)
        return STINT_OK;
    if (!lock_soon())
        return STINT_ERROR_BUSY;
    enum stint_status status = STINT_ERROR_BUSY;
    if (s_counting.is_on) {
        (void)say(status, "counting has begun before: stop it first");
    } else {
        s_counting.status = status = start_now(options);
        s_counting.is_on = !status;
    }
    pthread_mutex_unlock(&s_counting.lock);
    return status;
}

static enum stint_status stop(void)
{
    if (s_counting.is_by_environment)
        return STINT_OK;
    if (!lock_soon())
        return STINT_ERROR_BUSY;
    enum stint_status status = s_counting.is_on ? STINT_OK : STINT_ERROR_NOT_STARTED;
    if (s_counting.is_on) {
        close_all();
        s_counting.is_on = 0;
        s_counting.status = STINT_ERROR_NOT_STARTED;
    }
    pthread_mutex_unlock(&s_counting.lock);
    return status;
}

/* Between a start and a stop, the first launch may have found that nothing can be counted. */
static enum stint_status status(void)
{
    int is_locked = lock_soon();
    enum stint_status status = s_counting.is_on ? s_counting.device.status : s_counting.status;
    if (is_locked)
        pthread_mutex_unlock(&s_counting.lock);
    return status;
}

static struct {
    pthread_once_t once;
    int failed;
    pthread_key_t key;
} s_reason = {.once = PTHREAD_ONCE_INIT};

static void make_reason_key(void)
{
    s_reason.failed = pthread_key_create(&s_reason.key, free);
}

/* Returns room for the text of the calling thread, or NULL. It is not thread-local: the module may be loaded when there
 * is little room left for what is. */
static char *reason_room(void)
{
    (void)pthread_once(&s_reason.once, make_reason_key);
    if (s_reason.failed)
        return NULL;
    char *room = pthread_getspecific(s_reason.key), *made = room ? NULL : malloc(sizeof s_counting.said);
    if (!made || pthread_setspecific(s_reason.key, made) == 0)
        return room ? room : made;
    free(made);
    return NULL;
}

static const char *reason(void)
{
    char *room = reason_room();
    int is_locked = lock_soon();
    if (room)
        memcpy(room, s_counting.said, sizeof s_counting.said);
    if (is_locked)
        pthread_mutex_unlock(&s_counting.lock);
    return room ? room : "there is not enough memory";
}

/* Says why nothing is found, unless it is why a kernel was skipped. */
static void explain(const char *names, const char *metric)
{
    const struct kernel *kernels = s_counting.kernels.items, *launched = NULL;
    for (size_t i = 0; i < s_counting.kernels.count; i++)
        if (kernels[i].launches > kernels[i].before)
            launched = &kernels[i];
    if (s_counting.has_skipped)
        return;
    if (!launched)
        (void)say(STINT_OK, "no kernel was launched while counting");
    else if (!s_counting.has_counted)
        (void)snprintf(s_counting.said, sizeof s_counting.said,
                       "none of the kernels that were launched was selected; one of them is %.200s", launched->name);
    else
        (void)snprintf(s_counting.said, sizeof s_counting.said,
                       "of %.100s no %.100s was counted; one kernel that was launched is %.200s", names ? names : "*",
                       metric, launched->name);
}

static enum stint_status read_sum(enum stint_counters_of of, const char *names, const char *metric,
                                  struct stint_counter *counter)
{
    int is_locked = lock_soon();
    *counter = stint_counter_rows_sum(
        &s_counting.rows, of == STINT_COUNTERS_OF_SCOPES ? STINT_COUNTER_SCOPE_SET : STINT_COUNTER_SET, names, metric);
    if (!counter->launches)
        explain(names, metric);
    if (is_locked)
        pthread_mutex_unlock(&s_counting.lock);
    return counter->launches ? STINT_OK : STINT_ERROR_NOT_FOUND;
}

/* ------------------------------------------------------------------------------------------------------------- open */

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
    static const struct stint_counting counting = {note_call, collect, reset, start, stop, status, reason, read_sum};
    if (version != STINT_COUNTING_VERSION)
        return NULL;
    s_counting.host = *host;
    s_counting.device.cupti = host->cupti;
    if (!stint_cxxabi_loaded())
        (void)dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL); /* kernels are chosen by their names in the source */
    s_counting.demangle = stint_cxxabi_loaded();
    if (!metrics)
        return &counting;
    check_reports();
    s_counting.is_on = s_counting.is_by_environment = 1;
    s_counting.device.wanted = metrics;
    s_counting.choice = stint_kernel_choice();
    s_counting.device.run = (size_t)stint_env_number("STINT_COUNTERS_RUN", 0, 1, MOST_RUNS);
    return &counting;
}
