/* The life of the GPU part: find CUPTI, subscribe, enable records, and at the end read all that is left without ever
 * hanging the process. Its state machine decides what each call of the public functions may do, and keeps the reason
 * for what it could not. */
#include "gpu/collector.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/process.h"
#include "gpu/activity_table.h"
#include "gpu/call_table.h"
#include "gpu/callback.h"
#include "gpu/correlate.h"
#include "gpu/cupti.h"
#include "gpu/span.h"
#include "gpu/timeline.h"
#include "modules/module.h"
#include "record/part.h"

enum { FLUSH_PERIOD_MS = 100, MAX_TRACE = 1 << 28 };

/* How long the end of the program waits for devices, and how long everything done then may take. */
#define DEVICES_LIMIT_NS UINT64_C(5000000000)
#define FINISH_LIMIT_NS UINT64_C(8000000000)
#define RESCUE_LIMIT_NS UINT64_C(1000000000) /* after a crash, when devices are not waited for */

enum state {
    IDLE,    /* never started, or the start failed */
    RUNNING, /* collecting */
    STOPPED, /* by the program */
    BROKEN,  /* by CUPTI */
    OVER,    /* the process is ending; there are no more starts */
    FORKED   /* a forked child of a process that had opened CUPTI */
};

/* Changed under the lock, which is held while CUPTI is called; only the state and the reason are accessed without
 * it. */
static struct {
    pthread_mutex_t lock;
    int state;
    int status;
    const char *reason;
    pid_t pid;        /* the process that opened CUPTI */
    int opening;      /* 1: looking for CUPTI */
    int opened;       /* 1: it is there */
    int collected;    /* 1: records have arrived, or may have */
    unsigned what;    /* enum stint_gpu_what */
    unsigned refused; /* the same, of what CUPTI did not enable before CUDA was in use */
    struct stint_cupti cupti;
    struct stint_cupti_subscriber *subscriber;
    int rescues; /* not 0: the process is crashing, so devices are not waited for */
} s_collector = {.lock = PTHREAD_MUTEX_INITIALIZER,
                 .status = STINT_ERROR_NOT_STARTED,
                 .reason = "nothing has asked for GPU activity: call stint_gpu_start, or set STINT_GPU=on"};

static const struct stint_cupti_finder *s_finder; /* since CUPTI was looked for */

static int state(void)
{
    return __atomic_load_n(&s_collector.state, __ATOMIC_ACQUIRE);
}

static void set_state(int next)
{
    __atomic_store_n(&s_collector.state, next, __ATOMIC_RELEASE);
}

static void lock(void)
{
    pthread_mutex_lock(&s_collector.lock);
}

static void unlock(void)
{
    pthread_mutex_unlock(&s_collector.lock);
}

/* ---------------------------------------------------------------------------------------------------------- reasons */

/* Callers keep a pointer to the text, so no text is freed. Their number is limited, because a program may try to start
 * any number of times. */
static const char *keep(const char *text)
{
    enum { TEXTS = 8 };
    static char texts[TEXTS][STINT_REASON_SIZE];

    for (int i = 0; i < TEXTS; i++) {
        if (!texts[i][0])
            memcpy(texts[i], text, strnlen(text, STINT_REASON_SIZE - 1));
        if (strncmp(texts[i], text, STINT_REASON_SIZE - 1) == 0)
            return texts[i];
    }
    return NULL;
}

static enum stint_status set_outcome(enum stint_status status, const char *text)
{
    const char *kept = text ? keep(text) : NULL;
    if (!kept)
        kept = status ? stint_status_string(status) : "";
    __atomic_store_n(&s_collector.reason, kept, __ATOMIC_RELEASE);
    __atomic_store_n(&s_collector.status, (int)status, __ATOMIC_RELEASE);
    return status;
}

/* A start or stop failed with this result. */
static enum stint_status fail(int result, const char *function, const char *other)
{
    char text[STINT_REASON_SIZE];
    enum stint_status status = s_finder->failure(&s_collector.cupti, result, function, other, text, sizeof text);
    return set_outcome(status, text);
}

enum stint_status stint_collector_status(void)
{
    return (enum stint_status)__atomic_load_n(&s_collector.status, __ATOMIC_ACQUIRE);
}

const char *stint_collector_reason(void)
{
    return __atomic_load_n(&s_collector.reason, __ATOMIC_ACQUIRE);
}

