/* Writes events while a program runs: the interface of the writer of recordings. */
#ifndef STINT_MODEL_EVENT_WRITER_H
#define STINT_MODEL_EVENT_WRITER_H

#include "model/event.h"

/* A calling context, in the numbering of the recording library, not of a snapshot: `path` is any number but 0; `parent`
 * is the path of the parent, or 0 for none. Parents are written before their children. */
struct stint_event_context {
    uint32_t path;
    uint32_t parent;
    const char *set;
    const char *name;
    const char *file; /* of the call site; "" if none */
    uint32_t line;
};

/* A call chain, in the numbering of the recording library: a place in the code below the chain of its caller. Callers'
 * chains are written before those of what they call; numbers are from 1 on. */
struct stint_event_chain {
    uint32_t chain;
    uint32_t parent; /* 0: it is an outermost place */
    uint32_t module;
    uint64_t address; /* as in struct stint_sample_frame */
};

struct stint_event_process {
    int64_t pid;
    const char *command;
    const char *host;
    uint64_t start_unix_ns; /* times of events are relative to this */
};

/* The end of a scope whose context is known: an event of which the rest follows. */
struct stint_event_scope {
    uint64_t start_ns;
    uint64_t end_ns;
    uint32_t path;
};

/* What several clocks show at one moment. */
struct stint_event_clock {
    uint64_t ns; /* as times of events */
    uint64_t monotonic_ns;
    uint64_t unix_ns;
    uint64_t cupti_ns; /* CUPTI's, computed from its last reading; 0: unknown */
};

/* Used by one thread at a time. Texts are valid until the call returns, except the names of contexts, functions and
 * activities, which stay valid, at the same address, until the end. */
struct stint_event_writer {
    /* Each returns 0, or -1 if the writer has failed for good; `reason` says why. */
    int (*context)(struct stint_event_writer *writer, const struct stint_event_context *context);

    /* Events may come in any order. Names, sets and fields of values stay valid as contexts' do. `context` is a path, 0
     * for no scope, or STINT_GPU_UNATTRIBUTED if it is unknown; the `stack` of a sample is the number of a chain, or 0
     * if it is unknown. */
    int (*event)(struct stint_event_writer *writer, const struct stint_event *event);

    /* As event, for many scopes of one thread, in the order of their ends. NULL: `event` takes them one by one. */
    int (*scopes)(struct stint_event_writer *writer, int64_t tid, const struct stint_event_scope *scopes, size_t count);

    /* The name that a thread had when it ended. NULL: nobody asks for it. */
    int (*thread)(struct stint_event_writer *writer, int64_t tid, const char *name);

    /* What samples refer to: how they are taken, of which `wall` and `hz` count; modules, with their numbers; and call
     * chains. NULL: nobody asks for it. */
    int (*sampling)(struct stint_event_writer *writer, const struct stint_sample_info *info);
    int (*module)(struct stint_event_writer *writer, uint32_t number, const struct stint_sample_module *module);
    int (*chain)(struct stint_event_writer *writer, const struct stint_event_chain *chain);

    int (*clock)(struct stint_event_writer *writer, const struct stint_event_clock *clock);

    /* Hands over to the system what was written so far, so that it survives the end of the process; called after each
     * chunk of events. Returns 0, or -1 if some of it is lost, with `lost` increased and `reason` saying why; later
     * events may be written again. */
    int (*flush)(struct stint_event_writer *writer);

    /* As flush, with the current report, stint-report JSON. */
    int (*checkpoint)(struct stint_event_writer *writer, const char *report, size_t length);

    /* As checkpoint, and makes a recording of its own of what there is, or of the last of it in a ring. `asked`:
     * somebody has asked for that; else the writer wanted it. `dumped` is then the path of that recording, or "". */
    int (*dump)(struct stint_event_writer *writer, const char *report, size_t length, int asked);

    /* Completes the recording. Frees the writer in any case. */
    int (*finish)(struct stint_event_writer *writer, const char *report, size_t length);

    int wants_dump; /* to be called, by itself, when it has been flushed */
    char *dumped;   /* as `reason` */
    uint64_t lost;  /* events that were accepted, but could not be written */
    char *reason;   /* lives as long as the library */
};

#endif
