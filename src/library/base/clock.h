/* The clock that scopes are timed with. It counts ticks; they become nanoseconds only when somebody looks, from two
 * (ticks, ns) pairs: one taken at start, one when looking. Nothing is calibrated at start. */
#ifndef STINT_BASE_CLOCK_H
#define STINT_BASE_CLOCK_H

#include <stdint.h>

enum stint_clock_choice { STINT_CLOCK_AUTO, STINT_CLOCK_TSC, STINT_CLOCK_MONOTONIC };

/* Chooses the clock and takes the first pair. AUTO takes the processor's counter when it is invariant and the kernel
 * itself keeps time by it; TSC takes it when it is invariant; MONOTONIC is clock_gettime(CLOCK_MONOTONIC). */
void stint_clock_start(enum stint_clock_choice choice);

/* Takes the first pair anew, as a forked child must, whose time begins then. */
void stint_clock_restart(void);

/* Returns whether stint_i_ticks() reads this clock too. */
int stint_clock_is_inline(void);

/* Returns "tsc", "cntvct" or "monotonic". */
const char *stint_clock_name(void);

uint64_t stint_clock_ticks(void);

/* CLOCK_MONOTONIC, ns. */
uint64_t stint_clock_now_ns(void);

/* What one tick has been, on average, from the first pair until now. Never 0. */
double stint_clock_ns_per_tick(void);

/* Since the first pair. */
uint64_t stint_clock_wall_ns(void);

/* Wall-clock time of the first pair. */
uint64_t stint_clock_start_unix_ns(void);

#endif
