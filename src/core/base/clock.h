/* The clock that times scopes. It counts ticks, which are converted to nanoseconds only when they are read, from two
 * (ticks, ns) pairs: one taken at the start and one when reading. Nothing is calibrated at the start. */
#ifndef STINT_BASE_CLOCK_H
#define STINT_BASE_CLOCK_H

#include <stdint.h>

enum stint_clock_choice { STINT_CLOCK_AUTO, STINT_CLOCK_TSC, STINT_CLOCK_MONOTONIC, STINT_CLOCK_FAST };

/* Chooses the clock and takes the first pair. AUTO chooses the processor's counter if it is invariant and the kernel
 * itself keeps time by it; TSC chooses it if it is invariant; MONOTONIC is clock_gettime(CLOCK_MONOTONIC). FAST chooses
 * as AUTO does, but reads the counter without waiting for the work before it. */
void stint_clock_start(enum stint_clock_choice choice);

/* Takes the first pair again. A forked child must do so, because its time begins at the fork. */
void stint_clock_restart(void);

/* Returns whether stint_i_ticks() reads this clock too. */
int stint_clock_is_inline(void);

/* Returns whether it is the processor's counter, read when the work before it is done. */
int stint_clock_waits(void);

/* Returns "tsc", "cntvct" or "monotonic", preceded by STINT_CLOCK_UNORDERED if a counter is read without
 * waiting for the work before. */
const char *stint_clock_name(void);

#define STINT_CLOCK_UNORDERED "unordered "

/* Reads the clock. */
uint64_t stint_clock_ticks(void);

/* Returns CLOCK_MONOTONIC, ns. */
uint64_t stint_clock_now_ns(void);

/* Returns the average length of a tick, in ns, from the first pair until now. Never 0. */
double stint_clock_ns_per_tick(void);

/* Returns the CPU time that the calling thread has used, ns: a system call. */
uint64_t stint_clock_cpu_ns(void);

/* Returns the time since the first pair, ns. */
uint64_t stint_clock_wall_ns(void);

/* Returns the wall-clock time of the first pair. */
uint64_t stint_clock_start_unix_ns(void);

#endif
