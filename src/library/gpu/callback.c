#include "gpu/callback.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "gpu/allocation_calls.h"
#include "gpu/correlate.h"
#include "gpu/cupti_names.h"
#include "gpu/driver.h"
#include "gpu/instance.h"
#include "gpu/ledger.h"
#include "record/api_call.h"
#include "record/hold.h"
#include "record/path.h"
#include "record/registry.h"
#include "stat/call_names.h"

/* Functions by domain and id. The newest CUPTI has ids up to about 800. */
enum { FIRST_DOMAIN = STINT_CUPTI_DOMAIN_DRIVER, DOMAINS = 2, FUNCTIONS = 2048, NAME_SIZE = 256 };

/* The first version of CUPTI that also reports the driver's launch within the runtime's. */
enum { DRIVER_TELLS_VERSION = 130000 };

struct function {
    uint32_t id;       /* of the statistic; 0: not known yet */
    uint8_t leaves_id; /* its correlation id is in records of work or waits, which belong to a scope */
    uint8_t launches;  /* kernels or graphs */
    uint8_t profiler;  /* enum profiler: whether it starts or stops the program's profiler */
    uint8_t allocates; /* its number (gpu/allocation_calls.h); 0: it neither allocates nor frees */
};

enum profiler { NO_PROFILER, STARTS_PROFILER, STOPS_PROFILER };

enum { ON = 1 << 8 }; /* a bit above those of enum stint_callback */

static struct {
    uint32_t wanted; /* ON, and which data of calls is wanted; 0: nothing is collected */
    const struct stint_callback_hooks *hooks;
    int listed; /* the functions have been listed */
    struct function functions[DOMAINS][FUNCTIONS];
} s_calls;

/* The calling thread's calls that have begun but not ended. There is at most one, except for calls whose end was not
 * reported. */
enum { OPEN_CALLS = 4 };

struct open_call {
    struct stint_i_node *node;
    uint64_t launch; /* ticks of the launch, if this is one and it is traced; else 0 */
    uint32_t correlation;
    uint32_t inner; /* number of calls made within this one, with its correlation id, that have not ended */
};

static STINT_I_THREAD_LOCAL struct {
    struct open_call calls[OPEN_CALLS];
    int64_t tid; /* 0: not asked yet */
    uint32_t count;
} tl_open __attribute__((tls_model("initial-exec")));

/* ------------------------------------------------------------------------------------------------------------ trace */

static int64_t own_tid(void)
{
    if (!tl_open.tid)
        tl_open.tid = syscall(SYS_gettid);
    return tl_open.tid;
}

/* A launch begins when its ticks were read, because device work is placed no earlier than that. */
static void trace(const struct open_call *call, uint64_t start, uint64_t end)
{
    stint_ledger_trace_call(stint_registry_entry(call->node->id)->name, call->launch ? call->launch : start, end,
                            call->correlation, stint_path_current(), own_tid());
}

/* ---------------------------------------------------------------------------------------------------- begin and end */

/* Without room for a statistic the id stays 0, so that every such call is counted as dropped. */
static uint32_t id_of(struct function *function, const char *name)
{
    char shown[NAME_SIZE];
    uint32_t id = __atomic_load_n(&function->id, __ATOMIC_RELAXED);

    if (STINT_I_UNLIKELY(!id)) {
        id = stint_call_id(stint_cupti_shown_name(name, shown, sizeof shown));
        __atomic_store_n(&function->id, id, __ATOMIC_RELAXED);
    }
    return id;
}

static void begin(struct function *function, const struct stint_cupti_call *call, uint64_t launch)
{
    struct open_call *open = tl_open.count ? &tl_open.calls[tl_open.count - 1] : NULL;

    if (open && open->correlation == call->correlation) {
        open->inner++;
        return;
    }
    if (tl_open.count == OPEN_CALLS)
        tl_open.count = 0; /* their ends were not reported, because collecting was stopped */
    tl_open.calls[tl_open.count++] =
        (struct open_call){stint_call_enter(id_of(function, call->function)), launch, call->correlation, 0};
}

