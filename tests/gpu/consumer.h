// A bare consumer of CUPTI: the cost that any profiler of this kind has before it does anything with a record. It
// subscribes, as a tool that wants CUPTI for itself has to, enables the record kinds that are asked for, and recycles
// buffers unread.
#ifndef TESTS_GPU_CONSUMER_H
#define TESTS_GPU_CONSUMER_H

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <vector>

#include <cupti.h>

class consumer {
public:
    // On failure it writes the reason to stderr. Only one consumer can run at a time.
    static bool start(const std::vector<CUpti_ActivityKind> &kinds)
    {
        if (!good(cuptiSubscribe(&s_subscriber, ignore, nullptr), "cuptiSubscribe") ||
            !good(cuptiActivityRegisterCallbacks(request, complete), "cuptiActivityRegisterCallbacks"))
            return false;
        s_kinds = kinds;
        for (CUpti_ActivityKind kind : s_kinds)
            if (!good(cuptiActivityEnable(kind), "cuptiActivityEnable"))
                return false;
        return true;
    }

    static void stop()
    {
        for (CUpti_ActivityKind kind : s_kinds)
            good(cuptiActivityDisable(kind), "cuptiActivityDisable");
        good(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED), "cuptiActivityFlushAll");
        good(cuptiUnsubscribe(s_subscriber), "cuptiUnsubscribe");
    }

    // Returns the bytes of records received so far; to have all of them, synchronise and flush first.
    static uint64_t received()
    {
        good(cuptiActivityFlushAll(0), "cuptiActivityFlushAll");
        return s_received;
    }

private:
    static constexpr size_t buffer_bytes = 1 << 20;

    static bool good(CUptiResult result, const char *what)
    {
        const char *text = "";
        if (result == CUPTI_SUCCESS)
            return true;
        cuptiGetResultString(result, &text);
        std::fprintf(stderr, "%s: %s\n", what, text);
        return false;
    }

    static void CUPTIAPI ignore(void *, CUpti_CallbackDomain, CUpti_CallbackId, const void *) {}

    static void CUPTIAPI request(uint8_t **buffer, size_t *size, size_t *records)
    {
        const std::lock_guard<std::mutex> lock(s_mutex);
        *size = buffer_bytes;
        *records = 0;
        if (s_free.empty()) {
            *buffer = static_cast<uint8_t *>(std::aligned_alloc(4096, buffer_bytes));
        } else {
            *buffer = s_free.back();
            s_free.pop_back();
        }
    }

    static void CUPTIAPI complete(CUcontext, uint32_t, uint8_t *buffer, size_t, size_t valid)
    {
        const std::lock_guard<std::mutex> lock(s_mutex);
        s_received += valid;
        s_free.push_back(buffer);
    }

    static inline CUpti_SubscriberHandle s_subscriber;
    static inline std::vector<CUpti_ActivityKind> s_kinds;
    static inline std::mutex s_mutex;
    static inline std::vector<uint8_t *> s_free;
    static inline std::atomic<uint64_t> s_received;
};

#endif
