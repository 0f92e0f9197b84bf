/* Rebuilds the statistics of a program from its events, one after the other: what each is in, which launch it belongs
 * to, which instance. The result has the same rows as a snapshot that the program took itself. */
#include "replay/replay.h"

#include <string.h>

#include "model/model.h"
#include "stat/numbers.h"
#include "stint/snapshot.h"

struct stint_replay_activity {
    struct stint_numbers numbers;
    struct stint_durations durations;
    uint64_t bytes, min_bytes, max_bytes;
    double square_bytes2;
};

/* ----------------------------------------------------------------------------------------------------------- counts */

/* Returns the row of an activity, extending the array if necessary; NULL if there is no memory. */
static struct stint_replay_activity *activity_of(struct stint_replay *replay, size_t position)
{
    struct stint_array *rows = &replay->activities;
    while (rows->count <= position)
        if (!stint_array_add(rows, &replay->arena, sizeof(struct stint_replay_activity))) {
            replay->builder.failed = 1;
            return NULL;
        }
    return (struct stint_replay_activity *)rows->items + position;
}

static const struct stint_context *built(const struct stint_replay *replay, size_t context)
{
    return (const struct stint_context *)replay->builder.rows[STINT_ROWS_CONTEXTS].items + context;
}

/* Returns the thread's cell of a row; STINT_INDEX_NONE without memory. */
static size_t cell_of(struct stint_replay *replay, const struct stint_open_thread *thread, size_t row)
{
    size_t number = (size_t)(thread - (const struct stint_open_thread *)replay->open.threads.items);
    return stint_counts_cell(&replay->counted, number, row);
}

static void count(struct stint_replay *replay, size_t cell, uint64_t ns)
{
    if (cell == STINT_INDEX_NONE || stint_counts_add(&replay->counted, cell, ns))
        replay->builder.failed = 1;
}

/* Counts an activation of which the end is not known. What is within it is not taken off its time. */
static void count_running(struct stint_replay *replay, size_t stat, size_t context, uint64_t ns)
{
    struct stint_numbers numbers = {.running = 1, .running_ns = ns};
    stint_builder_add_stat(&replay->builder, stat, &numbers);
    if (context != STINT_NO_PARENT)
        stint_builder_add_context(&replay->builder, context, &numbers);
}

static void spent(void *caller, const struct stint_open_thread *thread, const struct stint_open *open, uint64_t ns)
{
    struct stint_replay *replay = caller;
    (void)thread;
    if (open->cell != STINT_INDEX_NONE)
        stint_sum_up(&stint_counts_at(&replay->counted, open->cell)->self_ns, ns);
}

/* -------------------------------------------------------------------------------------------------------- host rows */

/* Counts what was opened in a context, and notes for whom its own time is. */
static void count_open(struct stint_replay *replay, const struct stint_open_thread *thread, struct stint_open *open,
                       const struct stint_event *event)
{
    uint64_t ns = event->end_ns - event->start_ns;
    open->cell = cell_of(replay, thread, stint_counts_context(open->context));
    if (!event->is_running) {
        count(replay, open->cell, ns);
        return;
    }
    count_running(replay, built(replay, open->context)->stat, open->context, ns);
    open->cell = STINT_INDEX_NONE;
}

/* Returns whether there is such a context. Events of scopes that were dropped at a limit have none. */
static int is_context(const struct stint_replay *replay, size_t context)
{
    return context < replay->builder.rows[STINT_ROWS_CONTEXTS].count;
}

static struct stint_open *open_at(struct stint_replay *replay, const struct stint_event *event,
                                  struct stint_open_thread **thread)
{
    *thread = stint_open_at(&replay->open, event->pid, event->tid, event->start_ns);
    struct stint_open *open = *thread ? stint_open_push(&replay->open, *thread, event->end_ns) : NULL;
    if (open)
        open->instance = STINT_GPU_NO_INSTANCE;
    return open;
}

static void add_scope(struct stint_replay *replay, const struct stint_event *event)
{
    struct stint_open_thread *thread;
    struct stint_open *open = is_context(replay, event->context) ? open_at(replay, event, &thread) : NULL;
    if (!open)
        return;
    open->context = event->context;
    if (replay->counts)
        count_open(replay, thread, open, event);
}

