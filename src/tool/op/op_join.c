/* Reads the events of a recording, and finds the frames in which its kernels were launched. */
#include "op/op_join.h"

#include <string.h>

struct stint_op_thread {
    struct stint_array slots; /* struct stint_op_range, of those that are open; by depth as long as they nest */
    uint32_t launch;          /* position of the last launch plus 1; 0: none */
};

/* Where kernels were launched: in which frame, by which thread. */
struct stint_op_launch {
    uint32_t frame;
    int64_t tid;
};

/* In which frame a node of a CUDA graph was made. */
struct stint_op_captured {
    int64_t pid;
    uint64_t node;
    uint32_t frame;
};

/* A kernel that seems to have begun before its launch: clocks of devices are known within a microsecond or so. Its
 * launch follows soon, if there is one. */
struct stint_op_early {
    int64_t pid;
    uint64_t correlation;
    size_t kernel;  /* plus 1; 0: none */
    size_t context; /* of the event */
};

enum { EARLY = 1 << 10 };

#define NOT_ADDED ((size_t)-1) /* a range of which no frame has been made yet */

/* ---------------------------------------------------------------------------------------------------------- threads */

/* Returns the thread's own data; NULL without memory. */
static struct stint_op_thread *data_of(struct stint_op_join *join, struct stint_open_thread *thread)
{
    if (!thread->data) {
        struct stint_op_thread *data = stint_array_add(&join->threads, &join->arena, sizeof *data);
        if (!data)
            return NULL;
        thread->data = join->threads.count;
    }
    return (struct stint_op_thread *)join->threads.items + thread->data - 1;
}

static int is_in_use(const struct stint_open_thread *thread, size_t slot)
{
    const struct stint_open *open = thread->open.items;
    for (size_t i = 0; i < thread->open.count; i++)
        if (open[i].context == slot)
            return 1;
    return 0;
}

/* Ranges usually nest: then the slot is the depth. */
static size_t free_slot(const struct stint_open_thread *thread)
{
    if (!thread->has_moved)
        return thread->open.count;
    size_t slot = 0;
    while (is_in_use(thread, slot))
        slot++;
    return slot;
}

static int keep_range(struct stint_op_join *join, struct stint_op_thread *data, size_t at,
                      const struct stint_op_range *range)
{
    while (data->slots.count <= at)
        if (!stint_array_add(&data->slots, &join->arena, sizeof *range))
            return -1;
    ((struct stint_op_range *)data->slots.items)[at] = *range;
    return 0;
}

/* Makes frames of all that is open on the thread, and returns the innermost. */
static uint32_t frame_of(struct stint_op_join *join, struct stint_open_thread *thread, int *failed)
{
    struct stint_open *open = thread->open.items;
    size_t from = thread->open.count;
    while (from && open[from - 1].instance == NOT_ADDED)
        from--;
    uint32_t frame = from ? (uint32_t)open[from - 1].instance : STINT_OP_NO_FRAME;
    for (size_t i = from; i < thread->open.count; i++) {
        const struct stint_op_thread *data = data_of(join, thread);
        const struct stint_op_range *range = (const struct stint_op_range *)data->slots.items + open[i].context;
        frame = stint_op_frame_add(join, frame, thread->pid, thread->tid, range, failed);
        open[i].instance = frame;
    }
    return frame;
}

/* ----------------------------------------------------------------------------------------------------------- ranges */

static int looks_like_marker(const char *text)
{
    return text[0] == '{' && text[1] == '\'';
}

/* A forward operation whose number a backward one may have: its frame is wanted even if it launches nothing. */
static int is_remembered(const struct stint_op_join *join)
{
    const struct stint_operation *operation = &join->operation;
    if (operation->pass >= 0)
        return operation->has_seq && operation->pass == STINT_OP_FORWARD;
    return operation->has_seq && !stint_op_is_backward(operation->name);
}

/* What autograd launches before and behind the operation that it runs belongs to that, if it has launched nothing
 * before. */
static void tell_engine(struct stint_op_join *join, const struct stint_open_thread *thread,
                        const struct stint_op_thread *data, const struct stint_op_range *range)
{
    if (!range->has_seq || !thread->open.count)
        return;
    const struct stint_open *around = (const struct stint_open *)thread->open.items + thread->open.count - 1;
    if (around->instance != NOT_ADDED)
        return;
    struct stint_op_range *engine = (struct stint_op_range *)data->slots.items + around->context;
    if (!engine->has_seq && stint_op_is_engine(join, engine)) {
        engine->has_seq = 1;
        engine->seq = range->seq;
    }
}

