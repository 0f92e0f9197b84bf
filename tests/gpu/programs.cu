// What real CUDA programs do that simple ones do not, one case each. They know nothing of stint; what they print to
// stdout, and how they end, has to be the same whichever tool is attached.
//
//     programs CASE [ARGUMENT]
//     threads [N [LAUNCHES]] | replay [N] | pool | ipc | map | cooperative | dynamic | loop | compile | managed |
//     passes | assert
#include <cassert>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <cooperative_groups.h>
#include <cuda.h>
#include <nvrtc.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

enum { COUNT = 1 << 16, BLOCK = 256, BLOCKS = COUNT / BLOCK };

void check(cudaError_t error, const char *call)
{
    if (error == cudaSuccess)
        return;
    std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(error));
    std::exit(3);
}

void check(CUresult error, const char *call)
{
    if (error == CUDA_SUCCESS)
        return;
    std::fprintf(stderr, "%s: CUresult %d\n", call, static_cast<int>(error));
    std::exit(3);
}

#define CHECK(call) check((call), #call)

__global__ void add(int *values, int by)
{
    values[blockIdx.x * blockDim.x + threadIdx.x] += by;
}

__global__ void nothing() {}

void say(const char *what, const int *values)
{
    int first = 0, last = 0;
    CHECK(cudaMemcpy(&first, values, sizeof first, cudaMemcpyDefault));
    CHECK(cudaMemcpy(&last, values + COUNT - 1, sizeof last, cudaMemcpyDefault));
    std::printf("%s: %d %d\n", what, first, last);
}

// ------------------------------------------------------------------------------------------------------------------ threads

// Each thread launches into a stream of its own. The time that this takes is printed to stderr.
int threads(int count, int launches)
{
    enum { WARM = 2000 };
    std::vector<std::thread> all;
    CHECK(cudaFree(nullptr));
    auto begin = std::chrono::steady_clock::now();
    for (int round = 0; round < 2; round++) { // the first round warms up
        begin = std::chrono::steady_clock::now();
        for (int i = 0; i < count; i++)
            all.emplace_back([round, launches] {
                cudaStream_t stream;
                CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
                for (int launch = 0; launch < (round ? launches : WARM); launch++)
                    nothing<<<1, 1, 0, stream>>>();
                CHECK(cudaStreamSynchronize(stream));
                CHECK(cudaStreamDestroy(stream));
            });
        for (std::thread &thread : all)
            thread.join();
        all.clear();
    }
    const std::chrono::duration<double, std::nano> span = std::chrono::steady_clock::now() - begin;
    std::fprintf(stderr, "%.0f ns per launch\n", span.count() / launches / count);
    std::printf("threads: %d\n", count);
    return 0;
}

// ---------------------------------------------------------------------------------------------------- shared with a process

void send_descriptor(int socket, int descriptor)
{
    char byte = 0, space[CMSG_SPACE(sizeof descriptor)] = {};
    iovec part = {&byte, 1};
    msghdr message = {};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = space;
    message.msg_controllen = sizeof space;
    cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof descriptor);
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    if (sendmsg(socket, &message, 0) != 1)
        std::exit(4);
}

int receive_descriptor(int socket)
{
    int descriptor = -1;
    char byte = 0, space[CMSG_SPACE(sizeof descriptor)] = {};
    iovec part = {&byte, 1};
    msghdr message = {};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = space;
    message.msg_controllen = sizeof space;
    if (recvmsg(socket, &message, 0) != 1 || !CMSG_FIRSTHDR(&message))
        std::exit(4);
    std::memcpy(&descriptor, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof descriptor);
    return descriptor;
}

void exchange(int socket, void *bytes, size_t size, bool sends)
{
    if ((sends ? write(socket, bytes, size) : read(socket, bytes, size)) != static_cast<ssize_t>(size))
        std::exit(4);
}

