/* The columns of a statistic's numbers, in the table and in the tree. */
#ifndef STINT_REPORT_COLUMNS_H
#define STINT_REPORT_COLUMNS_H

#include "report/sheet.h"
#include "report/summary.h"
#include "stint/statset.h"

enum {
    STINT_SCOPE_SHARE,
    STINT_SCOPE_TOTAL,
    STINT_SCOPE_SELF,
    STINT_SCOPE_CPU,
    STINT_SCOPE_COUNT,
    STINT_SCOPE_AVG,
    STINT_SCOPE_MIN,
    STINT_SCOPE_MAX,
    STINT_SCOPE_P50,
    STINT_SCOPE_P90,
    STINT_SCOPE_P99,
    STINT_SCOPE_GPU,
    STINT_SCOPE_GPU_SHARE,
    STINT_SCOPE_KERNELS,
    STINT_SCOPE_LAUNCH,
    STINT_SCOPE_NAME,
    STINT_SCOPE_COLUMNS
};

enum { STINT_SCOPE_NAME_FLOOR = 8 };

/* The columns from the minimum to the last percentile, as the bits of a sheet's hidden columns. */
enum { STINT_SCOPE_SPREAD = (1 << (STINT_SCOPE_P99 + 1)) - (1 << STINT_SCOPE_MIN) };

extern const struct stint_column stint_scope_columns[STINT_SCOPE_COLUMNS];

/* What a row's numbers are compared with. */
struct stint_scope_whole {
    uint64_t ns;                     /* the time that is 100 %; 0: rows have no share of it */
    const struct stint_gpu_sum *gpu; /* NULL: rows have no GPU columns */
    int flat;                        /* rows are flat: nested activations are not in the total */
};

/* Returns the GPU columns that would be empty, as the bits of a sheet's hidden columns. */
unsigned stint_scope_without_gpu(const struct stint_gpu_sum *sum);

/* Writes the rows of the tree, without title and footer (scope_tree.c). The columns are those above, perhaps with other
 * titles. `is_ordered`: siblings are in order of their totals. */
void stint_tree_put(struct stint_text *text, const struct stint_snapshot *snapshot, const struct stint_layout *layout,
                    const struct stint_scope_whole *whole, const struct stint_column *columns, int is_ordered);

/* Fill a row. If a scope has never ended, only its count, 0, is shown. */
void stint_scope_put_numbers(struct stint_sheet *sheet, const struct stint_scope_whole *whole,
                             const struct stint_numbers *numbers);
void stint_scope_put_gpu(struct stint_sheet *sheet, const struct stint_scope_whole *whole,
                         const struct stint_gpu_use *use, const struct stint_numbers *numbers);

/* Begins a flat table of these columns. */
void stint_scope_sheet_begin(struct stint_sheet *sheet, const struct stint_scope_whole *whole, stint_row_fn *next,
                             void *context, const struct stint_layout *layout);

/* Writes the calls of CUDA's API below the table of scopes; `order` is that of all statistics, NULL: the snapshot's
 * (model/call_rows.c, which a program may be linked without). `sheet` is room for it: stacks of signal handlers are
 * small. */
void stint_table_calls(struct stint_text *text, const struct stint_snapshot *snapshot,
                       const struct stint_layout *layout, const size_t *order, struct stint_sheet *sheet);

#endif
