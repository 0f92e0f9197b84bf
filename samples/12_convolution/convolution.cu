// A convolution with a mask of 13 x 13, in five versions, each of which mends what a profile of the one before shows.
// docs/lesson-convolution.md goes through them. The program knows nothing of stint: run it by stint run.
//
//     convolution [VERSION [SIDE [REPEATS]]]
//
// VERSION is one of a to e, or all; the image has SIDE x SIDE pixels, 200 if nothing else is said.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

const int mask_side = 13, reach = mask_side / 2, tile = 32, strip = tile + 2 * reach;

__constant__ float constant_mask[mask_side * mask_side];

__device__ bool is_inside(int row, int column, int side)
{
    return row >= 0 && row < side && column >= 0 && column < side;
}

// (a) As in the lesson: the first coordinate is the row. `sum` is a double because 0.0 is one.
__global__ void convolve_double(float *result, const float *mask, const float *image, int side)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;

    if (i >= side || j >= side)
        return;
    auto sum = 0.0;
    for (int k = 0; k < mask_side; ++k)
        for (int l = 0; l < mask_side; ++l)
            if (is_inside(i - k + reach, j - l + reach, side))
                sum += mask[k * mask_side + l] * image[(size_t)(i - k + reach) * side + j - l + reach];
    result[(size_t)i * side + j] = sum;
}

// (b) The same with a float.
__global__ void convolve_float(float *result, const float *mask, const float *image, int side)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;

    if (i >= side || j >= side)
        return;
    auto sum = 0.0f;
    for (int k = 0; k < mask_side; ++k)
        for (int l = 0; l < mask_side; ++l)
            if (is_inside(i - k + reach, j - l + reach, side))
                sum += mask[k * mask_side + l] * image[(size_t)(i - k + reach) * side + j - l + reach];
    result[(size_t)i * side + j] = sum;
}

// What (c) and (d) have in common: a block keeps its part of the image, and the mask, in shared memory.
__device__ void convolve_in(float *part, float *kept_mask, float *result, const float *mask, const float *image,
                            int side)
{
    const int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
    const int thread = threadIdx.y * tile + threadIdx.x;

    if (thread < mask_side * mask_side)
        kept_mask[thread] = mask[thread];
    for (int at = thread; at < strip * strip; at += tile * tile) {
        const int from_row = blockIdx.y * tile - reach + at / strip,
                  from_column = blockIdx.x * tile - reach + at % strip;
        part[at] = is_inside(from_row, from_column, side) ? image[(size_t)from_row * side + from_column] : 0;
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < mask_side; ++k)
        for (int l = 0; l < mask_side; ++l)
            sum += kept_mask[k * mask_side + l] *
                   part[(threadIdx.y - k + 2 * reach) * strip + threadIdx.x - l + 2 * reach];
    if (row < side && column < side)
        result[(size_t)row * side + column] = sum;
}

// (c) Shared memory of a size that is known when this is compiled; threads next to one another take pixels next to one
// another in a row.
__global__ void convolve_shared(float *result, const float *mask, const float *image, int side)
{
    __shared__ float part[strip * strip], kept_mask[mask_side * mask_side];

    convolve_in(part, kept_mask, result, mask, image, side);
}

// (d) Shared memory of a size that the launch says.
__global__ void convolve_dynamic(float *result, const float *mask, const float *image, int side)
{
    extern __shared__ float memory[];

    convolve_in(memory, memory + strip * strip, result, mask, image, side);
}

// (e) Each thread computes 4 x 4 pixels from registers: a pixel that it has read from shared memory is used up to 52
// times. The mask is in constant memory, which multiplications read without an instruction of their own.
template <int Threads> __global__ void convolve_registers(float *result, const float *image, int side)
{
    const int own = 4, width = Threads * own, padded = width + 2 * reach;
    __shared__ __align__(16) float part[padded * padded];
    const int corner_row = blockIdx.y * width, corner_column = blockIdx.x * width;

    for (int at = threadIdx.y * Threads + threadIdx.x; at < padded * padded; at += Threads * Threads) {
        const int row = corner_row - reach + at / padded, column = corner_column - reach + at % padded;
        part[at] = is_inside(row, column, side) ? image[(size_t)row * side + column] : 0;
    }
    __syncthreads();
    float sums[own][own] = {};
#pragma unroll
    for (int row = 0; row < own + 2 * reach; ++row) {
        float pixels[own + 2 * reach];
#pragma unroll
        for (int each = 0; each < own; ++each)
            *(float4 *)&pixels[each * 4] =
                *(const float4 *)&part[(threadIdx.y * own + row) * padded + threadIdx.x * own + each * 4];
#pragma unroll
        for (int y = 0; y < own; ++y)
#pragma unroll
            for (int l = 0; l < mask_side; ++l)
#pragma unroll
                for (int x = 0; x < own; ++x)
                    if (row - y >= 0 && row - y < mask_side)
                        sums[y][x] +=
                            constant_mask[(mask_side - 1 - (row - y)) * mask_side + mask_side - 1 - l] * pixels[x + l];
    }
#pragma unroll
    for (int y = 0; y < own; ++y)
#pragma unroll
        for (int x = 0; x < own; ++x) {
            const int row = corner_row + threadIdx.y * own + y, column = corner_column + threadIdx.x * own + x;
            if (row < side && column < side)
                result[(size_t)row * side + column] = sums[y][x];
        }
}

