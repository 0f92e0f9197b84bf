/* Names of CUDA's objects. */
#include "inject/forward.h"

struct stint_forward stint_forward_cuda_links[STINT_FORWARD_CALLBACKS];
struct stint_forward stint_forward_cudart_links[STINT_FORWARD_CALLBACKS];

BOTH(cu_device, cuda, NAME_CU_DEVICE_A, (int device, const char *name), (device, name))
BOTH(cu_device_wide, cuda, NAME_CU_DEVICE_W, (int device, const wchar_t *name), (device, name))
BOTH(cu_context, cuda, NAME_CU_CONTEXT_A, (const void *context, const char *name), (context, name))
BOTH(cu_context_wide, cuda, NAME_CU_CONTEXT_W, (const void *context, const wchar_t *name), (context, name))
BOTH(cu_stream, cuda, NAME_CU_STREAM_A, (const void *stream, const char *name), (stream, name))
BOTH(cu_stream_wide, cuda, NAME_CU_STREAM_W, (const void *stream, const wchar_t *name), (stream, name))
BOTH(cu_event, cuda, NAME_CU_EVENT_A, (const void *event, const char *name), (event, name))
BOTH(cu_event_wide, cuda, NAME_CU_EVENT_W, (const void *event, const wchar_t *name), (event, name))

const struct stint_nvtx_call stint_forward_cuda_calls[] = {
    ENTRY(NAME_CU_DEVICE_A, cu_device),
    ENTRY(NAME_CU_DEVICE_W, cu_device_wide),
    ENTRY(NAME_CU_CONTEXT_A, cu_context),
    ENTRY(NAME_CU_CONTEXT_W, cu_context_wide),
    ENTRY(NAME_CU_STREAM_A, cu_stream),
    ENTRY(NAME_CU_STREAM_W, cu_stream_wide),
    ENTRY(NAME_CU_EVENT_A, cu_event),
    ENTRY(NAME_CU_EVENT_W, cu_event_wide),
    {0, NULL},
};

BOTH(cuda_device, cudart, NAME_CUDA_DEVICE_A, (int device, const char *name), (device, name))
BOTH(cuda_device_wide, cudart, NAME_CUDA_DEVICE_W, (int device, const wchar_t *name), (device, name))
BOTH(cuda_stream, cudart, NAME_CUDA_STREAM_A, (const void *stream, const char *name), (stream, name))
BOTH(cuda_stream_wide, cudart, NAME_CUDA_STREAM_W, (const void *stream, const wchar_t *name), (stream, name))
BOTH(cuda_event, cudart, NAME_CUDA_EVENT_A, (const void *event, const char *name), (event, name))
BOTH(cuda_event_wide, cudart, NAME_CUDA_EVENT_W, (const void *event, const wchar_t *name), (event, name))

const struct stint_nvtx_call stint_forward_cudart_calls[] = {
    ENTRY(NAME_CUDA_DEVICE_A, cuda_device),
    ENTRY(NAME_CUDA_DEVICE_W, cuda_device_wide),
    ENTRY(NAME_CUDA_STREAM_A, cuda_stream),
    ENTRY(NAME_CUDA_STREAM_W, cuda_stream_wide),
    ENTRY(NAME_CUDA_EVENT_A, cuda_event),
    ENTRY(NAME_CUDA_EVENT_W, cuda_event_wide),
    {0, NULL},
};
