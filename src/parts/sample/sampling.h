/* What is common to the parts of libstint_sample.so: whether samples are taken, and what was counted besides. */
#ifndef STINT_SAMPLE_SAMPLING_H
#define STINT_SAMPLE_SAMPLING_H

#include "model/sampler.h"

/* NULL until a libstint has loaded this library. */
extern const struct stint_sampler_host *stint_sampler_host;

/* Whether samples are taken. */
int stint_sampler_is_on(void);

/* The calling thread, with which sampling has nothing to do yet, begins, or has begun another one. */
void stint_sampler_thread_begins(void);

/* Whether threads are seen as they begin. */
int stint_sampler_sees_threads(void);

/* In a forked child. */
void stint_sampler_threads_after_fork(void);

/* Wakes the thread that looks for threads and modules. Async-signal-safe. */
void stint_sampler_look(void);

/* The module of this number in loaded.h, as reports have it. */
struct stint_sample_module stint_sample_module(uint32_t number);

/* How samples were taken, without what is counted in the tree of calls. */
struct stint_sample_info stint_sampler_info(void);

/* Adds what was sampled to a snapshot. */
void stint_sample_collect(struct stint_builder *builder, int emergency);

#endif
