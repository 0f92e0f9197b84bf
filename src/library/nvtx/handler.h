/* stint as the tool that NVTX calls. Whoever is loaded as that tool hands over what NVTX hands to it:
 *
 *     int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get)           { return stint_nvtx_attach(get); }
 *     int InitializeInjectionNvtxExtension(nvtxExtModuleInfo_t *module)    { return
 *     stint_nvtx_attach_extension(module); }
 *
 * NVTX calls the first once for every program or library that was compiled with it, the second once for each extension
 * that such a one uses; from any thread, perhaps from several at once. The library has to be started before (it may be
 * switched off), and to stay loaded. */
#ifndef STINT_NVTX_HANDLER_H
#define STINT_NVTX_HANDLER_H

#include "nvtx/abi.h"
#include "stint/nvtx_stats.h"

/* Returns 1, or 0 if stint was not started, has no memory, or NVTX is none that it knows: NVTX then calls nobody. */
int stint_nvtx_attach(stint_nvtx_get_table_fn *get_table);

/* Returns 1, or 0 as above. Of an extension that stint does not know NVTX then calls nothing. */
int stint_nvtx_attach_extension(struct stint_nvtx_module *module);

struct stint_builder;

/* A stint_collect_fn (record/collect.h): what events carried, names, and how it went; the
 * snapshot's threads are called what the program called them. */
void stint_nvtx_collect(struct stint_builder *builder, int emergency);

/* How it went, so far. What events carried, and names: nvtx/value.h, nvtx/name.h. */
struct stint_nvtx_info stint_nvtx_info(void);

#endif
