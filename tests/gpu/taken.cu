// CUPTI has one user at a time. While another tool uses it, stint says so, the program goes on, and STINT_GPU_SCOPE
// measures without CUPTI; when the other tool has released CUPTI, stint gets it, and releases it again. The last line
// is "all good".
#include <cstring>

#include "consumer.h"
#include "gpu_test.h"
#include "stint/gpu_scope.h"
#include "stint/stint.h"

namespace {

__global__ void spin(long long cycles)
{
    const long long begin = clock64();
    while (clock64() - begin < cycles) {
    }
}

void step()
{
    STINT_GPU_SCOPE("step", nullptr);
    spin<<<1, 1>>>(2000000); // about a millisecond
}

void while_another_has_it()
{
    expect("the other's start", consumer::start({CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL}), true);
    expect("status of the start", stint_gpu_start(nullptr), STINT_ERROR_TAKEN);
    expect("status", stint_gpu_status(), STINT_ERROR_TAKEN);
    expect_least("length of the reason", std::strlen(stint_gpu_reason()), 10);
    std::printf("%s\n", stint_gpu_reason());
    for (int i = 0; i < 10; ++i)
        step();

    const snapshot taken;
    const stint_gpu_use use = taken.self("step");

    expect("spans", use.spans, 10);
    expect_least("their ns", use.span_ns, 10 * 300000);
    expect("kernels", use.kernels, 0);
    expect("spans not measured", taken->dropped.gpu_spans, 0);
    expect_least("bytes that the other got", consumer::received(), 1);
    consumer::stop();
}

void when_it_is_gone()
{
    start_collecting(STINT_GPU_EVERYTHING);
    for (int i = 0; i < 5; ++i)
        step();

    const snapshot taken;

    expect("kernels", taken.self("step").kernels, 5);
    expect("spans, the earlier ones included", taken.self("step").spans, 15);
    expect("lost records", taken.lost(), 0);
    expect("status of the stop", stint_gpu_stop(), STINT_OK);
    expect("the other's next start", consumer::start({CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL}), true);
    consumer::stop();
}

} // namespace

int main()
{
    require_device();
    CHECK(cudaFree(nullptr)); // makes the context, without which no event is recorded
    while_another_has_it();
    when_it_is_gone();
    std::printf("%s\n", all_good ? "all good" : "FAILED");
    return all_good ? EXIT_SUCCESS : EXIT_FAILURE;
}
