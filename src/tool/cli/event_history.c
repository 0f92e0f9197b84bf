/* Feeds the scopes of a recording to a history, less the time of scopes and calls inside them. */
#include "cli/event_history.h"

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
    if (!events->history.series.count)
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
