/* What nvprof's formats have in common: its lines, its cells, its rows. */
#ifndef STINT_FORMATS_NVPROF_H
#define STINT_FORMATS_NVPROF_H

#include "base/text.h"
#include "report/gpu_sum.h"
#include "report/line.h"
#include "report/row_order.h"
#include "report/sheet.h"

/* ------------------------------------------------------------------------------------------------------------ lines */

/* Begins a line: "==PID== ", or "======== " where the process is not known. */
void stint_nvprof_begin(struct stint_text *text, const struct stint_snapshot *snapshot);

/* Writes the lines above a result: the application, and warnings about what is missing; then "Profiling result:". */
void stint_nvprof_head(struct stint_text *text, const struct stint_snapshot *snapshot);
void stint_nvprof_result(struct stint_text *text, const struct stint_snapshot *snapshot);

/* Begins a warning. */
void stint_nvprof_warn(struct stint_text *text, const struct stint_snapshot *snapshot);

/* Writes a name as it is, but for characters that a terminal obeys. */
void stint_nvprof_name(struct stint_text *text, const char *name);

/* Writes a text in quotation marks, those within it doubled. */
void stint_nvprof_quoted(struct stint_text *text, const char *string);

/* "\"NVIDIA H200 (0)\"" */
void stint_nvprof_quoted_device(struct stint_text *text, const struct stint_gpu_device *device);

/* ------------------------------------------------------------------------------------------------------------- cells
 *
 * For people each cell has a unit of its own, below 1000 of which it is, and `digits` significant digits: 5 for a cell
 * of 8 columns, 7 for one of 10; nanoseconds and bytes are whole. In CSV a column has one unit, which stands below its
 * title. */

size_t stint_nvprof_time(char *out, uint64_t ns, unsigned digits);
size_t stint_nvprof_size(char *out, uint64_t bytes, unsigned digits); /* a KB is 1024 bytes */
size_t stint_nvprof_rate(char *out, uint64_t bytes, uint64_t ns);     /* "9.3842GB/s"; "-" in no time */
size_t stint_nvprof_device(char *out, const struct stint_gpu_device *device, size_t most); /* "NVIDIA H200 (0)" */

struct stint_nvprof_unit {
    const char *name; /* NULL: each cell has its own */
    double size;      /* of one, in ns or bytes */
};

/* The unit for a column of times up to `greatest_ns`: the one that is wanted; ms at most, in which six decimals still
 * are nanoseconds, if each column is to have its own or `always`; otherwise none. */
struct stint_nvprof_unit stint_nvprof_column_unit(enum stint_time_unit wanted, uint64_t greatest_ns, int always);
struct stint_nvprof_unit stint_nvprof_size_unit(double greatest_bytes);

/* Fill a cell of a row. `unit` is that of the column; for people that of a time alone matters. */
void stint_nvprof_put_time(struct stint_sheet *sheet, size_t column, uint64_t ns, unsigned digits,
                           const struct stint_nvprof_unit *unit);
void stint_nvprof_put_size(struct stint_sheet *sheet, size_t column, uint64_t bytes, unsigned digits,
                           const struct stint_nvprof_unit *unit);
void stint_nvprof_put_rate(struct stint_sheet *sheet, size_t column, uint64_t bytes, uint64_t ns,
                           const struct stint_nvprof_unit *unit);
void stint_nvprof_put_share(struct stint_sheet *sheet, size_t column, uint64_t part, uint64_t whole);

/* Fills a cell with a device; `name` keeps the text, which in CSV may be long, until the next row. */
void stint_nvprof_put_device(struct stint_sheet *sheet, size_t column, const struct stint_snapshot *snapshot,
                             uint32_t id, struct stint_line *name);

/* Writes a table: for people, or as CSV with a row of titles, a row of units, and texts in quotation marks. `units` has
 * one for each column. */
void stint_nvprof_put_sheet(struct stint_sheet *sheet, struct stint_text *text, int csv,
                            const struct stint_nvprof_unit *units);

/* ------------------------------------------------------------------------------------------------------------- rows */

enum stint_nvprof_group { STINT_NVPROF_RANGE, STINT_NVPROF_GPU, STINT_NVPROF_API, STINT_NVPROF_GROUPS };

/* Groups as a bit each. */
enum {
    STINT_NVPROF_GPU_BIT = 1 << STINT_NVPROF_GPU,
    STINT_NVPROF_API_BIT = 1 << STINT_NVPROF_API,
    STINT_NVPROF_BOTH_BITS = STINT_NVPROF_GPU_BIT | STINT_NVPROF_API_BIT
};

/* A row of the summary: activities of one kind and name over all streams, an API call, or the range they are of. */
struct stint_nvprof_row {
    const char *name;
    struct stint_numbers numbers;
};

/* Reads the row at *next, 0 at first, and moves on. Returns 0 after the last. Ranges are read otherwise, below. */
int stint_nvprof_next(const struct stint_snapshot *snapshot, enum stint_nvprof_group group, size_t *next,
                      struct stint_nvprof_row *row);

/* What 100 % of the group is. */
uint64_t stint_nvprof_whole_ns(const struct stint_snapshot *snapshot, enum stint_nvprof_group group);

/* The rows of a group that are shown (zeroed: none), and one more for all others: "… 12 more rows (--top 0 shows
 * all)" */