// The child adds numbers in the parent's memory, which it reaches through an imported pool.
void pool_child(int socket)
{
    cudaMemPool_t pool;
    cudaMemPoolPtrExportData exported;
    int *values = nullptr;
    const intptr_t descriptor = receive_descriptor(socket);
    exchange(socket, &exported, sizeof exported, false);
    CHECK(cudaSetDevice(0));
    CHECK(cudaMemPoolImportFromShareableHandle(&pool, reinterpret_cast<void *>(descriptor),
                                               cudaMemHandleTypePosixFileDescriptor, 0));
    cudaMemAccessDesc access = {};
    access.location.type = cudaMemLocationTypeDevice;
    access.flags = cudaMemAccessFlagsProtReadWrite;
    CHECK(cudaMemPoolSetAccess(pool, &access, 1));
    CHECK(cudaMemPoolImportPointer(reinterpret_cast<void **>(&values), pool, &exported));
    add<<<BLOCKS, BLOCK>>>(values, 5);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFreeAsync(values, nullptr));
    CHECK(cudaDeviceSynchronize());
}

void pool_parent(int socket)
{
    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.handleTypes = cudaMemHandleTypePosixFileDescriptor;
    properties.location.type = cudaMemLocationTypeDevice;
    cudaMemPool_t pool;
    int descriptor = -1, *values = nullptr;
    cudaMemPoolPtrExportData exported;
    char done;
    CHECK(cudaMemPoolCreate(&pool, &properties));
    CHECK(cudaMallocFromPoolAsync(reinterpret_cast<void **>(&values), COUNT * sizeof *values, pool, nullptr));
    CHECK(cudaMemsetAsync(values, 0, COUNT * sizeof *values, nullptr));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemPoolExportToShareableHandle(&descriptor, pool, cudaMemHandleTypePosixFileDescriptor, 0));
    CHECK(cudaMemPoolExportPointer(&exported, values));
    send_descriptor(socket, descriptor);
    exchange(socket, &exported, sizeof exported, true);
    exchange(socket, &done, 1, false);
    say("pool", values);
    CHECK(cudaFreeAsync(values, nullptr));
    CHECK(cudaDeviceSynchronize());
}

void ipc_child(int socket)
{
    cudaIpcMemHandle_t handle;
    int *values = nullptr;
    exchange(socket, &handle, sizeof handle, false);
    CHECK(cudaIpcOpenMemHandle(reinterpret_cast<void **>(&values), handle, cudaIpcMemLazyEnablePeerAccess));
    add<<<BLOCKS, BLOCK>>>(values, 7);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaIpcCloseMemHandle(values));
}

void ipc_parent(int socket)
{
    cudaIpcMemHandle_t handle;
    int *values = nullptr;
    char done;
    CHECK(cudaMalloc(&values, COUNT * sizeof *values));
    CHECK(cudaMemset(values, 0, COUNT * sizeof *values));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaIpcGetMemHandle(&handle, values));
    exchange(socket, &handle, sizeof handle, true);
    exchange(socket, &done, 1, false);
    say("ipc", values);
    CHECK(cudaFree(values));
}

// The child is forked before CUDA is used. The program ends with the child's exit code.
int with_child(void (*parent)(int socket), void (*child)(int socket))
{
    int sockets[2], status = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0)
        return 4;
    const pid_t pid = fork();
    if (pid == 0) {
        char done = 0;
        child(sockets[1]);
        exchange(sockets[1], &done, 1, true);
        std::exit(0);
    }
    parent(sockets[0]);
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 5;
}

int pool()
{
    return with_child(pool_parent, pool_child);
}

int ipc()
{
    return with_child(ipc_parent, ipc_child);
}

// ------------------------------------------------------------------------------------------------------------------ memory

