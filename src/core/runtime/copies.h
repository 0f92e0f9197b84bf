/* Several stints in one process: each plugin may have one linked statically, and one may have been injected. */
#ifndef STINT_RUNTIME_COPIES_H
#define STINT_RUNTIME_COPIES_H

#include <stdint.h>

#include "runtime/handover.h"
#include "stint/status.h"

/* Calls `visit` for each stint that the process has loaded, this one too; `core` may be used if `version` is
 * STINT_INJECT_VERSION. Not for signal handlers. */
typedef void stint_copies_visit_fn(void *context, uint32_t version, const struct stint_inject_core *core);
void stint_copies_visit(stint_copies_visit_fn *visit, void *context);

/* Gives this stint, which starts, a number among those that have started in the process. */
void stint_copies_start(void);

/* As stint_path_prepare_here, for files that this stint writes: from the second on, "run.json" is "run.copy2.json". */
enum stint_status stint_copies_prepare(char *out, size_t size, const char *pattern);

#endif
