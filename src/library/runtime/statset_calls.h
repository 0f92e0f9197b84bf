/* What other files here need of the sets. */
#ifndef STINT_RUNTIME_STATSET_CALLS_H
#define STINT_RUNTIME_STATSET_CALLS_H

#include "stint/statset.h"

/* Returns STINT_OK if the statistic is known; logs it if it is STINT_ERROR_NOT_FOUND. */
enum stint_status stint_statset_require(struct stint_statset *set, const char *name);

#endif