enum stint_collector_mode stint_collector_mode(void)
{
    static int s_mode = -1;
    int mode = __atomic_load_n(&s_mode, __ATOMIC_RELAXED);
    if (mode < 0) {
        mode = STINT_COLLECTOR_UNSET;
        if (stint_env_text("STINT_GPU"))
            mode =
                1 + (int)stint_env_choice("STINT_GPU", "auto|on|off|kernels|api|calls|all", 0); /* by mode, less one */
        __atomic_store_n(&s_mode, mode, __ATOMIC_RELAXED);
    }
    return (enum stint_collector_mode)mode;
}

int stint_collector_may_fail(void)
{
    enum stint_collector_mode mode = stint_collector_mode();
    return mode == STINT_COLLECTOR_AUTO || mode == STINT_COLLECTOR_CALLS || mode == STINT_COLLECTOR_ALL;
}

/* ------------------------------------------------------------------------------------------------------------ clock */

/* Keeps the best of a few samples: if the thread is interrupted between the two readings of stint's clock, the time of
 * CUPTI's reading is poorly known. */
static void align(void)
{
    uint64_t before = 0, after = UINT64_MAX, between = 0;
    for (int i = 0; i < 5; i++) {
        uint64_t first = stint_clock_ticks();
        uint64_t cupti_ns;
        if (s_collector.cupti.get_timestamp(&cupti_ns))
            return;
        uint64_t last = stint_clock_ticks();
        if (last - first < after - before) {
            before = first;
            between = cupti_ns;
            after = last;
        }
    }
    stint_ledger_lock();
    stint_ledger_align(before, between, after);
    stint_ledger_unlock();
}

/* ----------------------------------------------------------------------------------------------------------- finish */

/* If no managed memory has been used, unified memory's records stay enabled, because it would take two seconds
 * (gpu/collector.h): none come, and those that come later are not counted. */
static void disable(void)
{
    __atomic_store_n(&s_collector.refused, 0, __ATOMIC_RELAXED);
    unsigned lasting = stint_decode_has_moves() ? 0 : (unsigned)STINT_GPU_UNIFIED_MEMORY;
    stint_disable_kinds(&s_collector.cupti, STINT_GPU_EVERYTHING & ~lasting);
    stint_decode_count_moves(0);
}

/* Callbacks and records of overheads are disabled first, because the program did not cause those that follow. With the
 * forced flush CUPTI also hands over records of work that never ended; they count as invalid. */
static void finish(void)
{
    stint_callback_stop(&s_collector.cupti, s_collector.subscriber);
    stint_disable_kinds(&s_collector.cupti, STINT_GPU_OVERHEADS);
    align();
    (void)s_collector.cupti.activity_flush_all(0);
    int rescued = __atomic_load_n(&s_collector.rescues, __ATOMIC_ACQUIRE);
    int failure = rescued ? 0 : stint_wait_for_devices(DEVICES_LIMIT_NS);
    if (failure < 0)
        STINT_LOG(STINT_LOG_WARNING, "GPU work was still running 5 seconds after the program ended: it is not counted");
    if (failure > 0)
        (void)fail(failure, NULL, NULL);
    (void)s_collector.cupti.activity_flush_all(0);
    (void)s_collector.cupti.activity_flush_all(STINT_CUPTI_FLUSH_FORCED);
    stint_ledger_lock();
    stint_ledger_add_missing();
    stint_ledger_unlock();
    disable();
    (void)s_collector.cupti.unsubscribe(s_collector.subscriber);
}

static void finish_stopped(void)
{
    (void)s_collector.cupti.activity_flush_all(0);
    disable();
}

static void finish_as_needed(void)
{
    lock();
    if (state() == RUNNING)
        finish();
    else if (state() == STOPPED)
        finish_stopped();
    set_state(OVER);
    unlock();
}

/* The process ends within the limit, whatever blocks the finisher. */
static void ask_finisher(uint64_t limit_ns)
{
    int now = state();
    if (now != RUNNING && now != STOPPED)
        return;
    if (!stint_finisher_ask(limit_ns))
        return;
    stint_callback_ignore();
    set_state(OVER);
    STINT_LOG(STINT_LOG_WARNING, "CUPTI does not answer: GPU activity that it still holds is not counted");
}

void stint_collector_finish(void)
{
    ask_finisher(FINISH_LIMIT_NS);
}

/* The finisher itself may have crashed, perhaps on damage that an earlier crash left. The thread that waits for it then
 * continues. */
void stint_collector_rescue(void)
{
    if (!stint_process_is(STINT_COLLECTING))
        return;
    if (stint_finisher_is_self()) {
        set_state(OVER);
        stint_finisher_give_up();
    }
    __atomic_store_n(&s_collector.rescues, 1, __ATOMIC_RELEASE);
    ask_finisher(RESCUE_LIMIT_NS);
}

