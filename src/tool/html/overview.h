/* An overview of a recording's events that fits in a page: as many blocks as there is room for, whatever the number of
 * events. A block is one event, or several that follow each other so closely on one row that they are drawn as one. */
#ifndef STINT_HTML_OVERVIEW_H
#define STINT_HTML_OVERVIEW_H

#include "base/keyed_table.h"
#include "html/curve.h"
#include "html/event_class.h"
#include "html/sample_chart.h"
#include "replay/launches.h"
#include "stat/event.h"

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

#endif
