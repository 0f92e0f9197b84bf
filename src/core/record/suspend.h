/* The reasons to suspend recording. There may be several at a time; recording is on while there is none. Any thread
 * may change and query them at any time, also in a signal handler. */
#ifndef STINT_RECORD_SUSPEND_H
#define STINT_RECORD_SUSPEND_H

#include <stdint.h>

#include "stint/detail/api.h"

/* Reasons are bits. */
enum {
    STINT_SUSPENDED_PROGRAM = 1,      /* stint_set_enabled(0), STINT_ENABLE=off: scopes and ranges, not GPU activity */
    STINT_SUSPENDED_STOPPED = 1 << 1, /* the program told its tools to stop, which is followed: STINT_FROM_START=off */
    STINT_SUSPENDED_ITERATION = 1 << 2, /* outside of the iterations that STINT_WINDOW gives */
    STINT_SUSPENDED_RANGE = 1 << 3,     /* outside of the NVTX ranges that STINT_WINDOW names */
    STINT_SUSPENDED_DELAY = 1 << 4,     /* too early: STINT_DELAY */
    STINT_SUSPENDED_DURATION = 1 << 5,  /* too late: STINT_DURATION */
    STINT_SUSPENDED_USER = 1 << 6       /* by request */
};

/* The current reasons. */
extern uint32_t stint_suspensions;

/* Sets a reason, or removes it. Parts are told if this switches recording on or off (record/part.h). */
void stint_suspend(uint32_t why, int is_suspended);

/* Removes all reasons, because somebody asked for recording now. Each may be set again later. */
void stint_resume(void);

/* Whether anything except the program's own switch suspends recording. */
static inline int stint_is_suspended(void)
{
    return (STINT_I_LOAD(&stint_suspensions) & ~(uint32_t)STINT_SUSPENDED_PROGRAM) != 0;
}

/* From now on, what the program tells its tools switches recording, which begins stopped. */
void stint_suspend_follow(void);

/* To be called when the program told its tools to start or stop. Does nothing unless recording follows the program. */
void stint_suspend_tell(int started);

/* Has parts run once before a forked child continues to record: when the child next records, or would record if it were
 * not suspended. In a child that does neither, they do not run. */
extern int stint_suspend_is_due;
void stint_suspend_make_due(void);
void stint_suspend_do_due(void);

/* To be called at the beginning of the slow path, outside of the guard (record/thread.h). */
static inline void stint_suspend_check_due(void)
{
    if (STINT_I_UNLIKELY(STINT_I_LOAD(&stint_suspend_is_due)))
        stint_suspend_do_due();
}

#endif
