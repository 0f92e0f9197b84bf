// Launches many kernels while stint collects, and compares: no record may be lost, every kernel must be charged to its
// scope, and memory must not grow.
//
//     soak [N]     kernels, 1000000 by default, without ever waiting for the device in between
//
// Two threads launch empty kernels of three names in four scopes, each on a stream of its own. The first tenth warms
// up. The last line is "all good", or "all good, but not collected" if another tool uses CUPTI, as compute-sanitizer
// does.
#include <atomic>
#include <cinttypes>
#include <cstring>
#include <ctime>
#include <thread>

#include <unistd.h>

#include "gpu_test.h"
#include "stint/stint.h"

// Not mangled, so that they can be found by name.
extern "C" __global__ void soak_first() {}

extern "C" __global__ void soak_second() {}

extern "C" __global__ void soak_third() {}

namespace {

const int threads = 2, kernels = 3, scopes = 4;
const double growth_limit_mib = 64;

void (*const kernel_functions[kernels])() = {soak_first, soak_second, soak_third};
const char *const kernel_names[kernels] = {"soak_first", "soak_second", "soak_third"};
const char *const scope_names[scopes] = {"read", "forward", "backward", "update"};

using counts = uint64_t[scopes][kernels];

counts expected[threads];
cudaStream_t streams[threads];
std::atomic<uint64_t> launched;
std::atomic<bool> failed;

double now_s()
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

double resident_mib()
{
    long pages = 0;
    FILE *const file = std::fopen("/proc/self/statm", "r");
    if (file && std::fscanf(file, "%*d %ld", &pages) != 1)
        pages = 0;
    if (file)
        std::fclose(file);
    return static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

// --------------------------------------------------------------------------------------------------------------- launching

void launch(int thread, uint64_t count)
{
    uint64_t i = 0;
    while (i < count && !failed) {
        const uint64_t end = i + 1000 < count ? i + 1000 : count;
        launched += end - i;
        for (; i < end; ++i) {
            const size_t scope = i / 5 % scopes, kernel = i % kernels;
            STINT_SCOPE_DYNAMIC(scope_names[scope]);
            kernel_functions[kernel]<<<1, 1, 0, streams[thread]>>>();
            ++expected[thread][scope][kernel];
        }
        failed = failed || cudaGetLastError() != cudaSuccess;
    }
}

// Returns the greatest resident size seen while launching. Prints its progress from time to time.
double launch_all(uint64_t count)
{
    std::atomic<int> running{threads};
    std::thread workers[threads];
    double peak = resident_mib(), told = now_s();
    for (int i = 0; i < threads; ++i)
        workers[i] = std::thread([=, &running] {
            launch(i, count / threads + (i ? 0 : count % threads));
            --running;
        });
    while (running) {
        usleep(20000);
        peak = std::max(peak, resident_mib());
        if (now_s() - told > 30) {
            told = now_s();
            std::fprintf(stderr, "%" PRIu64 " launched, %.1f MiB resident\n", launched.load(), resident_mib());
        }
    }
    for (std::thread &worker : workers)
        worker.join();
    CHECK(cudaDeviceSynchronize());
    if (failed)
        CHECK(cudaErrorLaunchFailure);
    return std::max(peak, resident_mib());
}

// --------------------------------------------------------------------------------------------------------------- comparing

int index_of(const char *name, const char *const *names, int count)
{
    for (int i = 0; i < count; ++i)
        if (!std::strcmp(name, names[i]))
            return i;
    return -1;
}

bool same(const char *what, const char *of, uint64_t is, uint64_t wanted)
{
    if (is == wanted)
        return true;
    std::printf("%s %s: %" PRIu64 ", expected %" PRIu64 "\n", what, of, is, wanted);
    return false;
}

// Reads the charges of these kernels to these scopes; returns false if any kernel has another charge.
bool read_charges(const snapshot &taken, counts &charged)
{
    bool good = true;
    for (size_t i = 0; i < taken->gpu_charge_count; ++i) {
        const stint_gpu_charge &charge = taken->gpu_charges[i];
        const stint_gpu_activity &activity = taken->gpu_activities[charge.activity];

        if (activity.kind != STINT_GPU_KERNEL)
            continue;
        const int kernel = index_of(activity.name, kernel_names, kernels);
        const int scope = charge.context < taken->context_count
                              ? index_of(taken->stats[taken->contexts[charge.context].stat].name, scope_names, scopes)
                              : -1;

        if (kernel < 0 || scope < 0)
            good = same("charged elsewhere:", activity.name, charge.count, 0) && good;
        else
            charged[scope][kernel] += charge.count;
    }
    return good;
}

bool compare(const snapshot &taken)
{
    counts charged = {};
    bool good = read_charges(taken, charged);
    for (int scope = 0; scope < scopes; ++scope) {
        uint64_t in_scope = 0;
        for (int kernel = 0; kernel < kernels; ++kernel) {
            uint64_t sum = 0;
            for (const counts &one : expected)
                sum += one[scope][kernel];
            in_scope += sum;
            good = same(kernel_names[kernel], scope_names[scope], charged[scope][kernel], sum) && good;
        }
        good = same("kernels of", scope_names[scope], taken.self(scope_names[scope]).kernels, in_scope) && good;
    }
    good = same("kernels", "", taken.count(STINT_GPU_KERNEL), launched) && good;
    good = same("no scope", "", taken.charged(STINT_GPU_KERNEL, STINT_GPU_NO_SCOPE), 0) && good;
    good = same("unattributed", "", taken.charged(STINT_GPU_KERNEL, STINT_GPU_UNATTRIBUTED), 0) && good;
    return same("lost", "", taken.lost(), 0) && good;
}

bool bounded(const char *since, double growth_mib)
{
    std::printf("resident memory grew by %.1f MiB since %s (limit %.0f)\n", growth_mib, since, growth_limit_mib);
    return growth_mib < growth_limit_mib;
}

// ---------------------------------------------------------------------------------------------------------------- the run

// The context, the modules and the queues belong to CUDA, not to stint.
void warm_up_cuda()
{
    for (cudaStream_t &stream : streams) {
        CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        for (int i = 0; i < 5000; ++i)
            kernel_functions[i % kernels]<<<1, 1, 0, stream>>>();
    }
    CHECK(cudaDeviceSynchronize());
}

bool start()
{
    const stint_gpu_options options = {sizeof options, STINT_GPU_ACTIVITIES, 0};
    const stint_status status = stint_gpu_start(&options);
    if (status == STINT_OK)
        return true;
    std::printf("stint_gpu_start: %s: %s\n", stint_status_string(status), stint_gpu_reason());
    if (status != STINT_ERROR_TAKEN)
        std::exit(EXIT_FAILURE);
    return false;
}

} // namespace

int main(int argc, char **argv)
{
    const uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000000;
    const uint64_t warm_up = count / 10;
    setenv("STINT_REPORT", "off", 1);
    require_device();
    warm_up_cuda();

    const double before = resident_mib();
    const bool collecting = start();

    launch_all(warm_up);
    const double warm = resident_mib(), began = now_s();
    const double peak = launch_all(count - warm_up);
    const double ended = now_s();

    std::printf("%" PRIu64 " kernels, %.0f ns each\n", launched.load(),
                (ended - began) * 1e9 / static_cast<double>(count - warm_up));
    bool good = true;
    if (collecting) { // otherwise the growth is not stint's
        good = bounded("the collector started", peak - before);
        good = bounded("it was warm", peak - warm) && good;
        good = compare(snapshot()) && good;
    }
    std::printf("%s\n", !good ? "FAILED" : collecting ? "all good" : "all good, but not collected");
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
