/* An overview of a recording's events that fits in a page: as many blocks as there is room for, whatever the number of
 * events. A block is one event, or several that follow each other so closely on one row that they are drawn as one. */
#ifndef STINT_HTML_OVERVIEW_H
#define STINT_HTML_OVERVIEW_H

#include <stddef.h>

#include "base/arena.h"
#include "export/stacks.h"
#include "export/tracks.h"
#include "model/event.h"
#include "op/op_sum.h"
#include "replay/open.h"
#include "stint/report.h"
#include "stint/snapshot.h"
#include "support/keyed_table.h"

/* ---------------------------------------------------------------------------------------------------------- classes */

/* What events are: everything about them but their time, place and context. Each is stored once, with the sums over
 * all its events. */
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

/* ----------------------------------------------------------------------------------------------------------- curves */

/* Curves of numbers over time: NVTX counters and values, and memory. Each keeps so many points, whatever the number of
 * samples: a point is one, or several that follow each other. */
enum { STINT_CURVES_MOST = 32, STINT_CURVE_POINTS = 512, STINT_NO_DEVICE = -1 };

struct stint_curve_point {
    uint64_t start_ns; /* of the first of its samples */
    double least, most, last;
};

struct stint_curve {
    int64_t pid;
    int64_t device; /* of memory; else STINT_NO_DEVICE */
    const char *name;
    const char *what; /* "bytes", the name of a payload's number, "value" */
    uint64_t per;     /* samples that share a point */
    uint64_t in_last; /* samples in the last point */
    size_t count;
    struct stint_curve_point points[STINT_CURVE_POINTS];
};

struct stint_curves {
    struct stint_arena *arena;
    struct stint_curve *all[STINT_CURVES_MOST];
    size_t count;
    uint64_t beyond; /* samples of further curves */
};

/* Adds the sample of which the event, a point, tells. Returns 0, or -1 without memory. */
int stint_curves_add(struct stint_curves *curves, const struct stint_event *event);

/* ---------------------------------------------------------------------------------------------------------- samples */

/* Samples on the timeline: what each thread did, and who had called it, over time. Samples of a thread that follow each
 * other and have the same callers make one block of each of these. */
struct stint_overview;

/* A thread has at most so many rows, all threads together so many: of a call chain that is longer, the innermost
 * function takes the last of them. */
enum { STINT_CHART_DEEPEST = 48, STINT_CHART_ROWS = 384 };

struct stint_sample_chart {
    struct stint_functions *functions; /* NULL: samples are left out */
    struct stint_table threads;        /* struct stint_chart_thread, in the overview's arena */
    size_t rows;
    uint64_t shortened; /* samples of which functions between the outermost and the innermost are left out */
    uint64_t hidden;    /* samples of threads that have no row */
};

/* Adds a sample to the overview's chart. Returns 0, or -1 without memory. */
int stint_sample_chart_add(struct stint_overview *overview, const struct stint_event *event);

/* Adds the blocks that have not ended. */
int stint_sample_chart_end(struct stint_overview *overview);

/* ----------------------------------------------------------------------------------------------------------- blocks */

enum stint_overview_lane_kind {
    STINT_LANE_THREAD,
    STINT_LANE_SAMPLES, /* of a thread: what it called */
    STINT_LANE_RANGES,  /* that are not nested, of a process */
    STINT_LANE_WAITS,   /* of threads for devices */
    STINT_LANE_STREAM,
    STINT_LANE_OVERHEAD,
    STINT_LANE_OTHERS /* events beyond the largest number of lanes */
};

/* Where events are drawn: a thread, or a stream of a device. */
struct stint_overview_lane {
    enum stint_overview_lane_kind kind;
    int64_t pid;
    int64_t tid;
    uint32_t device;
    uint32_t context;
    uint32_t stream;
    size_t first; /* row; SIZE_MAX: none */
};

/* A part of a lane whose events do not overlap. */
struct stint_overview_row {
    size_t lane;
    size_t next;  /* row of the lane; SIZE_MAX: none */
    size_t depth; /* in the lane, from 0 */
    uint64_t end_ns;
    size_t last; /* block; SIZE_MAX: none */
};

struct stint_block {
    uint64_t start_ns;
    uint64_t end_ns;
    uint64_t busy_ns;    /* the sum of its events' durations */
    uint64_t longest_ns; /* the duration of the event that `what` and `context` are of */
    uint64_t launch_ns;  /* when the event's launch began, if launch_row is one */
    uint64_t bytes;
    uint64_t count;
    const char *attributes; /* "Rank 3, Communicator ID 77" (export/tracks.h); NULL: none, or several events */
    size_t context;
    uint32_t launch_row; /* UINT32_MAX: unknown, or several events */
    uint32_t row;
    uint32_t what;
};

