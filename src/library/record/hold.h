/* What holds recording back. There may be several reasons at a time; recording is on where there is none. Changing them
 * and asking is for any thread, at any time, in signal handlers too. */
#ifndef STINT_RECORD_HOLD_H
#define STINT_RECORD_HOLD_H

#include <stdint.h>

#include "stint/detail/api.h"

enum stint_hold {
    STINT_HOLD_PROGRAM = 1,    /* stint_set_enabled(0), STINT_ENABLE=off: of scopes and ranges, not of GPU activity */
    STINT_HOLD_PROFILER = 2,   /* the program's profiler is stopped: STINT_FROM_START=off */
    STINT_HOLD_DELAY = 4,      /* too early: STINT_DELAY */
    STINT_HOLD_DURATION = 8,   /* too late: STINT_DURATION */
    STINT_HOLD_RANGE = 16,     /* outside of the NVTX ranges that STINT_WINDOW names */
    STINT_HOLD_ITERATION = 32, /* outside of the iterations that STINT_WINDOW gives */
    STINT_HOLD_USER = 64       /* by request: runtime/listen.h */
};

/* All that together are zero or more of enum stint_hold. */
extern uint32_t stint_holds;

/* Sets a reason, or takes it away. */
void stint_hold(enum stint_hold why, int held);

/* Takes all away: whoever asks for recording now means it. Each may come back by itself. */
void stint_hold_nothing(void);

/* Whether anything but the program's own switch holds recording back. */
static inline int stint_is_held(void)
{
    return (STINT_I_LOAD(&stint_holds) & ~(uint32_t)STINT_HOLD_PROGRAM) != 0;
}

/* From now on the program's profiler decides: it is stopped. */
void stint_hold_follow_profiler(void);

/* The program's profiler was started, or stopped. Nothing, unless it decides. */
void stint_hold_tell_profiler(int started);

/* Called after each change that switches recording on or off. At start, before any. */
void stint_hold_on_change(void (*changed)(void));

/* Something is to be done before a forked child goes on recording: `act` is called, once, when the child next records or
 * would do so were it not held back. In a child that does neither it is not. */
extern int stint_hold_is_due;
void stint_hold_make_due(void (*act)(void));
void stint_hold_do_due(void);

/* On the slow half, at its beginning; outside of the guard (record/thread.h). */
static inline void stint_hold_check_due(void)
{
    if (STINT_I_UNLIKELY(STINT_I_LOAD(&stint_hold_is_due)))
        stint_hold_do_due();
}

#endif
