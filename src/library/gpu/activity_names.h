/* Names of activities, each once, as a number. Under the ledger's lock. */
#ifndef STINT_GPU_ACTIVITY_NAMES_H
#define STINT_GPU_ACTIVITY_NAMES_H

#include <stdint.h>

#include "gpu/activity.h"

/* Asks the loader for a demangler, so it is for callers without the lock. */
void stint_names_start(void);

/* What activities are called that bring no name: nvprof's names where it had one. Static texts. */
const char *stint_name_of_kind(enum stint_gpu_kind kind, uint32_t what);

#define STINT_NAME_NONE UINT32_MAX

/* Returns the number of a name; unknown, it is copied, and a kernel's demangled, if `may_add`. STINT_NAME_NONE: it may
 * not, or no memory. Fast if the name was at this address before, which counts only if it still reads the same: modules
 * are unloaded. */
uint32_t stint_names_id(enum stint_gpu_kind kind, const char *name, int may_add);

const char *stint_names_text(uint32_t id);
const char *stint_names_mangled(uint32_t id); /* "" unless a kernel's */

/* Numbers begin anew; texts handed out stay readable, but may change. */
void stint_names_forget(void);

#endif
