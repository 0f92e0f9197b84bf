// A program that counts what its own kernels do, as a test may: no double may creep into a kernel of floats, and it may
// move no more bytes than it must. Without a GPU, or without permission to read counters, it says so and what to do.
#include <cmath>
#include <cstdio>

#include <stint/stint.hpp>

namespace {

const size_t count = 1 << 24;

#ifdef __CUDACC__

const bool has_cuda = true;

__global__ void scale(float *values, float by)
{
    values[blockIdx.x * blockDim.x + threadIdx.x] *= by;
}

// 0.5 is a double, and so is the product.
__global__ void scale_by_mistake(float *values, float by)
{
    float *const value = &values[blockIdx.x * blockDim.x + threadIdx.x];

    *value = static_cast<float>(*value * (by + 0.5));
}

void work()
{
    const unsigned threads = 256, blocks = count / threads;
    float *values;

    if (cudaMalloc(&values, count * sizeof *values) != cudaSuccess)
        return;
    cudaMemset(values, 0, count * sizeof *values);
    {
        REGISTER_TIMER("right");
        scale<<<blocks, threads>>>(values, 2.0f);
    }
    {
        REGISTER_TIMER("by mistake");
        scale_by_mistake<<<blocks, threads>>>(values, 2.0f);
    }
    cudaDeviceSynchronize();
    cudaFree(values);
}

// So that stint can ask the device at the start.
void make_context()
{
    cudaFree(nullptr);
}

#else

const bool has_cuda = false;

void work() {}
void make_context() {}

#endif

// A kernel that was not launched, or could not be counted, has no values.
double sum_of(const char *kernel, const char *metric)
{
    stint_counter counter;

    if (!stint_counters_read(STINT_COUNTERS_OF_KERNELS, kernel, metric, &counter))
        return counter.sum;
    std::printf("%s: no %s: %s\n", kernel, metric, stint_counters_reason());
    return NAN;
}

// Returns whether the kernel does as it should.
bool check(const char *kernel)
{
    const double doubles = sum_of(kernel, "smsp__sass_thread_inst_executed_op_dmul_pred_on") +
                           sum_of(kernel, "smsp__sass_thread_inst_executed_op_dadd_pred_on");
    const double bytes = sum_of(kernel, "l1tex__t_bytes");

    std::printf("%s: %.0f fp64 instructions, %.2f times the bytes that it must move\n", kernel, doubles,
                bytes / (2.0 * count * sizeof(float)));
    return doubles == 0;
}

} // namespace

int main()
{
    stint_counters_options options = {};

    make_context();
    options.metrics = "flops,memory";
    options.kernels = "scale*";
    if (stint_counters_start(&options) || !has_cuda) {
        std::printf("not counted: %s\n", has_cuda ? stint_counters_reason() : "compiled without CUDA");
        work();
        return 0;
    }
    work();
    stint_counters_stop();
    const bool right = check("scale"), found = !check("scale_by_mistake");
    stint_counter in_scope;
    if (!stint_counters_read(STINT_COUNTERS_OF_SCOPES, "right", "gpu__time_duration", &in_scope))
        std::printf("right: %.1f us\n", in_scope.sum / 1e3);
    std::puts(right && found ? "all good" : "wrong");
    return !right || !found;
}
