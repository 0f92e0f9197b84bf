/* A thread that calls CUPTI for others, which are in one of its callbacks: many of its functions must not be called
 * there. */
#ifndef STINT_COUNTERS_WORKER_H
#define STINT_COUNTERS_WORKER_H

/* Has the thread run a function in a context, and waits for it. `begin` is called on the thread as it begins. One
 * caller at a time. Returns 0, or -1 if there is no thread. */
int stint_worker_run(void (*begin)(void), void (*run)(void *argument), void *argument, void *context);

#endif
