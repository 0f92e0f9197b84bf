/* The public functions of gpu.h: they start the library, then the collector. Also starts the collector if the
 * environment asks for it, and is what the core knows of this part. */
#include "base/clock.h"
#include "base/log.h"
#include "gpu/collector.h"
#include "gpu/correlate.h"
#include "gpu/span.h"
#include "record/part.h"
#include "record/registry.h"
#include "record/scope.h"
#include "record/suspend.h"
#include "record/thread.h"
#include "runtime/runtime.h"
#include "stat/members.h"
#include "stint/gpu.h"
#include "stint/gpu_scope.h"

/* Calls `act` unless this is a signal handler that interrupted stint. */
static enum stint_status guarded(enum stint_status (*act)(const struct stint_gpu_options *options),
                                 const struct stint_gpu_options *options)
{
    enum stint_status status = stint_runtime_start();
    if (status)
        return status;
    if (!stint_guard_begin()) {
        stint_count_dropped(&stint_dropped.reentrant);
        return STINT_ERROR_BUSY;
    }
    status = act(options);
    stint_guard_end();
    return status;
}

/* Warns once only, because a program may try again and again. */
static void warn_of(enum stint_status status)
{
    static int s_warned;
    if (!status || status == STINT_ERROR_INVALID_ARGUMENT || status == STINT_ERROR_BUSY ||
        stint_collector_mode() == STINT_COLLECTOR_OFF) /* as the user asked */
        return;
    if (!__atomic_exchange_n(&s_warned, 1, __ATOMIC_RELAXED))
        STINT_LOG(STINT_LOG_WARNING, "GPU activity is not collected: %s",
                  stint_collector_status() ? stint_collector_reason() : stint_status_string(status));
}

enum stint_status stint_gpu_start(const struct stint_gpu_options *options)
{
    enum stint_status status = guarded(stint_collector_start, options);
    warn_of(status);
    return status;
}

static enum stint_status stop(const struct stint_gpu_options *unused)
{
    (void)unused;
    return stint_collector_stop();
}

enum stint_status stint_gpu_stop(void)
{
    return guarded(stop, NULL);
}

static enum stint_status flush(const struct stint_gpu_options *unused)
{
    (void)unused;
    return stint_collector_flush();
}

enum stint_status stint_gpu_flush(void)
{
    return guarded(flush, NULL);
}

enum stint_status stint_gpu_status(void)
{
    return stint_collector_status();
}

const char *stint_gpu_reason(void)
{
    return stint_collector_status() ? stint_collector_reason() : "";
}

static void start_in(enum stint_collector_mode mode)
{
    static const uint8_t parts[] = {[STINT_COLLECTOR_UNSET] = STINT_GPU_DEFAULT,
                                    [STINT_COLLECTOR_AUTO] = STINT_GPU_DEFAULT,
                                    [STINT_COLLECTOR_ON] = STINT_GPU_DEFAULT,
                                    [STINT_COLLECTOR_KERNELS] = STINT_GPU_ACTIVITIES,
                                    [STINT_COLLECTOR_API] = STINT_GPU_ACTIVITIES | STINT_GPU_API,
                                    [STINT_COLLECTOR_CALLS] = STINT_GPU_EVERYTHING | STINT_GPU_FEWER_QUERIES,
                                    [STINT_COLLECTOR_ALL] = STINT_GPU_EVERYTHING};
    struct stint_gpu_options options = {.what = parts[mode]};
    if (!stint_env_switch("STINT_GPU_UNIFIED_MEMORY", 1))
        options.what &= ~(unsigned)STINT_GPU_UNIFIED_MEMORY;
    enum stint_status status = guarded(stint_collector_start, &options);
    if (!stint_collector_may_fail() || status != STINT_ERROR_UNAVAILABLE)
        warn_of(status);
}

/* Runs before main, so that nothing is launched before it. */
__attribute__((constructor)) static void start_as_asked(void)
{
    enum stint_collector_mode mode = stint_collector_mode();
    if (mode != STINT_COLLECTOR_UNSET && mode != STINT_COLLECTOR_OFF && !stint_runtime_is_injected)
        start_in(mode);
}

/* The program initializes CUDA: starts to collect what the environment asks for, or everything if it does not say. */
static int attach(const void *unused)
{
    enum stint_collector_mode mode = stint_collector_mode();
    (void)unused;
    if (mode != STINT_COLLECTOR_OFF)
        start_in(mode);
    return 1;
}

static void switched(void)
{
    stint_pause_note(stint_is_suspended());
}

/* What GPUs did belongs to no set. */
static void reset(const struct stint_statset *set, enum stint_reset how)
{
    (void)how;
    if (!set)
        stint_collector_reset();
}

static void finish(int emergency)
{
    if (emergency) {
        stint_collector_rescue();
    } else {
        stint_collector_finish();
        stint_span_finish();
    }
}

STINT_HAS_ROWS(gpu_devices);
STINT_PART(gpu) = {
    .name = "gpu",
    .at[STINT_IN_CHILD] = stint_collector_after_fork,
    .at[STINT_AT_SWITCH] = switched,
    .collect = stint_collector_collect,
    .reset = reset,
    .attach = attach,
    .finish = finish,
};

/* The public functions of gpu_scope.h: a scope, enclosed by the two events of a span. The events are outside of the
 * scope, so that its host time is that of the block. */

static void set_scope(struct stint_i_gpu_scope *scope, struct stint_i_node *node, struct stint_span *span)
{
    *scope = (struct stint_i_gpu_scope){node, span};
    if (!span)
        return;
    if (node)
        stint_span_enter(span, node->id, STINT_I_LOAD(&node->start));
    else
        stint_span_cancel(span);
}

void stint_i_gpu_begin(struct stint_i_gpu_scope *scope, struct stint_i_site *site, const char *name, void *stream)
{
    if (stint_runtime_start() || !stint_registry_enabled())
        return;
    struct stint_span *span = stint_span_begin(stream);
    set_scope(scope, stint_i_enter(site, name, NULL), span);
}

void stint_i_gpu_end(struct stint_i_gpu_scope *scope)
{
    if (scope->node)
        (void)stint_scope_leave(scope->node, stint_clock_ticks());
    if (scope->span)
        stint_span_end(scope->span);
}

enum stint_status stint_gpu_span_begin(struct stint_gpu_span *span, const char *name, void *stream)
{
    struct stint_span *events;
    if (!span)
        return STINT_ERROR_INVALID_ARGUMENT;
    *span = (struct stint_gpu_span){{NULL, NULL}, NULL};
    enum stint_status status = stint_runtime_start();
    if (status)
        return status;
    if (stint_registry_enabled()) {
        events = stint_span_begin(stream);
        set_scope(&span->scope, stint_scope_enter_dynamic(NULL, name, NULL, 0), events);
        if (!span->scope.node && stint_registry_enabled())
            return stint_last_dropped();
    }
    span->thread = stint_i_self;
    return STINT_OK;
}

enum stint_status stint_gpu_span_end(struct stint_gpu_span *span)
{
    if (!span)
        return STINT_ERROR_INVALID_ARGUMENT;
    struct stint_gpu_span ended = *span;
    *span = (struct stint_gpu_span){{NULL, NULL}, NULL};
    if (!ended.thread || ended.thread != stint_i_self) {
        stint_count_dropped(&stint_dropped.mismatched);
        return STINT_ERROR_NOT_STARTED;
    }
    if (ended.scope.node)
        stint_i_gpu_end(&ended.scope);
    return STINT_OK;
}