// Memory that the program maps itself, in two pieces.
int map()
{
    CUmemAllocationProp properties = {};
    CUmemAccessDesc access = {};
    CUmemGenericAllocationHandle handles[2];
    CUdeviceptr at = 0;
    size_t step = 0;
    CHECK(cudaFree(nullptr));
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    CHECK(cuMemGetAllocationGranularity(&step, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    CHECK(cuMemAddressReserve(&at, 2 * step, 0, 0, 0));
    for (size_t i = 0; i < 2; i++) {
        CHECK(cuMemCreate(&handles[i], step, &properties, 0));
        CHECK(cuMemMap(at + i * step, step, 0, handles[i], 0));
        CHECK(cuMemRelease(handles[i]));
    }
    access.location = properties.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    CHECK(cuMemSetAccess(at, 2 * step, &access, 1));
    int *values = reinterpret_cast<int *>(at);
    CHECK(cudaMemset(values, 0, 2 * step));
    add<<<BLOCKS, BLOCK>>>(values, 3);
    say("map", values);
    CHECK(cuMemUnmap(at, 2 * step));
    CHECK(cuMemAddressFree(at, 2 * step));
    return 0;
}

int managed()
{
    int *values = nullptr;
    CHECK(cudaMallocManaged(&values, COUNT * sizeof *values));
    for (int i = 0; i < COUNT; i++)
        values[i] = i;
    add<<<BLOCKS, BLOCK>>>(values, 1);
    CHECK(cudaDeviceSynchronize());
    std::printf("managed: %d %d\n", values[0], values[COUNT - 1]);
    CHECK(cudaFree(values));
    return 0;
}

// The host writes 64 MiB, and the device adds to them, three times: they move there and back as often.
int passes()
{
    enum { MIB_64 = 1 << 24 };
    int *values = nullptr;
    long sum = 0;
    CHECK(cudaMallocManaged(&values, MIB_64 * sizeof *values));
    for (int pass = 0; pass < 3; pass++) {
        for (int i = 0; i < MIB_64; i++)
            values[i] = pass;
        add<<<MIB_64 / BLOCK, BLOCK>>>(values, 1);
        CHECK(cudaDeviceSynchronize());
    }
    for (int i = 0; i < MIB_64; i++)
        sum += values[i];
    std::printf("passes: %ld\n", sum);
    CHECK(cudaFree(values));
    return 0;
}

// ---------------------------------------------------------------------------------------------------------------- launches

__global__ void in_step(int *values)
{
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    values[at] = static_cast<int>(at);
    grid.sync();
    const int other = values[gridDim.x * blockDim.x - 1 - at];
    grid.sync();
    values[at] += other;
}

int cooperative()
{
    int *values = nullptr, first = 0;
    CHECK(cudaMalloc(&values, COUNT * sizeof *values));
    void *arguments[] = {&values};
    CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void *>(in_step), dim3(32), dim3(BLOCK), arguments, 0, nullptr));
    CHECK(cudaMemcpy(&first, values, sizeof first, cudaMemcpyDeviceToHost));
    std::printf("cooperative: %d\n", first);
    CHECK(cudaFree(values));
    return 0;
}

__global__ void parent(int *values)
{
    add<<<BLOCKS, BLOCK>>>(values, 1);
    add<<<BLOCKS, BLOCK>>>(values, 2);
}

int dynamic()
{
    int *values = nullptr;
    CHECK(cudaMalloc(&values, COUNT * sizeof *values));
    CHECK(cudaMemset(values, 0, COUNT * sizeof *values));
    for (int i = 0; i < 4; i++)
        parent<<<1, 1>>>(values);
    CHECK(cudaDeviceSynchronize());
    say("dynamic", values);
    CHECK(cudaFree(values));
    return 0;
}

// A captured graph of so many kernels, one after another, launched again and again. The time that a launch takes, divided
// by the number of kernels, is printed to stderr.
int replay(int nodes)
{
    enum { WARM = 20, LAUNCHES = 200 };
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < nodes; i++)
        nothing<<<1, 1, 0, stream>>>();
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&ready, graph, 0));
    auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < WARM + LAUNCHES; i++) {
        if (i == WARM)
            begin = std::chrono::steady_clock::now();
        CHECK(cudaGraphLaunch(ready, stream));
        CHECK(cudaStreamSynchronize(stream));
    }
    const std::chrono::duration<double, std::nano> span = std::chrono::steady_clock::now() - begin;
    std::fprintf(stderr, "%.0f ns per node\n", span.count() / LAUNCHES / nodes);
    std::printf("replay: %d\n", nodes);
    return 0;
}

__global__ void count_down(int *left, cudaGraphConditionalHandle handle)
{
    cudaGraphSetConditional(handle, --*left > 0);
}

// A graph whose body is repeated as long as a kernel in it says so; it is launched twice.
int loop()
{
    int *left = nullptr;
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    cudaGraphConditionalHandle handle;
    cudaGraphNode_t node;
    cudaStream_t stream;
    CHECK(cudaMalloc(&left, sizeof *left));
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams parameters = {};
    parameters.type = cudaGraphNodeTypeConditional;
    parameters.conditional.handle = handle;
    parameters.conditional.type = cudaGraphCondTypeWhile;
    parameters.conditional.size = 1;
#if CUDART_VERSION >= 13000
    CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters));
