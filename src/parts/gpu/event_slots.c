/* Keeps the first events in memory for the snapshot, and passes all of them to the recording if there is one. Any
 * thread may write; a generation in each slot keeps events from before a reset from being taken for later ones. */
#include "gpu/timeline.h"

#include "base/clock.h"
#include "contexts/contexts.h"
#include "gpu/activity_table.h"
#include "record/registry.h"
#include "record/thread.h"

/* The upper halves of the cursor and of the states count resets, so that an event whose slot was taken before a reset
 * neither appears after it, nor shares the slot with an event that takes it then. The lower half of the cursor is the
 * next slot; the lower half of a state is one of these values. A slot that was never used has generation 0. */
enum { WRITING = 1, READY = 2 };

static struct {
    struct stint_trace_event *events; /* NULL: no trace */
    size_t capacity;
    uint64_t cursor;
} s_trace = {.cursor = UINT64_C(1) << 32};

static int has_slots(void)
{
    return __atomic_load_n(&s_trace.events, __ATOMIC_ACQUIRE) != NULL;
}

int stint_trace_start(size_t events)
{
    struct stint_trace_event *made;
    if (!events || has_slots())
        return 0;
    if (events > UINT32_MAX / 2)
        events = UINT32_MAX / 2;
    made = stint_pages_map(events * sizeof *made);
    if (!made)
        return -1;
    s_trace.capacity = events;
    __atomic_store_n(&s_trace.events, made, __ATOMIC_RELEASE);
    return 0;
}

static void (*s_tell)(const struct stint_trace_event *event);

void stint_trace_tell(void (*tell)(const struct stint_trace_event *event))
{
    s_tell = tell;
}

int stint_trace_is_told(void)
{
    return s_tell != NULL;
}

int stint_trace_is_on(void)
{
    return s_tell || has_slots();
}

/* Compares before adding, because otherwise the slot number would one day overflow into the generation. */
static uint64_t next(void)
{
    uint64_t cursor = __atomic_load_n(&s_trace.cursor, __ATOMIC_RELAXED);
    if ((uint32_t)cursor >= s_trace.capacity)
        return cursor;
    return __atomic_fetch_add(&s_trace.cursor, 1, __ATOMIC_ACQ_REL);
}

/* Whether the calling thread gets the slot: only if nobody is writing to it, and it does not belong to a later
 * generation. */
static int claim(struct stint_trace_event *event, uint64_t generation)
{
    uint64_t state = __atomic_load_n(&event->state, __ATOMIC_RELAXED);
    return (uint32_t)state != WRITING && state >> 32 < generation &&
           __atomic_compare_exchange_n(&event->state, &state, generation << 32 | WRITING, 0, __ATOMIC_ACQ_REL,
                                       __ATOMIC_RELAXED);
}

struct stint_trace_event *stint_trace_take(uint64_t *generation)
{
    struct stint_trace_event *events = __atomic_load_n(&s_trace.events, __ATOMIC_ACQUIRE);
    uint64_t cursor = events ? next() : 0;
    *generation = cursor >> 32;
    if (!events)
        return NULL;
    if ((uint32_t)cursor < s_trace.capacity && claim(&events[(uint32_t)cursor], *generation))
        return &events[(uint32_t)cursor];
    stint_count_dropped(&stint_dropped.gpu_events);
    return NULL;
}

void stint_trace_publish(struct stint_trace_event *event, uint64_t generation)
{
    __atomic_store_n(&event->state, generation << 32 | READY, __ATOMIC_RELEASE);
}

void stint_trace_put(const struct stint_trace_event *event)
{
    uint64_t generation;
    if (s_tell)
        s_tell(event);
    struct stint_trace_event *slot = stint_trace_take(&generation);
    if (!slot)
        return;
    slot->launch = event->launch;
    slot->instance = event->instance;
    slot->event = event->event;
    stint_trace_publish(slot, generation);
}

void stint_trace_put_memory(const struct stint_event_memory *memory)
{
    const struct stint_thread_record *self = stint_thread_self();
    if (!s_tell)
        return;
    s_tell(&(struct stint_trace_event){.is_memory = 1,
                                       .memory = *memory,
                                       .event = {.start_ns = stint_clock_ticks(),
                                                 .tid = self ? self->tid : 0,
                                                 .context = self ? stint_path_current() : STINT_PATH_ROOT}});
}

size_t stint_trace_slots(void)
{
    size_t taken = (uint32_t)__atomic_load_n(&s_trace.cursor, __ATOMIC_ACQUIRE);
    if (!has_slots())
        return 0;
    return taken < s_trace.capacity ? taken : s_trace.capacity;
}

int stint_trace_read(size_t slot, struct stint_trace_event *event)
{
    struct stint_trace_event *from = &s_trace.events[slot];
    uint64_t ready = (__atomic_load_n(&s_trace.cursor, __ATOMIC_ACQUIRE) >> 32) << 32 | READY;
    if (__atomic_load_n(&from->state, __ATOMIC_ACQUIRE) != ready)
        return 0;
    event->launch = from->launch;
    event->instance = from->instance;
    event->event = from->event;
    event->state = __atomic_fetch_or(&from->state, 0, __ATOMIC_ACQ_REL); /* a load might come before the copies */
    return event->state == ready;
}

void stint_trace_forget(void)
{
    uint64_t generation = __atomic_load_n(&s_trace.cursor, __ATOMIC_RELAXED) >> 32;
    __atomic_store_n(&s_trace.cursor, (generation + 1) << 32, __ATOMIC_RELEASE);
}
