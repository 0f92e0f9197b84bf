/* NVTX's callbacks where two tools are called: the other one, and stint. Each function has the other see the call as if
 * it were alone, and what it returns is what the program gets. Ranges of ours begin behind the other's work, and end
 * before it. */
#ifndef STINT_INJECT_FORWARD_H
#define STINT_INJECT_FORWARD_H

#include "nvtx/abi.h"

/* Returns what to call for a callback of a module or of an extension, so that both are called; `ours` where nothing is
 * known of it. What the other tool gave for the first program or library that uses NVTX is called for all. */
stint_nvtx_any_fn *stint_forward_core(int module, unsigned callback, stint_nvtx_any_fn *ours,
                                      stint_nvtx_any_fn *theirs);
stint_nvtx_any_fn *stint_forward_extension(unsigned module, unsigned callback, stint_nvtx_any_fn *ours,
                                           stint_nvtx_any_fn *theirs);

struct stint_forward {
    stint_nvtx_any_fn *ours, *theirs;
};

enum { STINT_FORWARD_MODULES = 6, STINT_FORWARD_CALLBACKS = 18 };

/* What both gave, by module and callback. */
extern struct stint_forward stint_forward_links[STINT_FORWARD_MODULES][STINT_FORWARD_CALLBACKS];

#endif