static int open_range(struct stint_op_join *join, const struct stint_event *event, const struct stint_op_range *range)
{
    struct stint_open_thread *thread = stint_open_at(&join->open, event->pid, event->tid, event->start_ns);
    struct stint_op_thread *data = thread ? data_of(join, thread) : NULL;
    int failed = 0, is_forward = is_remembered(join);
    if (!data)
        return -1;
    tell_engine(join, thread, data, range);
    size_t slot = free_slot(thread);
    if (keep_range(join, data, slot, range))
        return -1;
    struct stint_open *open = stint_open_push(&join->open, thread, event->end_ns);
    if (!open)
        return 0;
    open->context = slot;
    open->instance = NOT_ADDED;
    if (!is_forward)
        return 0;
    uint32_t frame = frame_of(join, thread, &failed);
    if (!failed && frame != STINT_OP_NO_FRAME && stint_op_frame_at(join, frame)->direction == STINT_OP_FORWARD)
        failed = stint_op_frame_remember(join, event->pid, frame);
    return failed ? -1 : 0;
}

/* Where there are no kernels, what programs say that they compute, they compute themselves. */
static int add_host(struct stint_op_join *join, const struct stint_event *event)
{
    static const char name[] = "host";
    struct stint_open_thread *thread = stint_open_at(&join->open, event->pid, event->tid, event->start_ns);
    int failed = 0;
    if (join->operation.pass < 0 || join->operation.hlo_op.length || join->operation.program >= 0 ||
        join->kernels.count)
        return 0;
    struct stint_op_kernel *row = stint_op_add_to_large(&join->hosts, &join->host_memory, sizeof *row);
    uint32_t text = stint_op_texts_add_plain(&join->texts, name, sizeof name - 1);
    if (!row || !thread)
        return -1;
    *row = (struct stint_op_kernel){.start_ns = event->start_ns,
                                    .ns = event->end_ns - event->start_ns,
                                    .tid = event->tid,
                                    .name = text,
                                    .frame = frame_of(join, thread, &failed),
                                    .device = STINT_OP_HOST};
    return failed ? -1 : 0;
}

/* Takes them for kernels, but for those that have others within. */
static int take_hosts(struct stint_op_join *join)
{
    const struct stint_op_kernel *hosts = join->hosts.items;
    unsigned char *is_outer = stint_arena_alloc(&join->arena, join->frames.count + 1);
    if (!is_outer)
        return -1;
    for (size_t i = 0; i < join->hosts.count; i++)
        for (uint32_t at = stint_op_frame_at(join, hosts[i].frame)->parent; at != STINT_OP_NO_FRAME && !is_outer[at];
             at = stint_op_frame_at(join, at)->parent)
            is_outer[at] = 1;
    for (size_t i = 0; i < join->hosts.count; i++) {
        struct stint_op_kernel *row =
            is_outer[hosts[i].frame] ? NULL : stint_array_add(&join->kernels, &join->arena, sizeof *row);
        if (!row && !is_outer[hosts[i].frame])
            return -1;
        if (row)
            *row = hosts[i];
    }
    return 0;
}

static int add_scope(struct stint_op_join *join, const struct stint_event *event)
{
    const char *said = event->text ? event->text : event->name;
    struct stint_piece text = {said, strlen(said)};
    struct stint_op_range range;
    if (stint_event_is_os_call(event))
        return 0;
    if (stint_op_is_known(text.text, text.length))
        return stint_op_known_add(join, event->pid, text.text, text.length);
    int taken = stint_op_hlo_add(join, event->pid, event->tid, text);
    if (taken || stint_op_xla_read(&join->xla, &text))
        return taken > 0 ? 0 : -1;
    enum stint_op_kind kind = stint_operation_read(&join->operation, text.text, text.length);
    if (kind == STINT_OP_PLAIN ? looks_like_marker(said) : join->operation.is_cut)
        join->unparsed++;
    if (kind == STINT_OP_PLAIN)
        return 0;
    if (kind == STINT_OP_CALL && stint_op_frame_see_inputs(join, event->pid, event->tid))
        return -1;
    return stint_op_range_keep(join, &range, text.text, text.length) || open_range(join, event, &range) ||
                   add_host(join, event)
               ? -1
               : 0;
}

/* --------------------------------------------------------------------------------------------------------- launches */

static struct stint_op_early *early_at(struct stint_op_join *join, uint64_t correlation)
{
    return &join->early[correlation % EARLY];
}

