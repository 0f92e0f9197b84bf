/* What events are: everything about them but their time, place and context. Each is stored once, with the sums over all
 * its events. */
#ifndef STINT_HTML_EVENT_CLASS_H
#define STINT_HTML_EVENT_CLASS_H

#include "base/keyed_table.h"
#include "stat/event.h"

struct stint_event_class {
    const char *set;
    const char *name;
    union {
        struct {
            enum stint_event_kind kind;
            enum stint_gpu_kind gpu_kind; /* of devices */
            uint32_t color;               /* as in struct stint_event */
            uint32_t category;            /* likewise */
            uint32_t device;              /* of kernels, like the following */
            uint32_t grid[3];
            uint32_t block[3];
            uint32_t registers;
            uint32_t static_shared;
            uint32_t dynamic_shared;
            enum stint_gpu_memory_kind source; /* of copies */
            enum stint_gpu_memory_kind destination;
        };
        uint32_t numbers[16]; /* all of these */
    };
    int64_t pid; /* of what has a category; else 0 */
    uint64_t count;
    uint64_t total_ns;
    uint64_t max_ns;
    uint64_t max_start_ns; /* when the longest one began; the first of several */
};

_Static_assert(offsetof(struct stint_event_class, pid) ==
                   offsetof(struct stint_event_class, numbers) + sizeof((struct stint_event_class *)0)->numbers,
               "the numbers of a class are more, or less, than its members");

enum { STINT_EVENT_CLASSES_MOST = 4096 };

struct stint_event_classes {
    struct stint_arena *arena;
    struct stint_table all; /* struct stint_event_class */
    uint64_t beyond;        /* events whose names or launches did not fit; the last entry stands for them */
};

/* Whether a thread does nothing in such a scope or call but wait, for a device or in the C library. */
int stint_is_waiting(const char *set, const char *name);

/* Returns the position of what the event is, and counts it. SIZE_MAX without memory. */
size_t stint_event_classes_add(struct stint_event_classes *classes, const struct stint_event *event);

#endif
