// PaddlePaddle's test_GpuProfiler, using stint: bilinear interpolation of 10 samples with 16 channels from 64x64 to
// 128x128, forward and backward, under a profiler's window, a timer, and stint's own collector, which prints nvprof's
// table. Compiled by nvcc, it runs on the GPU if there is one; compiled as C++, it runs on the CPU. The result is
// compared with that of bilinear.c.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <stint/stint.h>

extern "C" {
#include "../bilinear.h"
}

#ifdef __CUDACC__
#define ON_BOTH __host__ __device__
#else
#define ON_BOTH
#endif

namespace {

const size_t planes = 10 * 16, in_size = 64, out_size = 128; // numSamples * channels, imgSize, and twice imgSize
const bilinear shape = {in_size, in_size, out_size, out_size};
const size_t in_count = planes * in_size * in_size, out_count = planes * out_size * out_size;

// ------------------------------------------------------------------------------------------ one element of each kernel

// An output position lies between two input positions: `low`, with weight 1 - `high_weight`, and `high`.
struct position {
    size_t low;
    size_t high;
    float high_weight;
};

ON_BOTH position position_of(size_t out, size_t out_length, size_t in_length)
{
    const float ratio = static_cast<float>(in_length - 1) / static_cast<float>(out_length - 1);
    const float at = ratio * static_cast<float>(out);
    const size_t low = static_cast<size_t>(at);

    return {low, low + 1 < in_length ? low + 1 : low, at - static_cast<float>(low)};
}

// The four inputs that an output depends on, and their weights.
struct corners {
    size_t index[4];
    float weight[4];
};

ON_BOTH corners corners_of(const bilinear &size, size_t out)
{
    const size_t plane = out / (size.out_rows * size.out_columns);
    const position row = position_of(out / size.out_columns % size.out_rows, size.out_rows, size.in_rows);
    const position column = position_of(out % size.out_columns, size.out_columns, size.in_columns);
    const size_t above = (plane * size.in_rows + row.low) * size.in_columns;
    const size_t below = (plane * size.in_rows + row.high) * size.in_columns;
    const float top = 1 - row.high_weight, left = 1 - column.high_weight;

    return {{above + column.low, above + column.high, below + column.low, below + column.high},
            {top * left, top * column.high_weight, row.high_weight * left, row.high_weight * column.high_weight}};
}

ON_BOTH void add(float *sum, float value)
{
#ifdef __CUDA_ARCH__
    atomicAdd(sum, value);
#else
    *sum += value;
#endif
}

ON_BOTH void forward_element(const bilinear &size, size_t i, const float *input, float *output)
{
    const corners from = corners_of(size, i);
    float sum = 0;

    for (int corner = 0; corner < 4; ++corner)
        sum += from.weight[corner] * input[from.index[corner]];
    output[i] = sum;
}

ON_BOTH void backward_element(const bilinear &size, size_t i, const float *output_gradient, float *input_gradient)
{
    const corners to = corners_of(size, i);

    for (int corner = 0; corner < 4; ++corner)
        add(&input_gradient[to.index[corner]], to.weight[corner] * output_gradient[i]);
}

// Returns a pseudorandom number from 0 to `scale`.
ON_BOTH float noise(size_t i, float scale)
{
    const unsigned mixed = static_cast<unsigned>(i) * 2654435761U;

    return scale * static_cast<float>(mixed >> 16) / 65536;
}

// --------------------------------------------------------------------------------------------------- on GPU or on CPU

[[maybe_unused]] bool on_gpu = false;
int launched = 0; // number of kernels

#ifdef __CUDACC__

} // namespace

// Not mangled, so that tools show the kernels by these plain names.
extern "C" {

__global__ void KeFill(float *values, size_t count, float scale)
{
    const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;

    if (i < count)
        values[i] = noise(i, scale);
}

__global__ void KeBilinearInterpFw(bilinear size, size_t count, const float *input, float *output)
{
    const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;

    if (i < count)
        forward_element(size, i, input, output);
}

__global__ void KeBilinearInterpBw(bilinear size, size_t count, const float *output_gradient, float *input_gradient)
{
    const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;

    if (i < count)
        backward_element(size, i, output_gradient, input_gradient);
}

} // extern "C"

namespace {

void check(cudaError_t code, const char *what)
{
    if (code == cudaSuccess)
        return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(code));
    std::exit(EXIT_FAILURE);
}

template <typename... Parameters, typename... Arguments>
void launch(const char *name, void (*kernel)(Parameters...), size_t count, Arguments... arguments)
{
    const unsigned threads = 256;

    kernel<<<static_cast<unsigned>((count + threads - 1) / threads), threads>>>(arguments...);
    check(cudaGetLastError(), name);
    ++launched;
}

void choose_device()
{
    cudaDeviceProp properties;
    int count = 0;
    const cudaError_t code = cudaGetDeviceCount(&count);

    on_gpu = code == cudaSuccess && count > 0;
    if (on_gpu) {
        check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
        std::printf("on the GPU: %s\n", properties.name);
    } else {
        std::printf("on the CPU: CUDA finds no device (%s)\n", cudaGetErrorString(code));
    }
}

#else

void choose_device()
{
    std::printf("on the CPU: compiled without CUDA\n");
}

#endif

// Values in the memory of the processor that computes.
class array {
public:
    explicit array(size_t count) : count_(count)
    {
#ifdef __CUDACC__
        if (on_gpu) {
            check(cudaMalloc(reinterpret_cast<void **>(&values_), count * sizeof *values_), "cudaMalloc");
            return;
        }
#endif
        values_ = new float[count];
    }
    ~array()
    {
#ifdef __CUDACC__
        if (on_gpu) {
            cudaFree(values_);
            return;
        }
#endif
        delete[] values_;
    }
    array(const array &) = delete;
    array &operator=(const array &) = delete;