struct stint_nvprof_rows {
    const struct stint_snapshot *snapshot;
    enum stint_nvprof_group group;
    uint64_t whole_ns;
    const struct stint_nvprof_row *row; /* those that `order` names; without memory both are NULL, and all are shown */
    const size_t *order;
    size_t shown;
    size_t others;
    struct stint_nvprof_row rest;
    char rest_name[64];
    struct stint_arena arena;
};

void stint_nvprof_rows_begin(struct stint_nvprof_rows *rows, const struct stint_snapshot *snapshot,
                             enum stint_nvprof_group group, enum stint_sort sort, unsigned top);
/* Likewise for rows that are ready, in memory that lives as long; of group and snapshot nothing is said. */
void stint_nvprof_rows_set(struct stint_nvprof_rows *rows, struct stint_nvprof_row *all, size_t count,
                           enum stint_sort sort, unsigned top);
int stint_nvprof_rows_next(const struct stint_nvprof_rows *rows, size_t *next, struct stint_nvprof_row *row);
void stint_nvprof_rows_end(struct stint_nvprof_rows *rows);

/* The times of a row: total, average, least, greatest. */
enum { STINT_NVPROF_TIMES = 4 };

void stint_nvprof_times_of(const struct stint_nvprof_row *row, uint64_t times[STINT_NVPROF_TIMES]);

/* Chooses a unit for each of these columns, over all groups. */
void stint_nvprof_choose_units(const struct stint_nvprof_rows groups[STINT_NVPROF_GROUPS], enum stint_time_unit wanted,
                               int always, struct stint_nvprof_unit units[STINT_NVPROF_TIMES]);

/* Writes a line for each of these groups that has no rows. Returns whether one has. */
int stint_nvprof_put_empty(struct stint_text *text, const struct stint_snapshot *snapshot, unsigned groups);

/* Writes a table of these rows. */
void stint_nvprof_put_table(struct stint_text *text, const struct stint_nvprof_rows groups[STINT_NVPROF_GROUPS],
                            const struct stint_layout *layout, int csv);

/* Programs get all rows, whatever is chosen. */
static inline struct stint_layout stint_nvprof_layout(const struct stint_layout *layout, int csv)
{
    struct stint_layout whole = *layout;
    whole.top = csv ? 0 : layout->top;
    return whole;
}

/* Writes a table of these groups, or the lines for those that are empty. */
void stint_nvprof_put_groups(struct stint_text *text, const struct stint_snapshot *snapshot, unsigned groups,
                             const struct stint_layout *layout, int csv);

/* Defines a report and its CSV: `call` writes either, with text, snapshot, layout and csv. */
#define STINT_NVPROF_WRITERS(report, call)                                                                             \
    void stint_report_##report(struct stint_text *text, const struct stint_snapshot *snapshot,                         \
                               const struct stint_layout *layout)                                                      \
    {                                                                                                                  \
        int csv = 0;                                                                                                   \
        call;                                                                                                          \
    }                                                                                                                  \
    void stint_report_##report##_csv(struct stint_text *text, const struct stint_snapshot *snapshot,                   \
                                     const struct stint_layout *layout)                                                \
    {                                                                                                                  \
        int csv = 1;                                                                                                   \
        call;                                                                                                          \
    }

/* "GPU activities" */
const char *stint_nvprof_group_name(enum stint_nvprof_group group);

/* Rows of some part of a snapshot on their way: sums by index. */
struct stint_nvprof_sums {
    struct stint_nvprof_row *rows;
    size_t *touched; /* the indices that have a sum */
    size_t count;
};

/* Makes room for indices below `size`, in the arena. Returns 0, or -1 without memory. */
int stint_nvprof_sums_begin(struct stint_nvprof_sums *sums, struct stint_arena *arena, size_t size);
void stint_nvprof_sums_add(struct stint_nvprof_sums *sums, size_t index, const char *name,
                           const struct stint_numbers *numbers);

/* Turns the sums into rows, which have to be ended, and begins anew. */
void stint_nvprof_sums_take(struct stint_nvprof_sums *sums, struct stint_nvprof_rows *rows,
                            const struct stint_layout *layout);

/* Returns for each activity the index of the first one of its kind and name, with which it shares a row; NULL without
 * memory. */
size_t *stint_nvprof_leaders(const struct stint_snapshot *snapshot, struct stint_arena *arena);

/* Whether an activity has a row in the summary; others are unified memory, or occupy no device. */
int stint_nvprof_is_row(const struct stint_gpu_activity *activity);

/* A row of the table about unified memory: what moved to or from a device, or faulted. */
struct stint_nvprof_move {
    const char *name; /* "Host To Device" */
    int faults;       /* has no sizes */
    uint64_t count;
    uint64_t total_ns;
    uint64_t bytes;
    uint64_t min_bytes;
    uint64_t max_bytes;
};

/* Reads the next row of `device`, as above. */
int stint_nvprof_next_move(const struct stint_snapshot *snapshot, uint32_t device, size_t *next,
                           struct stint_nvprof_move *move);

/* Returns whether unified memory did anything on devices from *device on, which receives the first of these. */
int stint_nvprof_has_moves(const struct stint_snapshot *snapshot, uint64_t *device);

/* Returns whether there is a table or a line about unified memory. */
int stint_nvprof_has_unified(const struct stint_snapshot *snapshot);

/* Write the line above that table, after a blank one, and the line below it, if there were faults of the CPU. */
void stint_nvprof_begin_unified(struct stint_text *text, const struct stint_snapshot *snapshot);
void stint_nvprof_put_cpu_faults(struct stint_text *text, const struct stint_snapshot *snapshot);

#endif
