/* The events of a recording, one after the other, wherever they are kept: in a snapshot, or in a file that may be
 * larger than memory. */
#ifndef STINT_MODEL_EVENT_H
#define STINT_MODEL_EVENT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "stint/snapshot.h"

enum stint_event_kind {
    STINT_EVENT_SCOPE,  /* an activation of a scope, or of an NVTX push/pop range: nested within its thread */
    STINT_EVENT_RANGE,  /* an NVTX start/end range: not nested, may end on another thread */
    STINT_EVENT_MARK,   /* an NVTX mark: an instant */
    STINT_EVENT_CALL,   /* a call of CUDA's API */
    STINT_EVENT_DEVICE, /* what a device did, a wait of a thread for it, or an overhead: see gpu->kind */
    STINT_EVENT_VALUE,  /* a number that the program gave to NVTX, of a counter or in a payload: an instant */
    STINT_EVENT_MEMORY, /* memory was allocated or freed by a call of CUDA: an instant */
    STINT_EVENT_SAMPLE  /* a thread was seen in a function: an instant */
};

/* One allocation, or its end. */
struct stint_event_memory {
    uint64_t address;
    uint64_t bytes;
    uint64_t current_bytes; /* allocated then, of this kind on this device */
    uint32_t device;
    enum stint_gpu_memory_kind kind;
    int pool; /* 1: from a stream-ordered pool */
    int freed;
};

/* A sample of what a thread did. */
struct stint_event_sample {
    size_t stack;     /* index in the snapshot's sample_stacks of its innermost place; STINT_SAMPLE_NO_STACK: unknown */
    uint64_t time_ns; /* that it stands for, which ends with it */
};

struct stint_event {
    enum stint_event_kind kind;
    int is_running;    /* its end is not known: end_ns is that of the recording */
    uint64_t start_ns; /* since the process' start_unix_ns */
    uint64_t end_ns;   /* not less than start_ns */
    int64_t pid;
    int64_t tid;     /* of the thread; 0: none, or unknown */
    int64_t end_tid; /* of a range that ended on another thread: that thread; 0: the same, or unknown */
    /* Index in the snapshot's contexts: for a scope its own context; for an event of a device the one that launched it;
     * for all others that of the innermost scope around them; values have none. Or STINT_GPU_NO_SCOPE or
     * STINT_GPU_UNATTRIBUTED. */
    size_t context;
    const char *name;                  /* of the statistic, function or activity */
    const char *set;                   /* of the statistic; "" for calls, devices and memory */
    const struct stint_gpu_event *gpu; /* of calls and devices; else NULL. Its times and context are those above */
    const char *text;                  /* what the program called an NVTX event whose text carries data behind the name
                         (support/annotation.h); else NULL */
    uint32_t color;                    /* of an NVTX event, as 0xAARRGGBB; 0: none */
    uint32_t category;                 /* of an NVTX event; 0: none. The snapshot's nvtx_names may have its name */
    const char *field;                 /* of a value: which of the payload's numbers it is; "" if there is only one */
    double value;
    const struct stint_event_memory *memory; /* of memory; else NULL */
    struct stint_event_sample sample;        /* of samples */
};

/* Whether it is a point of a curve, which has no place among what threads and devices did. */
static inline int stint_event_is_point(const struct stint_event *event)
{
    return event->kind == STINT_EVENT_VALUE || event->kind == STINT_EVENT_MEMORY;
}

/* Whether it is a call of the C library in which a thread may wait (STINT_OS_SET). */
static inline int stint_event_is_os_call(const struct stint_event *event)
{
    return event->kind == STINT_EVENT_SCOPE && strcmp(event->set, STINT_OS_SET) == 0;
}

/* Texts, `gpu` and `memory` of an event are valid until the next event is asked for. */
struct stint_event_source {
    /* Begins, or starts again at the first event. Returns 0, or -1 with the cause in `reason`. */
    int (*begin)(struct stint_event_source *source);

    /* Returns 1 and the next event in the order of their starts (of those that start together, the longer one first); 0
     * if there are no more; -1 with the cause in `reason`. */
    int (*next)(struct stint_event_source *source, struct stint_event *event);

    char reason[160];

    /* The time that is wanted, set before `begin`: events that do not touch it may be left out. 0 and 0: all of it. */
    uint64_t from_ns, to_ns;
};

/* The events that a snapshot itself contains: gpu_events. */
struct stint_snapshot_events {
    struct stint_event_source source; /* first */
    const struct stint_snapshot *snapshot;
    size_t at;
};

/* Initializes `events`. The snapshot has to outlive it. There is nothing to free. */
void stint_snapshot_events_begin(struct stint_snapshot_events *events, const struct stint_snapshot *snapshot);

#endif
