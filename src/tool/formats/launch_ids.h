/* Finds the event of a snapshot's trace that has the correlation id of another one: a call and what it launched. Every
 * process counts its ids from the same number, so that the process is a part of the key. */
#ifndef STINT_FORMATS_LAUNCH_IDS_H
#define STINT_FORMATS_LAUNCH_IDS_H

#include "base/arena.h"
#include "base/index.h"
#include "stint/snapshot.h"

/* Zero it, but for `events`, to begin. */
struct stint_launch_ids {
    const struct stint_gpu_event *events;
    struct stint_index index;
};

/* Adds an event that has an id, unless one with its id has been added. Returns 0, or -1 if there is no memory. */
int stint_launch_ids_add(struct stint_launch_ids *ids, struct stint_arena *arena, size_t event);

/* Returns the event that was added with the id of `like`, or NULL. */
const struct stint_gpu_event *stint_launch_ids_find(const struct stint_launch_ids *ids,
                                                    const struct stint_gpu_event *like);

#endif
