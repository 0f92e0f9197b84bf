/* Where events go while a program runs: what libstint_module.so gives to the library that loads it. */
#ifndef STINT_STAT_EVENT_WRITER_H
#define STINT_STAT_EVENT_WRITER_H

#include "stat/event.h"

/* A calling context. Numbers are the recording library's, not a snapshot's: `path` and `parent` are any numbers but 0;
 * a parent, 0 for none, is told before its children. */
struct stint_event_context {
    uint32_t path;
    uint32_t parent;
    const char *set;
    const char *name;
    const char *file; /* of the call site; "" if none */
    uint32_t line;
};

struct stint_event_process {
    int64_t pid;
    const char *command;
    const char *host;
    uint64_t start_unix_ns; /* what events' times count from */
};

/* One thread at a time. Texts live until the call returns, but for names of contexts, functions and activities, which
 * live and stay where they are until the end. */
struct stint_event_writer {
    /* Each returns 0, or -1: it will not do any more, `reason` says why. */
    int (*context)(struct stint_event_writer *writer, const struct stint_event_context *context);

    /* Events come in any order. `context` is a path; 0: no scope, STINT_GPU_UNATTRIBUTED: unknown. */
    int (*event)(struct stint_event_writer *writer, const struct stint_event *event);

    /* What came so far survives the end of the process, with the report of that moment: stint-report JSON. */
    int (*checkpoint)(struct stint_event_writer *writer, const char *report, size_t length);

    /* The file gets its name. Frees the writer in any case. */
    int (*finish)(struct stint_event_writer *writer, const char *report, size_t length);

    char *reason; /* lives as long as the library */
};

/* A symbol of libstint_module.so. `path`'s ending says what is written: .json a Chrome trace, .pftrace Perfetto's,
 * anything else a store. Returns NULL, and why in `reason`. `version` is STINT_EVENT_WRITER_VERSION; another is
 * refused. */
#define STINT_EVENT_WRITER_SYMBOL "stint_event_writer_open"
#define STINT_EVENT_WRITER_VERSION 1

typedef struct stint_event_writer *stint_event_writer_open_fn(int version, const char *path,
                                                              const struct stint_event_process *process, char *reason,
                                                              size_t size);

#endif
