/* The signal that timers send, and the host's own use of signals. */
#ifndef STINT_SAMPLE_TIMER_SIGNAL_H
#define STINT_SAMPLE_TIMER_SIGNAL_H

#include <signal.h>

#include "sample/task.h"

/* What the handler calls for a signal of a timer. */
typedef void stint_timer_signal_fn(struct stint_task *task, const void *interrupted);

/* Takes the last of the real-time signals that nobody uses, if none is taken yet. Its default would end the process, so
 * the handler stays for as long as the process lives. Returns its number; 0: all are used. */
int stint_timer_signal_take(stint_timer_signal_fn *see);

/* Takes another one if the program has put its own handler in the place of this one's. */
void stint_timer_signal_check(void);

#endif
