/* The runtime, libcudart.so.13: each function calls the driver's within a call of its own. */
#include "gpu_mock/mock.h"

int cudaMalloc(void **address, size_t bytes)
{
    const struct {
        void **address;
        size_t bytes;
    } parameters = {address, bytes};
    struct mock_call call;

    mock_enter_with(&call, MOCK_RUNTIME, 20, "cudaMalloc", &parameters);
    call.result = cuMemAlloc_v2(address, bytes);
    return mock_leave(&call);
}

int cudaFree(void *address)
{
    struct mock_call call;
    mock_enter_with(&call, MOCK_RUNTIME, 22, "cudaFree", &address);
    call.result = address ? cuMemFree_v2(address) : 0;
    return mock_leave(&call);
}

int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, struct mock_stream *stream)
{
    struct mock_call call;
    mock_enter(&call, MOCK_RUNTIME, 41, "cudaMemcpyAsync", NULL);
    call.result = cuMemcpyAsync(to, from, bytes, kind, stream);
    return mock_leave(&call);
}

int cudaMemcpy(void *to, const void *from, size_t bytes, int kind)
{
    struct mock_call call;
    mock_enter(&call, MOCK_RUNTIME, 31, "cudaMemcpy", NULL);
    call.result = cuMemcpyAsync(to, from, bytes, kind, NULL);
    (void)cuStreamSynchronize(NULL);
    return mock_leave(&call);
}

int cudaMemset(void *address, int value, size_t bytes)
{
    struct mock_call call;
    mock_enter(&call, MOCK_RUNTIME, 49, "cudaMemset", NULL);
    call.result = cuMemsetD8Async(address, value, bytes, NULL);
    return mock_leave(&call);
}

int cudaLaunchKernel(const void *kernel, struct mock_dim grid, struct mock_dim block, void **arguments, size_t shared,
                     struct mock_stream *stream)
{
    struct mock_call call;
    mock_enter(&call, MOCK_RUNTIME, 211, "cudaLaunchKernel", ((const struct mock_kernel *)kernel)->name);
    call.result = cuLaunchKernel(kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z, (unsigned)shared, stream,
                                 arguments, NULL);
    return mock_leave(&call);
}

int cudaGraphLaunch(const struct mock_graph *graph, struct mock_stream *stream)
{
    struct mock_call call;
    mock_enter(&call, MOCK_RUNTIME, 311, "cudaGraphLaunch", NULL);
    call.result = cuGraphLaunch(graph, stream);
    return mock_leave(&call);
}

int cudaStreamCreate(struct mock_stream **stream)
{
    struct mock_call call;
    mock_enter(&call, MOCK_RUNTIME, 129, "cudaStreamCreate", NULL);
    *stream = mock_new_stream();
    return mock_leave(&call);
}

int cudaStreamSynchronize(struct mock_stream *stream)
{
    struct mock_call call;
    mock_enter_with(&call, MOCK_RUNTIME, 131, "cudaStreamSynchronize", &stream);
    call.result = cuStreamSynchronize(stream);
    return mock_leave(&call);
}

int cudaStreamBeginCapture(struct mock_stream *stream, int mode)
{
    struct mock_call call;
    mock_enter(&call, MOCK_RUNTIME, 315, "cudaStreamBeginCapture", NULL);
    call.result = cuStreamBeginCapture_v2(stream, mode);
    return mock_leave(&call);
}

int cudaStreamEndCapture(struct mock_stream *stream, struct mock_graph *graph)
{
    struct mock_call call;
    mock_enter(&call, MOCK_RUNTIME, 319, "cudaStreamEndCapture", NULL);
    call.result = cuStreamEndCapture(stream, graph);
    return mock_leave(&call);
}

int cudaGraphInstantiate(struct mock_graph *copy, const struct mock_graph *graph)
{
    struct mock_call call;
    mock_enter(&call, MOCK_RUNTIME, 309, "cudaGraphInstantiate", NULL);
    call.result = cuGraphInstantiateWithFlags(copy, graph);
    return mock_leave(&call);
}

int cudaGetDevice(int *device)
{
    struct mock_call call;
    *device = 0;
    mock_enter(&call, MOCK_RUNTIME, 17, "cudaGetDevice", NULL);
    return mock_leave(&call);
}

int cudaFuncGetAttributes(int *registers, const void *kernel)
{
    struct mock_call call;
    mock_enter(&call, MOCK_RUNTIME, 15, "cudaFuncGetAttributes", NULL);
    call.result = cuKernelGetAttribute(registers, 4, kernel, 0);
    return mock_leave(&call);
}

int cudaDeviceSynchronize(void)
{
    struct mock_call call;
    mock_enter(&call, MOCK_RUNTIME, 165, "cudaDeviceSynchronize", NULL);
    call.result = cuCtxSynchronize();
    return mock_leave(&call);
}

int cudaDeviceReset(void)
{
    struct mock_call call;
    mock_enter(&call, MOCK_RUNTIME, 164, "cudaDeviceReset", NULL);
    call.result = cuDevicePrimaryCtxReset_v2(0);
    return mock_leave(&call);
}

int cudaProfilerStart(void)
{
    struct mock_call call;
    mock_enter(&call, MOCK_RUNTIME, 180, "cudaProfilerStart", NULL);
    call.result = cuProfilerStart();
    return mock_leave(&call);
}

int cudaProfilerStop(void)
{
    struct mock_call call;
    mock_enter(&call, MOCK_RUNTIME, 181, "cudaProfilerStop", NULL);
    call.result = cuProfilerStop();
    return mock_leave(&call);
}
