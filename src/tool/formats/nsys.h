/* The summaries of nsys stats: from a snapshot to rows, and from rows to a table or CSV.
 *
 * A report collects its rows in memory, because they have to be sorted. Fields that a snapshot has no data for stay
 * empty, and a note below the table says how to get the data. */
#ifndef STINT_FORMATS_NSYS_H
#define STINT_FORMATS_NSYS_H

#include "base/arena.h"
#include "base/array.h"
#include "base/index.h"
#include "base/sort.h"
#include "base/text.h"
#include "report/report_form.h"
#include "report/sheet.h"
#include "stint/report.h"
#include "stint/snapshot.h"

/* Writes the report of that name. Returns STINT_OK or STINT_ERROR_NO_MEMORY; stint_text_end returns errors of
 * writing. */
enum stint_status stint_nsys_write(struct stint_text *text, const struct stint_snapshot *snapshot,
                                   const struct stint_report_form *form, const struct stint_layout *layout);

/* ------------------------------------------------------------------------------------------------------------- rows */

enum stint_nsys_median { STINT_NSYS_UNKNOWN, STINT_NSYS_NEAR, STINT_NSYS_EXACT };

/* The distribution of a row's samples: times, or sizes. */
struct stint_nsys_spread {
    uint64_t count; /* 0: not known, and neither are the following members */
    uint64_t total;
    uint64_t min;
    uint64_t max;
    enum stint_nsys_median median_is;
    double median;
    int has_deviation;
    double deviation; /* of the sample: divided by n - 1 */
};

struct stint_nsys_row {
    const char *name;     /* of the kernel, call or operation */
    const char *range;    /* "domain:text" */
    const char *style;    /* "PushPop", "StartEnd" */
    const char *category; /* "CUDA_KERNEL", "MEMORY_OPER" */
    struct stint_nsys_spread spread;
    int has_grid;
    uint32_t grid[3];
    uint32_t block[3];
    int64_t pid; /* 0: not known, like the next */
    int64_t tid;
    uint64_t instances; /* of the range, or, in a report on kernels by range, of the range with this kernel */
    uint64_t range_ns;
    uint64_t operations; /* or kernels */
    uint64_t operation_ns;
    double level;
    double children;
    const char *domain; /* of numbers that events carried, as are the following members */
    const char *field;
    double sum;
    double min;
    double max;
};

/* Notes below a table: that medians come from a histogram, or why something is not known. */
enum {
    STINT_NSYS_NEAR_MEDIAN = 1,
    STINT_NSYS_NO_HISTOGRAM = 2,
    STINT_NSYS_NO_TRACE_OF_SIZES = 4,
    STINT_NSYS_NO_TRACE_OF_GRIDS = 8,
    STINT_NSYS_NO_TRACE_OF_KERNELS = 16,
    STINT_NSYS_NO_PROJECTION = 32,
    STINT_NSYS_NO_INSTANCES = 64,
    STINT_NSYS_NO_THREAD = 128,
    STINT_NSYS_MORE_RANGES = 256,
    STINT_NSYS_NO_RANGE_TIME = 512
};

/* A report that is being made. */
struct stint_nsys {
    const struct stint_snapshot *snapshot;
    struct stint_nsys_naming *naming;         /* NULL: kernels are named as in the snapshot */
    const struct stint_report_events *events; /* NULL: there are none beyond those of the snapshot */
    struct stint_arena arena;
    struct stint_arena scratch[2];
    int scratch_used;
    struct stint_array rows; /* struct stint_nsys_row */
    struct stint_array list; /* of reports that list something else: their own rows */
    size_t shown;            /* number of rows, of either array, that tables show: the first ones */
    unsigned notes;
    struct stint_nsys_spans *spans; /* of reports on single ranges */
    int failed;                     /* memory ran out */
    int unreadable;                 /* events cannot be read */
};

/* Allocate a new row, zeroed, or zeroed bytes; both live as long as the report. If there is no memory, they return NULL
 * and set `failed`. */
