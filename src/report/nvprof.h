/* What nvprof's formats have in common: its lines, its cells, its rows. */
#ifndef STINT_REPORT_NVPROF_H
#define STINT_REPORT_NVPROF_H

#include "base/text.h"
#include "report/gpu_sum.h"

/* ------------------------------------------------------------------------------------------------------------- lines */

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
 * Each writes into `out` (STINT_NUMBER_SIZE bytes), NUL-terminated, and returns the length. Cells have a unit of their
 * own, below 1000 of which they are, and `digits` significant digits: 5 for a cell of 8 columns, 7 for one of 10.
 * Nanoseconds and bytes are whole. */

size_t stint_nvprof_time(char *out, uint64_t ns, unsigned digits);
size_t stint_nvprof_size(char *out, uint64_t bytes, unsigned digits); /* a KB is 1024 bytes */
size_t stint_nvprof_rate(char *out, uint64_t bytes, uint64_t ns);     /* "9.3842GB/s"; "-" in no time */
size_t stint_nvprof_share(char *out, uint64_t part, uint64_t whole);  /* "99.77%" */
size_t stint_nvprof_device(char *out, const struct stint_gpu_device *device, size_t most); /* "NVIDIA H200 (0)" */

/* A CSV's columns have one unit each. */
struct stint_nvprof_unit {
    const char *name;
    double size; /* of one, in ns or bytes */
};

/* The unit for times up to `greatest_ns`: ms at most, in which six decimals still are nanoseconds. */
struct stint_nvprof_unit stint_nvprof_time_unit(uint64_t greatest_ns);
struct stint_nvprof_unit stint_nvprof_size_unit(double greatest_bytes);

/* Writes a comma and `value` in that unit, six decimals. */
void stint_nvprof_number(struct stint_text *text, double value, struct stint_nvprof_unit unit);

/* -------------------------------------------------------------------------------------------------------------- rows */

enum stint_nvprof_group { STINT_NVPROF_GPU, STINT_NVPROF_API, STINT_NVPROF_GROUPS };

/* A row of the summary: activities of one kind and name over all streams, or an API call. */
struct stint_nvprof_row {
    const char *name;
    struct stint_numbers numbers;
};

/* Reads the row at *next, 0 at first, and moves on. Returns 0 after the last. */
int stint_nvprof_next(const struct stint_snapshot *snapshot, enum stint_nvprof_group group, size_t *next,
                      struct stint_nvprof_row *row);

/* What 100 % of the group is. */
uint64_t stint_nvprof_whole_ns(const struct stint_snapshot *snapshot, enum stint_nvprof_group group);

/* Writes a line for each group without rows. Returns how many these are. */
unsigned stint_nvprof_put_empty(struct stint_text *text, const struct stint_snapshot *snapshot);

/* "GPU activities" */
const char *stint_nvprof_group_name(enum stint_nvprof_group group);

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
