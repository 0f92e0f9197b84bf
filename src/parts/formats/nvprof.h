/* What nvprof's formats share: lines, cells, rows. */
#ifndef STINT_FORMATS_NVPROF_H
#define STINT_FORMATS_NVPROF_H

#include "base/text.h"
#include "model/model.h"
#include "report/line.h"
#include "report/row_order.h"
#include "report/sheet.h"

/* ------------------------------------------------------------------------------------------------------------ lines */

/* Begins a line: "==PID== ", or "======== " where the process is not known. */
void stint_nvprof_begin(struct stint_text *text, const struct stint_snapshot *snapshot);

/* Writes the lines above a result: the application, warnings about missing data, then "Profiling result:". */
void stint_nvprof_head(struct stint_text *text, const struct stint_snapshot *snapshot);
void stint_nvprof_result(struct stint_text *text, const struct stint_snapshot *snapshot);

/* Writes how exact the times of events are, if that is known. */
void stint_nvprof_put_clock(struct stint_text *text, const struct stint_snapshot *snapshot);

/* Begins a warning. */
void stint_nvprof_warn(struct stint_text *text, const struct stint_snapshot *snapshot);

/* Writes a name unchanged, except for characters that control a terminal. */
void stint_nvprof_name(struct stint_text *text, const char *name);

/* "\"NVIDIA H200 (0)\"" */
void stint_nvprof_quoted_device(struct stint_text *text, const struct stint_gpu_device *device);

/* ------------------------------------------------------------------------------------------------------------- cells
 *
 * For people each cell has a unit of its own, below 1000 of which it is, and `digits` significant digits: 5 for a cell
 * of 8 columns, 7 for one of 10; nanoseconds and bytes are whole. In CSV a column has one unit, which stands below its
 * title. */

size_t stint_nvprof_time(char *out, uint64_t ns, unsigned digits);
size_t stint_nvprof_size(char *out, uint64_t bytes, unsigned digits); /* a KB is 1024 bytes */
size_t stint_nvprof_rate(char *out, uint64_t bytes, uint64_t ns);     /* "9.3842GB/s"; "-" if ns is 0 */
size_t stint_nvprof_device(char *out, const struct stint_gpu_device *device, size_t most); /* "NVIDIA H200 (0)" */

struct stint_nvprof_unit {
    const char *name; /* NULL: each cell has a unit of its own */
    double size;      /* size of one unit, in ns or bytes */
};

/* Returns the unit for a column of times up to `greatest_ns`: the wanted one if there is one; ms at most, so that six
 * decimals are nanoseconds, if columns are to choose their units or with `always`; otherwise no unit. */
struct stint_nvprof_unit stint_nvprof_column_unit(enum stint_time_unit wanted, uint64_t greatest_ns, int always);
struct stint_nvprof_unit stint_nvprof_size_unit(double greatest_bytes);

/* Fill a cell of a row. `unit` is the column's unit; in tables it only matters for times. */
void stint_nvprof_put_time(struct stint_sheet *sheet, size_t column, uint64_t ns, unsigned digits,
                           const struct stint_nvprof_unit *unit);
void stint_nvprof_put_size(struct stint_sheet *sheet, size_t column, uint64_t bytes, unsigned digits,
                           const struct stint_nvprof_unit *unit);
void stint_nvprof_put_rate(struct stint_sheet *sheet, size_t column, uint64_t bytes, uint64_t ns,
                           const struct stint_nvprof_unit *unit);
void stint_nvprof_put_share(struct stint_sheet *sheet, size_t column, uint64_t part, uint64_t whole);

/* Fills a cell with a device. `name` holds the text, which may be long in CSV, until the next row. */
void stint_nvprof_put_device(struct stint_sheet *sheet, size_t column, const struct stint_snapshot *snapshot,
                             uint32_t id, struct stint_line *name);

/* Writes a table: for people, or as CSV with a row of titles, a row of units, and texts in quotation marks. `units` has
 * one unit for each column. */
void stint_nvprof_put_sheet(struct stint_sheet *sheet, struct stint_text *text, int csv,
                            const struct stint_nvprof_unit *units);

/* ------------------------------------------------------------------------------------------------------------- rows */

enum stint_nvprof_group { STINT_NVPROF_RANGE, STINT_NVPROF_GPU, STINT_NVPROF_API, STINT_NVPROF_GROUPS };

/* Groups as bits. */
enum {
    STINT_NVPROF_GPU_BIT = 1 << STINT_NVPROF_GPU,
    STINT_NVPROF_API_BIT = 1 << STINT_NVPROF_API,
    STINT_NVPROF_BOTH_BITS = STINT_NVPROF_GPU_BIT | STINT_NVPROF_API_BIT
};

/* A row of the summary: activities of one kind and name over all streams, an API call, or the range that contains
 * them. */
struct stint_nvprof_row {
    const char *name;
    struct stint_numbers numbers;
};

/* Reads the row at *next, which is 0 at first, and advances *next. Returns 0 after the last row. Ranges are not read by
 * this function. */
int stint_nvprof_next(const struct stint_snapshot *snapshot, enum stint_nvprof_group group, size_t *next,
                      struct stint_nvprof_row *row);

