/* Folds calling contexts that few readers want to see one by one: XLA compiles a program of a few lines in hundreds of
 * passes, each a range of its own. */
#ifndef STINT_REPORT_FOLD_H
#define STINT_REPORT_FOLD_H

#include "base/arena.h"
#include "stint/report.h"
#include "stint/snapshot.h"

struct stint_fold {
    struct stint_snapshot snapshot;
    struct stint_arena arena;
};

/* If the layout limits the rows of a tree: returns a copy of the snapshot in which the contexts of XLA's compilation
 * that have the same parent, and all that are below them, are one context, whose name says how many they are. Its own
 * time is the own time of all of them. Only contexts and statistics are changed, and siblings are not in order. Else,
 * and without such contexts or memory, returns the snapshot itself. */
const struct stint_snapshot *stint_fold_begin(struct stint_fold *fold, const struct stint_snapshot *snapshot,
                                              const struct stint_layout *layout);
void stint_fold_end(struct stint_fold *fold);

#endif
