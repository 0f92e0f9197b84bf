/* How busy a device was over time: the share of each piece of time in which it did something. Overlapping work counts
 * once. */
#ifndef STINT_EXPORT_BUSY_H
#define STINT_EXPORT_BUSY_H

#include <stdint.h>

#include "base/array.h"

/* Called when a device is `percent` busy from `start_ns` on, until the next call for that device. */
typedef void stint_busy_fn(void *context, uint32_t device, uint64_t start_ns, double percent);

struct stint_busy {
    uint32_t device;
    uint64_t piece_ns; /* length of a piece of time; not 0 */
    uint64_t until_ns; /* end of what has been added so far */
    uint64_t piece;    /* number of the current piece of time */
    uint64_t ns;       /* busy time within that piece */
    double shown;      /* percentage that was shown last */
    int begun;
};

/* Returns the entry of a device, which is added to the array if it is not there; NULL if there is no memory. Pieces of
 * time are about a thousandth of `wall_ns`. */
struct stint_busy *stint_busy_of(struct stint_array *devices, struct stint_arena *arena, uint32_t device,
                                 uint64_t wall_ns);

/* Adds a time in which the device worked. Calls have to be in the order of start times. */
void stint_busy_add(struct stint_busy *busy, uint64_t start_ns, uint64_t end_ns, stint_busy_fn *show, void *context);

/* Shows what has not been shown yet. */
void stint_busy_end(struct stint_busy *busy, stint_busy_fn *show, void *context);

#endif