/* ------------------------------------------------------------------------------------------------------------ hooks */

/* A child of vfork shares this memory, and must not end its parent's collecting. */
static void at_exit(void)
{
    if (stint_process_is(STINT_COLLECTING))
        stint_collector_finish();
}

/* CUPTI and the driver shut down in exit handlers of their own, after which they cannot be used. Ours has to run first,
 * so it has to be registered last. CUPTI registers its handler when it is subscribed to; the driver registers its own
 * when it is first used, before there is a context, which may be later. */
static void come_first_at_exit(int *registered)
{
    if (!__atomic_exchange_n(registered, 1, __ATOMIC_RELAXED))
        (void)atexit(at_exit);
}

/* Records of unified memory are refused before there is a context. Not under the lock, which may be held by a thread
 * that waits for CUPTI. */
static void on_context(void)
{
    static int s_registered;
    unsigned refused = __atomic_exchange_n(&s_collector.refused, 0, __ATOMIC_ACQ_REL), enabled = 0;
    come_first_at_exit(&s_registered);
    if (refused && !stint_enable_kinds(&s_collector.cupti, refused, &enabled))
        __atomic_or_fetch(&s_collector.what, enabled, __ATOMIC_RELAXED);
}

/* May be called within a call of CUPTI made by the thread that has the lock. */
static void on_failure(const char *why)
{
    static char s_text[STINT_REASON_SIZE];
    static int s_failed;
    int running = RUNNING;
    stint_callback_ignore();
    if (__atomic_exchange_n(&s_failed, 1, __ATOMIC_ACQ_REL))
        return;
    snprintf(s_text, sizeof s_text, "CUPTI has given up, so later GPU activity is missing: %s",
             why ? why : "it does not say why");
    __atomic_store_n(&s_collector.reason, s_text, __ATOMIC_RELEASE);
    __atomic_store_n(&s_collector.status, (int)STINT_ERROR_CUDA, __ATOMIC_RELEASE);
    (void)__atomic_compare_exchange_n(&s_collector.state, &running, BROKEN, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

static const struct stint_callback_hooks s_hooks = {on_context, on_failure};

/* ------------------------------------------------------------------------------------------------------------ start */

static unsigned wanted_of(const struct stint_gpu_options *options)
{
    unsigned what = options && options->what ? options->what : (unsigned)STINT_GPU_DEFAULT;
    return what | STINT_GPU_ACTIVITIES | (what & STINT_GPU_EVERY_CALL ? (unsigned)STINT_GPU_API : 0u);
}

static size_t trace_of(const struct stint_gpu_options *options)
{
    return options && options->trace_events ? options->trace_events
                                            : (size_t)stint_env_number("STINT_GPU_TRACE", 0, 0, MAX_TRACE);
}

/* NULL in libstint.so, which loads it. */
extern const struct stint_cupti_finder stint_cupti_finder __attribute__((weak));

/* Returns 0, or -1 with the reason. */
static int load_finder(char *reason, size_t size)
{
    stint_module_cupti_fn *load;
    s_finder = &stint_cupti_finder;
    void *function = s_finder ? NULL : stint_module_find(STINT_MODULE_CUPTI, reason, size);
    if (function) {
        memcpy(&load, &function, sizeof load);
        s_finder = load(STINT_MODULE_CUPTI_VERSION);
        (void)snprintf(reason, size, "libstint_module.so has another version than this library");
    }
    return s_finder ? 0 : -1;
}

static enum stint_status open_library(void)
{
    char text[STINT_REASON_SIZE];
    if (s_collector.opened)
        return STINT_OK;
    s_collector.opening = 1;
    enum stint_status status = STINT_ERROR_UNAVAILABLE;
    if (!load_finder(text, sizeof text))
        status = s_finder->open(&s_collector.cupti, text, sizeof text);
    s_collector.opening = 0;
    if (status)
        return set_outcome(status, text);
    s_collector.opened = 1;
    stint_process_mark(STINT_COLLECTING);
    STINT_I_STORE(&stint_parts_have_rows, 1);
    return STINT_OK;
}

/* Whether events are kept in slots, or passed to a listener. */
static int is_traced(size_t trace)
{
    return trace || stint_trace_is_told();
}

static enum stint_status make_tables(size_t trace)
{
    stint_decode_start(s_collector.cupti.version);
    if (stint_correlate_start(is_traced(trace)) || stint_ledger_start(stint_gpu_row_limit(), trace) ||
        stint_buffer_start(&s_collector.cupti) || stint_finisher_make(finish_as_needed))
        return set_outcome(STINT_ERROR_NO_MEMORY, NULL);
    return STINT_OK;
}

/* With several subscribers, which CUPTI supports since 13.3, all of them would have to use functions that stint does
 * not use. */
static enum stint_status subscribe(void)
{
    char other[128] = "";
    struct stint_cupti_subscription subscription = {.size = sizeof(struct stint_cupti_subscription),
                                                    .name = "stint",
                                                    .other_name = other,
                                                    .other_size = sizeof other};
    int named = s_collector.cupti.subscribe_v2 != NULL;
    int result = named ? s_collector.cupti.subscribe_v2(&s_collector.subscriber, stint_callback, &stint_callback_wanted,
                                                        &subscription)
                       : s_collector.cupti.subscribe(&s_collector.subscriber, stint_callback, &stint_callback_wanted);
    return result ? fail(result, named ? "cuptiSubscribe_v2" : "cuptiSubscribe", other) : STINT_OK;
}

/* Returns 0, or CUPTI's result; `failed` receives the name of the function that returned it. */
static int enable(unsigned wanted, size_t trace, const char **failed)
{
    unsigned calls = (wanted & STINT_GPU_API ? STINT_CALLBACK_API : 0u) |
                     (wanted & STINT_GPU_EVERY_CALL ? STINT_CALLBACK_EVERY_CALL : 0u) |
                     (wanted & STINT_GPU_FEWER_QUERIES ? STINT_CALLBACK_FEWER : 0u) |
                     (is_traced(trace) ? STINT_CALLBACK_TRACE : 0u) |
                     (wanted & STINT_GPU_MEMORY ? STINT_CALLBACK_MEMORY : 0u) |
                     (wanted & STINT_GPU_SYNCS ? STINT_CALLBACK_WAITS : 0u);
    *failed = "cuptiActivityRegisterCallbacks";
    int result = s_collector.cupti.activity_register_callbacks(stint_buffer_request, stint_buffer_completed);
    if (result)
        return result;
    stint_decode_count_moves(1);
    *failed = "cuptiActivityEnable";
    result = stint_enable_kinds(&s_collector.cupti, wanted, &s_collector.what);
    __atomic_store_n(&s_collector.refused, wanted & ~s_collector.what & STINT_GPU_UNIFIED_MEMORY, __ATOMIC_RELEASE);
    return result ? result : stint_callback_start(&s_collector.cupti, s_collector.subscriber, calls, &s_hooks, failed);
}

static void undo(void)
{
    disable();
    stint_callback_stop(&s_collector.cupti, s_collector.subscriber);
    (void)s_collector.cupti.unsubscribe(s_collector.subscriber);
}

/* If CUPTI supports it, full buffers are handed over ten times a second, before the launches of their records are
 * forgotten. */
static void begin(void)
{
    static int s_registered;
    come_first_at_exit(&s_registered);
    if (s_collector.cupti.activity_flush_period)
        (void)s_collector.cupti.activity_flush_period(FLUSH_PERIOD_MS);
    align();
    __atomic_store_n(&s_collector.collected, 1, __ATOMIC_RELEASE);
    (void)set_outcome(STINT_OK, NULL);
    set_state(RUNNING);
    if (stint_call_table_may_be_silent())
        stint_finisher_look(stint_call_table_look);
}

__attribute__((cold)) static enum stint_status start(const struct stint_gpu_options *options)
{
    size_t trace = trace_of(options);
    const char *failed = "";
    enum stint_status status = open_library();
    if (!status)
        status = make_tables(trace);
    if (!status)
        status = subscribe();
    if (status)
        return status;
    int result = enable(wanted_of(options), trace, &failed);
    if (result) {
        undo();
        return fail(result, failed, NULL);
    }
    begin();
    return STINT_OK;
}

static const char s_off[] = "STINT_GPU=off in the environment forbids collecting GPU activity: unset it";

enum stint_status stint_collector_start(const struct stint_gpu_options *options)
{
    enum stint_status status;
    if (options && options->what & ~(unsigned)(STINT_GPU_EVERYTHING | STINT_GPU_FEWER_QUERIES))
        return STINT_ERROR_INVALID_ARGUMENT;
    if (state() >= OVER)
        return STINT_ERROR_UNAVAILABLE;
    lock();
    if (state() == RUNNING)
        status = STINT_OK;
    else if (stint_collector_mode() == STINT_COLLECTOR_OFF)
        status = set_outcome(STINT_ERROR_UNAVAILABLE, s_off);
    else
        status = start(options);
    unlock();
    return status;
}

/* --------------------------------------------------------------------------------------------------- flush and stop */

/* Under the lock. Collecting continues even if the flush fails. */
static enum stint_status flush(void)
{
    char text[STINT_REASON_SIZE];
    align();
    stint_ask_for_devices();
    int result = s_collector.cupti.activity_flush_all(0);
    return result ? s_finder->failure(&s_collector.cupti, result, "cuptiActivityFlushAll", NULL, text, sizeof text)
                  : STINT_OK;
}

enum stint_status stint_collector_flush(void)
{
    enum stint_status status = STINT_ERROR_NOT_STARTED;
    if (state() != RUNNING)
        return status;
    lock();
    if (state() == RUNNING)
        status = flush();
    unlock();
    return status;
}

__attribute__((cold)) static enum stint_status stop(void)
{
    enum stint_status status = flush();
    disable();
    stint_callback_stop(&s_collector.cupti, s_collector.subscriber);
    (void)s_collector.cupti.activity_flush_all(0);
    int result = s_collector.cupti.unsubscribe(s_collector.subscriber);
    if (result && !status)
        status = fail(result, "cuptiUnsubscribe", NULL);
    if (!status)
        (void)set_outcome(STINT_ERROR_NOT_STARTED, "stint_gpu_stop has ended the collecting of GPU activity");
    set_state(STOPPED);
    return status;
}

enum stint_status stint_collector_stop(void)
{
    enum stint_status status = STINT_ERROR_NOT_STARTED;
    if (state() != RUNNING)
        return status;
    lock();
    if (state() == RUNNING)
        status = stop();
    unlock();
    return status;
}

/* ------------------------------------------------------------------------------------------------------------- fork */

__attribute__((cold)) void stint_collector_after_fork(void)
{
    pthread_mutex_init(&s_collector.lock, NULL);
    stint_callback_ignore();
    stint_counting_after_fork();
    stint_buffer_after_fork();
    stint_ledger_after_fork();
    stint_correlate_forget();
    s_collector.collected = 0;
    if (!s_collector.opened && !s_collector.opening)
        return;
    set_state(FORKED);
    (void)set_outcome(STINT_ERROR_UNAVAILABLE,
                      "forked from a process that collects GPU activity: CUPTI does not work in its children");
}

/* ------------------------------------------------------------------------------------------------ reset and collect */

/* Whether a report should say why nothing is collected: only if collecting was wanted. */
static int is_worth_telling(enum stint_status status)
{
    int was_worth_a_try = status == STINT_ERROR_UNAVAILABLE && stint_collector_may_fail();
    return status != STINT_ERROR_NOT_STARTED && state() != FORKED && !was_worth_a_try;
}

static void add_info(struct stint_builder *builder)
{
    int collected = __atomic_load_n(&s_collector.collected, __ATOMIC_ACQUIRE);
    unsigned what = __atomic_load_n(&s_collector.what, __ATOMIC_RELAXED) & STINT_GPU_EVERYTHING;
    unsigned fewer = stint_call_table_was_silent() ? STINT_GPU_FEWER_QUERIES : 0;
    struct stint_gpu_info info = {
        .collected = collected,
        .status = stint_collector_status(),
        .reason = stint_collector_reason(),
        .what = collected ? what | fewer : 0,
        .cupti_version = collected ? s_collector.cupti.version : 0,
    };
    if (collected || is_worth_telling(info.status))
        stint_builder_add(builder, STINT_ROWS_GPU, &info);
}

/* Also reads records that arrive after a stop, of work that devices had not finished by then. */
static void bring_in(void)
{
    int now = state();
    if (now != RUNNING && now != STOPPED)
        return; /* the lock may be held by a thread that waits for CUPTI */
    lock();
    if (state() == RUNNING)
        (void)flush();
    else if (state() == STOPPED)
        (void)s_collector.cupti.activity_flush_all(0);
    unlock();
}

/* Records that arrive later, of work launched before the reset, belong to no scope any more. */
void stint_collector_reset(void)
{
    bring_in();
    stint_span_forget(); /* first: a thread may be about to add one */
    stint_counting_reset();
    stint_ledger_lock();
    stint_ledger_reset();
    stint_ledger_unlock();
    stint_correlate_forget();
}

void stint_collector_collect(struct stint_builder *builder, int emergency)
{
    if (!emergency) {
        stint_span_resolve_all();
        bring_in();
    }
    stint_ledger_collect(builder, emergency);
    if (!emergency)
        stint_counting_collect(builder);
    add_info(builder); /* last, because it replaces the ledger's less complete info */
}
