/* Single ranges of NVTX, and the work of devices that was launched in them, from the events of a recording.
 *
 * As in nsys stats, a launch is in a range if the call that made it began and ended within the range, on the same
 * thread. What one call launched counts as one operation, even if it is a graph of many kernels. Work that a thread
 * does for a scope of another thread (record/adopt.h) is also in the ranges that are open there. */
#ifndef STINT_FORMATS_NSYS_SPAN_H
#define STINT_FORMATS_NSYS_SPAN_H

#include "formats/nsys.h"
#include "stat/event.h"

/* One range. Its parent is the shortest range, on the same thread, that contains it. A range that ended on another
 * thread has no parent, and contains nothing. */
struct stint_nsys_span {
    const char *name;  /* "domain:text"; equal names have the same address */
    const char *set;   /* of its statistic; this and the next, too, are kept once */
    const char *plain; /* the name of its statistic, without the data that the text carries */
    enum stint_nsys_style style;
    int64_t pid;
    int64_t tid;
    uint64_t start_ns;
    uint64_t end_ns;
    size_t parent; /* position of a span before it; STINT_NO_PARENT: none */
    uint32_t level;
    size_t children;
    uint64_t children_ns;
    uint64_t operations; /* launched in it */
    uint64_t work_start_ns;
    uint64_t work_end_ns;
};

/* One kernel, copy or set. */
struct stint_nsys_work {
    const char *kernel; /* NULL: not a kernel */
    uint64_t ns;
    size_t next; /* what the same call launched, too; STINT_INDEX_NONE: nothing */
};

/* What one call launched. */
struct stint_nsys_launch {
    int64_t pid;
    uint64_t correlation;
    uint64_t start_ns; /* of the first operation */
    uint64_t end_ns;   /* of the last */
    size_t work;
    int is_called; /* the call has been seen */
};

struct stint_nsys_spans;

/* Called for each range that a launch is in. */
typedef void stint_nsys_launched_fn(struct stint_nsys *nsys, struct stint_nsys_spans *spans,
                                    const struct stint_nsys_launch *launch, size_t span);

struct stint_nsys_spans {
    int push_pop_only;                /* ranges that were started and ended contain nothing, and are in no other */
    int with_work;                    /* launches are read, too */
    stint_nsys_launched_fn *launched; /* NULL: only counts of operations are of interest */
    void *caller;
    struct stint_array spans;    /* struct stint_nsys_span, by start; of those that start together, the longer first */
    struct stint_array launches; /* struct stint_nsys_launch */
    struct stint_array work;     /* struct stint_nsys_work */
    struct stint_index launch_index;
    struct stint_array texts; /* const char *: each text once */
    struct stint_index text_index;
    struct stint_array namings;
    struct stint_index naming_index;
    struct stint_array threads; /* and what is open on them */
    struct stint_index thread_index;
    uint64_t kernels; /* that devices ran */
    uint64_t called;  /* launches whose call has been seen */
    char *stack;      /* room for a row's texts */
    char *tree;
    int is_cut; /* there are more ranges, or more work, than are read */
};

/* Reads all ranges. Returns 0; or -1 if there is no source of events, if it cannot be read, or without memory. */
int stint_nsys_read_spans(struct stint_nsys *nsys, struct stint_nsys_spans *spans);

/* Whether this is all that the snapshot counts, so that it can be summed up instead. */
int stint_nsys_spans_are_whole(const struct stint_nsys *nsys, const struct stint_nsys_spans *spans);

/* Rows of a list are addresses of spans. Prepare texts of spans; make a row; and fill the columns PID and TID, and
 * those from the level on: level, children, id, parent, stack. */
void stint_nsys_prepare_texts(struct stint_nsys *nsys, struct stint_nsys_spans *spans);
void stint_nsys_add_span_row(struct stint_nsys *nsys, const struct stint_nsys_span *span);
void stint_nsys_put_place(const struct stint_nsys_span *span, size_t column, struct stint_sheet *sheet);
void stint_nsys_put_tree(const struct stint_nsys_spans *spans, const struct stint_nsys_span *span, size_t column,
                         int csv, struct stint_sheet *sheet);

static inline const struct stint_nsys_span *stint_nsys_span_of(const void *row)
{
    return *(const struct stint_nsys_span *const *)row;
}

/* Pairs of numbers. Zero them to begin. */
struct stint_nsys_pairs {
    struct stint_array pairs;
    struct stint_index index;
};

/* Returns 1 if the pair is new, 0 if it has been added before, or without memory. */
unsigned stint_nsys_add_pair(struct stint_nsys *nsys, struct stint_nsys_pairs *pairs, size_t a, size_t b);

/* Sums from single ranges, instead of those from the snapshot. Return 0, or -1 if events lack something. */
int stint_nsys_sum_projections(struct stint_nsys *nsys);
int stint_nsys_sum_range_kernels(struct stint_nsys *nsys);

static inline struct stint_nsys_span *stint_nsys_span_at(const struct stint_nsys_spans *spans, size_t position)
{
    return (struct stint_nsys_span *)spans->spans.items + position;
}

#endif
