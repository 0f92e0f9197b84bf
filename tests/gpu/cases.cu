// Small programs, one per case, that check what stint collected: `cases NAME`. The last line is "all good".
//
// The cases about the end (return, exit, exit_thread, _exit, reset, abort) do not use stint's collector themselves:
// STINT_GPU=on starts it, and run.sh reads the report at exit. All except the last leave kernels on the device that
// have yet to run.
#include <chrono>
#include <cinttypes>
#include <cstring>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "gpu_test.h"
#include "stint/stint.h"

// Not mangled, so that it can be found by name. Runs for this many cycles of the multiprocessor.
extern "C" __global__ void spin(long long cycles)
{
    const long long begin = clock64();
    while (clock64() - begin < cycles) {
    }
}

extern "C" __global__ void touch(char *bytes, size_t count)
{
    for (size_t i = threadIdx.x; i < count; i += blockDim.x)
        bytes[i] = static_cast<char>(bytes[i] + 1);
}

namespace {

const long long short_spin = 1000, long_spin = 2000000; // about a microsecond, and about a millisecond
const size_t mib = 1 << 20;

void expect_nothing_lost(const snapshot &taken)
{
    expect("lost records", taken.lost(), 0);
    expect("kernels that nobody launched", taken.charged(STINT_GPU_KERNEL, STINT_GPU_UNATTRIBUTED), 0);
}

void spin_times(int count, long long cycles = short_spin, cudaStream_t stream = nullptr)
{
    for (int i = 0; i < count; ++i)
        spin<<<1, 1, 0, stream>>>(cycles);
    CHECK(cudaGetLastError());
}

// ------------------------------------------------------------------------------------------------------------- attribution

void launch_in_scopes()
{
    STINT_SCOPE("outer");
    spin_times(3);
    {
        STINT_SCOPE("inner");
        spin_times(4);
    }
}

// Kernels, copies and sets belong to the innermost scope of the thread that launches them.
void scopes()
{
    std::vector<char> host(3 * mib);
    char *device;
    start_collecting(STINT_GPU_EVERYTHING);
    CHECK(cudaMalloc(&device, host.size()));
    spin_times(2);
    launch_in_scopes();
    std::thread(launch_in_scopes).join();
    {
        STINT_SCOPE("copies");
        CHECK(cudaMemcpy(device, host.data(), host.size(), cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(host.data(), device, host.size(), cudaMemcpyDeviceToHost));
        CHECK(cudaMemset(device, 0, mib));
    }
    const snapshot taken;
    const stint_stat *const outer = stint_snapshot_find(taken.get(), nullptr, "outer");
    const stint_stat *const launches = stint_snapshot_find(taken.get(), STINT_API_SET, "cudaLaunchKernel");

    expect_nothing_lost(taken);
    expect("kernels", taken.count(STINT_GPU_KERNEL), 16);
    expect("kernels of no scope", taken.charged(STINT_GPU_KERNEL, STINT_GPU_NO_SCOPE), 2);
    expect("kernels of outer alone", taken.self("outer").kernels, 6);
    expect("kernels of inner", taken.self("inner").kernels, 8);
    expect("kernels of outer", outer ? outer->gpu.kernels : 0, 14);
    expect("copies", taken.self("copies").copies, 2);
    expect("bytes copied", taken.self("copies").copy_bytes, 2 * host.size());
    expect("sets", taken.self("copies").sets, 1);
    expect("calls of cudaLaunchKernel", launches ? launches->numbers.count : 0, 16);
}

cudaGraphExec_t capture(cudaStream_t stream, char *device)
{
    STINT_SCOPE("capture");
    cudaGraph_t graph;
    cudaGraphExec_t executable;

    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    spin_times(2, short_spin, stream);
    CHECK(cudaMemsetAsync(device, 0, 1024, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    return executable;
}

// The work of a graph belongs to the scope that launches the graph.
void graph()
{
    cudaStream_t stream;
    char *device;
    start_collecting(STINT_GPU_EVERYTHING);
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMalloc(&device, 1024));
    const cudaGraphExec_t executable = capture(stream, device);

    for (int i = 0; i < 5; ++i) {
        STINT_SCOPE_DYNAMIC(i < 3 ? "first" : "second");
        CHECK(cudaGraphLaunch(executable, stream));
    }
    const snapshot taken;

    expect_nothing_lost(taken);
    expect("kernels", taken.count(STINT_GPU_KERNEL), 10);
    expect("kernels of the capture", taken.self("capture").kernels, 0);
    expect("kernels of first", taken.self("first").kernels, 6);
    expect("sets of first", taken.self("first").sets, 3);
    expect("kernels of second", taken.self("second").kernels, 4);
    expect("sets of second", taken.self("second").sets, 2);
    expect("launches of first", taken.self("first").launches, 3);
}

// ------------------------------------------------------------------------------------------------------------------- waits

const stint_gpu_event *find_event(const snapshot &taken, stint_gpu_kind kind, stint_gpu_wait wait)
{
    for (size_t i = 0; i < taken->gpu_event_count; ++i)
        if (!taken->gpu_events[i].api && taken->gpu_events[i].kind == kind && taken->gpu_events[i].wait == wait)
            return &taken->gpu_events[i];
    return nullptr;
}

// A wait for a stream is on the stream of its kernels, in its scope, and takes as long as the call.
void waits()
{
    cudaStream_t stream;
    cudaEvent_t event;
    start_collecting(STINT_GPU_DEFAULT, 1 << 12);
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaEventCreate(&event));
    spin_times(1, long_spin, stream);
    double call_ns;
    {
        STINT_SCOPE("waits");
        const auto began = std::chrono::steady_clock::now();
        CHECK(cudaStreamSynchronize(stream));
        call_ns = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - began).count();
        CHECK(cudaEventRecord(event, stream));
        CHECK(cudaEventSynchronize(event));
        CHECK(cudaStreamWaitEvent(stream, event, 0));
        CHECK(cudaDeviceSynchronize());
    }
    const snapshot taken;
    const stint_gpu_event *const kernel = find_event(taken, STINT_GPU_KERNEL, STINT_GPU_WAIT_UNKNOWN);
    const stint_gpu_event *const wait = find_event(taken, STINT_GPU_SYNC, STINT_GPU_WAIT_STREAM);

    expect_nothing_lost(taken);
    expect("waits", taken.count(STINT_GPU_SYNC), 5); // one before the snapshot
    expect("waits of no scope", taken.charged(STINT_GPU_SYNC, STINT_GPU_NO_SCOPE), 1);
    for (int i = STINT_GPU_WAIT_EVENT; i <= STINT_GPU_WAIT_CONTEXT; ++i)
        expect("waits of each kind", find_event(taken, STINT_GPU_SYNC, static_cast<stint_gpu_wait>(i)) != nullptr, 1);
    if (!kernel || !wait)
        return;
    expect("stream", wait->stream, kernel->stream);
    expect("context", wait->device_context, kernel->device_context);
    const double wait_ns = static_cast<double>(wait->end_ns - wait->start_ns);
    std::printf("the wait took %.0f ns, the call %.0f\n", wait_ns, call_ns);
    expect("a wait as long as its call", wait_ns <= call_ns && wait_ns >= 0.8 * call_ns, 1);
}

// ------------------------------------------------------------------------------------------------------------------- times

const stint_gpu_event *find_call(const snapshot &taken, uint64_t correlation)
{
    for (size_t i = 0; i < taken->gpu_event_count; ++i)
        if (taken->gpu_events[i].api && taken->gpu_events[i].correlation == correlation)
            return &taken->gpu_events[i];
    return nullptr;
}

// In a trace, no kernel begins before its launch, or lasts longer than the program waited for it.
void trace()
{
    uint64_t traced = 0, calls = 0;
    start_collecting(STINT_GPU_EVERYTHING, 10000);
    for (int i = 0; i < 200; ++i) {
        spin_times(1);
        if (i % 10 == 0)
            CHECK(cudaDeviceSynchronize());
        usleep(500);
    }
    const snapshot taken;

    for (size_t i = 0; i < taken->gpu_event_count; ++i) {
        const stint_gpu_event &event = taken->gpu_events[i];

        if (event.api || event.kind != STINT_GPU_KERNEL)
            continue;
        const stint_gpu_event *const call = find_call(taken, event.correlation);

        ++traced;
        calls += call != nullptr;
        expect_least("start of a kernel after its launch", event.start_ns, call ? call->start_ns : 0);
        expect_least("end of a kernel", event.end_ns, event.start_ns);
        expect("time of a kernel in seconds", (event.end_ns - event.start_ns) / 1000000000, 0);
    }
    expect_nothing_lost(taken);
    expect("kernels in the trace", traced, 200);
    expect("their launches", calls, 200);
    expect("events left out", taken->dropped.gpu_events, 0);
    std::printf("clock error %.0f ns, %" PRIu64 " events moved to after their launch\n", taken->gpu.clock_error_ns,
                taken->gpu.early);
}

// ------------------------------------------------------------------------------------------------------------------ memory

stint_gpu_memory memory_of(const snapshot &taken, stint_gpu_memory_kind kind, int pool)
{
    for (size_t i = 0; i < taken->gpu_memory_count; ++i)
        if (taken->gpu_memory[i].kind == kind && taken->gpu_memory[i].pool == pool)
            return taken->gpu_memory[i];
    return stint_gpu_memory();
}

// Allocations on the device and from its pool, and migrations of unified memory.
void memory()
{
    char *blocks[3], *from_pool, *managed;
    start_collecting(STINT_GPU_EVERYTHING);
    for (char *&block : blocks)
        CHECK(cudaMalloc(&block, 16 * mib));
    CHECK(cudaFree(blocks[0]));
    CHECK(cudaFree(blocks[1]));
    CHECK(cudaMallocAsync(reinterpret_cast<void **>(&from_pool), 8 * mib, nullptr));
    CHECK(cudaFreeAsync(from_pool, nullptr));
    CHECK(cudaMallocManaged(&managed, 4 * mib));
    std::memset(managed, 1, 4 * mib);
    touch<<<1, 256>>>(managed, 4 * mib);
    CHECK(cudaDeviceSynchronize());
    expect("the first byte", static_cast<uint64_t>(managed[0]), 2);
    const snapshot taken;
    const stint_gpu_memory device = memory_of(taken, STINT_GPU_MEMORY_DEVICE, 0);
    const stint_gpu_memory pool = memory_of(taken, STINT_GPU_MEMORY_DEVICE, 1);

    expect_nothing_lost(taken);
    expect_least("allocations", device.allocations, 3);
    expect("frees", device.frees, 2);
    expect_least("current bytes", device.current_bytes, 16 * mib);
    expect_least("peak bytes", device.peak_bytes, 48 * mib);
    expect("allocations from the pool", pool.allocations, 1);
    expect("frees to the pool", pool.frees, 1);
    expect("current bytes of the pool", pool.current_bytes, 0);
    expect("peak bytes of the pool", pool.peak_bytes, 8 * mib);
    expect_least("moves of unified memory", taken.count(STINT_GPU_UNIFIED), 1);
}

// ---------------------------------------------------------------------------------------------------- starts, stops, forks

// Only what is launched while stint collects is counted. Records of work that was launched before a stop arrive after
// it.
void restart()
{
    start_collecting(STINT_GPU_EVERYTHING);
    spin_times(5, long_spin);
    expect("status of the stop", stint_gpu_stop(), STINT_OK);
    spin_times(7);
    CHECK(cudaDeviceSynchronize());
    start_collecting(STINT_GPU_EVERYTHING);
    spin_times(11);
    const snapshot taken;

    expect_nothing_lost(taken);
    expect("kernels", taken.count(STINT_GPU_KERNEL), 16);
}

void run_child()
{
    STINT_SCOPE("child");
    const stint_gpu_options options = {};

    expect("a collector that goes on in the child", stint_gpu_status() == STINT_OK, 0);
    expect("status of the child's start", stint_gpu_start(&options), STINT_ERROR_UNAVAILABLE);
}

// A forked child collects nothing, reports, and ends; the parent goes on.
void fork_child()
{
    int status;
    start_collecting(STINT_GPU_EVERYTHING);
    spin_times(10, long_spin);
    const pid_t child = fork();

    if (child == 0) {
        alarm(20);
        run_child();
        return;
    }
    waitpid(child, &status, 0);
    expect("the child's status", static_cast<uint64_t>(status), 0);
    spin_times(10);
    const snapshot taken;

    expect_nothing_lost(taken);
    expect("kernels", taken.count(STINT_GPU_KERNEL), 20);
}

// ----------------------------------------------------------------------------------------------------------------- the end

void leave_kernels()
{
    STINT_SCOPE("last");
    spin_times(20, long_spin);
}

void end_by_return()
{
    leave_kernels();
}

[[noreturn]] void end_by_exit()
{
    STINT_SCOPE("last");
    spin_times(20, long_spin);
    std::printf("all good\n");
    std::exit(EXIT_SUCCESS);
}

[[noreturn]] void end_by_thread()
{
    std::thread(end_by_exit).detach();
    for (;;)
        pause();
}

[[noreturn]] void end_at_once()
{
    leave_kernels();
    std::printf("all good\n");
    std::fflush(stdout);
    _exit(EXIT_SUCCESS);
}

// Destroys the context while CUPTI and stint are using it.
void end_by_reset()
{
    leave_kernels();
    CHECK(cudaDeviceReset());
}

// Everything that has arrived by then is reported even if the program crashes. One second is ten times the period of
// CUPTI's flushes.
[[noreturn]] void end_by_abort()
{
    leave_kernels();
    CHECK(cudaDeviceSynchronize());
    usleep(1000000);
    std::abort();
}

// Without a collector there is no cost: no CUPTI, and no threads except CUDA's own.
void idle()
{
    FILE *const maps = std::fopen("/proc/self/maps", "r");
    char buffer[4096];
    uint64_t found = 0;
    launch_in_scopes();
    CHECK(cudaDeviceSynchronize());
    while (maps && std::fgets(buffer, sizeof buffer, maps))
        found += std::strstr(buffer, "cupti") != nullptr;
    if (maps)
        std::fclose(maps);
    expect("mappings of CUPTI", found, 0);
    expect("status", stint_gpu_status(), STINT_ERROR_NOT_STARTED);
}

const struct {
    const char *name;
    void (*run)();
} cases[] = {
    {"scopes", scopes},
    {"graph", graph},
    {"trace", trace},
    {"waits", waits},
    {"memory", memory},
    {"restart", restart},
    {"fork", fork_child},
    {"idle", idle},
    {"return", end_by_return},
    {"exit", end_by_exit},
    {"exit_thread", end_by_thread},
    {"_exit", end_at_once},
    {"reset", end_by_reset},
    {"abort", end_by_abort},
};

} // namespace

int main(int argc, char **argv)
{
    for (const auto &one : cases) {
        if (argc != 2 || std::strcmp(argv[1], one.name))
            continue;
        require_device();
        one.run();
        std::printf("%s\n", all_good ? "all good" : "FAILED");
        return all_good ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    std::fprintf(stderr, "usage: cases NAME   one of:");
    for (const auto &one : cases)
        std::fprintf(stderr, " %s", one.name);
    std::fprintf(stderr, "\n");
    return 2;
}
