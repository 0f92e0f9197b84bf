// Counts what a program's devices do, using CUPTI alone. stint's numbers are compared with these, so it shares no code
// with stint. CUDA loads it if CUDA_INJECTION64_PATH names it; it is also preloaded, which covers children. At exit it
// writes one line to the file COUNTER_OUTPUT.PID: kernels, their nanoseconds, copies, sets, and records that CUPTI
// dropped. COUNTER_KINDS lists, by CUPTI's numbers, the record kinds to enable besides kernels, in place of copies and
// sets: "46 17". If COUNTER_LAUNCHES is set, the driver's calls that launch are reported by callbacks, too, as every tool
// needs that attributes kernels to what launched them.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

#include <cupti.h>
#include <unistd.h>

namespace {

enum { SIZE = 1 << 20 };

std::atomic<uint64_t> s_kernels, s_kernel_ns, s_copies, s_sets, s_dropped;

void CUPTIAPI request(uint8_t **buffer, size_t *size, size_t *records)
{
    *buffer = static_cast<uint8_t *>(std::aligned_alloc(8, SIZE));
    *size = SIZE;
    *records = 0;
}

void add(const CUpti_Activity *record)
{
    if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY)
        s_copies++;
    else if (record->kind == CUPTI_ACTIVITY_KIND_MEMSET)
        s_sets++;
    else if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
        const auto *kernel = reinterpret_cast<const CUpti_ActivityKernel4 *>(record); // later versions only append
                                                                                      // members
        s_kernels++;
        s_kernel_ns += kernel->end - kernel->start;
    }
}

void CUPTIAPI completed(CUcontext context, uint32_t stream, uint8_t *buffer, size_t, size_t used)
{
    CUpti_Activity *record = nullptr;
    size_t dropped = 0;
    while (cuptiActivityGetNextRecord(buffer, used, &record) == CUPTI_SUCCESS)
        add(record);
    cuptiActivityGetNumDroppedRecords(context, stream, &dropped);
    s_dropped += dropped;
    std::free(buffer);
}

std::atomic<uint64_t> s_calls;

void CUPTIAPI note_call(void *, CUpti_CallbackDomain, CUpti_CallbackId, const void *)
{
    s_calls.fetch_add(1, std::memory_order_relaxed);
}

void ask_for_launches()
{
    static const CUpti_CallbackId launches[] = {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
                                                CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
                                                CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
                                                CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
                                                CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
                                                CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz,
                                                CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch,
                                                CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz};
    CUpti_SubscriberHandle subscriber;
    if (cuptiSubscribe(&subscriber, note_call, nullptr) != CUPTI_SUCCESS)
        return;
    for (const CUpti_CallbackId id : launches)
        cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, id);
}

void finish()
{
    cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    const char *output = std::getenv("COUNTER_OUTPUT");
    std::FILE *file = output ? std::fopen((output + ("." + std::to_string(getpid()))).c_str(), "w") : nullptr;
    if (!file)
        return;
    std::fprintf(file, "%llu %llu %llu %llu %llu\n", static_cast<unsigned long long>(s_kernels),
                 static_cast<unsigned long long>(s_kernel_ns), static_cast<unsigned long long>(s_copies),
                 static_cast<unsigned long long>(s_sets), static_cast<unsigned long long>(s_dropped));
    std::fclose(file);
}

} // namespace

extern "C" int InitializeInjection()
{
    cuptiActivityRegisterCallbacks(request, completed);
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    const char *kinds = std::getenv("COUNTER_KINDS");
    std::istringstream numbers(kinds ? kinds : "1 2"); // CUPTI_ACTIVITY_KIND_MEMCPY and MEMSET
    for (int kind; numbers >> kind;)
        cuptiActivityEnable(static_cast<CUpti_ActivityKind>(kind));
    if (std::getenv("COUNTER_LAUNCHES"))
        ask_for_launches();
    std::atexit(finish);
    return 1;
}
