/* When recording goes on: what the environment says of it, and the thread "stint-control", which there is if time or
 * requests are to switch recording. */
#ifndef STINT_RUNTIME_CONTROL_H
#define STINT_RUNTIME_CONTROL_H

#include "record/hold.h"

enum {
    STINT_HOLD_DELAY = STINT_HOLD_OTHERS << 2,   /* too early: STINT_DELAY */
    STINT_HOLD_DURATION = STINT_HOLD_OTHERS << 3 /* too late: STINT_DURATION */
};

/* Reads STINT_ENABLE, STINT_FROM_START, STINT_DELAY, STINT_DURATION, STINT_WINDOW and STINT_CONTROL, and switches
 * recording accordingly. Once, when the library starts. */
void stint_control_start(void);

/* Makes the thread, if it is needed. */
void stint_control_run(void);

/* A forked child is delayed anew, has a duration of its own, and a thread as soon as it records. */
void stint_control_after_fork(void);

/* The process ends: no more requests. Async-signal-safe. */
void stint_control_end(void);

#endif
