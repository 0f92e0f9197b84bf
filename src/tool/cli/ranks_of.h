/* Sums of recordings by rank. */
#ifndef STINT_CLI_RANKS_OF_H
#define STINT_CLI_RANKS_OF_H

#include <stddef.h>

#include "stint/snapshot.h"

/* Adds up the recordings in files, which are read one after the other. Those of one rank are added up first. Sums by
 * rank may be among them. Recordings of processes without a rank are left out, which is said, unless there are no
 * others: then each is a rank. Returns the sum, or NULL after saying what failed. */
struct stint_snapshot *stint_ranks_of_files(const char *const *paths, size_t count);

/* The same for snapshots. */
struct stint_snapshot *stint_ranks_of_snapshots(const struct stint_snapshot *const *snapshots, size_t count);

#endif
