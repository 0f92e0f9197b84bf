#include "formats/nsys_span.h"

#include <string.h>

#include "report/gpu_sum.h"
#include "stat/gpu_rows.h"

/* More ranges or launches are not read: limits against running out of memory. */
enum { MOST = 1 << 22 };

/* Of more ranges than these that are open on a thread at one time, the later ones contain nothing. */
enum { OPEN_MOST = 1 << 14 };

/* ------------------------------------------------------------------------------------------------------------ names */

/* The texts of ranges that differ in times only. */
struct naming {
    const char *set;
    const char *plain; /* the name of the statistic */
    const char *text;
    const char *full; /* with the domain */
};

static uint64_t text_hash(const char *text, uint64_t seed)
{
    return stint_hash(text, strlen(text), seed);
}

static int is_text(const void *array, size_t position, const void *text)
{
    return strcmp(((const char *const *)array)[position], text) == 0;
}

/* Returns a copy of the text, which is kept once. */
static const char *kept(struct stint_nsys *nsys, struct stint_nsys_spans *spans, const char *text)
{
    uint64_t hash = text_hash(text, 0);
    size_t at = stint_index_find(&spans->text_index, hash, is_text, spans->texts.items, text);
    if (at != STINT_INDEX_NONE)
        return ((const char **)spans->texts.items)[at];
    const char **row = stint_array_add(&spans->texts, &nsys->arena, sizeof *row);
    const char *copy = stint_arena_copy(&nsys->arena, text, strlen(text));
    if (!row || !copy || stint_index_add(&spans->text_index, &nsys->arena, hash, spans->texts.count - 1)) {
        nsys->failed = 1;
        return "";
    }
    return *row = copy;
}

static int is_naming(const void *array, size_t position, const void *key)
{
    const struct naming *row = (const struct naming *)array + position, *like = key;
    return strcmp(row->text, like->text) == 0 && strcmp(row->plain, like->plain) == 0 &&
           strcmp(row->set, like->set) == 0;
}

static struct naming naming_of(struct stint_nsys *nsys, struct stint_nsys_spans *spans, const struct stint_event *event)
{
    struct naming like = {.set = event->set, .plain = event->name, .text = event->text ? event->text : event->name};
    uint64_t hash = text_hash(like.set, text_hash(like.text, text_hash(like.plain, 0)));
    size_t at = stint_index_find(&spans->naming_index, hash, is_naming, spans->namings.items, &like);
    if (at != STINT_INDEX_NONE)
        return ((const struct naming *)spans->namings.items)[at];
    like = (struct naming){.set = kept(nsys, spans, like.set),
                           .plain = kept(nsys, spans, like.plain),
                           .text = kept(nsys, spans, like.text),
                           .full = kept(nsys, spans, stint_nsys_full_name(nsys, like.set, like.text))};
    struct naming *row = stint_array_add(&spans->namings, &nsys->arena, sizeof *row);
    if (!row || stint_index_add(&spans->naming_index, &nsys->arena, hash, spans->namings.count - 1))
        nsys->failed = 1;
    else
        *row = like;
    return like;
}

/* ---------------------------------------------------------------------------------------------------------- threads */

struct thread {
    int64_t pid;
    int64_t tid;
    struct stint_array open; /* size_t: positions of the ranges that are open on it */
};

static struct thread *thread_at(const struct stint_nsys_spans *spans, size_t position)
{
    return (struct thread *)spans->threads.items + position;
}

static int is_thread(const void *array, size_t position, const void *key)
{
    const struct thread *row = (const struct thread *)array + position, *like = key;
    return row->pid == like->pid && row->tid == like->tid;
}

/* Returns NULL without memory. */
static struct thread *thread_of(struct stint_nsys *nsys, struct stint_nsys_spans *spans, int64_t pid, int64_t tid)
{
    struct thread like = {.pid = pid, .tid = tid};
    uint64_t hash = stint_hash_mix((uint64_t)pid, (uint64_t)tid);
    size_t at = stint_index_find(&spans->thread_index, hash, is_thread, spans->threads.items, &like);
    if (at != STINT_INDEX_NONE)
        return thread_at(spans, at);
    struct thread *row = stint_array_add(&spans->threads, &nsys->arena, sizeof *row);
    if (!row || stint_index_add(&spans->thread_index, &nsys->arena, hash, spans->threads.count - 1)) {
        nsys->failed = 1;
        return NULL;
    }
    *row = like;
    return row;
}

