/* Names of CUDA's objects, by NVTX's headers for them, which use CUDA's types: only where CUDA's headers are found. */
#if defined(__has_include)
#if __has_include(<cuda.h>) && __has_include(<cuda_runtime_api.h>)
#define HAVE_CUDA 1
#endif
#endif

#ifdef HAVE_CUDA
#include <nvtx3/nvToolsExtCuda.h>
#include <nvtx3/nvToolsExtCudaRt.h>

static void name_cuda(void)
{
    nvtxNameCuDeviceA(0, "device");
    nvtxNameCuDeviceW(1, L"device");
    nvtxNameCuContextA((CUcontext)16, "context");
    nvtxNameCuContextW((CUcontext)17, L"context");
    nvtxNameCuStreamA((CUstream)18, "stream");
    nvtxNameCuStreamW((CUstream)19, L"stream");
    nvtxNameCuEventA((CUevent)20, "event");
    nvtxNameCuEventW((CUevent)21, L"event");
    nvtxNameCudaDeviceA(2, "device");
    nvtxNameCudaDeviceW(3, L"device");
    nvtxNameCudaStreamA((cudaStream_t)22, "stream");
    nvtxNameCudaStreamW((cudaStream_t)23, L"stream");
    nvtxNameCudaEventA((cudaEvent_t)24, "event");
    nvtxNameCudaEventW((cudaEvent_t)25, L"event");
}
#else
static void name_cuda(void) {}
#endif
