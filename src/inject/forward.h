/* NVTX's callbacks where two tools are called: the other one, and stint. Each function has the other see the call as if it
 * were alone, and what it returns is what the program gets. Ranges of ours begin behind the other's work, and end
 * before it. */
#ifndef STINT_INJECT_FORWARD_H
#define STINT_INJECT_FORWARD_H

#include "nvtx/abi.h"
#include "nvtx/call.h"

/* Returns what to call for a callback of a module or of an extension, so that both are called; `ours` where nothing is
 * known of it. What the other tool gave for the first program or library that uses NVTX is called for all. */
stint_nvtx_any_fn *stint_forward_core(int module, unsigned callback, stint_nvtx_any_fn *ours,
                                      stint_nvtx_any_fn *theirs);
stint_nvtx_any_fn *stint_forward_extension(unsigned module, unsigned callback, stint_nvtx_any_fn *ours,
                                           stint_nvtx_any_fn *theirs);

/* ------------------------------------------------------------------------------------------- among the files forward*.c */

struct stint_forward {
    stint_nvtx_any_fn *ours, *theirs;
};

enum { STINT_FORWARD_CALLBACKS = 32 };

extern struct stint_forward stint_forward_core_links[STINT_FORWARD_CALLBACKS];
extern struct stint_forward stint_forward_core2_links[STINT_FORWARD_CALLBACKS];
extern struct stint_forward stint_forward_cuda_links[STINT_FORWARD_CALLBACKS];
extern struct stint_forward stint_forward_cudart_links[STINT_FORWARD_CALLBACKS];
extern struct stint_forward stint_forward_payload_links[STINT_FORWARD_CALLBACKS];
extern struct stint_forward stint_forward_counter_links[STINT_FORWARD_CALLBACKS];

/* One for each callback; they end with a NULL function. */
extern const struct stint_nvtx_call stint_forward_core_calls[];
extern const struct stint_nvtx_call stint_forward_core2_calls[];
extern const struct stint_nvtx_call stint_forward_cuda_calls[];
extern const struct stint_nvtx_call stint_forward_cudart_calls[];
extern const struct stint_nvtx_call stint_forward_payload_calls[];
extern const struct stint_nvtx_call stint_forward_counter_calls[];

/* Calls one tool's function: CALL(theirs, core, MARK_A, void, (const char *), (text)).
 * NOLINTBEGIN(bugprone-macro-parentheses): `result` is a type, and `arguments` have their parentheses. */
#define CALL(whose, module, callback, result, parameters, arguments)                                                   \
    (((result(*) parameters)stint_forward_##module##_links[STINT_NVTX_##callback].whose)arguments)
/* NOLINTEND(bugprone-macro-parentheses) */

/* Defines a function that both get unchanged. */
#define BOTH(name, module, callback, parameters, arguments)                                                            \
    static void name parameters                                                                                        \
    {                                                                                                                  \
        CALL(theirs, module, callback, void, parameters, arguments);                                                   \
        CALL(ours, module, callback, void, parameters, arguments);                                                     \
    }

#define ENTRY(callback, function)                                                                                      \
    {                                                                                                                  \
        STINT_NVTX_##callback, (stint_nvtx_any_fn *)(function)                                                         \
    }

#endif
