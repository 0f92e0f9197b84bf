/* Finding the stint that the program brought along (runtime/handover.h). */
#ifndef STINT_INJECT_FIND_H
#define STINT_INJECT_FIND_H

#include "runtime/handover.h"

/* Returns the functions of the first stint that is loaded beside this one and fits it, or NULL. `others`, unless NULL,
 * receives whether there is one at all. Not for signal handlers. */
const struct stint_inject_core *stint_inject_find(int *others);

#endif
