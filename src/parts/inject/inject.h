/* Which stint records what is injected. */
#ifndef STINT_INJECT_INJECT_H
#define STINT_INJECT_INJECT_H

#include <stdint.h>

#include "nvtx/abi.h"
#include "runtime/runtime.h"

/* Returns the stint that the program contains, or else this library's own. Once it has been chosen, it stays in use. */
const struct stint_inject_core *stint_inject_core(void);

/* Whether the kernel may refuse the system call because of stint's threads. The second makes it without them
 * (guest/alone.c). */
int stint_inject_is_refused(long number);
long stint_inject_call_alone(long number, long a, long b);

/* ----------------------------------------------------------------------------------------------------------- exec.c */

/* Programs that replace themselves by others: what they recorded is reported first. */

/* Calls `report` before every execve or related function that can succeed. To be called when the library is loaded. */
void stint_exec_start(void (*report)(void));

/* ---------------------------------------------------------------------------------------------------------- chain.c */

/* Calls the libraries that the variables for CUDA's and NVTX's injection named before this one took their place:
 * STINT_CHAIN_CUDA and STINT_CHAIN_NVTX name them now. Each is called first, as if it were alone; after that every call
 * goes to both. */

/* `self` is this library's function of the same name: a library that turns out to be this one is not called. */
void stint_chain_cuda(int (*self)(void));

/* Each passes what NVTX hands over to the other tool, and then to `ours`. Returns 1 if either accepts. */
typedef int stint_chain_nvtx_fn(stint_nvtx_get_table_fn *get_table);
typedef int stint_chain_extension_fn(struct stint_nvtx_module *module);

int stint_chain_nvtx(stint_chain_nvtx_fn *self, stint_chain_nvtx_fn *ours, stint_nvtx_get_table_fn *get_table);
int stint_chain_nvtx_extension(stint_chain_extension_fn *self, stint_chain_extension_fn *ours,
                               struct stint_nvtx_module *module);

/* -------------------------------------------------------------------------------------------------------- forward.c */

/* NVTX's callbacks if two tools are called: the other tool, and stint. Each function calls the other tool as if it were
 * alone, and returns the other tool's result to the program. Stint's ranges begin after the other tool's call, and end
 * before it. */

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

/* Handles and numbers if two tools are called: each tool has its own, and the program gets one. It gets the other
 * tool's, because payloads may contain handles that only that tool can interpret; but for ranges across threads it gets
 * stint's number. */

struct stint_handle {
    const void *ours;
    const void *theirs;
};

/* Returns 0, or -1 if there is no memory. */
int stint_handle_start(void);

/* Returns the handle for the program: the other tool's, or stint's if the other tool returned none. */
const void *stint_handle_join(const void *ours, const void *theirs);

/* Returns both tools' handles for a handle of the program; a handle that was not joined is passed to both as it is. */
struct stint_handle stint_handle_split(const void *handle);

/* Event attributes for one tool: copies if they contain a registered string. */
struct stint_handle_attributes {
    const struct stint_nvtx_attributes *ours, *theirs;
    struct stint_nvtx_attributes copies[2];
};

void stint_handle_split_attributes(struct stint_handle_attributes *split,
                                   const struct stint_nvtx_attributes *attributes);

/* The numbers of a started range. stint_handle_split_range ends it. */
struct stint_handle_range {
    uint64_t ours, theirs; /* 0: none */
};

uint64_t stint_handle_join_range(uint64_t ours, uint64_t theirs);
struct stint_handle_range stint_handle_split_range(uint64_t range);

#endif