struct stint_nsys_row *stint_nsys_add_row(struct stint_nsys *nsys);
void *stint_nsys_alloc(struct stint_nsys *nsys, size_t count, size_t size);

/* Returns numbers of the rows, of either array, in their order; NULL if there is no memory. */
size_t *stint_nsys_order(struct stint_nsys *nsys, const struct stint_array *rows, stint_before_fn *before);

/* Moves rows of `size` bytes each into the order, unless it is NULL. */
void stint_nsys_reorder(struct stint_nsys *nsys, struct stint_array *rows, size_t size, const size_t *order);

/* Returns the texts joined into one; "" if there is no memory. */
const char *stint_nsys_join(struct stint_nsys *nsys, const char *const *parts, size_t count);

static inline struct stint_nsys_row *stint_nsys_row_at(const struct stint_nsys *nsys, size_t position)
{
    return (struct stint_nsys_row *)nsys->rows.items + position;
}

/* ----------------------------------------------------------------------------------------------------------- spread */

/* Adds numbers to a sum. The sum's histogram lives until the next sum begins. Zero the sum before the first call. */
void stint_nsys_add_numbers(struct stint_nsys *nsys, struct stint_numbers *sum, const struct stint_numbers *from);

/* Returns the distribution of times that the numbers describe. */
struct stint_nsys_spread stint_nsys_spread_of(const struct stint_numbers *numbers);

/* Adds a sample to count, total, min and max. */
void stint_nsys_add_sample(struct stint_nsys_spread *spread, uint64_t value);

/* Fills median and deviation if count, total, min and max determine them. Returns whether they do. */
int stint_nsys_spread_simple(struct stint_nsys_spread *spread);

/* Samples from which median and deviation are computed exactly. Samples of rows that already have both are not kept. */
struct stint_nsys_samples {
    struct stint_array pairs; /* pairs of a row's position and a value */
};

void stint_nsys_sample(struct stint_nsys *nsys, struct stint_nsys_samples *samples, size_t row, uint64_t value);

/* Fills median and deviation of every row that has as many samples as its count. */
void stint_nsys_settle(struct stint_nsys *nsys, const struct stint_nsys_samples *samples);

/* ----------------------------------------------------------------------------------------------------------- ranges */

enum stint_nsys_style { STINT_NSYS_NO_RANGE, STINT_NSYS_PUSH_POP, STINT_NSYS_START_END };

/* Statistics that are ranges: those of NVTX, and scopes, which count as push/pop ranges of the domain "stint". */
struct stint_nsys_ranges {
    const struct stint_snapshot *snapshot;
    unsigned char *style; /* of each statistic */
    size_t *seen;         /* of each statistic: the last climb that met it */
    size_t climbs;
};

/* Returns the domain if the set is of that kind (STINT_NVTX_SET and others of stint/nvtx_stats.h); NULL otherwise. */
const char *stint_nsys_domain_in(const char *set, const char *kind);

/* Returns 0, or -1 if there is no memory. */
int stint_nsys_find_ranges(struct stint_nsys *nsys, struct stint_nsys_ranges *ranges);

/* Returns the style of a range, or STINT_NSYS_NO_RANGE. */
unsigned stint_nsys_style_of(const char *set, const char *name);

/* Return the name of a range of that set, with its domain; of the range that the statistic at `position` is; and a
 * style in words. */
const char *stint_nsys_full_name(struct stint_nsys *nsys, const char *set, const char *name);
const char *stint_nsys_range_name(struct stint_nsys *nsys, size_t position);
const char *stint_nsys_style_name(unsigned style);

/* Returns the numbers over all instances, including those within another of the same name. */
struct stint_numbers stint_nsys_range_numbers(struct stint_nsys *nsys, size_t position);

/* Climbs from a context to the root: returns the statistic of the next range, and whether this climb has met it before;
 * STINT_NO_PARENT after the last. The context may be one of the two special values that stand for none. */
