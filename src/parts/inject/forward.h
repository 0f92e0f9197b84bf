/* NVTX's callbacks if two tools are called: the other tool, and stint. Each function calls the other tool as if it were
 * alone, and returns the other tool's result to the program. Stint's ranges begin after the other tool's call, and end
 * before it. */
#ifndef STINT_INJECT_FORWARD_H
#define STINT_INJECT_FORWARD_H

#include "nvtx/abi.h"

/* Returns the function that calls both tools for a callback of a module or of an extension; `ours` if the callback is
 * unknown. The functions that the other tool has set for the first program or library that uses NVTX are called for
 * all. */
stint_nvtx_any_fn *stint_forward_core(int module, unsigned callback, stint_nvtx_any_fn *ours,
                                      stint_nvtx_any_fn *theirs);
stint_nvtx_any_fn *stint_forward_extension(unsigned module, unsigned callback, stint_nvtx_any_fn *ours,
                                           stint_nvtx_any_fn *theirs);

struct stint_forward {
    stint_nvtx_any_fn *ours, *theirs;
};

enum { STINT_FORWARD_MODULES = 6, STINT_FORWARD_CALLBACKS = 18 };

/* The functions of both tools, by module and callback. */
extern struct stint_forward stint_forward_links[STINT_FORWARD_MODULES][STINT_FORWARD_CALLBACKS];

#endif