static void set_launch(struct stint_op_join *join, size_t kernel, size_t launch)
{
    const struct stint_op_launch *of = (const struct stint_op_launch *)join->launched.items + launch;
    struct stint_op_kernel *row = (struct stint_op_kernel *)join->kernels.items + kernel;
    row->tid = of->tid;
    if (row->frame == STINT_OP_NO_FRAME)
        row->frame = of->frame;
}

/* Gives the call's launch to a kernel that was read before it. */
static void find_early(struct stint_op_join *join, int64_t pid, uint64_t correlation, size_t launch)
{
    struct stint_op_early *early = early_at(join, correlation);
    if (!early->kernel || early->pid != pid || early->correlation != correlation)
        return;
    set_launch(join, early->kernel - 1, launch);
    early->kernel = 0;
}

static int add_call(struct stint_op_join *join, const struct stint_event *event)
{
    int failed = 0;
    if (!event->gpu || !event->gpu->correlation)
        return 0;
    struct stint_open_thread *thread = stint_open_at(&join->open, event->pid, event->tid, event->start_ns);
    struct stint_op_thread *data = thread ? data_of(join, thread) : NULL;
    if (!data)
        return -1;
    uint32_t frame = frame_of(join, thread, &failed);
    struct stint_op_launch *launches = join->launched.items;
    if (!data->launch || launches[data->launch - 1].frame != frame) {
        struct stint_op_launch *launch = stint_array_add(&join->launched, &join->arena, sizeof *launch);
        if (!launch)
            return -1;
        *launch = (struct stint_op_launch){frame, event->tid};
        data->launch = (uint32_t)join->launched.count;
    }
    size_t launch = data->launch - 1;
    if (join->early)
        find_early(join, event->pid, event->gpu->correlation, launch);
    return failed || stint_launches_put(&join->launches, event->pid, event->gpu->correlation, launch) ? -1 : 0;
}

/* ---------------------------------------------------------------------------------------- kernels without a launch */

/* The name of a scope that is an operation's, without its numbers; PyTorch's have a library before. */
static uint32_t named_frame(struct stint_op_join *join, uint32_t parent, const char *name, int *failed)
{
    char text[512];
    size_t length = strlen(name);
    struct stint_op_range range;
    static const char number[] = ", op_id = 0";
    enum stint_op_kind kind = stint_operation_read(&join->operation, name, length);
    if (kind == STINT_OP_PLAIN && length + sizeof number < sizeof text &&
        (strstr(name, "::") || stint_op_is_backward((struct stint_piece){name, length}))) {
        memcpy(text, name, length);
        memcpy(text + length, number, sizeof number);
        name = text;
        length += sizeof number - 1;
        kind = stint_operation_read(&join->operation, name, length);
    }
    if (kind == STINT_OP_PLAIN)
        return parent;
    if (!stint_op_range_keep(join, &range, name, length))
        return stint_op_frame_add(join, parent, 0, 0, &range, failed);
    *failed = 1;
    return parent;
}

/* Makes a frame of each calling context: parents come before those within. */
static int frame_contexts(struct stint_op_join *join)
{
    const struct stint_snapshot *snapshot = join->snapshot;
    int failed = 0;
    join->by_context = stint_arena_alloc(&join->arena, (snapshot->context_count + 1) * sizeof *join->by_context);
    for (size_t i = 0; join->by_context && i < snapshot->context_count; i++) {
        const struct stint_context *context = &snapshot->contexts[i];
        uint32_t parent = context->parent == STINT_NO_PARENT ? STINT_OP_NO_FRAME : join->by_context[context->parent];
        join->by_context[i] = named_frame(join, parent, snapshot->stats[context->stat].name, &failed);
    }
    return failed || !join->by_context ? -1 : 0;
}

/* No launch will follow any more. */
static int give_up(struct stint_op_join *join, struct stint_op_early *early)
{
    struct stint_op_kernel *kernels = join->kernels.items;
    if (!early->kernel)
        return 0;
    join->unlaunched++;
    if (!join->by_context && frame_contexts(join))
        return -1;
    if (early->context < join->snapshot->context_count && kernels[early->kernel - 1].frame == STINT_OP_NO_FRAME)
        kernels[early->kernel - 1].frame = join->by_context[early->context];
    early->kernel = 0;
    return 0;
}

/* ---------------------------------------------------------------------------------------------------------- kernels */

/* Keeps the kernel that was added last until its launch is read. */
static int add_early(struct stint_op_join *join, const struct stint_event *event)
{
    if (!join->early)
        join->early = stint_arena_alloc(&join->arena, EARLY * sizeof *join->early);
    struct stint_op_early *early = join->early ? early_at(join, event->gpu->correlation) : NULL;
    if (!early || give_up(join, early))
        return -1;
    *early = (struct stint_op_early){.pid = event->pid,
                                     .correlation = event->gpu->correlation,
                                     .kernel = join->kernels.count,
                                     .context = event->context};
    return 0;
}