size_t stint_nsys_climb(struct stint_nsys_ranges *ranges, size_t *context, int *is_again);
void stint_nsys_begin_climb(struct stint_nsys_ranges *ranges);

/* ----------------------------------------------------------------------------------------------------------- events */

/* Index of activities' rows by kind and name, to find the row of an event. */
struct stint_nsys_names {
    enum stint_gpu_kind *kinds; /* of each row, like the next */
    const char **names;         /* as in the activity */
    struct stint_index index;
};

/* Adds a row for the kernels of each name. */
void stint_nsys_collect_names(struct stint_nsys *nsys, struct stint_nsys_names *rows);

/* Returns the position of an event's row, or STINT_INDEX_NONE. */
size_t stint_nsys_row_of(const struct stint_nsys_names *rows, const struct stint_gpu_event *event);

/* ------------------------------------------------------------------------------------------------- names of kernels */

/* Whether the report has names of kernels to choose from, as it has in nsys stats. */
int stint_nsys_has_kernels(enum stint_report report);

/* Gives kernels other names: from here on `nsys` has a snapshot with these. */
void stint_nsys_rename(struct stint_nsys *nsys, enum stint_kernel_names kernels);

/* Returns the name that a kernel is shown under. */
const char *stint_nsys_kernel(struct stint_nsys *nsys, const char *name);

/* ---------------------------------------------------------------------------------------------------------- reports */

/* Functions that collect the rows of each report. */
void stint_nsys_collect_kernels(struct stint_nsys *nsys);
void stint_nsys_collect_grids(struct stint_nsys *nsys);
void stint_nsys_collect_memory_times(struct stint_nsys *nsys);
void stint_nsys_collect_memory_sizes(struct stint_nsys *nsys);
void stint_nsys_collect_gpu(struct stint_nsys *nsys);
void stint_nsys_collect_calls(struct stint_nsys *nsys);
void stint_nsys_collect_os_calls(struct stint_nsys *nsys);
void stint_nsys_collect_ranges(struct stint_nsys *nsys);
void stint_nsys_collect_push_pop(struct stint_nsys *nsys);
void stint_nsys_collect_start_end(struct stint_nsys *nsys);
void stint_nsys_collect_range_kernels(struct stint_nsys *nsys);
void stint_nsys_collect_projections(struct stint_nsys *nsys);
void stint_nsys_collect_values(struct stint_nsys *nsys);
void stint_nsys_collect_calls_and_gpu(struct stint_nsys *nsys);

/* ------------------------------------------------------------------------------------------------------------ lists */

/* A row of a trace. */
struct stint_nsys_event {
    const struct stint_gpu_event *event;
    const struct stint_gpu_event *call; /* of a report on launches: what launched the kernel */
    const struct stint_thread *thread;  /* that called; NULL: not known */
    const char *device;                 /* "NVIDIA H200 (0)" */
    const char *name;
};

/* A list has columns of its own. */
struct stint_nsys_list {
    const struct stint_column *columns;
    size_t count;
    size_t row_size; /* of the list's rows */
    void (*fill)(const struct stint_nsys *nsys, const void *row, int csv, enum stint_time_unit unit,
                 struct stint_sheet *sheet);
    uint64_t (*time_of)(const void *row);
};

extern const struct stint_nsys_list stint_nsys_gpu_trace, stint_nsys_api_trace, stint_nsys_exec_trace,
    stint_nsys_exec_sum, stint_nsys_pages, stint_nsys_unified_sum, stint_nsys_push_pop_trace,
    stint_nsys_start_end_trace, stint_nsys_proj_trace;

void stint_nsys_collect_gpu_trace(struct stint_nsys *nsys);
void stint_nsys_collect_api_trace(struct stint_nsys *nsys);
void stint_nsys_collect_exec_trace(struct stint_nsys *nsys);
void stint_nsys_collect_exec_sum(struct stint_nsys *nsys);
void stint_nsys_collect_pages(struct stint_nsys *nsys);
void stint_nsys_collect_unified(struct stint_nsys *nsys);
void stint_nsys_collect_push_pop_trace(struct stint_nsys *nsys);
void stint_nsys_collect_proj_trace(struct stint_nsys *nsys);
void stint_nsys_collect_start_end_trace(struct stint_nsys *nsys);

