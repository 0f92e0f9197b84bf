/* Which stint records what is injected. */
#ifndef STINT_INJECT_INJECT_H
#define STINT_INJECT_INJECT_H

#include "runtime/handover.h"

/* Returns the stint that the program contains, or else this library's own. Once it has been chosen, it stays in use. */
const struct stint_inject_core *stint_inject_core(void);

#endif
