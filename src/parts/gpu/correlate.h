/* Maps a correlation id to the scope that launched. Written by launching threads and read by the threads that handle
 * records: a direct-mapped table without locks. An entry stays until another launch takes its slot, 2^20 launches
 * later; a launch that is looked up after that is unattributed. */
#ifndef STINT_GPU_CORRELATE_H
#define STINT_GPU_CORRELATE_H

#include <stdint.h>

/* Added to the path of a launch that leaves a record when it has run. */
#define STINT_CORRELATE_LAUNCH (UINT32_C(1) << 31)

/* Makes the table; with `times`, ticks are kept, too (for a trace). Returns 0, or -1 without memory. The table is made
 * once; later calls can only add times. */
int stint_correlate_start(int times);

/* On the launching thread, before the launch. Does nothing before the start. */
void stint_correlate_put(uint32_t correlation, uint32_t path, uint64_t ticks);

/* For a record: returns the path, or STINT_PATH_NONE if the launch was not seen or is too long ago. `ticks` (may be
 * NULL) receives 0 if they are unknown. */
uint32_t stint_correlate_get(uint32_t correlation, uint64_t *ticks);

/* Calls `visit` with the path of each launch in the table for which no record has come, once. */
void stint_correlate_missing(void (*visit)(uint32_t path));

/* In a forked child, and when all numbers are reset: forgets everything. */
void stint_correlate_forget(void);

#endif
