/* What happens on the program's thread when CUDA is called: the launch is joined to the scope that runs, and the call
 * timed. This is the hot path of the GPU part, so plain calls come first, and what is rare is out of line. */
#include "gpu/callback.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "contexts/contexts.h"
#include "gpu/activity_table.h"
#include "gpu/call_table.h"
#include "gpu/correlate.h"
#include "record/collect.h"
#include "record/registry.h"
#include "record/suspend.h"
#include "record/thread.h"

enum { NAME_SIZE = 256, ON = 1 << 8 /* a bit above those of what is wanted */ };

uint32_t stint_callback_wanted;

static struct {
    uint32_t measured; /* what stint_callback_wanted was at the last start, but without a trace */
    const struct stint_callback_hooks *hooks;
    const struct stint_cupti *cupti;
    int captures; /* streams that are being captured into graphs */
} s_calls;

/* The calling thread's calls that have begun but not ended. There is at most one, except for calls whose end was not
 * reported. Calls made within one have its correlation id, and are not recorded themselves. */
enum { OPEN_CALLS = 4 };

struct open_call {
    struct stint_i_node *node;
    const struct stint_called *function;
    uint64_t launch; /* ticks of the launch, if this is one and it is traced; else 0 */
    uint32_t correlation;
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
static uint32_t id_of(struct stint_called *function, const char *name)
{
    char shown[NAME_SIZE];
    uint32_t id = __atomic_load_n(&function->id, __ATOMIC_RELAXED);
    if (STINT_I_UNLIKELY(!id)) {
        id = stint_call_id(stint_cupti_shown_name(name, shown, sizeof shown));
        __atomic_store_n(&function->id, id, __ATOMIC_RELAXED);
    }
    return id;
}

/* The newest open call, if it has that correlation id: this is it, or within it. */
static inline struct open_call *newest(uint32_t correlation)
{
    if (!tl_open.count)
        return NULL;
    struct open_call *last = &tl_open.calls[tl_open.count - 1];

    return last->correlation == correlation ? last : NULL;
}

/* There has to be room. */
static inline void open_call(struct stint_called *function, uint32_t id, uint32_t correlation, uint64_t launch)
{
    struct open_call *next = &tl_open.calls[tl_open.count++];
    next->function = function;
    next->launch = launch;
    next->correlation = correlation;
    stint_called_alone(function);
    next->node = stint_call_enter(id);
}

static void begin(struct stint_called *function, const struct stint_cupti_call *call, uint64_t launch)
{
    if (newest(call->correlation)) {
        stint_called_within(function);
        return;
    }
    uint32_t id = id_of(function, call->function);

    if (tl_open.count == OPEN_CALLS)
        tl_open.count = 0; /* their ends were not reported, because collecting was stopped */
    open_call(function, id, call->correlation, launch);
}

static struct open_call *find_open(const struct stint_called *function, uint32_t correlation)
{
    for (uint32_t i = tl_open.count; i--;)
        if (tl_open.calls[i].correlation == correlation && tl_open.calls[i].function == function)
            return &tl_open.calls[i];
    return NULL;
}

/* Does nothing for a call within another, and one that began before the collector. */
static void end(uint32_t wanted, const struct stint_called *function, const struct stint_cupti_call *call)
{
    struct open_call *open = find_open(function, call->correlation);
    if (!open)
        return;
    tl_open.count = (uint32_t)(open - tl_open.calls);
    uint64_t start = open->node ? STINT_I_LOAD(&open->node->start) : 0;
    uint32_t path = wanted & STINT_CALLBACK_TRACE ? stint_path_current() : (uint32_t)STINT_PATH_NONE;
    uint64_t span = stint_call_leave(open->node);
    if (span && wanted & STINT_CALLBACK_TRACE)
        trace(open, start, start + span, path);
}

/* Begins or ends a plain call. Most calls are such if every call is wanted, so this does only what they need. Returns
 * 0, and has done nothing, if the call is left to note_call(). */
static inline int note_plain(struct stint_called *function, const struct stint_cupti_call *call)
{
    uint32_t id = __atomic_load_n(&function->id, __ATOMIC_RELAXED);
    struct open_call *open = newest(call->correlation);
    if (call->site == STINT_CUPTI_ENTER) {
        if (open)
            stint_called_within(function);
        else if (STINT_I_LIKELY(id && tl_open.count < OPEN_CALLS))
            open_call(function, id, call->correlation, 0);
        else
            return 0;
    } else if (STINT_I_UNLIKELY(!open)) {
        return 0;
    } else if (open->function == function) {
        tl_open.count--;
        (void)stint_call_leave(open->node);
    }
    return 1;
}

/* Neither call is recorded itself: recording begins after the call that starts it, and ends before the call that stops
 * it. CUPTI keeps reporting calls, so that the next start is seen. */
static void note_profiler(enum stint_called_rare rare, int enters)
{
    if (enters && rare == STINT_CALLED_STOPS_PROFILER)
        stint_suspend_tell(0);
    else if (!enters && rare == STINT_CALLED_STARTS_PROFILER)
        stint_suspend_tell(1);
}

/* A launch that is captured leaves no record, because nothing runs until the graph is launched. While any stream is
 * captured, no launch is expected to leave one: asking which stream it goes to would make every launch slower. */
static void note_capture(enum stint_called_rare rare, const struct stint_cupti_call *call)
{
    static STINT_I_THREAD_LOCAL uint32_t tl_told __attribute__((tls_model("initial-exec")));
    if (call->site == STINT_CUPTI_ENTER || call->correlation == tl_told)
        return; /* the call of the runtime around one of the driver has its correlation id, and ends after it */
    tl_told = call->correlation;
    if (rare == STINT_CALLED_BEGINS_CAPTURE && *(const int *)call->result == 0)
        __atomic_add_fetch(&s_calls.captures, 1, __ATOMIC_RELAXED);
    else if (rare == STINT_CALLED_ENDS_CAPTURE && STINT_I_LOAD(&s_calls.captures) > 0)
        __atomic_sub_fetch(&s_calls.captures, 1, __ATOMIC_RELAXED);
    stint_call_table_set_launches(STINT_I_LOAD(&s_calls.captures) > 0
                                      ? STINT_CALLED_LEAVES_ID
                                      : STINT_CALLED_LEAVES_ID | STINT_CALLED_LEAVES_RECORD);
}

/* Not inlined, because every call would then save the registers that this needs. */
__attribute__((noinline)) static void note_rare(enum stint_called_rare rare, const struct stint_cupti_call *call)
{
    if (rare == STINT_CALLED_COUNTED && (call->site == STINT_CUPTI_EXIT || !stint_is_suspended()))
        stint_counting_call(call, stint_path_current(), STINT_I_LOAD(&s_calls.captures) > 0);
    else if (rare == STINT_CALLED_BEGINS_CAPTURE || rare == STINT_CALLED_ENDS_CAPTURE)
        note_capture(rare, call);
    else if (rare != STINT_CALLED_COUNTED)
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
    stint_adopt_see_launch();
    stint_instance_note(correlation, stint_i_self->current);
}

__attribute__((noinline)) static void note_more(uint32_t wanted, unsigned what, const struct stint_cupti_call *call)
{
    if (what == STINT_CALLED_WAITS && wanted & STINT_CALLBACK_WAITS)
        stint_wait_note(__atomic_load_n(&s_calls.cupti, __ATOMIC_ACQUIRE), call);
    else if (what != STINT_CALLED_WAITS && wanted & STINT_CALLBACK_MEMORY)
        stint_allocation_note(what, call);
}

/* The scope is looked up before the call's own node is entered, because that node would have to be skipped. */
static void note_call(uint32_t wanted, struct stint_called *function, const struct stint_cupti_call *call)
{
    int enters = call->site == STINT_CUPTI_ENTER;
    uint64_t launch = 0;
    enum stint_called_rare rare = (enum stint_called_rare)STINT_I_LOAD(&function->rare);
    if (STINT_I_UNLIKELY(rare))
        note_rare(rare, call);
    if (enters && STINT_I_LOAD(&function->leaves)) {
        launch = wanted & STINT_CALLBACK_TRACE ? stint_clock_ticks() : 0;
        uint32_t path = stint_is_suspended() ? (uint32_t)STINT_PATH_HELD : stint_path_current();

        if (STINT_I_UNLIKELY(path == STINT_PATH_ROOT))
            path = path_outside_of_scopes(wanted, call->correlation);
        else if (wanted & STINT_CALLBACK_TRACE)
            note_instance(call->correlation);
        stint_correlate_put(call->correlation,
                            path | (uint32_t)(STINT_I_LOAD(&function->leaves) & STINT_CALLED_LEAVES_RECORD) << 24,
                            launch);
    }
    if (STINT_I_UNLIKELY(function->noted))
        note_more(wanted, function->noted, call);
    if (!(wanted & STINT_CALLBACK_API))
        return;
    if (enters)
        begin(function, call, launch);
    else
        end(wanted, function, call);
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

__attribute__((noinline)) static void note_other(uint32_t domain, uint32_t id, const void *data)
{
    const struct stint_callback_hooks *hooks = __atomic_load_n(&s_calls.hooks, __ATOMIC_ACQUIRE);
    int error = errno;
    if (domain == STINT_CUPTI_DOMAIN_RESOURCE && id != STINT_CUPTI_CONTEXT_CREATED)
        note_graph_node(id, ((const struct stint_cupti_resource *)data)->descriptor);
    else if (domain == STINT_CUPTI_DOMAIN_RESOURCE)
        hooks->on_context();
    else if (domain == STINT_CUPTI_DOMAIN_STATE)
        hooks->on_failure(((const struct stint_cupti_state *)data)->message);
    errno = error;
}

/* Not inlined, because plain calls would then save the registers that this needs. */
__attribute__((noinline)) static void note(uint32_t wanted, struct stint_called *function, const void *data)
{
    int error = errno;
    note_call(wanted, function, data);
    errno = error;
}

void stint_callback(void *context, uint32_t domain, uint32_t id, const void *data)
{
    uint32_t wanted = __atomic_load_n((const uint32_t *)context, __ATOMIC_ACQUIRE);
    if (!wanted || stint_driver_own)
        return;
    struct stint_called *function = stint_called_at(domain, id);

    if (STINT_I_UNLIKELY(!function)) {
        note_other(domain, id, data);
        return;
    }
    int timed_only = function->plain && (wanted & (STINT_CALLBACK_API | STINT_CALLBACK_TRACE)) == STINT_CALLBACK_API;

    if (!timed_only || !note_plain(function, data))
        note(wanted, function, data);
}

/* ---------------------------------------------------------------------------------------------------------- measure */

/* What CUPTI calls for a launch; but without a trace, in which each would be found, and with a correlation id that no
 * launch has. */
__attribute__((cold)) static void launch(unsigned repeats, stint_i_work_fn *work)
{
    struct stint_cupti_call call = {.function = "cuLaunchKernel"};
    uint32_t id = stint_call_table_launch();
    uint64_t value = 3;
    if (!id)
        return;
    for (unsigned i = 0; i < repeats; i++) {
        call.site = STINT_CUPTI_ENTER;
        stint_callback(&s_calls.measured, STINT_CUPTI_DOMAIN_DRIVER, id, &call);
        value = stint_i_work(work, value);
        call.site = STINT_CUPTI_EXIT;
        stint_callback(&s_calls.measured, STINT_CUPTI_DOMAIN_DRIVER, id, &call);
    }
    __asm__ volatile("" : : "r"(value));
}

/* --------------------------------------------------------------------------------------------------- start and stop */

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
    return stint_call_table_start(cupti, subscriber, wanted, failed);
}

int stint_callback_start(const struct stint_cupti *cupti, struct stint_cupti_subscriber *subscriber, unsigned wanted,
                         const struct stint_callback_hooks *hooks, const char **failed)
{
    __atomic_store_n(&s_calls.captures, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&s_calls.cupti, cupti, __ATOMIC_RELEASE);
    __atomic_store_n(&s_calls.hooks, hooks, __ATOMIC_RELEASE);
    __atomic_store_n(&stint_callback_wanted, ON | wanted, __ATOMIC_RELEASE);
    STINT_I_STORE(&s_calls.measured, ON | (wanted & ~(unsigned)STINT_CALLBACK_TRACE));
    stint_measure_with(STINT_COST_CALL, launch);
    return enable(cupti, subscriber, wanted, failed);
}

void stint_callback_stop(const struct stint_cupti *cupti, struct stint_cupti_subscriber *subscriber)
{
    stint_call_table_stop(cupti, subscriber);
    (void)cupti->enable_domain(0, subscriber, STINT_CUPTI_DOMAIN_RESOURCE);
    (void)cupti->enable_domain(0, subscriber, STINT_CUPTI_DOMAIN_STATE);
    stint_callback_ignore();
}

void stint_callback_ignore(void)
{
    __atomic_store_n(&stint_callback_wanted, 0, __ATOMIC_RELEASE);
}
