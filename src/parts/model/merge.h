/* Adding snapshots to a builder. */
#ifndef STINT_MODEL_MERGE_H
#define STINT_MODEL_MERGE_H

#include "stat/builder.h"

/* The snapshot's rows that are added: those of `kinds`, a bit for each; of those of the kind `adapted`, a copy that
 * `adapt` has changed. */
struct stint_addition {
    uint64_t kinds;
    enum stint_row_kind adapted;
    void (*adapt)(const struct stint_addition *addition, void *row);
    const struct stint_snapshot *snapshot;
    int64_t shift_ns; /* for adapt */
};

#define STINT_ROWS_BIT(rows) (UINT64_C(1) << STINT_ROWS_##rows)

void stint_builder_add_snapshot(struct stint_builder *builder, const struct stint_addition *addition);

/* Sums up the snapshot of one process. */
struct stint_merged_process stint_process_sum(const struct stint_snapshot *snapshot);

#endif
