#include "ranks/event_history.h"

/* An activation of a scope that may contain the next one of its thread. */
struct open_scope {
    size_t series;
    uint64_t number; /* in the series */
    uint64_t end_ns;
};

struct thread {
    int64_t pid, tid;
    struct stint_array open; /* struct open_scope, the innermost one last */
};

/* --------------------------------------------------------------------------------------------------------- threads */

static int same_thread(const void *array, size_t position, const void *key)
{
    const struct thread *thread = (const struct thread *)array + position, *like = key;
    return thread->pid == like->pid && thread->tid == like->tid;
}

static struct thread *find_thread(struct stint_event_history *events, const struct stint_event *event)
{
    struct thread like = {.pid = event->pid, .tid = event->tid};
    uint64_t hash = stint_hash_mix((uint64_t)like.pid, (uint64_t)like.tid);
    size_t at = stint_index_find(&events->index, hash, same_thread, events->threads.items, &like);
    if (at != STINT_INDEX_NONE)
        return (struct thread *)events->threads.items + at;
    struct thread *thread = stint_array_add(&events->threads, &events->arena, sizeof *thread);
    if (!thread || stint_index_add(&events->index, &events->arena, hash, events->threads.count - 1))
        return NULL;
    *thread = like;
    return thread;
}

/* ---------------------------------------------------------------------------------------------------------- adding */

void stint_event_history_begin(struct stint_event_history *events, const struct stint_snapshot *process)
{
    events->is_over = events->history.series.count != 0;
    if (!events->is_over)
        events->begin_unix_ns = process->process.start_unix_ns;
}

/* What an activation takes is no part of the self time of the one around it. */
static void take_off(struct stint_event_history *events, struct thread *thread, const struct stint_event *event)
{
    struct open_scope *open = thread->open.items;
    while (thread->open.count && open[thread->open.count - 1].end_ns <= event->start_ns)
        thread->open.count--;
    if (!thread->open.count)
        return;
    open += thread->open.count - 1;
    stint_history_take_off(&events->history, open->series, open->number, event->end_ns - event->start_ns);
}

static void add_scope(struct stint_event_history *events, struct thread *thread, const struct stint_event *event)
{
    size_t series = stint_history_series(&events->history, event->set, event->name);
    struct open_scope *open =
        series == STINT_INDEX_NONE ? NULL : stint_array_add(&thread->open, &events->arena, sizeof *open);
    if (!open)
        return;
    *open = (struct open_scope){.series = series, .end_ns = event->end_ns};
    open->number = stint_history_add(&events->history, series, event->start_ns, event->end_ns - event->start_ns);
}

void stint_event_history_add(struct stint_event_history *events, const struct stint_event *event)
{
    if (events->is_over || (event->kind != STINT_EVENT_SCOPE && event->kind != STINT_EVENT_CALL))
        return;
    struct thread *thread = find_thread(events, event);
    if (!thread)
        return;
    take_off(events, thread, event);
    if (event->kind == STINT_EVENT_SCOPE)
        add_scope(events, thread, event);
}

const struct stint_history *stint_event_history_end(struct stint_event_history *events, uint64_t start_unix_ns)
{
    if (!events->history.series.count)
        return NULL;
    events->history.offset_ns = events->begin_unix_ns - start_unix_ns;
    return &events->history;
}

void stint_event_history_free(struct stint_event_history *events)
{
    stint_history_free(&events->history);
    stint_arena_free(&events->arena);
    *events = (struct stint_event_history){.is_over = 0};
}