    void fill(float scale)
    {
#ifdef __CUDACC__
        if (on_gpu)
            return launch("KeFill", KeFill, count_, values_, count_, scale);
#endif
        for (size_t i = 0; i < count_; ++i)
            values_[i] = noise(i, scale);
    }

    std::vector<float> copy() const
    {
        std::vector<float> host(count_);

#ifdef __CUDACC__
        if (on_gpu) {
            check(cudaMemcpy(host.data(), values_, count_ * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
            return host;
        }
#endif
        std::copy(values_, values_ + count_, host.begin());
        return host;
    }

    void assign(const std::vector<float> &host)
    {
#ifdef __CUDACC__
        if (on_gpu) {
            check(cudaMemcpy(values_, host.data(), count_ * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
            return;
        }
#endif
        std::copy(host.begin(), host.end(), values_);
    }

    float *get() const
    {
        return values_;
    }

private:
    float *values_ = nullptr;
    size_t count_;
};

void forward(const array &input, const array &output)
{
#ifdef __CUDACC__
    if (on_gpu)
        return launch("KeBilinearInterpFw", KeBilinearInterpFw, out_count, shape, out_count, input.get(), output.get());
#endif
    for (size_t i = 0; i < out_count; ++i)
        forward_element(shape, i, input.get(), output.get());
}

void backward(const array &output_gradient, const array &input_gradient)
{
#ifdef __CUDACC__
    if (on_gpu)
        return launch("KeBilinearInterpBw", KeBilinearInterpBw, out_count, shape, out_count, output_gradient.get(),
                      input_gradient.get());
#endif
    for (size_t i = 0; i < out_count; ++i)
        backward_element(shape, i, output_gradient.get(), input_gradient.get());
}

// Kernels run asynchronously: without waiting for them, a timer would only measure their launch.
void wait()
{
#ifdef __CUDACC__
    if (on_gpu)
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
#endif
}

// ------------------------------------------------------------------------------------------------------------ the test

struct host_values {
    std::vector<float> input = std::vector<float>(in_count);
    std::vector<float> output = std::vector<float>(out_count);
    std::vector<float> output_gradient = std::vector<float>(out_count);
    std::vector<float> input_gradient = std::vector<float>(in_count);
};

struct test {
    array input{in_count};
    array output{out_count};
    array output_gradient{out_count};
    array input_gradient{in_count};
};

// Three copies to the device, two kernels, and two copies back, as in PaddlePaddle. Within a caller's profiler window,
// the profiler's scope does nothing here.
void bilinear_forward_backward(test &t, host_values &host)
{
    REGISTER_GPU_PROFILER("bilinear_forward_backward", "nested twice");
    t.input.assign(host.input);
    forward(t.input, t.output);
    host.output = t.output.copy();

    t.output_gradient.assign(host.output_gradient);
    t.input_gradient.assign(host.input_gradient);
    backward(t.output_gradient, t.input_gradient);
    host.input_gradient = t.input_gradient.copy();
    wait();
}

double largest_difference(const std::vector<float> &a, const std::vector<float> &b)
{
    double largest = 0;

    for (size_t i = 0; i < a.size(); ++i)
        largest = std::max(largest, std::fabs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
    return largest;
}

bool compare(const host_values &host)
{
    const double tolerance = 1e-4; // positions are computed in single precision
    std::vector<float> output(out_count), input_gradient(in_count);

    bilinear_forward(&shape, planes, host.input.data(), output.data());
    bilinear_backward(&shape, planes, host.output_gradient.data(), input_gradient.data());

    const double forward_error = largest_difference(host.output, output);
    const double backward_error = largest_difference(host.input_gradient, input_gradient);

    std::printf("off by %.1e forward and %.1e backward at most (tolerance %.0e)\n", forward_error, backward_error,
                tolerance);
    return forward_error <= tolerance && backward_error <= tolerance;
}

bool run_test()
{
    test t;
    host_values host;
    int before;

    for (size_t i = 0; i < in_count; ++i)
        host.input[i] = noise(i, 1);
    for (size_t i = 0; i < out_count; ++i)
        host.output_gradient[i] = noise(i, 1);
    {
        REGISTER_GPU_PROFILER("testBilinearFwdBwd", "numSamples = 10, channels = 16, imgSizeX = 64, imgSizeY = 64");
        bilinear_forward_backward(t, host);
    }
    std::fill(host.input_gradient.begin(), host.input_gradient.end(), 0.0F);
    before = launched;
    stint_gpu_start(nullptr); // without CUPTI or a device, it logs why, and the test goes on
    {
        REGISTER_TIMER_INFO("testBilinearFwdBwd", "numSamples = 10, channels = 16, imgSizeX = 64, imgSizeY = 64");
        bilinear_forward_backward(t, host);
    }
    stint_gpu_stop();
    std::printf("kernels in the range testBilinearFwdBwd: %d\n", launched - before);
    return compare(host);
}

// A kernel that is not meant to be profiled.
void warm_up()
{
    array scratch(out_count);

    scratch.fill(1);
    wait();
}

} // namespace

int main()
{
    bool good;

    choose_device();
    warm_up();
    {
        const int before = launched;
        REGISTER_GPU_PROFILER("RecursiveProfilingTest", "Recursive GPU Profiling Test");
        good = run_test();
        std::printf("kernels in the profiler's window: %d\n", launched - before);
    }
    warm_up();
    std::printf("kernels in all: %d\n%s\n", launched, good ? "all good" : "FAILED");
    std::fflush(stdout);
    printAllStatus();
    stint_report_print(STINT_FORMAT_NVPROF);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
