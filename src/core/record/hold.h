/* The reasons to hold recording back. There may be several at a time; recording is on while there is none. Any thread
 * may change and query them at any time, also in a signal handler. */
#ifndef STINT_RECORD_HOLD_H
#define STINT_RECORD_HOLD_H

#include <stdint.h>

#include "stint/detail/api.h"

/* Reasons are bits. From STINT_HOLD_OTHERS on they belong to the stages that set them, each of which declares its own;
 * runtime/control.c checks that no two are the same. */
enum {
    STINT_HOLD_PROGRAM = 1, /* stint_set_enabled(0), STINT_ENABLE=off: holds back scopes and ranges, not GPU activity */
    STINT_HOLD_STOPPED = 2, /* the program told its tools to stop, and recording follows it: STINT_FROM_START=off */
    STINT_HOLD_OTHERS = 4
};

/* The current reasons. */
extern uint32_t stint_holds;

/* Sets a reason, or removes it. */
void stint_hold(uint32_t why, int held);

/* Removes all reasons, because somebody asked for recording now. Each may be set again later. */
void stint_hold_nothing(void);

/* Whether anything except the program's own switch holds recording back. */
static inline int stint_is_held(void)
{
    return (STINT_I_LOAD(&stint_holds) & ~(uint32_t)STINT_HOLD_PROGRAM) != 0;
}

/* From now on, what the program tells its tools switches recording, which begins stopped. */
void stint_hold_follow(void);

/* To be called when the program told its tools to start or stop. Does nothing unless recording follows the program. */
void stint_hold_tell(int started);

/* Sets the function to call after each change that switches recording on or off. To be called at start, before any
 * change. */
void stint_hold_on_change(void (*changed)(void));

/* Has `act` called once before a forked child continues to record: when the child next records, or would record if it
 * were not held back. In a child that does neither, `act` is not called. */
extern int stint_hold_is_due;
void stint_hold_make_due(void (*act)(void));
void stint_hold_do_due(void);

/* To be called at the beginning of the slow path, outside of the guard (record/thread.h). */
static inline void stint_hold_check_due(void)
{
    if (STINT_I_UNLIKELY(STINT_I_LOAD(&stint_hold_is_due)))
        stint_hold_do_due();
}

#endif