static struct open_call *find_open(uint32_t correlation)
{
    for (uint32_t i = tl_open.count; i--;)
        if (tl_open.calls[i].correlation == correlation)
            return &tl_open.calls[i];
    return NULL;
}

/* Does nothing for a call that began before the collector. */
static void end(uint32_t wanted, const struct stint_cupti_call *call)
{
    struct open_call *open = find_open(call->correlation);

    if (!open)
        return;
    if (open->inner) {
        open->inner--;
        return;
    }
    tl_open.count = (uint32_t)(open - tl_open.calls);
    uint64_t start = open->node ? STINT_I_LOAD(&open->node->start) : 0;
    uint64_t span = stint_call_leave(open->node);
    if (span && wanted & STINT_CALLBACK_TRACE)
        trace(open, start, start + span);
}

/* Neither call is recorded itself: recording begins after the call that starts it, and ends before the call that stops
 * it. CUPTI keeps reporting calls, so that the next start is seen. */
static void note_profiler(const struct function *function, int enters)
{
    if (enters && function->profiler == STOPS_PROFILER)
        stint_hold_tell(0);
    else if (!enters && function->profiler == STARTS_PROFILER)
        stint_hold_tell(1);
}

/* The scope is looked up before the call's own node is entered, because that node would have to be skipped. */
static void note_call(uint32_t wanted, struct function *function, const struct stint_cupti_call *call)
{
    int enters = call->site == STINT_CUPTI_ENTER;
    uint64_t launch = 0;

    if (STINT_I_UNLIKELY(function->profiler))
        note_profiler(function, enters);
    if (enters && function->leaves_id) {
        launch = wanted & STINT_CALLBACK_TRACE ? stint_clock_ticks() : 0;
        stint_correlate_put(call->correlation, stint_is_held() ? (uint32_t)STINT_PATH_HELD : stint_path_current(),
                            launch);
        if (wanted & STINT_CALLBACK_TRACE)
            stint_instance_note(call->correlation);
    }
    if (STINT_I_UNLIKELY(function->allocates) && wanted & STINT_CALLBACK_MEMORY)
        stint_allocation_note(function->allocates, call);
    if (!(wanted & STINT_CALLBACK_API))
        return;
    if (enters)
        begin(function, call, launch);
    else
        end(wanted, call);
}

static void note_other(uint32_t domain, const void *data)
{
    const struct stint_callback_hooks *hooks = __atomic_load_n(&s_calls.hooks, __ATOMIC_ACQUIRE);

    if (domain == STINT_CUPTI_DOMAIN_RESOURCE)
        hooks->on_context();
    else if (domain == STINT_CUPTI_DOMAIN_STATE)
        hooks->on_failure(((const struct stint_cupti_state *)data)->message);
}

void stint_callback(void *context, uint32_t domain, uint32_t id, const void *data)
{
    uint32_t wanted = __atomic_load_n(&s_calls.wanted, __ATOMIC_ACQUIRE);
    int error = errno;

    (void)context;
    if (!wanted || stint_driver_own)
        return;
    if (STINT_I_UNLIKELY(domain - FIRST_DOMAIN >= DOMAINS))
        note_other(domain, data);
    else if (id < FUNCTIONS)
        note_call(wanted, &s_calls.functions[domain - FIRST_DOMAIN][id], data);
    errno = error;
}

/* --------------------------------------------------------------------------------------------------- start and stop */

static int leaves_id(const char *name)
{
    return stint_call_is_work(name) || strstr(name, "Synchronize") || strstr(name, "WaitEvent");
}

/* Names of the runtime's functions end with a version; those of the driver's do not. */
static enum profiler profiler_of(const char *name)
{
    name += strncmp(name, "cuda", 4) != 0 ? 2 : 4;
    if (strncmp(name, "ProfilerStart", strlen("ProfilerStart")) == 0)
        return STARTS_PROFILER;
    return strncmp(name, "ProfilerStop", strlen("ProfilerStop")) != 0 ? NO_PROFILER : STOPS_PROFILER;
}