#else
    CHECK(cudaGraphAddNode(&node, graph, nullptr, 0, &parameters));
#endif
    CHECK(cudaStreamBeginCaptureToGraph(stream, parameters.conditional.phGraph_out[0], nullptr, nullptr, 0,
                                        cudaStreamCaptureModeGlobal));
    count_down<<<1, 1, 0, stream>>>(left, handle);
    CHECK(cudaStreamEndCapture(stream, nullptr));
    CHECK(cudaGraphInstantiate(&ready, graph, 0));
    for (int i = 0; i < 2; i++) {
        int count = 6;
        CHECK(cudaMemcpy(left, &count, sizeof count, cudaMemcpyHostToDevice));
        CHECK(cudaGraphLaunch(ready, stream));
        CHECK(cudaStreamSynchronize(stream));
        CHECK(cudaMemcpy(&count, left, sizeof count, cudaMemcpyDeviceToHost));
        std::printf("loop: %d\n", count);
    }
    return 0;
}

// The kernel is compiled at run time, and launched through the driver's API.
int compile()
{
    static const char source[] = "extern \"C\" __global__ void made(int *values)\n"
                                 "{ values[blockIdx.x * blockDim.x + threadIdx.x] = 9; }\n";
    int *values = nullptr;
    nvrtcProgram program;
    size_t size = 0;
    cudaDeviceProp properties;
    CUmodule module;
    CUfunction made;
    CHECK(cudaMalloc(&values, COUNT * sizeof *values));
    CHECK(cudaGetDeviceProperties(&properties, 0));
    const std::string option =
        "--gpu-architecture=sm_" + std::to_string(properties.major) + std::to_string(properties.minor);
    const char *options[] = {option.c_str()};
    if (nvrtcCreateProgram(&program, source, "made.cu", 0, nullptr, nullptr) != NVRTC_SUCCESS ||
        nvrtcCompileProgram(program, 1, options) != NVRTC_SUCCESS || nvrtcGetCUBINSize(program, &size) != NVRTC_SUCCESS)
        return 3;
    std::vector<char> binary(size);
    if (nvrtcGetCUBIN(program, binary.data()) != NVRTC_SUCCESS)
        return 3;
    CHECK(cuModuleLoadData(&module, binary.data()));
    CHECK(cuModuleGetFunction(&made, module, "made"));
    void *arguments[] = {&values};
    for (int i = 0; i < 3; i++)
        CHECK(cuLaunchKernel(made, BLOCKS, 1, 1, BLOCK, 1, 1, 0, nullptr, arguments, nullptr));
    say("compile", values);
    CHECK(cuModuleUnload(module));
    return 0;
}

__global__ void expects(const int *values, int expected)
{
    assert(values[0] == expected);
}

// The device fails, the program goes on and ends by itself.
int fails()
{
    int *values = nullptr;
    CHECK(cudaMalloc(&values, COUNT * sizeof *values));
    CHECK(cudaMemset(values, 0, COUNT * sizeof *values));
    add<<<BLOCKS, BLOCK>>>(values, 1);
    CHECK(cudaDeviceSynchronize());
    expects<<<1, 1>>>(values, 2);
    std::printf("assert: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 7;
}

} // namespace

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)();
    } cases[] = {{"pool", pool},       {"ipc", ipc},     {"map", map},         {"cooperative", cooperative},
                 {"dynamic", dynamic}, {"loop", loop},   {"compile", compile}, {"managed", managed},
                 {"passes", passes},   {"assert", fails}};
    const std::string name = argc > 1 ? argv[1] : "";
    if (name == "threads")
        return threads(argc > 2 ? std::atoi(argv[2]) : 1, argc > 3 ? std::atoi(argv[3]) : 20000);
    if (name == "replay")
        return replay(argc > 2 ? std::atoi(argv[2]) : 500);
    for (const auto &known : cases)
        if (name == known.name)
            return known.run();
    std::fprintf(stderr, "programs: there is no case called '%s'\n", name.c_str());
    return 2;
}
