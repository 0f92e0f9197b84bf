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

#include "nvtx/abi.h"
#include "stint/nvtx_stats.h"

/* Returns 1; or 0 if stint was not started, has no memory, or does not know this version of NVTX. After 0 NVTX calls no
 * tool. */
int stint_nvtx_attach(stint_nvtx_get_table_fn *get_table);

/* Returns 1, or 0 as above. NVTX makes no calls of an extension that stint does not know. */
int stint_nvtx_attach_extension(struct stint_nvtx_module *module);

/* What an injected stint hands over (runtime/handover.h): one of the two. */
struct stint_nvtx_offer {
    stint_nvtx_get_table_fn *get_table;
    struct stint_nvtx_module *module;
};

/* To be called when it is known whether there is a trace, and a tool that listens (nvtx/op_calls.c). */
void stint_nvtx_op_start(void);

struct stint_builder;

/* If there is such a program: adds the values of events, names, and info to the snapshot, and gives its
 * threads the names that the program gave them. */
void stint_nvtx_collect(struct stint_builder *builder, int emergency);

/* Returns what has been counted so far. Values of events and names are read with nvtx/value.h and nvtx/name.h. */
struct stint_nvtx_info stint_nvtx_info(void);

#endif
