#include "gpu/callback.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "gpu/allocation_calls.h"
#include "gpu/correlate.h"
#include "gpu/counted_launch.h"
#include "gpu/cupti_names.h"
#include "gpu/driver.h"
#include "gpu/graph_nodes.h"
#include "gpu/instance.h"
#include "gpu/ledger.h"
#include "gpu/wait_calls.h"
#include "record/adopt.h"
#include "record/api_call.h"
#include "record/hold.h"
#include "record/measure.h"
#include "record/path.h"
#include "record/registry.h"
#include "record/thread.h"
#include "stat/call_names.h"

/* Functions by domain and id. The newest CUPTI has ids up to about 800. */
enum { FIRST_DOMAIN = STINT_CUPTI_DOMAIN_DRIVER, DOMAINS = 2, FUNCTIONS = 2048, NAME_SIZE = 256 };

/* The first version of CUPTI that also reports the driver's launch within the runtime's. */
enum { DRIVER_TELLS_VERSION = 130000 };

/* 8 bytes, so that a callback finds one fast. */
struct function {
    uint32_t id;    /* of the statistic; 0: not known yet */
    uint8_t leaves; /* LEAVES_ID, LEAVES_RECORD */
    uint8_t rare;   /* enum rare: what else it does, which few calls do */
    uint8_t noted;  /* its number, if it allocates or frees (gpu/allocation_calls.h); WAITS; 0: neither */
    uint8_t kind;   /* enum stint_call_kind, and DRIVER_TELLS */
};

enum {
    LEAVES_ID = 1,        /* its correlation id is that of work or of a wait, which belong to a scope */
    LEAVES_RECORD = 0x80, /* of a kernel, unless that is captured; becomes STINT_CORRELATE_LAUNCH */
    DRIVER_TELLS = 0x80   /* the driver's call within the runtime's is enough */
};

enum { WAITS = UINT8_MAX }; /* gpu/wait_calls.h */

enum rare { NOTHING, STARTS_PROFILER, STOPS_PROFILER, BEGINS_CAPTURE, ENDS_CAPTURE, COUNTED };

enum { ON = 1 << 8 }; /* a bit above those of enum stint_callback */

uint32_t stint_callback_wanted;

