/* CPU time of threads that have ended, which is in no sample: threads end between two ticks, many of them without
 * having met one, and the system works on after the last that they can say. All of it is part of first samples of later
 * threads, so that all samples add up to the CPU time, and threads that live shortly have their share. */
#ifndef STINT_SAMPLE_UNSAMPLED_TIME_H
#define STINT_SAMPLE_UNSAMPLED_TIME_H

#include <stdint.h>

/* Sampling begins. `other_ns` of the process' CPU time is not of threads that are sampled from now on. */
void stint_unsampled_time_begin(uint64_t other_ns);

/* A thread ends that has used `whole_ns` since it is sampled, of which `rest_ns` are in no sample. */
void stint_unsampled_time_end(uint64_t whole_ns, uint64_t rest_ns);

/* The process has used `process_ns` up to now, of which threads that go on have used `alive_ns` since they are
 * sampled. */
void stint_unsampled_time_compare(uint64_t process_ns, uint64_t alive_ns);

/* Takes what is in no sample. Async-signal-safe. */
uint64_t stint_unsampled_time_take(void);

#endif
