// STINT_GPU_SCOPE with a real driver: times, streams, captures, threads, destroyed contexts. `bench` measures what it
// costs.
#include "gpu_test.h"

#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

#include "stint/gpu_scope.h"
#include "stint/statset.h"

namespace {

__global__ void empty() {}

// Runs for about this long.
__global__ void spin(uint64_t ns)
{
    uint64_t begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - begin < ns);
}

cudaStream_t new_stream(unsigned flags)
{
    cudaStream_t stream;
    CHECK(cudaStreamCreateWithFlags(&stream, flags));
    return stream;
}

void step(const char *name, cudaStream_t stream, uint64_t ns)
{
    stint_gpu_span span;
    stint_gpu_span_begin(&span, name, stream);
    spin<<<1, 1, 0, stream>>>(ns);
    stint_gpu_span_end(&span);
    CHECK(cudaGetLastError());
}

uint64_t spans_lost(const snapshot &taken)
{
    return taken->dropped.gpu_spans;
}

// Times have to agree with the program's own events around the scopes.
void times()
{
    const cudaStream_t stream = new_stream(cudaStreamNonBlocking);
    cudaEvent_t begin, end;
    double own_ns = 0;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    for (int i = 0; i < 50; ++i) {
        float ms = 0;
        CHECK(cudaEventRecord(begin, stream));
        step("times", stream, 200000);
        CHECK(cudaEventRecord(end, stream));
        CHECK(cudaEventSynchronize(end));
        CHECK(cudaEventElapsedTime(&ms, begin, end));
        own_ns += ms * 1e6;
    }
    const snapshot taken;
    const stint_gpu_use use = taken.self("times");

    std::printf("50 spans: %.0f ns by stint, %.0f ns by events around them\n", static_cast<double>(use.span_ns),
                own_ns);
    expect("spans", use.spans, 50);
    expect_least("their ns", use.span_ns, 50 * 190000);
    expect("not longer than the events around them", static_cast<double>(use.span_ns) <= own_ns + 50 * 1000, 1);
    expect("not measured", spans_lost(taken), 0);
}

void streams()
{
    const cudaStream_t all[] = {nullptr, cudaStreamLegacy, cudaStreamPerThread, new_stream(cudaStreamDefault),
                                new_stream(cudaStreamNonBlocking)};
    for (cudaStream_t stream : all)
        step("streams", stream, 1000);
    const snapshot taken;

    expect("spans", taken.self("streams").spans, 5);
    expect("not measured", spans_lost(taken), 0);
    for (size_t i = 0; i < taken->gpu_activity_count; ++i)
        if (taken->gpu_activities[i].kind == STINT_GPU_SPAN)
            std::printf("device %u, context %u, stream %u\n", taken->gpu_activities[i].device,
                        taken->gpu_activities[i].context, taken->gpu_activities[i].stream);
}

// Far more scopes than there are pairs of events, and the host never waits.
void many()
{
    const uint64_t count = 100000;
    for (uint64_t i = 0; i < count; ++i) {
        STINT_GPU_SCOPE("many", nullptr);
        empty<<<1, 1>>>();
    }
    const snapshot taken;

    std::printf("%" PRIu64 " of %" PRIu64 " spans not measured\n", spans_lost(taken), count);
    expect("spans", taken.self("many").spans + spans_lost(taken), count);
    expect("not measured", spans_lost(taken), 0);
}

size_t nodes_of(cudaGraph_t graph)
{
    size_t count = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &count));
    return count;
}

// In the strictest capture mode, any wrong call on any thread makes the capture fail.
void capture()
{
    const cudaStream_t captured = new_stream(cudaStreamDefault), other = new_stream(cudaStreamNonBlocking);
    cudaGraph_t graph;
    step("before", other, 1000000); // still running when others are checked
    CHECK(cudaStreamBeginCapture(captured, cudaStreamCaptureModeGlobal));
    step("captured", captured, 1000);
    step("beside", other, 1000);
    {
        STINT_GPU_SCOPE("default", nullptr); // an event in the legacy stream would make the capture fail
    }
    for (int i = 0; i < 100; ++i) // checks which spans have ended, and creates events
        step("beside", other, 1000);
    std::thread([] {
        stint_snapshot *taken = nullptr;

        stint_snapshot_take(&taken);
        stint_snapshot_free(taken);
    }).join();
    CHECK(cudaStreamEndCapture(captured, &graph));
    expect("nodes of the graph", nodes_of(graph), 1);
    const snapshot taken;

    expect("captured spans", taken.self("captured").spans, 0);
    expect("spans beside", taken.self("beside").spans, 101);
    expect("not measured", spans_lost(taken), 2);
}