static struct {
    uint32_t measured; /* what stint_callback_wanted was at the last start, but without a trace */
    const struct stint_callback_hooks *hooks;
    const struct stint_cupti *cupti;
    int listed;   /* the functions have been listed */
    int captures; /* streams that are being captured into graphs */
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
static void trace(const struct open_call *call, uint64_t start, uint64_t end, uint32_t path)
{
    stint_ledger_trace_call(stint_registry_entry(call->node->id)->name, call->launch ? call->launch : start, end,
                            call->correlation, path, own_tid());
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
    uint32_t path = wanted & STINT_CALLBACK_TRACE ? stint_path_current() : (uint32_t)STINT_PATH_NONE;
    uint64_t span = stint_call_leave(open->node);
    if (span && wanted & STINT_CALLBACK_TRACE)
        trace(open, start, start + span, path);
}

/* Neither call is recorded itself: recording begins after the call that starts it, and ends before the call that stops
 * it. CUPTI keeps reporting calls, so that the next start is seen. */
static void note_profiler(enum rare rare, int enters)
{
    if (enters && rare == STOPS_PROFILER)
        stint_hold_tell(0);
    else if (!enters && rare == STARTS_PROFILER)
        stint_hold_tell(1);
}

/* Launches leave LEAVES_ID and LEAVES_RECORD, or only the first. */
static void set_launches(int leaves)
{
    for (uint32_t domain = 0; domain < DOMAINS; domain++)
        for (uint32_t id = 0; id < FUNCTIONS; id++)
            if (s_calls.functions[domain][id].kind == (STINT_CALL_LAUNCH | DRIVER_TELLS))
                __atomic_store_n(&s_calls.functions[domain][id].leaves, (uint8_t)leaves, __ATOMIC_RELAXED);
}

/* A launch that is captured leaves no record, because nothing runs until the graph is launched. While any stream is
 * captured, no launch is expected to leave one: asking which stream it goes to would make every launch slower. */
static void note_capture(enum rare rare, const struct stint_cupti_call *call)
{
    static STINT_I_THREAD_LOCAL uint32_t tl_told __attribute__((tls_model("initial-exec")));

    if (call->site == STINT_CUPTI_ENTER || call->correlation == tl_told)
        return; /* the call of the runtime around one of the driver has its correlation id, and ends after it */
    tl_told = call->correlation;
    if (rare == BEGINS_CAPTURE && *(const int *)call->result == 0)
        __atomic_add_fetch(&s_calls.captures, 1, __ATOMIC_RELAXED);
    else if (rare == ENDS_CAPTURE && STINT_I_LOAD(&s_calls.captures) > 0)
        __atomic_sub_fetch(&s_calls.captures, 1, __ATOMIC_RELAXED);
    set_launches(STINT_I_LOAD(&s_calls.captures) > 0 ? LEAVES_ID : LEAVES_ID | LEAVES_RECORD);
}

/* Not inlined, because every call would then save the registers that this needs. */
__attribute__((noinline)) static void note_rare(enum rare rare, const struct stint_cupti_call *call)
{
    if (rare == COUNTED && (call->site == STINT_CUPTI_EXIT || !stint_is_held()))
        stint_counting_call(call, stint_path_current(), STINT_I_LOAD(&s_calls.captures) > 0);
    else if (rare == BEGINS_CAPTURE || rare == ENDS_CAPTURE)
        note_capture(rare, call);
    else if (rare != COUNTED)
        note_profiler(rare, call->site == STINT_CUPTI_ENTER);
}

/* Returns the path to charge for a launch of a thread on which no scope runs. */
__attribute__((noinline)) static uint32_t path_outside_of_scopes(uint32_t wanted, uint32_t correlation)
{
    return stint_adopt_launch(correlation, wanted & STINT_CALLBACK_TRACE ? stint_instance_note : NULL);
}

/* Not inlined, because it is needed for a trace only. */
__attribute__((noinline)) static void note_instance(uint32_t correlation)
{
    stint_thread_see_launch();
    stint_instance_note(correlation, stint_i_self->current);
}

__attribute__((noinline)) static void note_more(uint32_t wanted, unsigned what, const struct stint_cupti_call *call)
{
    if (what == WAITS && wanted & STINT_CALLBACK_WAITS)
        stint_wait_note(__atomic_load_n(&s_calls.cupti, __ATOMIC_ACQUIRE), call);
    else if (what != WAITS && wanted & STINT_CALLBACK_MEMORY)
        stint_allocation_note(what, call);
}

/* The scope is looked up before the call's own node is entered, because that node would have to be skipped. */
static void note_call(uint32_t wanted, struct function *function, const struct stint_cupti_call *call)
{
    int enters = call->site == STINT_CUPTI_ENTER;
    uint64_t launch = 0;

    enum rare rare = (enum rare)STINT_I_LOAD(&function->rare);

    if (STINT_I_UNLIKELY(rare))
        note_rare(rare, call);
    if (enters && STINT_I_LOAD(&function->leaves)) {
        launch = wanted & STINT_CALLBACK_TRACE ? stint_clock_ticks() : 0;
        uint32_t path = stint_is_held() ? (uint32_t)STINT_PATH_HELD : stint_path_current();

        if (STINT_I_UNLIKELY(path == STINT_PATH_ROOT))
            path = path_outside_of_scopes(wanted, call->correlation);
        else if (wanted & STINT_CALLBACK_TRACE)
            note_instance(call->correlation);
        stint_correlate_put(call->correlation, path | (uint32_t)(STINT_I_LOAD(&function->leaves) & LEAVES_RECORD) << 24,
                            launch);
    }
    if (STINT_I_UNLIKELY(function->noted))
        note_more(wanted, function->noted, call);
    if (!(wanted & STINT_CALLBACK_API))
        return;
    if (enters)
        begin(function, call, launch);
    else
        end(wanted, call);
}

/* CUPTI also says that a node is created when it is cloned, for the graph that is going to run. */
static uint32_t call_that_creates(void)
{
    const struct open_call *open = tl_open.count ? &tl_open.calls[tl_open.count - 1] : NULL;

    if (!open || !open->node || strstr(stint_registry_entry(open->node->id)->name, "Instantiate"))
        return 0;
    return open->correlation;
}

static uint64_t id_of_node(void *node)
{
    const struct stint_cupti *cupti = __atomic_load_n(&s_calls.cupti, __ATOMIC_ACQUIRE);
    uint64_t id;

    return cupti->get_graph_node_id(node, &id) ? 0 : id;
}

static void note_graph_node(uint32_t id, const struct stint_cupti_graph *graph)
{
    if (id == STINT_CUPTI_GRAPH_NODE_CREATED)
        stint_graph_node_created(id_of_node(graph->node), call_that_creates());
    else
        stint_graph_node_cloned(id_of_node(graph->node), id_of_node(graph->original_node));
}

static void note_other(uint32_t domain, uint32_t id, const void *data)
{
    const struct stint_callback_hooks *hooks = __atomic_load_n(&s_calls.hooks, __ATOMIC_ACQUIRE);

    if (domain == STINT_CUPTI_DOMAIN_RESOURCE && id != STINT_CUPTI_CONTEXT_CREATED)
        note_graph_node(id, ((const struct stint_cupti_resource *)data)->descriptor);
    else if (domain == STINT_CUPTI_DOMAIN_RESOURCE)
        hooks->on_context();
    else if (domain == STINT_CUPTI_DOMAIN_STATE)
        hooks->on_failure(((const struct stint_cupti_state *)data)->message);
}

void stint_callback(void *context, uint32_t domain, uint32_t id, const void *data)
{
    uint32_t wanted = __atomic_load_n((const uint32_t *)context, __ATOMIC_ACQUIRE);
    int error = errno;

    if (!wanted || stint_driver_own)
        return;
    if (STINT_I_UNLIKELY(domain - FIRST_DOMAIN >= DOMAINS))
        note_other(domain, id, data);
    else if (id < FUNCTIONS)
        note_call(wanted, &s_calls.functions[domain - FIRST_DOMAIN][id], data);
    errno = error;
}

/* ---------------------------------------------------------------------------------------------------------- measure */

/* Returns 0, or -1 if no launch is known. */
static int find_launch(uint32_t *domain, uint32_t *id)
{
    for (uint32_t at = 0; at < DOMAINS * FUNCTIONS; at++) {
        *domain = at / FUNCTIONS;
        *id = at % FUNCTIONS;
        if (s_calls.functions[*domain][*id].kind == (STINT_CALL_LAUNCH | DRIVER_TELLS))
            return 0;
    }
    return -1;
}

/* What CUPTI calls for a launch; but without a trace, in which each would be found, and with a correlation id that no
 * launch has. */
static void launch(unsigned repeats, stint_i_work_fn *work)
{
    struct stint_cupti_call call = {.function = "cuLaunchKernel"};
    uint32_t domain, id;
    uint64_t value = 3;

    if (find_launch(&domain, &id))
        return;
    for (unsigned i = 0; i < repeats; i++) {
        call.site = STINT_CUPTI_ENTER;
        stint_callback(&s_calls.measured, FIRST_DOMAIN + domain, id, &call);
        value = stint_i_work(work, value);
        call.site = STINT_CUPTI_EXIT;
        stint_callback(&s_calls.measured, FIRST_DOMAIN + domain, id, &call);
    }
    __asm__ volatile("" : : "r"(value));
}

/* --------------------------------------------------------------------------------------------------- start and stop */

/* The names may be followed by a version and other suffixes. */
static enum rare rare_of(const char *name)
{
    static const char names[][19] = {[STARTS_PROFILER] = "ProfilerStart",
                                     [STOPS_PROFILER] = "ProfilerStop",
                                     [BEGINS_CAPTURE] = "StreamBeginCapture",
                                     [ENDS_CAPTURE] = "StreamEndCapture"};
    name += strncmp(name, "cuda", 4) != 0 ? 2 : 4;
    for (int rare = ENDS_CAPTURE; rare > NOTHING; rare--)
        if (strncmp(name, names[rare], strlen(names[rare])) == 0)
            return (enum rare)rare;
    return NOTHING;
}

static struct function describe(const char *name)
{
    enum stint_call_kind kind = stint_call_kind(name);
    unsigned allocates = stint_allocation_call(name);
    int waits = stint_wait_call(name);
    int driver_tells = stint_call_is_launch(name) || allocates;
    return (struct function){.leaves = stint_call_is_work(name) || waits ? LEAVES_ID : 0,
                             .rare = (uint8_t)rare_of(name),
                             .noted = waits ? WAITS : (uint8_t)allocates,
                             .kind = (uint8_t)((int)kind | (driver_tells ? DRIVER_TELLS : 0))};
}

/* Of a launch the driver's call is counted, which every launch makes. */
void stint_callback_count(int counted)
{
    struct function *driver = s_calls.functions[STINT_CUPTI_DOMAIN_DRIVER - FIRST_DOMAIN];

    for (uint32_t id = 0; id < FUNCTIONS; id++)
        if (driver[id].kind & DRIVER_TELLS && !driver[id].noted) /* no allocation */
            __atomic_store_n(&driver[id].rare, (uint8_t)(counted ? COUNTED : NOTHING), __ATOMIC_RELAXED);
}

/* Function names do not change, because CUPTI is opened only once. */
static void list_functions(const struct stint_cupti *cupti)
{
    const char *name;
    int counts = stint_counting_start(cupti);

    for (uint32_t domain = 0; domain < DOMAINS && !s_calls.listed; domain++)
        for (uint32_t id = 0; id < FUNCTIONS; id++)
            if (!cupti->get_callback_name(FIRST_DOMAIN + domain, id, &name) && name) {
                s_calls.functions[domain][id] = describe(name);
            }
    if (counts)
        stint_callback_count(1);
    s_calls.listed = 1;
}

static int is_told(const struct stint_cupti *cupti, uint32_t domain, const struct function *function, unsigned wanted)
{
    int matters = (function->kind & ~DRIVER_TELLS) != STINT_CALL_OTHER && wanted & STINT_CALLBACK_API;
    int waits = function->noted == WAITS;
    int noted = function->noted && wanted & (waits ? STINT_CALLBACK_WAITS : STINT_CALLBACK_MEMORY);
    int works = function->leaves && !waits;
    int by_driver = function->kind & DRIVER_TELLS && cupti->version >= DRIVER_TELLS_VERSION;
    if (function->rare)
        return 1;
    return (works || noted || matters) && !(by_driver && FIRST_DOMAIN + domain == STINT_CUPTI_DOMAIN_RUNTIME);
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

/* A recording has calls, so that what a graph runs can be charged to what captured it. */
static void enable_graph_nodes(const struct stint_cupti *cupti, struct stint_cupti_subscriber *subscriber)
{
    if (!cupti->get_graph_node_id || stint_graph_nodes_start())
        return;
    (void)cupti->enable_callback(1, subscriber, STINT_CUPTI_DOMAIN_RESOURCE, STINT_CUPTI_GRAPH_NODE_CREATED);
    (void)cupti->enable_callback(1, subscriber, STINT_CUPTI_DOMAIN_RESOURCE, STINT_CUPTI_GRAPH_NODE_CLONED);
}

static int enable(const struct stint_cupti *cupti, struct stint_cupti_subscriber *subscriber, unsigned wanted,
                  const char **failed)
{
    if (wanted & STINT_CALLBACK_API && wanted & STINT_CALLBACK_TRACE)
        enable_graph_nodes(cupti, subscriber);
    /* Not every CUPTI has these, and nothing depends on them. */
    (void)cupti->enable_callback(1, subscriber, STINT_CUPTI_DOMAIN_RESOURCE, STINT_CUPTI_CONTEXT_CREATED);
    (void)cupti->enable_callback(1, subscriber, STINT_CUPTI_DOMAIN_STATE, STINT_CUPTI_STATE_FATAL_ERROR);
    *failed = wanted & STINT_CALLBACK_EVERY_CALL ? "cuptiEnableDomain" : "cuptiEnableCallback";
    return wanted & STINT_CALLBACK_EVERY_CALL ? enable_all(cupti, subscriber) : enable_some(cupti, subscriber, wanted);
}

int stint_callback_start(const struct stint_cupti *cupti, struct stint_cupti_subscriber *subscriber, unsigned wanted,
                         const struct stint_callback_hooks *hooks, const char **failed)
{
    list_functions(cupti);
    __atomic_store_n(&s_calls.captures, 0, __ATOMIC_RELAXED);
    set_launches(LEAVES_ID | LEAVES_RECORD);
    __atomic_store_n(&s_calls.cupti, cupti, __ATOMIC_RELEASE);
    __atomic_store_n(&s_calls.hooks, hooks, __ATOMIC_RELEASE);
    __atomic_store_n(&stint_callback_wanted, ON | wanted, __ATOMIC_RELEASE);
    STINT_I_STORE(&s_calls.measured, ON | (wanted & ~(unsigned)STINT_CALLBACK_TRACE));
    stint_measure_with(STINT_WAY_CALL, launch);
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
    __atomic_store_n(&stint_callback_wanted, 0, __ATOMIC_RELEASE);
}
