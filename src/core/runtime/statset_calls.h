/* The functions of sets that other files of this stage need. */
#ifndef STINT_RUNTIME_STATSET_CALLS_H
#define STINT_RUNTIME_STATSET_CALLS_H

#include "stint/statset.h"

/* Returns STINT_OK if the statistic is known; otherwise an error, of which STINT_ERROR_NOT_FOUND is logged. */
enum stint_status stint_statset_require(struct stint_statset *set, const char *name);

#endif
