/* What the processes of a run reported. */
#ifndef STINT_CLI_RESULTS_H
#define STINT_CLI_RESULTS_H

#include "cli/folder.h"
#include "cli/print_reports.h"
#include "stint/snapshot.h"
#include "transform/transform.h"

struct stint_results {
    struct stint_arena arena;
    struct stint_array all;  /* struct stint_result, the process that began first in front */
    struct stint_array lost; /* long: processes that have left no report */
    struct stint_array cut;  /* long: those that have left one, and their sockets, so that it may be a checkpoint */
};

struct stint_result {
    struct stint_snapshot *snapshot;
    struct stint_report_events events; /* without a source: there are none */
    int is_recovered;                  /* made from what the process recorded, as it left no report */
};

/* Moves all reports in the folder into empty results, and notes which processes have left none. Says which reports
 * cannot be read, and why. */
void stint_results_read(struct stint_results *results, const struct stint_folder *folder);

/* Adds a snapshot, and takes ownership of it; without memory the snapshot is freed. `events`, which may be NULL, is
 * copied; its source and its snapshot have to outlive the results. Returns the result, until the next one is added;
 * NULL without memory. */
struct stint_result *stint_results_add(struct stint_results *results, struct stint_snapshot *snapshot,
                                       const struct stint_report_events *events);

/* Whether that process, which began at that time, has reported itself: after exec it reports again. */
int stint_results_have(const struct stint_results *results, int64_t pid, uint64_t start_unix_ns);

struct stint_snapshot *stint_results_at(const struct stint_results *results, size_t i);

/* Returns the snapshots of all processes as one, from the first start to the last end, for the caller to free; NULL if
 * there is only one, or no memory. */
struct stint_snapshot *stint_results_sum(const struct stint_results *results);

/* As stint_rank_sum (transform/transform.h). Says what is left out, and that there is no memory. */
struct stint_snapshot *stint_results_sum_ranks(struct stint_rank_files *files);

/* Prints the reports of the only process; of several, the reports of all together and, if that is asked for or each has
 * a file of its own, before these the reports of each. `first` and others, up to NULL, are the command line, or the
 * files, that all are called by. Returns 0, or -1 after saying what failed. */
int stint_results_print(const struct stint_results *results, struct stint_print *print, const char *first,
                        char **others);

/* Returns a snapshot as JSON, for free; NULL without memory. */
char *stint_results_json(const struct stint_snapshot *snapshot, size_t *length);

void stint_results_free(struct stint_results *results);

#endif
