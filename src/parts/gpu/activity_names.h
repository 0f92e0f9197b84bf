/* Names of activities; each is kept once and identified by a number. All functions need the ledger's lock. */
#ifndef STINT_GPU_ACTIVITY_NAMES_H
#define STINT_GPU_ACTIVITY_NAMES_H

#include <stdint.h>

#include "gpu/activity.h"

/* Asks the dynamic linker for a demangler, so the caller must not hold the lock. */
void stint_names_start(void);

/* The name of an activity that has none of its own: the name that nvprof uses, if there is one. A static text. */
const char *stint_name_of_kind(enum stint_gpu_kind kind, uint32_t what);

#define STINT_NAME_NONE UINT32_MAX

/* Returns the number of a name. If the name is new and `may_add` is set, it is copied, and a kernel's name is
 * demangled. Returns STINT_NAME_NONE if the name is new and may not be added, or memory is short. The look-up is fast
 * if the name was at this address before; the text is then compared, because a module may have been unloaded. */
uint32_t stint_names_id(enum stint_gpu_kind kind, const char *name, int may_add);

const char *stint_names_text(uint32_t id);
const char *stint_names_mangled(uint32_t id); /* "" if the name is not a kernel's */

/* Starts numbering again. Texts handed out earlier stay readable, but may change. */
void stint_names_forget(void);

#endif