/* Adds marks, and ranges that are started and ended: no scope encloses them. */
static void add_floating(struct stint_replay *replay, const struct stint_event *event)
{
    struct stint_stat like = {.set = event->set, .name = event->name, .file = "", .function = ""};
    uint64_t ns = event->end_ns - event->start_ns;
    const struct stint_open_thread *thread =
        replay->counts ? stint_open_at(&replay->open, event->pid, event->tid, event->start_ns) : NULL;
    if (!thread)
        return;
    size_t stat = stint_builder_stat(&replay->builder, &like);
    if (replay->builder.failed)
        return;
    size_t cell = cell_of(replay, thread, stint_counts_floating(stat));
    if (event->is_running) {
        count_running(replay, stat, STINT_NO_PARENT, ns);
        return;
    }
    count(replay, cell, ns);
    if (cell != STINT_INDEX_NONE)
        stint_sum_up(&stint_counts_at(&replay->counted, cell)->self_ns, ns);
}

/* -------------------------------------------------------------------------------------------------------- instances */

static size_t instance_within(struct stint_replay *replay, const struct stint_open_thread *thread, size_t instance)
{
    struct stint_open *open = thread->open.items;
    for (size_t i = 0; i < thread->open.count; i++) {
        if (open[i].is_call)
            continue;
        if (open[i].instance == STINT_GPU_NO_INSTANCE)
            open[i].instance = stint_builder_add(&replay->builder, STINT_ROWS_GPU_INSTANCES,
                                                 &(struct stint_gpu_instance){open[i].context, instance});
        instance = open[i].instance;
    }
    return instance;
}

/* Returns the context of another thread's scope that waits for what is in the context, which is the outermost of its
 * thread, or for which no scope is open; STINT_NO_PARENT: none does. */
static size_t waiting_context(const struct stint_replay *replay, size_t context)
{
    const struct stint_stat *stats = replay->builder.rows[STINT_ROWS_STATS].items;
    for (int i = 0; i < 2 && is_context(replay, context); i++) {
        const struct stint_context *row = built(replay, context);
        if (stint_stat_is_adopted(&stats[row->stat]))
            return row->parent;
        context = row->parent;
    }
    return STINT_NO_PARENT;
}

static size_t waiting_instance(struct stint_replay *replay, const struct stint_event *event, size_t waits)
{
    for (size_t i = 0; waits != STINT_NO_PARENT && i < replay->open.threads.count; i++) {
        const struct stint_open_thread *at = (const struct stint_open_thread *)replay->open.threads.items + i;
        if (at->pid != event->pid)
            continue;
        at = stint_open_at(&replay->open, at->pid, at->tid, event->start_ns);
        const struct stint_open *scope = stint_open_scope(at);
        if (scope && scope->context == waits)
            return instance_within(replay, at, STINT_GPU_NO_INSTANCE);
    }
    return STINT_GPU_NO_INSTANCE;
}

/* Returns the instance of the innermost open scope, and creates it and those around it as needed; that of the scope
 * that waits, for work that is adopted. */
static size_t instance_of(struct stint_replay *replay, const struct stint_open_thread *thread,
                          const struct stint_event *event)
{
    const struct stint_open *outermost = thread->open.items;
    size_t count = thread->open.count;
    for (; count && outermost->is_call; outermost++)
        count--;
    if (count && outermost->instance != STINT_GPU_NO_INSTANCE)
        return instance_within(replay, thread, STINT_GPU_NO_INSTANCE);
    size_t waits = waiting_context(replay, count ? outermost->context : event->context);
    return instance_within(replay, thread, waiting_instance(replay, event, waits));
}

static int has_room(const struct stint_replay *replay)
{
    return replay->builder.rows[STINT_ROWS_GPU_EVENTS].count < replay->trace;
}

static void add_trace(struct stint_replay *replay, const struct stint_event *event, size_t instance)
{
    struct stint_gpu_event row = *event->gpu;
    row.context = event->context;
    row.instance = instance;
    row.pid = event->pid;
    if (has_room(replay))
        stint_builder_add(&replay->builder, STINT_ROWS_GPU_EVENTS, &row);
    else
        replay->dropped.gpu_events += replay->trace != 0;
}

/* -------------------------------------------------------------------------------------------------------- CUDA rows */

static size_t context_of_call(struct stint_replay *replay, const struct stint_event *event)
{
    struct stint_stat like = {.set = STINT_API_SET, .name = event->name, .file = "", .function = ""};
    size_t stat = stint_builder_stat(&replay->builder, &like);
    size_t parent = is_context(replay, event->context) ? event->context : STINT_NO_PARENT;
    return stint_builder_context(&replay->builder, parent, stat);
}