/* Returns the time that is 100 % of the group. */
uint64_t stint_nvprof_whole_ns(const struct stint_snapshot *snapshot, enum stint_nvprof_group group);

/* The rows of a group that are shown (none if zeroed), and one row for all others: "… 12 more rows (--top 0 shows
 * all)" */
struct stint_nvprof_rows {
    const struct stint_snapshot *snapshot;
    enum stint_nvprof_group group;
    uint64_t whole_ns;
    const struct stint_nvprof_row *row; /* in this `order`; without memory both are NULL, and all rows are shown */
    const size_t *order;
    size_t shown;
    size_t others;
    struct stint_nvprof_row rest;
    char rest_name[64];
    struct stint_arena arena;
};

void stint_nvprof_rows_begin(struct stint_nvprof_rows *rows, const struct stint_snapshot *snapshot,
                             enum stint_nvprof_group group, enum stint_sort sort, unsigned top);
/* Like stint_nvprof_rows_begin, for rows that have been made already, in memory that lives at least as long. Does not
 * set group and snapshot. */
void stint_nvprof_rows_set(struct stint_nvprof_rows *rows, struct stint_nvprof_row *all, size_t count,
                           enum stint_sort sort, unsigned top);
int stint_nvprof_rows_next(const struct stint_nvprof_rows *rows, size_t *next, struct stint_nvprof_row *row);
void stint_nvprof_rows_end(struct stint_nvprof_rows *rows);

/* The times of a row: total, average, minimum, maximum. */
enum { STINT_NVPROF_TIMES = 4 };

void stint_nvprof_times_of(const struct stint_nvprof_row *row, uint64_t times[STINT_NVPROF_TIMES]);

/* Chooses a unit for each of these columns, based on all groups. */
void stint_nvprof_choose_units(const struct stint_nvprof_rows groups[STINT_NVPROF_GROUPS], enum stint_time_unit wanted,
                               int always, struct stint_nvprof_unit units[STINT_NVPROF_TIMES]);

/* Writes a line for each of these groups that has no rows. Returns whether any group has rows. */
int stint_nvprof_put_empty(struct stint_text *text, const struct stint_snapshot *snapshot, unsigned groups);

/* Writes a table of these rows. */
void stint_nvprof_put_table(struct stint_text *text, const struct stint_nvprof_rows groups[STINT_NVPROF_GROUPS],
                            const struct stint_layout *layout, int csv);

/* CSV has all rows, whatever the layout says. */
static inline struct stint_layout stint_nvprof_layout(const struct stint_layout *layout, int csv)
{
    struct stint_layout whole = *layout;
    whole.top = csv ? 0 : layout->top;
    return whole;
}

/* "GPU activities" */
const char *stint_nvprof_group_name(enum stint_nvprof_group group);

/* Rows for a part of a snapshot that are being summed, by index. */
struct stint_nvprof_sums {
    struct stint_nvprof_row *rows;
    size_t *touched; /* the indices that have sums */
    size_t count;
};

/* Makes room for indices below `size`, in the arena. Returns 0, or -1 if there is no memory. */
int stint_nvprof_sums_begin(struct stint_nvprof_sums *sums, struct stint_arena *arena, size_t size);
void stint_nvprof_sums_add(struct stint_nvprof_sums *sums, size_t index, const char *name,
                           const struct stint_numbers *numbers);

/* Turns the sums into rows, which the caller has to end, and clears the sums. */
void stint_nvprof_sums_take(struct stint_nvprof_sums *sums, struct stint_nvprof_rows *rows,
                            const struct stint_layout *layout);

/* Returns, for each activity, the index of the first activity of the same kind and name, which has the row of both;
 * NULL if there is no memory. */
size_t *stint_nvprof_leaders(const struct stint_snapshot *snapshot, struct stint_arena *arena);

/* Whether an activity has a row in the summary; all others are unified memory, or do not occupy a device. */
int stint_nvprof_is_row(const struct stint_gpu_activity *activity);

/* A row of the unified memory table: what moved to or from a device, or faulted. */
struct stint_nvprof_move {
    const char *name;   /* "Host To Device" */
    const char *faults; /* "page faults", "thrashing": how many is in `bytes`, and there are no sizes; NULL: it moved */
    uint64_t count;
    uint64_t total_ns;
    uint64_t bytes;
    uint64_t min_bytes;
    uint64_t max_bytes;
};

/* Reads the next row of `device`, like stint_nvprof_next. */
int stint_nvprof_next_move(const struct stint_snapshot *snapshot, uint32_t device, size_t *next,
                           struct stint_nvprof_move *move);

/* Returns whether unified memory did anything on any device from *device on; *device receives the first such device. */
int stint_nvprof_has_moves(const struct stint_snapshot *snapshot, uint64_t *device);

/* Returns how many page faults of unified memory the host had. */
uint64_t stint_nvprof_cpu_faults(const struct stint_snapshot *snapshot);

/* Returns whether there is a table or a line about unified memory to write. */
int stint_nvprof_has_unified(const struct stint_snapshot *snapshot);

/* Write a blank line and the line above that table, and the line below it if there were CPU page faults. */
void stint_nvprof_begin_unified(struct stint_text *text, const struct stint_snapshot *snapshot);
void stint_nvprof_put_cpu_faults(struct stint_text *text, const struct stint_snapshot *snapshot);

#endif
