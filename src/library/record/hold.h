/* What holds recording back. There may be several reasons at a time; recording is on where there is none. Changing them
 * and asking is for any thread, at any time, in signal handlers too. */
#ifndef STINT_RECORD_HOLD_H
#define STINT_RECORD_HOLD_H

#include <stdint.h>

#include "stint/detail/api.h"

/* Reasons are bits. From STINT_HOLD_OTHERS on they belong to the stages that set them, each of which declares its own;
 * runtime/control.c checks that no two are the same. */
enum {
    STINT_HOLD_PROGRAM = 1, /* stint_set_enabled(0), STINT_ENABLE=off: of scopes and ranges, not of GPU activity */
    STINT_HOLD_STOPPED = 2, /* the program told its tools to stop, and is followed: STINT_FROM_START=off */
    STINT_HOLD_OTHERS = 4
};

/* The reasons that there are at present. */
extern uint32_t stint_holds;

/* Sets a reason, or takes it away. */
void stint_hold(uint32_t why, int held);

/* Takes all away: whoever asks for recording now means it. Each may come back by itself. */
void stint_hold_nothing(void);

/* Whether anything but the program's own switch holds recording back. */
static inline int stint_is_held(void)
{
    return (STINT_I_LOAD(&stint_holds) & ~(uint32_t)STINT_HOLD_PROGRAM) != 0;
}

/* From now on the program decides, by what it tells all its tools: it begins stopped. */
void stint_hold_follow(void);

/* The program told its tools to start, or to stop. Nothing, unless it is followed. */
void stint_hold_tell(int started);

/* Called after each change that switches recording on or off. At start, before any. */
void stint_hold_on_change(void (*changed)(void));

/* Something is to be done before a forked child goes on recording: `act` is called, once, when the child next records
 * or would do so were it not held back. In a child that does neither it is not. */
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