/* A call that another call makes, as a call of the runtime calls the driver, is a part of that call. */
static void add_call(struct stint_replay *replay, const struct stint_event *event)
{
    struct stint_open_thread *thread = stint_open_at(&replay->open, event->pid, event->tid, event->start_ns);
    int is_inner = thread && stint_open_in_call(thread);
    struct stint_open *open = open_at(replay, event, &thread);
    if (!open)
        return;
    open->is_call = 1;
    open->context = is_inner ? open[-1].context : context_of_call(replay, event);
    if (replay->builder.failed)
        return;
    if (replay->counts && is_inner)
        open->cell = open[-1].cell;
    else if (replay->counts)
        count_open(replay, thread, open, event);
    /* Instances are kept only of scopes that launch something (struct stint_gpu_instance). */
    if (has_room(replay) && stint_call_is_work(event->name) &&
        stint_launches_put(&replay->launches, event->pid, event->gpu->correlation, instance_of(replay, thread, event)))
        replay->builder.failed = 1;
    if (!is_inner)
        add_trace(replay, event, STINT_GPU_NO_INSTANCE);
}

static void count_ns(struct stint_numbers *numbers, uint64_t ns)
{
    if (!numbers->count || ns < numbers->min_ns)
        numbers->min_ns = ns;
    if (ns > numbers->max_ns)
        numbers->max_ns = ns;
    numbers->count++;
    stint_sum_up(&numbers->total_ns, ns);
    numbers->square_ns2 += (double)ns * (double)ns;
}

static void count_bytes(struct stint_replay_activity *row, uint64_t bytes)
{
    if (row->numbers.count == 1 || bytes < row->min_bytes)
        row->min_bytes = bytes;
    if (bytes > row->max_bytes)
        row->max_bytes = bytes;
    stint_sum_up(&row->bytes, bytes);
    row->square_bytes2 += (double)bytes * (double)bytes;
}

static void charge(struct stint_replay *replay, const struct stint_event *event)
{
    const struct stint_gpu_event *gpu = event->gpu;
    struct stint_gpu_activity like = {.kind = gpu->kind,
                                      .direction = gpu->direction,
                                      .wait = gpu->wait,
                                      .name = event->name,
                                      .mangled = "",
                                      .device = gpu->device,
                                      .context = gpu->device_context,
                                      .stream = gpu->stream};
    uint64_t ns = event->end_ns - event->start_ns;
    size_t activity = stint_builder_gpu_activity(&replay->builder, &like);
    struct stint_replay_activity *row = activity_of(replay, activity);
    if (!row)
        return;
    count_ns(&row->numbers, ns);
    if (stint_durations_add(&row->durations, &replay->counted.budget, ns))
        replay->builder.failed = 1;
    count_bytes(row, gpu->bytes);
    stint_builder_add(&replay->builder, STINT_ROWS_GPU_CHARGES,
                      &(struct stint_gpu_charge){.activity = activity,
                                                 .context = event->context,
                                                 .count = 1,
                                                 .total_ns = ns,
                                                 .min_ns = ns,
                                                 .max_ns = ns,
                                                 .bytes = gpu->bytes});
}

static void add_device(struct stint_replay *replay, const struct stint_event *event)
{
    if (replay->counts)
        charge(replay, event);
    add_trace(replay, event, stint_launches_find(&replay->launches, event->pid, event->gpu->correlation));
}

static const char *name_of(const struct stint_replay *replay, const struct stint_open_thread *thread)
{
    return thread->data ? ((const char **)replay->names.items)[thread->data - 1] : "";
}

static void add_sample(struct stint_replay *replay, const struct stint_event *event)
{
    struct stint_sample_thread like = {.pid = event->pid, .tid = event->tid};
    const struct stint_open_thread *thread = stint_open_at(&replay->open, event->pid, event->tid, event->start_ns);
    if (!thread)
        return;
    const char *name = name_of(replay, thread);
    memcpy(like.name, name, strnlen(name, sizeof like.name - 1));
    stint_builder_add(
        &replay->builder, STINT_ROWS_SAMPLE_COUNTS,
        &(struct stint_sample_count){.thread = stint_builder_add(&replay->builder, STINT_ROWS_SAMPLE_THREADS, &like),
                                     .context = event->context,
                                     .stack = event->sample.stack,
                                     .samples = 1,
                                     .time_ns = event->sample.time_ns});
    replay->sampling.sampled = 1;
    replay->sampling.samples++;
    stint_sum_up(&replay->sampling.time_ns, event->sample.time_ns);
}

