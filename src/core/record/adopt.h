/* Work of threads that help others: what a thread launches or enters while no scope runs on it is charged to the scope
 * that waits for it on another thread. It gets a context of its own below that scope, named STINT_ADOPTED, so that it
 * is told apart from what the scope's own thread did, and is counted once. */
#ifndef STINT_RECORD_ADOPT_H
#define STINT_RECORD_ADOPT_H

#include <stdint.h>

#include "stat/adopted.h"
#include "stint/status.h"

struct stint_i_node;
struct stint_thread_record;

/* Set at start. */
extern enum stint_adopt_rule stint_adopted_work;

/* What a thread is to the others, as far as the rule is concerned. */
enum stint_thread_role {
    STINT_THREAD_ORDINARY,
    STINT_THREAD_MAIN,   /* it has the process' id */
    STINT_THREAD_HELPER, /* its scopes are adopted */
};

/* Returns the calling thread's role. */
enum stint_thread_role stint_adopt_role(int64_t tid);

/* --------------------------------------------------------------------------------------------------------- launches */

/* Is told the innermost scope of the thread that waits, while that thread cannot exit. Must not take a lock. */
typedef void stint_adopt_note_fn(uint32_t correlation, const struct stint_i_node *waits);

/* Returns the path to charge for a launch of a thread on which no scope runs: STINT_PATH_ROOT if nobody is known to
 * wait for it. `note` may be NULL; it is called if somebody is. */
uint32_t stint_adopt_launch(uint32_t correlation, stint_adopt_note_fn *note);

/* ----------------------------------------------------------------------------------------------------------- scopes */

/* To be called before a helper enters a scope or a call, and after it has left one at `now`. Inside the guard. Calls
 * are frequent, and not counted as adopted: the node around one does not run. */
void stint_adopt_begin_scope(struct stint_thread_record *record, int is_call);
void stint_adopt_end_scope(struct stint_thread_record *record, uint64_t now);

/* ------------------------------------------------------------------------------------------------------- on request */

/* Begins to adopt the calling thread's work below that path. `node` receives what stint_adopt_leave needs: NULL if a
 * scope runs on the thread already, or recording is off. Statuses as stint_adopt_begin and stint_adopt_end (adopt.h).
 * */
enum stint_status stint_adopt_enter(uint32_t path, struct stint_i_node **node);
enum stint_status stint_adopt_leave(struct stint_i_node *node);

#endif
