/* What the processes of a run reported. */
#ifndef STINT_CLI_RESULTS_H
#define STINT_CLI_RESULTS_H

#include "cli/folder.h"
#include "stint/snapshot.h"

struct stint_results {
    struct stint_arena arena;
    struct stint_array all; /* struct stint_result, the process that began first in front */
};

struct stint_result {
    struct stint_snapshot *snapshot;
};

/* Reads all reports in the folder into empty results. Says which cannot be read, and why. */
void stint_results_read(struct stint_results *results, const struct stint_folder *folder);

/* Adds a snapshot, and takes ownership of it; without memory the snapshot is freed. */
void stint_results_add(struct stint_results *results, struct stint_snapshot *snapshot);

struct stint_snapshot *stint_results_at(const struct stint_results *results, size_t i);

/* Returns several processes' results as those of one, of the program with these arguments; the caller frees it with
 * stint_snapshot_free, before `command`, in which its command line is put. NULL, and a message, without memory. */
struct stint_snapshot *stint_results_merge(const struct stint_results *results, char **arguments, char *command,
                                           size_t size);

void stint_results_free(struct stint_results *results);

#endif
