/* What the events of a recording say about its rank: the history of its scopes, less the time of scopes and calls
 * inside them; and for each collective call the least time that it took on any rank, as what a rank took beyond that,
 * it waited. */
#include "stat/numbers.h"
#include "transform/transform.h"

#include <string.h>

/* ---------------------------------------------------------------------------------------------------------- history */

void stint_event_history_begin(struct stint_event_history *events, const struct stint_snapshot *process)
{
    events->is_over = events->history.series.count != 0;
    if (!events->is_over)
        events->begin_unix_ns = process->process.start_unix_ns;
}

/* What an activation takes is no part of the self time of the one around it. */
static void take_off(struct stint_event_history *events, const struct stint_open_thread *thread, uint64_t took_ns)
{
    const struct stint_open *around = stint_open_scope(thread);
    if (around)
        stint_history_take_off(&events->history, around->cell, around->instance, took_ns);
}

static void add_scope(struct stint_event_history *events, struct stint_open_thread *thread,
                      const struct stint_event *event)
{
    size_t series = stint_history_series(&events->history, event->set, event->name);
    struct stint_open *open = series == STINT_INDEX_NONE ? NULL : stint_open_push(&events->open, thread, event->end_ns);
    if (!open)
        return;
    open->cell = series;
    open->instance = stint_history_add(&events->history, series, event->start_ns, event->end_ns - event->start_ns);
}

void stint_event_history_add(struct stint_event_history *events, const struct stint_event *event)
{
    if (events->is_over || (event->kind != STINT_EVENT_SCOPE && event->kind != STINT_EVENT_CALL))
        return;
    struct stint_open_thread *thread = stint_open_at(&events->open, event->pid, event->tid, event->start_ns);
    if (!thread)
        return;
    take_off(events, thread, event->end_ns - event->start_ns);
    if (event->kind == STINT_EVENT_SCOPE)
        add_scope(events, thread, event);
}

const struct stint_history *stint_event_history_end(struct stint_event_history *events, uint64_t start_unix_ns)
{
    if (!events->history.series.count || events->open.too_deep || events->open.failed)
        return NULL;
    events->history.offset_ns = events->begin_unix_ns - start_unix_ns;
    return &events->history;
}

void stint_event_history_free(struct stint_event_history *events)
{
    stint_history_free(&events->history);
    stint_open_free(&events->open);
    *events = (struct stint_event_history){.is_over = 0};
}

/* ------------------------------------------------------------------------------------------------------------ waits */

/* One number is kept of each collective call, however many ranks there are: beyond these, some hundred MB. */
enum { CALLS_MOST = 1 << 24 };

struct kernel {
    const char *name;
    struct stint_array least_ns; /* uint64_t, of each call */
    uint64_t total_ns;           /* of all ranks */
    uint64_t count;
    uint32_t ranks;
    size_t at; /* the call of the rank that is being added */
    int differs;
};

/* Those of sends and receives are of two ranks each. */
static int is_collective(const char *name)
{
    static const char *const kernels[] = {"ncclDevKernel_", "ncclKernel_"};
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        if (strncmp(name, kernels[i], strlen(kernels[i])) == 0)
            return strncmp(name + strlen(kernels[i]), "SendRecv", strlen("SendRecv")) != 0;
    return 0;
}

/* There are few such kernels. */
static struct kernel *find_kernel(const struct stint_collective_waits *waits, const char *name)
{
    struct kernel *kernels = waits->kernels.items;
    for (size_t i = 0; i < waits->kernels.count; i++)
        if (strcmp(kernels[i].name, name) == 0)
            return &kernels[i];
    return NULL;
}

static struct kernel *add_kernel(struct stint_collective_waits *waits, const char *name)
{
    const char *copy = stint_arena_copy(&waits->arena, name, strlen(name));
    struct kernel *kernel = copy ? stint_array_add(&waits->kernels, &waits->arena, sizeof *kernel) : NULL;
    if (kernel)
        kernel->name = copy;
    else
        waits->failed = 1;
    return kernel;
}

static void add_call(struct stint_collective_waits *waits, struct kernel *kernel, uint64_t took_ns)
{
    uint64_t *least = kernel->least_ns.items;
    size_t at = kernel->at++;
    stint_sum_up(&kernel->total_ns, took_ns);
    kernel->count++;
    if (at < kernel->least_ns.count) {
        least[at] = took_ns < least[at] ? took_ns : least[at];
        return;
    }
    kernel->differs |= kernel->ranks != 0 || at == CALLS_MOST;
    uint64_t *call = kernel->differs ? NULL : stint_array_add(&kernel->least_ns, &waits->arena, sizeof *call);
    if (call)
        *call = took_ns;
    else
        kernel->differs = 1;
}

void stint_collective_waits_add(struct stint_collective_waits *waits, const struct stint_event *event)
{
    if (waits->failed || event->kind != STINT_EVENT_DEVICE || event->gpu->kind != STINT_GPU_KERNEL ||
        !is_collective(event->name))
        return;
    struct kernel *kernel = find_kernel(waits, event->name);
    if (!kernel)
        kernel = add_kernel(waits, event->name);
    if (kernel)
        add_call(waits, kernel, event->end_ns - event->start_ns);
}

void stint_collective_waits_end_rank(struct stint_collective_waits *waits, int has_all)
{
    struct kernel *kernels = waits->kernels.items;
    waits->failed |= !has_all;
    for (size_t i = 0; i < waits->kernels.count; i++) {
        kernels[i].ranks += kernels[i].at != 0;
        kernels[i].differs |= kernels[i].at && kernels[i].at != kernels[i].least_ns.count;
        kernels[i].at = 0;
    }
}

static uint64_t sum_of(const struct stint_array *numbers)
{
    const uint64_t *all = numbers->items;
    uint64_t sum = 0;
    for (size_t i = 0; i < numbers->count; i++)
        stint_sum_up(&sum, all[i]);
    return sum;
}

void stint_collective_waits_tell(const struct stint_collective_waits *waits, struct stint_snapshot *sum)
{
    for (size_t i = 0; i < sum->gpu_activity_count && !waits->failed; i++) {
        const struct stint_gpu_activity *row = &sum->gpu_activities[i];
        const struct kernel *kernel = find_kernel(waits, row->name);
        struct stint_spread *spread = (struct stint_spread *)(uintptr_t)row->numbers.spread; /* of this program's own */
        if (kernel && spread && row->kind == STINT_GPU_KERNEL && !kernel->differs && kernel->ranks == spread->ranks &&
            kernel->ranks > 1 && kernel->count == row->numbers.count && kernel->total_ns == row->numbers.total_ns)
            spread->shortest_ns = sum_of(&kernel->least_ns);
    }
}

void stint_collective_waits_free(struct stint_collective_waits *waits)
{
    stint_arena_free(&waits->arena);
    *waits = (struct stint_collective_waits){.failed = 0};
}
