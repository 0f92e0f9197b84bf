// A CUDA program that knows nothing of stint, except for a scope if compiled with WITH_STINT: ten kernels in NVTX
// ranges, and then it ends in the way that the argument names. It prints what it computed, which has to be the same
// with stint injected.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

#include <nvtx3/nvToolsExt.h>

#ifdef WITH_STINT
#include <stint/stint.h>
#else
#define STINT_SCOPE(name) (void)0
#endif

enum { STEPS = 10, COUNT = 1 << 16, SETTLE_US = 500000 };

__global__ void add(float *values, float by)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < COUNT)
        values[i] += by;
}

// Returns 3, or 4 if CUDA does not work.
static int work()
{
    STINT_SCOPE("work");
    float *values = nullptr, first = 0;

    if (cudaMalloc(&values, COUNT * sizeof *values) != cudaSuccess)
        return std::printf("no CUDA\n"), 4;
    cudaMemset(values, 0, COUNT * sizeof *values);
    for (int i = 0; i < STEPS; ++i) {
        nvtxRangePushA("step");
        add<<<COUNT / 256, 256>>>(values, static_cast<float>(i));
        nvtxRangePop();
    }
    cudaMemcpy(&first, values, sizeof first, cudaMemcpyDeviceToHost);
    cudaFree(values);
    std::printf("first = %g\n", static_cast<double>(first));
    std::fflush(stdout);
    return 3;
}

// Runs in a child that was forked before CUDA was used.
static int work_in_child()
{
    const pid_t child = fork();
    int status = 0;
    if (child == 0)
        std::exit(work());
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 5;
}

int main(int argc, char **argv)
{
    const char *end = argc > 1 ? argv[1] : "returns";
    const int code = std::strcmp(end, "forks") ? work() : work_in_child();
    if (!std::strcmp(end, "exits"))
        _exit(code);
    if (!std::strcmp(end, "killed")) {
        usleep(SETTLE_US); // a signal handler can only report what has arrived
        std::raise(SIGTERM);
    }
    return code;
}