/* Forgets what has ended before that time. */
static void close_ended(const struct stint_nsys_spans *spans, struct thread *thread, uint64_t ns)
{
    size_t *open = thread->open.items, kept = 0;
    for (size_t i = 0; i < thread->open.count; i++)
        if (stint_nsys_span_at(spans, open[i])->end_ns >= ns)
            open[kept++] = open[i];
    thread->open.count = kept;
}

/* ----------------------------------------------------------------------------------------------------------- ranges */

static uint64_t ns_of(const struct stint_nsys_span *span)
{
    return span->end_ns - span->start_ns;
}

/* Returns the shortest open range that contains the span; of equal ones, the latest. */
static size_t parent_of(const struct stint_nsys_spans *spans, const struct thread *thread,
                        const struct stint_nsys_span *span)
{
    const size_t *open = thread->open.items;
    size_t parent = STINT_NO_PARENT;
    for (size_t i = 0; i < thread->open.count; i++) {
        const struct stint_nsys_span *around = stint_nsys_span_at(spans, open[i]);
        if (around->end_ns >= span->end_ns &&
            (parent == STINT_NO_PARENT || ns_of(around) <= ns_of(stint_nsys_span_at(spans, parent))))
            parent = open[i];
    }
    return parent;
}

static void open_span(struct stint_nsys *nsys, struct stint_nsys_spans *spans, struct stint_nsys_span *span)
{
    struct thread *thread = thread_of(nsys, spans, span->pid, span->tid);
    if (!thread)
        return;
    close_ended(spans, thread, span->start_ns);
    span->parent = parent_of(spans, thread, span);
    if (span->parent != STINT_NO_PARENT) {
        struct stint_nsys_span *parent = stint_nsys_span_at(spans, span->parent);
        span->level = parent->level + 1;
        parent->children++;
        parent->children_ns += ns_of(span);
    }
    size_t *open = thread->open.count < OPEN_MOST ? stint_array_add(&thread->open, &nsys->arena, sizeof *open) : NULL;
    if (open)
        *open = spans->spans.count - 1;
    else
        nsys->failed |= thread->open.count < OPEN_MOST;
}

static void add_span(struct stint_nsys *nsys, struct stint_nsys_spans *spans, const struct stint_event *event)
{
    unsigned style = stint_nsys_style_of(event->set, event->name);
    if (style == STINT_NSYS_NO_RANGE)
        return;
    struct stint_nsys_span *span =
        spans->spans.count < MOST ? stint_array_add(&spans->spans, &nsys->arena, sizeof *span) : NULL;
    if (!span) {
        nsys->failed |= spans->spans.count < MOST;
        spans->is_cut = 1;
        return;
    }
    struct naming naming = naming_of(nsys, spans, event);
    *span = (struct stint_nsys_span){.name = naming.full,
                                     .set = naming.set,
                                     .plain = naming.plain,
                                     .style = (enum stint_nsys_style)style,
                                     .pid = event->pid,
                                     .tid = event->tid,
                                     .start_ns = event->start_ns,
                                     .end_ns = event->end_ns,
                                     .parent = STINT_NO_PARENT};
    if (!event->end_tid && !(spans->push_pop_only && style == STINT_NSYS_START_END))
        open_span(nsys, spans, span);
}

/* ------------------------------------------------------------------------------------------------------------- work */

static struct stint_nsys_launch *launch_at(const struct stint_nsys_spans *spans, size_t position)
{
    return (struct stint_nsys_launch *)spans->launches.items + position;
}

static int is_launch(const void *array, size_t position, const void *key)
{
    const struct stint_nsys_launch *row = (const struct stint_nsys_launch *)array + position, *like = key;
    return row->pid == like->pid && row->correlation == like->correlation;
}

static uint64_t launch_hash(int64_t pid, uint64_t correlation)
{
    return stint_hash_mix((uint64_t)pid, correlation);
}

static struct stint_nsys_launch *find_launch(const struct stint_nsys_spans *spans, const struct stint_event *event)
{
    struct stint_nsys_launch like = {.pid = event->pid, .correlation = event->gpu->correlation};
    size_t at = stint_index_find(&spans->launch_index, launch_hash(like.pid, like.correlation), is_launch,
                                 spans->launches.items, &like);
    return at == STINT_INDEX_NONE ? NULL : launch_at(spans, at);
}

