/* Work of threads that help others: what a thread launches or enters while no scope runs on it is charged to the scope
 * that waits for it on another thread. It gets a context of its own below that scope, named STINT_ADOPTED, so that it
 * is told apart from what the scope's own thread did, and is counted once. */
#ifndef STINT_CONTEXTS_ADOPT_H
#define STINT_CONTEXTS_ADOPT_H

#include <stdint.h>

#include "record/thread.h"
#include "stint/status.h"
#include "support/adopt_rule.h"

extern enum stint_adopt_rule stint_adopted_work;

/* --------------------------------------------------------------------------------------------------------- launches */

/* To be called when the thread launches something: others may help threads that launch (contexts/adopt.h). */
static inline void stint_adopt_see_launch(void)
{
    struct stint_thread_record *record = stint_thread_self();
    if (record)
        STINT_I_STORE(&record->launches, 1);
}

/* Is told the innermost scope of the thread that waits, while that thread cannot exit. Must not take a lock. */
typedef void stint_adopt_note_fn(uint32_t correlation, const struct stint_i_node *waits);

/* Returns the path to charge for a launch of a thread on which no scope runs: STINT_PATH_ROOT if nobody is known to
 * wait for it. `note` may be NULL; it is called if somebody is. */
uint32_t stint_adopt_launch(uint32_t correlation, stint_adopt_note_fn *note);

/* ------------------------------------------------------------------------------------------------------- on request */

/* Begins to adopt the calling thread's work below that path. `node` receives what stint_adopt_leave needs: NULL if a
 * scope runs on the thread already, or recording is off. Statuses as stint_adopt_begin and stint_adopt_end (adopt.h).
 * */
enum stint_status stint_adopt_enter(uint32_t path, struct stint_i_node **node);
enum stint_status stint_adopt_leave(struct stint_i_node *node);

#endif