void threads()
{
    std::vector<std::thread> all;
    for (int i = 0; i < 4; ++i)
        all.emplace_back([] {
            const cudaStream_t stream = new_stream(cudaStreamNonBlocking);

            for (int j = 0; j < 1000; ++j)
                step("threads", stream, 1000);
            CHECK(cudaStreamSynchronize(stream)); // or the last spans may end after the snapshot
        });
    for (std::thread &thread : all)
        thread.join();
    const snapshot taken;

    expect("spans", taken.self("threads").spans, 4000);
    expect("not measured", spans_lost(taken), 0);
}

void reset()
{
    for (int round = 0; round < 3; ++round) {
        CHECK(cudaFree(nullptr)); // creates the next context
        for (int i = 0; i < 10; ++i)
            step("reset", nullptr, 1000);
        CHECK(cudaDeviceSynchronize());
        if (round < 2)
            CHECK(cudaDeviceReset());
    }
    const snapshot taken;

    std::printf("%" PRIu64 " spans were lost with their context\n", spans_lost(taken));
    expect("spans", taken.self("reset").spans + spans_lost(taken), 30);
    expect_least("of the last context", taken.self("reset").spans, 10);
}

// The thread that reads results has no context, like a thread that only prints.
void elsewhere()
{
    for (int i = 0; i < 10; ++i)
        step("elsewhere", nullptr, 1000);
    CHECK(cudaDeviceSynchronize());
    std::thread([] {
        stint_snapshot *taken = nullptr;

        stint_snapshot_take(&taken);
        expect("spans", stint_snapshot_find(taken, nullptr, "elsewhere")->gpu_self.spans, 10);
        stint_snapshot_free(taken);
    }).join();
}

// The report at exit has the spans, although the driver ends before it.
void at_exit()
{
    for (int i = 0; i < 5; ++i)
        step("at exit", nullptr, 100000);
    CHECK(cudaDeviceSynchronize());
}

enum { LAUNCHES = 200, ROUNDS = 2001 };

double now_ns()
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

// Returns the median time of one launch, over rounds so short that the queue is never full.
template <typename Launch> double median_ns(Launch launch)
{
    std::vector<double> rounds;
    for (int round = 0; round < ROUNDS; ++round) {
        const double begin = now_ns();
        for (int i = 0; i < LAUNCHES; ++i)
            launch();
        rounds.push_back((now_ns() - begin) / LAUNCHES);
        CHECK(cudaDeviceSynchronize());
    }
    std::sort(rounds.begin(), rounds.end());
    return rounds[ROUNDS / 2];
}

void bench()
{
    const cudaStream_t stream = new_stream(cudaStreamNonBlocking);
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    for (int i = 0; i < 3; ++i) {
        const double plain = median_ns([=] { empty<<<1, 1, 0, stream>>>(); });
        const double events = median_ns([=] {
            cudaEventRecord(begin, stream);
            empty<<<1, 1, 0, stream>>>();
            cudaEventRecord(end, stream);
        });
        const double span = median_ns([=] {
            STINT_GPU_SCOPE("bench", stream);
            empty<<<1, 1, 0, stream>>>();
        });
        std::printf("{\"plain_ns\": %.0f, \"events_ns\": %.0f, \"gpu_scope_ns\": %.0f}\n", plain, events, span);
    }
    const snapshot taken;

    expect("not measured", spans_lost(taken), 0);
}

const struct {
    const char *name;
    void (*run)();
} cases[] = {{"times", times}, {"streams", streams},     {"many", many},    {"capture", capture}, {"threads", threads},
             {"reset", reset}, {"elsewhere", elsewhere}, {"exit", at_exit}, {"bench", bench}};

} // namespace

int main(int argc, char **argv)
{
    require_device();
    CHECK(cudaFree(nullptr)); // creates a context, without which a span is not measured
    for (const auto &each : cases)
        if (argc == 2 && !std::strcmp(argv[1], each.name)) {
            each.run();
            expect("errors left behind", cudaGetLastError() != cudaSuccess, 0);
            if (all_good)
                std::printf("all good\n");
            return all_good ? EXIT_SUCCESS : EXIT_FAILURE;
        }
    std::fprintf(stderr, "usage: %s times|streams|many|capture|threads|reset|elsewhere|exit|bench\n", argv[0]);
    return 2;
}
