/* Switches recording as the environment asks. If time or requests are to switch it, this is done by the thread
 * "stint-control". */
#ifndef STINT_RUNTIME_CONTROL_H
#define STINT_RUNTIME_CONTROL_H

#include "record/suspend.h"

enum {
    STINT_SUSPENDED_DELAY = STINT_SUSPENDED_OTHERS << 2,   /* too early: STINT_DELAY */
    STINT_SUSPENDED_DURATION = STINT_SUSPENDED_OTHERS << 3 /* too late: STINT_DURATION */
};

/* Reads STINT_ENABLE, STINT_FROM_START, STINT_DELAY, STINT_DURATION, STINT_WINDOW and STINT_CONTROL, and switches
 * recording accordingly. Once, when the library starts. */
void stint_control_start(void);

/* Starts the thread, if it is needed. */
void stint_control_run(void);

/* In a forked child: the delay and the duration start again, and the child gets a thread as soon as it records. */
void stint_control_after_fork(void);

/* To be called when the process ends: no more requests are answered. Async-signal-safe. */
void stint_control_end(void);

#endif