/* Function names do not change, because CUPTI is opened only once. */
static void list_functions(const struct stint_cupti *cupti)
{
    const char *name;

    for (uint32_t domain = 0; domain < DOMAINS && !s_calls.listed; domain++)
        for (uint32_t id = 0; id < FUNCTIONS; id++)
            if (!cupti->get_callback_name(FIRST_DOMAIN + domain, id, &name) && name) {
                s_calls.functions[domain][id].leaves_id = (uint8_t)leaves_id(name);
                s_calls.functions[domain][id].launches = (uint8_t)stint_call_is_launch(name);
                s_calls.functions[domain][id].profiler = (uint8_t)profiler_of(name);
                s_calls.functions[domain][id].allocates = (uint8_t)stint_allocation_call(name);
            }
    s_calls.listed = 1;
}

static int is_told(const struct stint_cupti *cupti, uint32_t domain, const struct function *function, unsigned wanted)
{
    int allocates = function->allocates && wanted & STINT_CALLBACK_MEMORY;
    int by_driver = (function->launches || allocates) && cupti->version >= DRIVER_TELLS_VERSION;
    if (function->profiler)
        return 1;
    return (function->leaves_id || allocates) && !(by_driver && FIRST_DOMAIN + domain == STINT_CUPTI_DOMAIN_RUNTIME);
}

static int enable_some(const struct stint_cupti *cupti, struct stint_cupti_subscriber *subscriber, unsigned wanted)
{
    int result = 0;

    for (uint32_t domain = 0; domain < DOMAINS; domain++)
        for (uint32_t id = 0; id < FUNCTIONS && !result; id++)
            if (is_told(cupti, domain, &s_calls.functions[domain][id], wanted))
                result = cupti->enable_callback(1, subscriber, FIRST_DOMAIN + domain, id);
    return result;
}

static int enable_all(const struct stint_cupti *cupti, struct stint_cupti_subscriber *subscriber)
{
    int result = cupti->enable_domain(1, subscriber, STINT_CUPTI_DOMAIN_RUNTIME);

    return result ? result : cupti->enable_domain(1, subscriber, STINT_CUPTI_DOMAIN_DRIVER);
}

static int enable(const struct stint_cupti *cupti, struct stint_cupti_subscriber *subscriber, unsigned wanted,
                  const char **failed)
{
    /* Not every CUPTI has these, and nothing depends on them. */
    (void)cupti->enable_callback(1, subscriber, STINT_CUPTI_DOMAIN_RESOURCE, STINT_CUPTI_CONTEXT_CREATED);
    (void)cupti->enable_callback(1, subscriber, STINT_CUPTI_DOMAIN_STATE, STINT_CUPTI_STATE_FATAL_ERROR);
    *failed = wanted & STINT_CALLBACK_API ? "cuptiEnableDomain" : "cuptiEnableCallback";
    return wanted & STINT_CALLBACK_API ? enable_all(cupti, subscriber) : enable_some(cupti, subscriber, wanted);
}

int stint_callback_start(const struct stint_cupti *cupti, struct stint_cupti_subscriber *subscriber, unsigned wanted,
                         const struct stint_callback_hooks *hooks, const char **failed)
{
    list_functions(cupti);
    __atomic_store_n(&s_calls.hooks, hooks, __ATOMIC_RELEASE);
    __atomic_store_n(&s_calls.wanted, ON | wanted, __ATOMIC_RELEASE);
    return enable(cupti, subscriber, wanted, failed);
}

void stint_callback_stop(const struct stint_cupti *cupti, struct stint_cupti_subscriber *subscriber)
{
    (void)cupti->enable_domain(0, subscriber, STINT_CUPTI_DOMAIN_RUNTIME);
    (void)cupti->enable_domain(0, subscriber, STINT_CUPTI_DOMAIN_DRIVER);
    (void)cupti->enable_domain(0, subscriber, STINT_CUPTI_DOMAIN_RESOURCE);
    (void)cupti->enable_domain(0, subscriber, STINT_CUPTI_DOMAIN_STATE);
    stint_callback_ignore();
}

void stint_callback_ignore(void)
{
    __atomic_store_n(&s_calls.wanted, 0, __ATOMIC_RELEASE);
}