// ------------------------------------------------------------------------------------------------------------ the host

void check(cudaError_t code, const char *what)
{
    if (code == cudaSuccess)
        return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(code));
    std::exit(EXIT_FAILURE);
}

#define CHECK(call) check(call, #call)

struct images {
    int side;
    std::vector<float> image, mask, result;
    float *device_image, *device_mask, *device_result;
};

void make(images &all, int side)
{
    const size_t bytes = (size_t)side * side * sizeof(float);
    float whole = 0;

    all.side = side;
    all.image.resize((size_t)side * side);
    all.result.resize((size_t)side * side);
    all.mask.resize(mask_side * mask_side);
    for (size_t i = 0; i < all.image.size(); ++i)
        all.image[i] = (float)(i * 2654435761u % 1000) / 1000;
    for (int i = 0; i < mask_side * mask_side; ++i)
        whole += all.mask[i] = (float)(1 + i * 7919 % 97);
    for (float &weight : all.mask)
        weight /= whole;
    CHECK(cudaMalloc(&all.device_image, bytes));
    CHECK(cudaMalloc(&all.device_result, bytes));
    CHECK(cudaMalloc(&all.device_mask, all.mask.size() * sizeof(float)));
    CHECK(cudaMemcpy(all.device_image, all.image.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(all.device_mask, all.mask.data(), all.mask.size() * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(constant_mask, all.mask.data(), all.mask.size() * sizeof(float)));
}

void launch(const images &all, char version)
{
    const unsigned blocks = (all.side + tile - 1) / tile, large = 16, small = 8;
    const dim3 grid(blocks, blocks), block(tile, tile);
    float *result = all.device_result;
    const float *mask = all.device_mask, *image = all.device_image;

    switch (version) {
    case 'a':
        convolve_double<<<grid, block>>>(result, mask, image, all.side);
        break;
    case 'b':
        convolve_float<<<grid, block>>>(result, mask, image, all.side);
        break;
    case 'c':
        convolve_shared<<<grid, block>>>(result, mask, image, all.side);
        break;
    case 'd':
        convolve_dynamic<<<grid, block, (strip * strip + mask_side * mask_side) * sizeof(float)>>>(result, mask, image,
                                                                                                   all.side);
        break;
    default:
        if (all.side > 1024) { // smaller blocks for small images, so that every multiprocessor has one
            const unsigned parts = (all.side + 4 * large - 1) / (4 * large);
            convolve_registers<large><<<dim3(parts, parts), dim3(large, large)>>>(result, image, all.side);
        } else {
            const unsigned parts = (all.side + 4 * small - 1) / (4 * small);
            convolve_registers<small><<<dim3(parts, parts), dim3(small, small)>>>(result, image, all.side);
        }
    }
    CHECK(cudaGetLastError());
}

double expected(const images &all, int i, int j)
{
    double sum = 0;

    for (int k = 0; k < mask_side; ++k)
        for (int l = 0; l < mask_side; ++l) {
            const int row = i - k + reach, column = j - l + reach;
            if (row >= 0 && row < all.side && column >= 0 && column < all.side)
                sum += (double)all.mask[k * mask_side + l] * all.image[(size_t)row * all.side + column];
        }
    return sum;
}

// Compares all pixels of a small image, and some rows of a large one, the first and the last among them.
double error_of(images &all)
{
    const int step = all.side > 1000 ? 63 : 1;
    double worst = 0;

    CHECK(cudaMemcpy(all.result.data(), all.device_result, all.result.size() * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 0; i < all.side; i += step)
        for (int j = 0; j < all.side; ++j) {
            const double wanted = expected(all, i, j);
            worst = std::max(worst, std::fabs(all.result[(size_t)i * all.side + j] - wanted) / wanted);
        }
    return worst;
}

bool run(images &all, char version, int repeats)
{
    CHECK(cudaMemset(all.device_result, 0, all.result.size() * sizeof(float)));
    for (int i = 0; i < repeats; ++i)
        launch(all, version);
    const double error = error_of(all);
    std::printf("(%c) %d x %d: greatest relative error %.1e\n", version, all.side, all.side, error);
    return error < 1e-5;
}

} // namespace

int main(int count, char **arguments)
{
    const char *versions = count > 1 && std::strcmp(arguments[1], "all") ? arguments[1] : "abcde";
    const int side = count > 2 ? std::atoi(arguments[2]) : 200, repeats = count > 3 ? std::atoi(arguments[3]) : 1;
    images all;
    int devices = 0;
    bool good = true;

    if (std::strspn(versions, "abcde") != std::strlen(versions) || side < 1 || repeats < 1) {
        std::fprintf(stderr, "usage: convolution [a|b|c|d|e|all [SIDE [REPEATS]]]\n");
        return 2;
    }
    if (cudaGetDeviceCount(&devices) != cudaSuccess || !devices) {
        std::printf("there is no GPU: nothing is computed\n");
        return EXIT_SUCCESS;
    }
    make(all, side);
    for (const char *version = versions; *version; ++version)
        good = run(all, *version, repeats) && good;
    std::printf("%s\n", good ? "all good" : "FAILED");
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
