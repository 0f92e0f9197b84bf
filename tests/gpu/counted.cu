// Kernels whose counters counters.sh compares with those of Nsight Compute, and some that cannot be counted.
//
//     counted          runs each kernel once, and prints what they computed
//     counted graph    launches a kernel within a CUDA graph
//     counted wait     a kernel waits for the host, which goes on only when its launch has returned
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>
#include <vector>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t status = (call);                                                                                   \
        if (status != cudaSuccess) {                                                                                   \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status));                                            \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

enum { TILE = 32, ROWS = 8 };

__global__ void copy(float *to, const float *from, size_t count)
{
    size_t at = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (at < count)
        to[at] = from[at];
}

__global__ void transpose_naive(float *to, const float *from, int side)
{
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int row = 0; row < TILE; row += ROWS)
        to[(size_t)x * side + y + row] = from[(size_t)(y + row) * side + x];
}

__global__ void transpose_tiled(float *to, const float *from, int side)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int row = 0; row < TILE; row += ROWS)
        tile[threadIdx.y + row][threadIdx.x] = from[(size_t)(y + row) * side + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x, y = blockIdx.x * TILE + threadIdx.y;
    for (int row = 0; row < TILE; row += ROWS)
        to[(size_t)(y + row) * side + x] = tile[threadIdx.x][threadIdx.y + row];
}

__global__ void reduce(float *sum, const float *from, size_t count)
{
    __shared__ float parts[256];
    float own = 0;
    for (size_t at = blockIdx.x * (size_t)blockDim.x + threadIdx.x; at < count; at += (size_t)gridDim.x * blockDim.x)
        own += from[at];
    parts[threadIdx.x] = own;
    __syncthreads();
    for (int half = 128; half; half /= 2) {
        if ((int)threadIdx.x < half)
            parts[threadIdx.x] += parts[threadIdx.x + half];
        __syncthreads();
    }
    if (!threadIdx.x)
        atomicAdd(sum, parts[0]);
}

__global__ void gemm_fp32(float *c, const float *a, const float *b, int side)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < side; k += TILE) {
        as[threadIdx.y][threadIdx.x] = a[(size_t)y * side + k + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(size_t)(k + threadIdx.y) * side + x];
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
        __syncthreads();
    }
    c[(size_t)y * side + x] = sum;
}

__global__ void gemm_fp64(double *c, const double *a, const double *b, int side)
{
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    double sum = 0;
    for (int k = 0; k < side; k++)
        sum += a[(size_t)y * side + k] * b[(size_t)k * side + x];
    c[(size_t)y * side + x] = sum;
}

// One warp for each tile of 16 x 16.
__global__ void gemm_tensor(float *c, const __half *a, const __half *b, int side)
{
    using namespace nvcuda;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    int x = (blockIdx.x * 4 + threadIdx.y) * 16, y = blockIdx.y * 16;
    wmma::fill_fragment(fc, 0.0f);
    for (int k = 0; k < side; k += 16) {
        wmma::load_matrix_sync(fa, a + (size_t)y * side + k, side);
        wmma::load_matrix_sync(fb, b + (size_t)k * side + x, side);
        wmma::mma_sync(fc, fa, fb, fc);
    }
    wmma::store_matrix_sync(c + (size_t)y * side + x, fc, side, wmma::mem_row_major);
}

// Changes what it reads, so that a replay that does not restore memory gives another result.
__global__ void step(float *state, size_t count)
{
    size_t at = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (at < count)
        state[at] = state[at] * 1.5f + 1;
}

__global__ void nothing(void) {}

// Ends when the host says so.
__global__ void spin(volatile int *flag)
{
    while (!*flag)
        ;
}

// ------------------------------------------------------------------------------------------------------------ the host

static int run_graph(void)
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    float *memory;
    CHECK(cudaMalloc(&memory, 1 << 20));
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    step<<<1, 32, 0, stream>>>(memory, 32);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphLaunch(executable, stream));
    CHECK(cudaStreamSynchronize(stream));
    return 0;
}

static int run_wait(void)
{
    int *flag;
    CHECK(cudaHostAlloc(&flag, sizeof *flag, 0));
    *flag = 0;
    spin<<<1, 1>>>(flag);
    *flag = 1;
    CHECK(cudaDeviceSynchronize());
    nothing<<<1, 32>>>();
    CHECK(cudaDeviceSynchronize());
    return 0;
}

template <typename Value> static Value *on_device(size_t count, Value value)
{
    std::vector<Value> host(count, value);
    Value *device;
    CHECK(cudaMalloc(&device, count * sizeof(Value)));
    CHECK(cudaMemcpy(device, host.data(), count * sizeof(Value), cudaMemcpyHostToDevice));
    return device;
}

static double sum_of(const float *from, size_t count)
{
    std::vector<float> host(count);
    double sum = 0;
    CHECK(cudaMemcpy(host.data(), from, count * sizeof(float), cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < count; i++)
        sum += host[i] * (1 + i % 7);
    return sum;
}

static int run_all(void)
{
    const int side = 4096, small = 1024;
    const size_t count = (size_t)side * side, few = (size_t)small * small;
    const dim3 tiles(side / TILE, side / TILE), tile(TILE, ROWS), blocks(small / TILE, small / TILE), block(TILE, TILE);
    float *a = on_device(count, 0.25f), *b = on_device(count, 0.0f), *sum = on_device(1, 0.0f);
    double *da = on_device(2 * few, 0.5), *db = on_device(few, 0.0);
    __half *h = on_device(2 * few, __float2half(0.5f));
    copy<<<count / 256, 256>>>(b, a, count);
    transpose_naive<<<tiles, tile>>>(b, a, side);
    transpose_tiled<<<tiles, tile>>>(b, a, side);
    reduce<<<1024, 256>>>(sum, a, count);
    gemm_fp32<<<blocks, block>>>(b, a, a + few, small);
    gemm_fp64<<<blocks, block>>>(db, da, da + few, small);
    gemm_tensor<<<dim3(small / 64, small / 16), dim3(32, 4)>>>(b, h, h + few, small);
    for (int i = 0; i < 3; i++)
        step<<<count / 256, 256>>>(a, count);
    nothing<<<1, 32>>>();
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    printf("results: %.9g %.9g %.9g\n", sum_of(a, count), sum_of(b, few), sum_of(sum, 1));
    return 0;
}

int main(int count, char **arguments)
{
    if (count > 1)
        return strcmp(arguments[1], "graph") == 0 ? run_graph() : run_wait();
    return run_all();
}
