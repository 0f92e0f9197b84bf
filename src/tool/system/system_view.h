/* What the machine's GPUs consume and how fast they run while a program does, sampled by a thread. */
#ifndef STINT_SYSTEM_SYSTEM_VIEW_H
#define STINT_SYSTEM_SYSTEM_VIEW_H

#include "base/arena.h"
#include "base/array.h"
#include "model/event_writer.h"

struct stint_system_view;

/* Begins to sample, STINT_SYSTEM_HZ times a second. `writer`, which may be NULL, gets each number as an event, with
 * times since `start_unix_ns`; until the end nobody else may use it. Names are in the arena. Returns NULL with the
 * cause in `reason`. */
struct stint_system_view *stint_system_view_begin(struct stint_event_writer *writer, uint64_t start_unix_ns,
                                                  struct stint_arena *arena, char *reason, size_t size);

enum { STINT_SYSTEM_HZ = 10 };

/* Samples once more, and ends. Adds the numbers of all samples to `values`, an array of struct stint_nvtx_value in the
 * arena: in the set STINT_SYSTEM_SET, by GPU ("GPU 0") and metric. */
void stint_system_view_end(struct stint_system_view *view, struct stint_array *values);

#endif
