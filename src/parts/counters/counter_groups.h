/* Which metrics belong to a group of counters. */
#ifndef STINT_COUNTERS_COUNTER_GROUPS_H
#define STINT_COUNTERS_COUNTER_GROUPS_H

#include <stddef.h>

/* Returns the name of group `index`, "speed-of-light", and in *metrics its metrics, each ended by a blank; NULL beyond
 * the last. */
const char *stint_counter_group_at(size_t index, const char **metrics);

/* Returns the metrics of a group, each followed by a blank; NULL if there is no such group. */
const char *stint_counter_group(const char *name, size_t length);

#endif