/* Where a call is drawn. */
struct stint_overview_call {
    uint64_t start_ns;
    uint32_t row;
};

/* How busy a device was. */
struct stint_device_use {
    uint32_t device;
    uint64_t first_ns; /* start of its first operation */
    uint64_t last_ns;  /* end of its last */
    uint64_t busy_ns;  /* in which at least one ran */
    uint64_t idle_start_ns;
    uint64_t idle_ns; /* the longest time, between two operations, in which none ran */
};

enum { STINT_OVERVIEW_MOST = 100000, STINT_OVERVIEW_LANES = 256, STINT_ROWS_MOST = 1024, STINT_DEVICES_MOST = 64 };

struct stint_overview {
    struct stint_arena arena;
    struct stint_block *blocks; /* those of a row by start */
    size_t count;
    size_t most;
    uint64_t grain_ns; /* events closer than this may share a block; 0: every event is a block */
    uint64_t events;
    uint64_t start_ns;        /* of the first event */
    uint64_t end_ns;          /* of the last one to end */
    uint64_t crowded;         /* events that overlap others on their row, because there are too few rows or lanes */
    struct stint_table lanes; /* struct stint_overview_lane */
    struct stint_overview_row rows[STINT_ROWS_MOST];
    size_t row_count;
    struct stint_device_use devices[STINT_DEVICES_MOST];
    size_t device_count;
    struct stint_event_classes whats;
    struct stint_curves curves;
    struct stint_attributes held;
    struct stint_table texts; /* const char *: attributes of blocks */
    struct stint_sample_chart chart;
    struct stint_launches launches;    /* numbers of calls: in order, from 0 */
    struct stint_overview_call *calls; /* the last STINT_LAUNCHES, each at its number modulo that */
    size_t call_count;
};

/* Reads all events of the source, which may be NULL, into `most` blocks, or 2 * STINT_ROWS_MOST if that is more.
 * `functions` knows those that were sampled; NULL: samples are left out. Returns 0, or -1: the source's reason says
 * why; "" without memory. To be freed in any case. */
int stint_overview_read(struct stint_overview *overview, struct stint_event_source *source,
                        struct stint_functions *functions, size_t most);

/* For html/sample_chart.c: adds the lane's row of that depth, those above it first, and returns its number; SIZE_MAX:
 * there are too many rows or lanes. Puts an event on it, after those that are there; returns 0, or -1 without memory.
 * Counts an event of that time. */
size_t stint_overview_add_row(struct stint_overview *overview, struct stint_overview_lane like, size_t depth);
int stint_overview_put(struct stint_overview *overview, size_t row, const struct stint_event *event);
void stint_overview_note(struct stint_overview *overview, uint64_t start_ns, uint64_t end_ns);

/* Raises the grain by a quarter, at least once, until no more than `most` blocks are left, or one in each row. */
void stint_overview_coarsen(struct stint_overview *overview, size_t most);

static inline struct stint_overview_lane *stint_overview_lane_at(const struct stint_overview *overview, size_t at)
{
    return (struct stint_overview_lane *)overview->lanes.items + at;
}

void stint_overview_free(struct stint_overview *overview);

/* ------------------------------------------------------------------------------------------------------------- page */

/* A recording as one HTML page that needs nothing else: no network, no other file. */

struct stint_html {
    const struct stint_snapshot *snapshot;
    struct stint_overview *overview;        /* its events; is made coarser if the page would become too large */
    struct stint_functions *functions;      /* that were sampled, for parts of the timeline; NULL: they lack samples */
    const char *title;                      /* NULL: the program's name */
    const char *remarks;                    /* lines about the recording; NULL: none */
    const struct stint_op_rows *operations; /* NULL: there are none */
    uint64_t from_ns;                       /* when what it shows begins */
    const char *source_path;                /* where sources are, if not where they were compiled; NULL: nowhere else */
    int is_served;                          /* the page may ask for parts of its timeline */
};

/* Writes the page, or only its timeline as JSON, which is what a page that is served asks for. Return STINT_OK;
 * STINT_ERROR_IO: a write failed; STINT_ERROR_NO_MEMORY. */
enum stint_status stint_html_write(const struct stint_html *html, stint_write_fn *write, void *context);
enum stint_status stint_html_write_timeline(const struct stint_html *html, stint_write_fn *write, void *context);

/* The page without its data, made of page.html and the files it names when stint is built (embed.cmake). Between its
 * parts stand what else the page's policy allows, the title, and the data. */
enum { STINT_TEMPLATE_PARTS = 4 };

extern const char *const stint_template_parts[STINT_TEMPLATE_PARTS];
extern const size_t stint_template_lengths[STINT_TEMPLATE_PARTS];

#endif
