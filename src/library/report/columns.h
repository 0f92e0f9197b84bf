/* Aligned columns of a statistic's numbers, left of its name: which of them, how wide, in which unit.
 *
 *     begin, measure every row, fit; then the header, and for each row stint_columns_row followed by the name. */
#ifndef STINT_REPORT_COLUMNS_H
#define STINT_REPORT_COLUMNS_H

#include "base/text.h"
#include "report/gpu_sum.h"
#include "report/units.h"
#include "stint/statset.h"

enum stint_column {
    STINT_COLUMN_SHARE,
    STINT_COLUMN_TOTAL,
    STINT_COLUMN_SELF,
    STINT_COLUMN_COUNT,
    STINT_COLUMN_AVG,
    STINT_COLUMN_MIN,
    STINT_COLUMN_MAX,
    STINT_COLUMN_P50,
    STINT_COLUMN_P90,
    STINT_COLUMN_P99,
    STINT_COLUMN_GPU,
    STINT_COLUMN_GPU_SHARE,
    STINT_COLUMN_KERNELS,
    STINT_COLUMN_LAUNCH,
    STINT_COLUMN_COUNT_OF_COLUMNS
};

struct stint_row {
    const struct stint_numbers *numbers; /* NULL: GPU columns only */
    const struct stint_gpu_use *gpu;     /* NULL: none */
    int apart;                           /* not part of the whole, so no share of it */
};

struct stint_columns {
    uint64_t whole_ns; /* what 100 % of the time is */
    struct stint_gpu_sum gpu;
    int flat;      /* rows are flat: nested activations are not in the total */
    int bold;      /* emphasise the header */
    int running;   /* some row is marked as running */
    size_t screen; /* columns of the screen; 0: unlimited */
    enum stint_time_unit wanted;
    size_t name_wanted;  /* columns of the longest name */
    size_t name_columns; /* columns that names may take; set by stint_columns_fit */
    struct {
        int shown;
        size_t width;
        enum stint_time_unit unit;
        uint64_t least; /* other than 0, among the rows */
        uint64_t greatest;
    } column[STINT_COLUMN_COUNT_OF_COLUMNS];
};

/* Begins a layout of the columns up to `last`, which is no GPU column. */
void stint_columns_begin(struct stint_columns *columns, enum stint_column last, const struct stint_layout *layout);

/* Adds the GPU columns that there is something to show in. */
void stint_columns_add_gpu(struct stint_columns *columns, const struct stint_gpu_sum *sum);

/* Takes note of a row, and of the columns its name would like. */
void stint_columns_measure(struct stint_columns *columns, const struct stint_row *row, size_t name_columns);

/* Chooses units and widths. On a narrow screen drops the least important columns until names of `name_least` columns,
 * or the longest one if that is shorter, have room. */
void stint_columns_fit(struct stint_columns *columns, size_t name_least);

void stint_columns_header(const struct stint_columns *columns, struct stint_text *text);

/* Writes a row up to where its name begins. */
void stint_columns_row(const struct stint_columns *columns, struct stint_text *text, const struct stint_row *row);

#endif