void stint_replay_add(struct stint_replay *replay, const struct stint_event *event)
{
    if (replay->builder.failed)
        return;
    if (event->end_ns > replay->end_ns)
        replay->end_ns = event->end_ns;
    switch (event->kind) {
    case STINT_EVENT_SCOPE:
        add_scope(replay, event);
        break;
    case STINT_EVENT_RANGE:
    case STINT_EVENT_MARK:
        add_floating(replay, event);
        break;
    case STINT_EVENT_CALL:
        add_call(replay, event);
        break;
    case STINT_EVENT_DEVICE:
        add_device(replay, event);
        break;
    case STINT_EVENT_SAMPLE:
        if (replay->counts)
            add_sample(replay, event);
        break;
    case STINT_EVENT_VALUE:
    case STINT_EVENT_MEMORY:
        break;
    }
    replay->builder.failed |= replay->open.failed;
}

/* ---------------------------------------------------------------------------------------------------- begin and end */

void stint_replay_begin(struct stint_replay *replay, int counts, size_t trace)
{
    *replay = (struct stint_replay){.counts = counts, .trace = trace};
    replay->open.spent = counts ? spent : NULL;
    replay->open.caller = replay;
    stint_builder_begin(&replay->builder);
}

void stint_replay_thread(struct stint_replay *replay, int64_t pid, int64_t tid, const char *name)
{
    struct stint_open_thread *thread = stint_open_at(&replay->open, pid, tid, 0);
    const char **row = stint_array_add(&replay->names, &replay->arena, sizeof *row);
    if (!thread || !row || !(*row = stint_arena_copy(&replay->arena, name, strlen(name)))) {
        replay->builder.failed = 1;
        return;
    }
    thread->data = replay->names.count;
}

void stint_replay_sampled_threads(struct stint_replay *replay, const struct stint_snapshot *report)
{
    for (size_t i = 0; i < report->sample_thread_count; i++) {
        const struct stint_sample_thread *thread = &report->sample_threads[i];
        if (!thread->exited)
            stint_replay_thread(replay, thread->pid, thread->tid, thread->name);
    }
}

/* Gives the builder a thread that recorded something, if it does not have it yet. */
static void add_thread(struct stint_replay *replay, size_t *places, size_t number)
{
    const struct stint_open_thread *thread = (const struct stint_open_thread *)replay->open.threads.items + number;
    struct stint_thread row = {.pid = thread->pid, .tid = thread->tid};
    if (places[number] != SIZE_MAX)
        return;
    const char *name = name_of(replay, thread);
    memcpy(row.name, name, strnlen(name, sizeof row.name - 1));
    places[number] = stint_builder_add(&replay->builder, STINT_ROWS_THREADS, &row);
}

static void add_counts(struct stint_replay *replay)
{
    size_t *places = stint_arena_alloc(&replay->arena, (replay->open.threads.count + 1) * sizeof *places);
    if (!places) {
        replay->builder.failed = 1;
        return;
    }
    for (size_t i = 0; i < replay->open.threads.count; i++)
        places[i] = SIZE_MAX;
    for (size_t i = 0; i < replay->counted.cells.count; i++)
        add_thread(replay, places, stint_counts_at(&replay->counted, i)->thread);
    stint_counts_tell(&replay->counted, &replay->builder, places);
}

static void add_activities(struct stint_replay *replay)
{
    struct stint_replay_activity *rows = replay->activities.items;
    for (size_t i = 0; i < replay->activities.count; i++) {
        const struct stint_durations *durations = &rows[i].durations;
        struct stint_gpu_activity add = {.numbers = rows[i].numbers,
                                         .bytes = rows[i].bytes,
                                         .min_bytes = rows[i].min_bytes,
                                         .max_bytes = rows[i].max_bytes,
                                         .square_bytes2 = rows[i].square_bytes2};
        stint_durations_bins(&durations, 1, &replay->arena, &add.numbers);
        stint_builder_add_gpu_activity(&replay->builder, i, &add);
        stint_durations_free(&rows[i].durations);
    }
}

struct stint_snapshot *stint_replay_end(struct stint_replay *replay, const struct stint_process *process)
{
    struct stint_process whole = *process;
    if (!whole.wall_ns)
        whole.wall_ns = replay->end_ns;
    if (!replay->builder.failed)
        stint_open_finish(&replay->open);
    add_counts(replay);
    add_activities(replay);
    if (replay->sampling.sampled)
        stint_builder_add(&replay->builder, STINT_ROWS_SAMPLING, &replay->sampling);
    replay->dropped.nvtx_depth += replay->open.too_deep;
    struct stint_snapshot *snapshot = stint_builder_end(&replay->builder, &whole, &replay->dropped);
    stint_open_free(&replay->open);
    stint_launches_free(&replay->launches);
    stint_counts_free(&replay->counted);
    stint_arena_free(&replay->arena);
    return snapshot;
}
