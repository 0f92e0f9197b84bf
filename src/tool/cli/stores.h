/* What a run's processes recorded: each writes a recording while it runs, and at the end databases are made of these,
 * or they get the names that were asked for. */
#ifndef STINT_CLI_STORES_H
#define STINT_CLI_STORES_H

#include "cli/child.h"
#include "cli/folder.h"
#include "cli/results.h"

struct stint_stores {
    char path[PATH_MAX];        /* prepared (base/file_name.h) */
    struct stint_folder folder; /* beside it, so that renaming is enough */
};

/* Reads what --store says. Returns 0, or -1 after saying what is wrong. */
int stint_stores_read(struct stint_stores *stores, const char *pattern);

/* Makes the folder. Returns 0, or -1 after saying what is wrong. */
int stint_stores_begin(struct stint_stores *stores);

/* Adds what is known of processes that left no report, because they were killed or the disk is full, from what they
 * recorded until then. */
void stint_stores_recover(const struct stint_stores *stores, struct stint_results *results,
                          const struct stint_launch *launch, int quiet);

/* Makes a database of the recordings in the folder, or gives them their name if that is to be a recording, and a
 * folder of several; if the name has the process id, of each. Those of processes that still run stay in the folder. If
 * there are none, writes what the processes reported: the one that began first gets the name that was asked for, others
 * the same name with the process id in front of the ending, because there are no events to put together. Says where
 * they are unless `quiet`, and what failed. Returns 0, or -1 if anything is missing. */
int stint_stores_take(const struct stint_stores *stores, const struct stint_results *results, int quiet);

/* Does so for one process, whose snapshot this is, with the name `path`. Returns 0; 1 if not all that it recorded could
 * be written; or -1 and why not. */
int stint_stores_take_process(const struct stint_stores *stores, const struct stint_snapshot *snapshot,
                              const char *path, char *reason, size_t size);

/* Writes the name that stores have got that is not of each process. Returns 0, or -1 if it is too long. */
int stint_stores_name(const struct stint_stores *stores, char *out, size_t size);

/* Removes what has that name. */
void stint_stores_remove(const char *path);

/* Removes the folder. */
void stint_stores_end(const struct stint_stores *stores);

#endif
