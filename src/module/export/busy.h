/* How busy a device was, over time: the share of each piece of time in which it did something. What overlaps counts
 * once. */
#ifndef STINT_EXPORT_BUSY_H
#define STINT_EXPORT_BUSY_H

#include <stdint.h>

#include "base/array.h"

/* From `start_ns` on the device is busy to `percent`, until the next time this is called. */
typedef void stint_busy_fn(void *context, uint32_t device, uint64_t start_ns, double percent);

struct stint_busy {
    uint32_t device;
    uint64_t piece_ns; /* of time; not 0 */
    uint64_t until_ns; /* when what came so far has ended */
    uint64_t piece;    /* number of the piece of time that is added up */
    uint64_t ns;       /* in it, in which the device was busy */
    double shown;      /* percent */
    int begun;
};

/* Returns that of a device, which is added to the array if it is not there, or NULL if there is no memory. Pieces of
 * time are about a thousandth of `wall_ns`. */
struct stint_busy *stint_busy_of(struct stint_array *devices, struct stint_arena *arena, uint32_t device,
                                 uint64_t wall_ns);

/* Adds what a device did; in the order of starts. */
void stint_busy_add(struct stint_busy *busy, uint64_t start_ns, uint64_t end_ns, stint_busy_fn *show, void *context);

/* Shows what has not been shown yet. */
void stint_busy_end(struct stint_busy *busy, stint_busy_fn *show, void *context);

#endif
