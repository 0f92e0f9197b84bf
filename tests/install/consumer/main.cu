// Host code through nvcc; the kernel is compiled but not launched, so that no GPU is needed.
#include <stint/stint.h>

#include <cstdio>

__global__ void scale(float *values, float factor)
{
    values[threadIdx.x] *= factor;
}

static void work()
{
    REGISTER_TIMER("scope");
    REGISTER_TIMER_INFO("layer", "conv1");
    std::puts("done");
}

int main()
{
    stint_timer timer = STINT_TIMER_INIT;
    stint_timer_start(&timer, "request", nullptr);
    work();
    return stint_timer_stop(&timer) != STINT_OK;
}