static const struct stint_table_key s_captured = STINT_TABLE_KEY(struct stint_op_captured, pid, node);

/* Returns the frame of the call that made the kernel's node, which is remembered: graphs may run long after the last
 * calls that are known. STINT_OP_NO_FRAME: it has none. */
static uint32_t captured_frame(struct stint_op_join *join, const struct stint_event *event, int *failed)
{
    const struct stint_gpu_event *gpu = event->gpu;
    const struct stint_op_launch *launches = join->launched.items;
    struct stint_op_captured node = {.pid = event->pid, .node = gpu->graph_node, .frame = STINT_OP_NO_FRAME};
    const struct stint_op_captured *known = stint_table_find(&join->captured, &s_captured, &node);
    if (known)
        return known->frame;
    size_t launch = stint_launches_find(&join->launches, event->pid, gpu->captured);
    if (launch == STINT_GPU_UNATTRIBUTED)
        return STINT_OP_NO_FRAME;
    node.frame = launches[launch].frame;
    *failed = !stint_table_take(&join->captured, &s_captured, &join->arena, &node);
    return node.frame;
}

static int add_kernel(struct stint_op_join *join, const struct stint_event *event)
{
    int failed = 0;
    const struct stint_gpu_event *gpu = event->gpu;
    if (!gpu || gpu->kind != STINT_GPU_KERNEL)
        return 0;
    struct stint_op_kernel *kernel = stint_op_add_to_large(&join->kernels, &join->kernel_memory, sizeof *kernel);
    uint32_t name = stint_op_texts_add_plain(&join->texts, event->name, strlen(event->name));
    uint32_t frame = gpu->captured ? captured_frame(join, event, &failed) : (uint32_t)STINT_OP_NO_FRAME;
    if (!failed)
        frame = stint_op_frame_replay(join, event->pid, gpu->correlation, frame, &failed);
    if (!kernel || failed)
        return -1;
    *kernel = (struct stint_op_kernel){.start_ns = event->start_ns,
                                       .ns = event->end_ns - event->start_ns,
                                       .name = name,
                                       .frame = frame,
                                       .device = gpu->device,
                                       .stream = gpu->stream};
    memcpy(kernel->grid, gpu->grid, sizeof kernel->grid);
    memcpy(kernel->block, gpu->block, sizeof kernel->block);
    size_t launch = stint_launches_find(&join->launches, event->pid, gpu->correlation);
    if (launch == STINT_GPU_UNATTRIBUTED)
        return add_early(join, event);
    set_launch(join, join->kernels.count - 1, launch);
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------- read */

static int add_event(struct stint_op_join *join, const struct stint_event *event)
{
    switch (event->kind) {
    case STINT_EVENT_SCOPE:
        return add_scope(join, event);
    case STINT_EVENT_CALL:
        return add_call(join, event);
    case STINT_EVENT_DEVICE:
        return add_kernel(join, event);
    default:
        return 0;
    }
}

static int lacks_memory(const struct stint_op_join *join)
{
    return join->texts.failed || join->operation.failed || join->open.failed;
}

int stint_op_join_read(struct stint_op_join *join, const struct stint_snapshot *snapshot,
                       struct stint_event_source *events)
{
    struct stint_event event;
    int more = events->begin(events);
    join->snapshot = snapshot;
    while (more >= 0 && (more = events->next(events, &event)) > 0)
        if (add_event(join, &event) || lacks_memory(join)) {
            events->reason[0] = '\0';
            more = -1;
        }
    for (size_t i = 0; join->early && more == 0 && i < EARLY; i++)
        more = give_up(join, &join->early[i]);
    if (more == 0 && ((!join->kernels.count && take_hosts(join)) || stint_op_known_apply(join) ||
                      stint_op_hlo_apply(join) || lacks_memory(join))) {
        events->reason[0] = '\0';
        more = -1;
    }
    return more;
}

void stint_op_join_free(struct stint_op_join *join)
{
    stint_op_texts_free(&join->texts);
    stint_operation_free(&join->operation);
    stint_open_free(&join->open);
    stint_launches_free(&join->launches);
    stint_arena_free(&join->frame_memory);
    stint_arena_free(&join->kernel_memory);
    stint_arena_free(&join->host_memory);
    stint_arena_free(&join->xla.arena);
    stint_arena_free(&join->arena);
}
