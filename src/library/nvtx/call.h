/* The functions that NVTX calls: of the core modules, and of the extensions for payloads and counters. Parameters and
 * results are NVTX's, handles are addresses of ours. None changes errno; each may be called from any thread, at any time,
 * and in signal handlers. */
#ifndef STINT_NVTX_CALL_H
#define STINT_NVTX_CALL_H

#include <stddef.h>
#include <stdint.h>

#include "nvtx/abi.h"

/* One for each module, in any order; ends with callback 0, which no module of the core has. */
struct stint_nvtx_call {
    unsigned callback;
    stint_nvtx_any_fn *function;
};

extern const struct stint_nvtx_call stint_nvtx_core_calls[];   /* events of the default domain */
extern const struct stint_nvtx_call stint_nvtx_core2_calls[];  /* events of other domains, and domains */
extern const struct stint_nvtx_call stint_nvtx_cuda_calls[];   /* names */
extern const struct stint_nvtx_call stint_nvtx_cudart_calls[]; /* names */

/* Of extensions; ends with a NULL function. */
extern const struct stint_nvtx_call stint_nvtx_payload_calls[];
extern const struct stint_nvtx_call stint_nvtx_counter_calls[];

/* What both modules of the core have. */
int stint_nvtx_call_push_text(const char *text);
int stint_nvtx_call_push(const void *handle, const struct stint_nvtx_attributes *attributes);
int stint_nvtx_call_pop(const void *handle);
uint64_t stint_nvtx_call_start(const void *handle, const struct stint_nvtx_attributes *attributes);
void stint_nvtx_call_end(const void *handle, uint64_t range);
void stint_nvtx_call_mark(const void *handle, const struct stint_nvtx_attributes *attributes);

/* Names in narrow and wide characters (nvtx/call_name.c). */
void stint_nvtx_call_name_category(const void *handle, uint32_t category, const char *name);
void stint_nvtx_call_name_category_wide(const void *handle, uint32_t category, const wchar_t *name);
void stint_nvtx_call_name_thread(uint32_t thread, const char *name);
void stint_nvtx_call_name_thread_wide(uint32_t thread, const wchar_t *name);
const void *stint_nvtx_call_create_resource(const void *handle,
                                            const struct stint_nvtx_resource_attributes *attributes);

#endif
