/* stint as the tool that NVTX calls. The library that NVTX loads as its tool passes on what it receives:
 *
 *     int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get)
 *     { return stint_nvtx_attach(get); }
 *     int InitializeInjectionNvtxExtension(nvtxExtModuleInfo_t *module)
 *     { return stint_nvtx_attach_extension(module); }
 *
 * NVTX calls the first once for every program or library that was compiled with it, and the second once for each
 * extension that it uses, possibly from several threads at once. The library has to be started before (it may be
 * switched off), and to stay loaded. */
#ifndef STINT_NVTX_HANDLER_H
#define STINT_NVTX_HANDLER_H

#include <stddef.h>
#include <stdint.h>

#include "nvtx/abi.h"
#include "record/suspend.h"
#include "stint/detail/api.h"
#include "stint/nvtx_stats.h"

/* Returns 1; or 0 if stint was not started, has no memory, or does not know this version of NVTX. After 0 NVTX calls no
 * tool. */
int stint_nvtx_attach(stint_nvtx_get_table_fn *get_table);

/* Returns 1, or 0 as above. NVTX makes no calls of an extension that stint does not know. */
int stint_nvtx_attach_extension(struct stint_nvtx_module *module);

/* What an injected stint hands over (runtime/runtime.h): one of the two. */
struct stint_nvtx_offer {
    stint_nvtx_get_table_fn *get_table;
    struct stint_nvtx_module *module;
};

/* To be called when it is known whether there is a trace, and a tool that listens (nvtx/outgoing.c). */
void stint_nvtx_op_start(void);

struct stint_builder;

/* Returns what has been counted so far. Values of events and names are read with nvtx/payload.h and nvtx/string.h. */
struct stint_nvtx_info stint_nvtx_info(void);

/* ----------------------------------------------------------------------------------------------------------- call.c */

/* The functions that NVTX calls: those of the core modules, and of the payload and counter extensions. Parameters and
 * results are NVTX's; handles are addresses of stint's objects. All functions preserve errno, and may be called from
 * any thread, at any time, and in signal handlers. */

#define STINT_NVTX_PROTOTYPE(module, callback, number, name, function, kind, result, parameters, arguments)            \
    result stint_nvtx_call_##function parameters;
STINT_NVTX_ENTRIES(STINT_NVTX_PROTOTYPE)
#undef STINT_NVTX_PROTOTYPE

enum { STINT_NVTX_CALLBACKS = 32 }; /* more than any callback's number */

/* Return the function of one module for a callback, or NULL: tables would cost a relocation for each function. */
typedef stint_nvtx_any_fn *stint_nvtx_calls_fn(unsigned callback);
stint_nvtx_calls_fn stint_nvtx_core_calls, stint_nvtx_core2_calls, stint_nvtx_cuda_calls, stint_nvtx_cudart_calls,
    stint_nvtx_payload_calls, stint_nvtx_counter_calls;

/* --------------------------------------------------------------------------------------------------- range_window.c */

/* Records only within NVTX ranges of certain names (STINT_WINDOW): these functions replace those of nvtx/handler.h, so
 * that programs without STINT_WINDOW have no overhead. */

enum { STINT_NVTX_MAX_WINDOW = 255 };

/* Holds recording back (record/suspend.h) except while a thread is in a range that `text` names: NAME, in the default
 * domain, or NAME@DOMAIN; both are shell patterns. To be called once, before NVTX is attached. Returns 0, or -1 for a
 * name that is empty or longer than STINT_NVTX_MAX_WINDOW. */
int stint_nvtx_window_set(const char *text);

int stint_nvtx_window_is_set(void);

/* In a forked child: closes the windows of other threads, whose ranges do not end there. */
void stint_nvtx_window_after_fork(void);

stint_nvtx_calls_fn stint_nvtx_window_core_calls, stint_nvtx_window_core2_calls;

/* Ranges of the payload extension open no window, but nest within windows. */
stint_nvtx_calls_fn stint_nvtx_window_payload_calls;

/* ------------------------------------------------------------------------------------------------------- outgoing.c */

/* Passes scopes as ranges to a tool that listens to NVTX. */

enum stint_nvtx {
    STINT_NVTX_ATTACHED,
    STINT_NVTX_NO_TOOL,
    STINT_NVTX_NO_MEMORY,
};

/* Loads the tool that NVTX's own environment variable names, if it is set, and asks it for the domain "stint". A tool
 * without domains counts as no tool; but with `insist` ranges can be passed even then. To be called once. */
enum stint_nvtx stint_nvtx_start(int insist);

/* What the scope that is being entered says about an operation; NULL: nothing. */
struct stint_i_op;
extern STINT_I_THREAD_LOCAL const struct stint_i_op *stint_nvtx_operation __attribute__((tls_model("initial-exec")));

/* Pushes a range of the calling thread, named after the statistic. Only if stint_nvtx_start returned ATTACHED, or
 * NO_TOOL with `insist`: the ranges then belong to the default domain of a tool without domains, or of one that
 * attaches later. */
void stint_nvtx_push(uint32_t id);
void stint_nvtx_pop(uint32_t id);

/* Passes scopes as ranges to an NVTX tool if the environment says so. */

/* Starts passing scopes on if STINT_NVTX says so. To be called once, when the registry has started, before any scope is
 * entered. */
__attribute__((cold)) void stint_ranges_start(void);

#endif