static struct stint_nsys_launch *launch_of(struct stint_nsys *nsys, struct stint_nsys_spans *spans,
                                           const struct stint_event *event)
{
    struct stint_nsys_launch *launch = find_launch(spans, event);
    if (launch)
        return launch;
    if (!(launch = stint_array_add(&spans->launches, &nsys->arena, sizeof *launch)) ||
        stint_index_add(&spans->launch_index, &nsys->arena, launch_hash(event->pid, event->gpu->correlation),
                        spans->launches.count - 1)) {
        nsys->failed = 1;
        return NULL;
    }
    *launch = (struct stint_nsys_launch){.pid = event->pid,
                                         .correlation = event->gpu->correlation,
                                         .start_ns = event->start_ns,
                                         .end_ns = event->end_ns,
                                         .work = STINT_INDEX_NONE};
    return launch;
}

static void add_work(struct stint_nsys *nsys, struct stint_nsys_spans *spans, const struct stint_event *event)
{
    int is_kernel = event->gpu->kind == STINT_GPU_KERNEL;
    spans->kernels += (uint64_t)is_kernel;
    if ((!is_kernel && event->gpu->kind != STINT_GPU_COPY && event->gpu->kind != STINT_GPU_SET) ||
        !event->gpu->correlation)
        return;
    if (spans->work.count == MOST) {
        spans->is_cut = 1;
        return;
    }
    struct stint_nsys_launch *launch = launch_of(nsys, spans, event);
    struct stint_nsys_work *work = launch ? stint_array_add(&spans->work, &nsys->arena, sizeof *work) : NULL;
    if (!work) {
        nsys->failed = 1;
        return;
    }
    work->kernel = is_kernel ? kept(nsys, spans, stint_nsys_kernel(nsys, event->name)) : NULL;
    work->ns = event->end_ns - event->start_ns;
    work->next = launch->work;
    launch->work = spans->work.count - 1;
    if (event->start_ns < launch->start_ns)
        launch->start_ns = event->start_ns;
    if (event->end_ns > launch->end_ns)
        launch->end_ns = event->end_ns;
}

/* --------------------------------------------------------------------------------------------------------- launches */

static void tell(struct stint_nsys *nsys, struct stint_nsys_spans *spans, const struct stint_nsys_launch *launch,
                 size_t position)
{
    struct stint_nsys_span *span = stint_nsys_span_at(spans, position);
    if (!span->operations || launch->start_ns < span->work_start_ns)
        span->work_start_ns = launch->start_ns;
    if (launch->end_ns > span->work_end_ns)
        span->work_end_ns = launch->end_ns;
    span->operations++;
    if (spans->launched)
        spans->launched(nsys, spans, launch, position);
}

/* Returns the statistic of the scope, of another thread, that what happens in the context is done for; NULL: none. */
static const struct stint_stat *waiting(const struct stint_snapshot *snapshot, size_t context)
{
    while (context < snapshot->context_count) {
        int is_adopted = stint_stat_is_adopted(&snapshot->stats[snapshot->contexts[context].stat]);
        context = snapshot->contexts[context].parent;
        if (is_adopted && context < snapshot->context_count)
            return &snapshot->stats[snapshot->contexts[context].stat];
    }
    return NULL;
}

static int is_of(const struct stint_nsys_span *span, const struct stint_stat *stat)
{
    return strcmp(span->plain, stat->name) == 0 && strcmp(span->set, stat->set) == 0;
}

/* Tells the ranges of the thread that waits: the innermost range of that statistic, and those around it. */
static int tell_waiting(struct stint_nsys *nsys, struct stint_nsys_spans *spans, const struct stint_nsys_launch *launch,
                        struct thread *thread, const struct stint_stat *stat)
{
    const size_t *open = thread->open.items;
    size_t count = thread->open.count;
    while (count && !is_of(stint_nsys_span_at(spans, open[count - 1]), stat))
        count--;
    for (size_t i = 0; i < count; i++)
        tell(nsys, spans, launch, open[i]);
    return count > 0;
}

static void tell_others(struct stint_nsys *nsys, struct stint_nsys_spans *spans, const struct stint_nsys_launch *launch,
                        const struct stint_event *call)
{
    const struct stint_stat *stat = waiting(nsys->events->snapshot, call->context);
    for (size_t i = 0; stat && i < spans->threads.count; i++) {
        struct thread *thread = thread_at(spans, i);
        if (thread->pid != call->pid || thread->tid == call->tid)
            continue;
        close_ended(spans, thread, call->start_ns);
        if (tell_waiting(nsys, spans, launch, thread, stat))
            return;
    }
}

