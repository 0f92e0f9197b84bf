/* The reasons to suspend recording. There may be several at a time; recording is on while there is none. Any thread
 * may change and query them at any time, also in a signal handler. */
#ifndef STINT_RECORD_SUSPEND_H
#define STINT_RECORD_SUSPEND_H

#include <stdint.h>

#include "stint/detail/api.h"

/* Reasons are bits. From STINT_SUSPENDED_OTHERS on they belong to the stages that set them, each of which declares its
 * own; runtime/control.c checks that no two are the same. */
enum {
    STINT_SUSPENDED_PROGRAM = 1, /* stint_set_enabled(0), STINT_ENABLE=off: scopes and ranges, not GPU activity */
    STINT_SUSPENDED_STOPPED =
        2, /* the program told its tools to stop, and recording follows it: STINT_FROM_START=off */
    STINT_SUSPENDED_OTHERS = 4
};

/* The current reasons. */
extern uint32_t stint_suspensions;

/* Sets a reason, or removes it. */
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

/* Sets the function to call after each change that switches recording on or off. To be called at start, before any
 * change. */
void stint_suspend_on_change(void (*changed)(void));

/* Has `act` called once before a forked child continues to record: when the child next records, or would record if it
 * were not suspended. In a child that does neither, `act` is not called. */
extern int stint_suspend_is_due;
void stint_suspend_make_due(void (*act)(void));
void stint_suspend_do_due(void);

/* To be called at the beginning of the slow path, outside of the guard (record/thread.h). */
static inline void stint_suspend_check_due(void)
{
    if (STINT_I_UNLIKELY(STINT_I_LOAD(&stint_suspend_is_due)))
        stint_suspend_do_due();
}

#endif
