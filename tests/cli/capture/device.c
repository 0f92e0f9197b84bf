/* What the torch of the folder `fake` needs that is not Python: ranges, and kernels of the CUDA that needs no GPU. */
#include "gpu_mock/mock.h"
#include "inject/nvtx_client.h"

MOCK_API void fake_push(const char *text)
{
    (void)nvtx_push(text);
}

MOCK_API void fake_pop(void)
{
    (void)nvtx_pop();
}

/* Launches a kernel that takes so long. The kernel has to live as long as the program. */
MOCK_API void fake_launch(const struct mock_kernel *kernel)
{
    (void)cudaLaunchKernel(kernel, (struct mock_dim){1, 1, 1}, (struct mock_dim){32, 1, 1}, NULL, 0, NULL);
}

MOCK_API int fake_begin(void)
{
    return cuInit(0);
}

MOCK_API void fake_profiler_start(void)
{
    (void)cudaProfilerStart();
}

MOCK_API int fake_wait(void)
{
    return cudaDeviceSynchronize();
}