/* A call of the driver within one of the runtime may have the same correlation; the outer one, which begins first,
 * counts. */
static void add_call(struct stint_nsys *nsys, struct stint_nsys_spans *spans, const struct stint_event *call)
{
    struct stint_nsys_launch *launch = find_launch(spans, call);
    struct thread *thread = launch && !launch->is_called ? thread_of(nsys, spans, call->pid, call->tid) : NULL;
    if (!thread)
        return;
    launch->is_called = 1;
    spans->called++;
    close_ended(spans, thread, call->start_ns);
    const size_t *open = thread->open.items;
    for (size_t i = 0; i < thread->open.count; i++)
        if (stint_nsys_span_at(spans, open[i])->end_ns >= call->end_ns)
            tell(nsys, spans, launch, open[i]);
    tell_others(nsys, spans, launch, call);
}

/* ---------------------------------------------------------------------------------------------------------- reading */

static void add_host(struct stint_nsys *nsys, struct stint_nsys_spans *spans, const struct stint_event *event)
{
    if (event->kind == STINT_EVENT_SCOPE || event->kind == STINT_EVENT_RANGE)
        add_span(nsys, spans, event);
    else if (event->kind == STINT_EVENT_CALL && spans->with_work && event->gpu->correlation)
        add_call(nsys, spans, event);
}

static void add_device(struct stint_nsys *nsys, struct stint_nsys_spans *spans, const struct stint_event *event)
{
    if (event->kind == STINT_EVENT_DEVICE)
        add_work(nsys, spans, event);
}

static int read_all(struct stint_nsys *nsys, struct stint_nsys_spans *spans,
                    void (*add)(struct stint_nsys *nsys, struct stint_nsys_spans *spans,
                                const struct stint_event *event))
{
    struct stint_event_source *source = nsys->events->source;
    struct stint_event event;
    int more = source->begin(source) ? -1 : 1;
    while (more > 0 && !nsys->failed && (more = source->next(source, &event)) > 0)
        add(nsys, spans, &event);
    nsys->unreadable |= more < 0;
    return more || nsys->failed ? -1 : 0;
}

/* What a call launched is known before the call is read, because devices' clocks may be early. */
int stint_nsys_read_spans(struct stint_nsys *nsys, struct stint_nsys_spans *spans)
{
    if (!nsys->events || (spans->with_work && read_all(nsys, spans, add_device)))
        return -1;
    return read_all(nsys, spans, add_host);
}

/* Launches that no call belongs to were before the recording; if that is so for all, calls are not recorded. */
int stint_nsys_spans_are_whole(const struct stint_nsys *nsys, const struct stint_nsys_spans *spans)
{
    uint64_t kernels = 0;
    for (size_t i = 0; i < nsys->snapshot->gpu_activity_count; i++)
        if (nsys->snapshot->gpu_activities[i].kind == STINT_GPU_KERNEL)
            kernels += nsys->snapshot->gpu_activities[i].numbers.count;
    return spans->spans.count && spans->called && !spans->is_cut && spans->kernels == kernels;
}

/* ------------------------------------------------------------------------------------------------------------ pairs */

struct pair {
    size_t a;
    size_t b;
};

static int is_pair(const void *pairs, size_t position, const void *key)
{
    const struct pair *pair = (const struct pair *)pairs + position, *like = key;
    return pair->a == like->a && pair->b == like->b;
}

unsigned stint_nsys_add_pair(struct stint_nsys *nsys, struct stint_nsys_pairs *pairs, size_t a, size_t b)
{
    struct pair like = {a, b};
    uint64_t hash = stint_hash_mix(a, b);
    if (stint_index_find(&pairs->index, hash, is_pair, pairs->pairs.items, &like) != STINT_INDEX_NONE)
        return 0;
    struct pair *pair = stint_array_add(&pairs->pairs, &nsys->arena, sizeof *pair);
    if (!pair || stint_index_add(&pairs->index, &nsys->arena, hash, pairs->pairs.count - 1)) {
        nsys->failed = 1;
        return 0;
    }
    *pair = like;
    return 1;
}
