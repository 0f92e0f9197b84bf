/* Finds the stint that the program itself has loaded (runtime/handover.h). */
#ifndef STINT_INJECT_FIND_H
#define STINT_INJECT_FIND_H

#include "runtime/handover.h"

/* Returns the functions of the first other stint that is loaded and has the same version, or NULL. Not for signal
 * handlers. */
const struct stint_inject_core *stint_inject_find(void);

#endif