/* Writes the list as stint_nsys_put_table does, with a line on the rows that people do not see. */
void stint_nsys_put_list(const struct stint_nsys_list *list, struct stint_nsys *nsys, int csv, struct stint_text *text,
                         const struct stint_layout *layout);

/* Returns the thread; NULL if it is not known, as of exited ones. `like` is the one that was found last, or NULL. */
const struct stint_thread *stint_nsys_thread_of(const struct stint_nsys *nsys, const struct stint_gpu_event *call,
                                                const struct stint_thread *like);

/* Returns the process of a call on the thread, which may be NULL; 0 if it is not known. */
int64_t stint_nsys_pid_of(const struct stint_nsys *nsys, const struct stint_gpu_event *call,
                          const struct stint_thread *thread);

/* ------------------------------------------------------------------------------------------------------------ table */

enum stint_nsys_field {
    STINT_NSYS_SHARE,
    STINT_NSYS_TOTAL,
    STINT_NSYS_COUNT,
    STINT_NSYS_AVG,
    STINT_NSYS_MED,
    STINT_NSYS_MIN,
    STINT_NSYS_MAX,
    STINT_NSYS_STDDEV,
    STINT_NSYS_GRID,
    STINT_NSYS_BLOCK,
    STINT_NSYS_PID,
    STINT_NSYS_TID,
    STINT_NSYS_INSTANCES,
    STINT_NSYS_KERNELS,
    STINT_NSYS_RANGE_TIME,
    STINT_NSYS_OPERATIONS,
    STINT_NSYS_AVG_OPERATIONS,
    STINT_NSYS_LEVEL,
    STINT_NSYS_CHILDREN,
    STINT_NSYS_VALUE_SUM,
    STINT_NSYS_VALUE_AVG,
    STINT_NSYS_VALUE_MIN,
    STINT_NSYS_VALUE_MAX,
    STINT_NSYS_STYLE,
    STINT_NSYS_CATEGORY,
    STINT_NSYS_DOMAIN,
    STINT_NSYS_FIELD,
    STINT_NSYS_RANGE,
    STINT_NSYS_NAME
};

struct stint_nsys_column {
    enum stint_nsys_field field;
    const char *title; /* without the unit of a time, and without "(%)" */
};

enum { STINT_NSYS_COLUMNS = 14 };

struct stint_nsys_table {
    int sizes; /* the distribution is of bytes, shown in MB */
    size_t count;
    struct stint_nsys_column column[STINT_NSYS_COLUMNS];
};

/* Write a number as nsys does: digits are grouped in tables, but not in CSV; times keep the precision of nanoseconds in
 * every unit; dimensions are like "128    1    1". */
void stint_nsys_put_u64(char *out, uint64_t value, int csv);
void stint_nsys_put_fixed(char *out, double value, unsigned decimals, int csv);
void stint_nsys_put_ns(char *out, uint64_t ns, int csv, enum stint_time_unit unit);
void stint_nsys_put_average(char *out, double ns, int csv, enum stint_time_unit unit);
void stint_nsys_put_dimensions(char *out, const uint32_t dimensions[3]);

/* Returns the name of an operation: "[CUDA memcpy Host-to-Device]". */
const char *stint_nsys_operation(struct stint_nsys *nsys, enum stint_gpu_kind kind, enum stint_gpu_direction direction,
                                 const char *name);

/* Writes the rows: for people, titles, dashes and the rows that are shown; as CSV, titles and all rows. Returns the
 * fields that people see, a bit each: some are left out on narrow screens. */
unsigned stint_nsys_put_table(const struct stint_nsys_table *table, const struct stint_nsys *nsys, int csv,
                              struct stint_text *text, const struct stint_layout *layout);

#endif
