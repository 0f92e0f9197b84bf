// What the programs of this folder share. Exit code 77 means that there is no device to test with.
#ifndef TESTS_GPU_GPU_TEST_H
#define TESTS_GPU_GPU_TEST_H

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

#include "stint/gpu.h"
#include "stint/snapshot.h"

inline void check(cudaError_t code, const char *what)
{
    if (code == cudaSuccess)
        return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(code));
    std::exit(EXIT_FAILURE);
}

#define CHECK(call) check(call, #call)

inline bool all_good = true;

// Prints a message if a number is not as expected.
inline bool expect(const char *what, uint64_t is, uint64_t expected)
{
    if (is == expected)
        return true;
    std::fprintf(stderr, "%s: %" PRIu64 ", expected %" PRIu64 "\n", what, is, expected);
    return all_good = false;
}

inline bool expect_least(const char *what, uint64_t is, uint64_t least)
{
    if (is >= least)
        return true;
    std::fprintf(stderr, "%s: %" PRIu64 ", expected at least %" PRIu64 "\n", what, is, least);
    return all_good = false;
}

// With STINT_REQUIRE_GPU=1, a missing device is a failure.
inline void require_device()
{
    const char *const required = std::getenv("STINT_REQUIRE_GPU");
    int count = 0;
    const cudaError_t code = cudaGetDeviceCount(&count);
    if (code == cudaSuccess && count > 0)
        return;
    std::fprintf(stderr, "no device: %s\n", cudaGetErrorString(code));
    std::exit(required && required[0] == '1' ? EXIT_FAILURE : 77);
}

// Ends the program unless stint collects.
inline void start_collecting(unsigned what, size_t trace_events = 0)
{
    const stint_gpu_options options = {sizeof options, what, trace_events};
    const stint_status status = stint_gpu_start(&options);
    if (status == STINT_OK)
        return;
    std::fprintf(stderr, "stint_gpu_start: %s: %s\n", stint_status_string(status), stint_gpu_reason());
    std::exit(EXIT_FAILURE);
}

// A snapshot of everything launched before.
class snapshot {
public:
    snapshot()
    {
        CHECK(cudaDeviceSynchronize());
        if (const stint_status status = stint_snapshot_take(&taken_)) {
            std::fprintf(stderr, "stint_snapshot_take: %s\n", stint_status_string(status));
            std::exit(EXIT_FAILURE);
        }
    }
    ~snapshot() { stint_snapshot_free(taken_); }
    snapshot(const snapshot &) = delete;
    snapshot &operator=(const snapshot &) = delete;

    const stint_snapshot *get() const { return taken_; }
    const stint_snapshot *operator->() const { return taken_; }

    uint64_t count(stint_gpu_kind kind) const
    {
        uint64_t sum = 0;
        for (size_t i = 0; i < taken_->gpu_activity_count; ++i)
            if (taken_->gpu_activities[i].kind == kind)
                sum += taken_->gpu_activities[i].numbers.count;
        return sum;
    }

    // `context`: an index, STINT_GPU_NO_SCOPE or STINT_GPU_UNATTRIBUTED.
    uint64_t charged(stint_gpu_kind kind, size_t context) const
    {
        uint64_t sum = 0;
        for (size_t i = 0; i < taken_->gpu_charge_count; ++i)
            if (taken_->gpu_charges[i].context == context &&
                taken_->gpu_activities[taken_->gpu_charges[i].activity].kind == kind)
                sum += taken_->gpu_charges[i].count;
        return sum;
    }

    // Returns what was launched directly in the scope.
    stint_gpu_use self(const char *scope) const
    {
        const stint_stat *const stat = stint_snapshot_find(taken_, nullptr, scope);
        return stat ? stat->gpu_self : stint_gpu_use();
    }

    // Returns the number of launches and records that are counted nowhere else, and prints which.
    uint64_t lost() const
    {
        const stint_dropped &dropped = taken_->dropped;
        const uint64_t unmeasured = count(STINT_GPU_UNMEASURED);
        const uint64_t sum =
            dropped.gpu_records + dropped.gpu_invalid + dropped.gpu_unknown + dropped.gpu_activities + unmeasured;

        if (sum)
            std::fprintf(stderr,
                         "lost: %" PRIu64 " dropped, %" PRIu64 " invalid, %" PRIu64 " unknown, %" PRIu64
                         " beyond limits, %" PRIu64 " unmeasured\n",
                         dropped.gpu_records, dropped.gpu_invalid, dropped.gpu_unknown, dropped.gpu_activities,
                         unmeasured);
        return sum;
    }

private:
    stint_snapshot *taken_ = nullptr;
};

#endif
