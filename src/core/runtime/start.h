/* Set-up at first use, and what public functions check. */
#ifndef STINT_RUNTIME_START_H
#define STINT_RUNTIME_START_H

#include "stint/statset.h"

/* Makes the library ready. Every public function that needs more than its arguments calls it first; later calls cost
 * one load.
 *
 * Returns STINT_OK; STINT_ERROR_NO_MEMORY, and recording then is off for good; STINT_ERROR_BUSY in a signal handler
 * that interrupted the set-up. */
enum stint_status stint_runtime_start(void);

/* Returns whether this process is the one that was set up, or a child that fork prepared: not one of vfork or clone,
 * which shares or copies memory without the library's knowledge. */
int stint_runtime_is_ours(void);

/* Returns STINT_OK if the statistic is known; otherwise an error, of which STINT_ERROR_NOT_FOUND is logged. */
enum stint_status stint_statset_require(struct stint_statset *set, const char *name);

#endif
