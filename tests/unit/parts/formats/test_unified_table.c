/* What moved in unified memory, by device and direction, and its page faults. */
#include <string.h>

#include "model/model.h"
#include "report/golden.h"
#include "stint_test.h"

#define MOVE(id, way, moves, all, least, most)                                                                         \
    {                                                                                                                  \
        .kind = STINT_GPU_UNIFIED, .direction = STINT_GPU_##way, .name = "[CUDA Unified Memory memcpy " #way "]",      \
        .mangled = "", .device = id, .numbers = {.count = moves, .total_ns = 1000 * (moves)}, .bytes = all,            \
        .min_bytes = least, .max_bytes = most                                                                          \
    }
#define FAULT(id, what, groups, all)                                                                                   \
    {                                                                                                                  \
        .kind = STINT_GPU_FAULT, .name = "[CUDA Unified Memory " what "]", .mangled = "", .device = id,                \
        .numbers = {.count = groups, .total_ns = (id)*1000}, .bytes = all                                              \
    }

static const struct stint_gpu_activity s_activities[] = {
    MOVE(0, HTOD, 10138, 201326592, 4096, 2097152), MOVE(3, HTOD, 2, 8192, 4096, 4096),
    MOVE(0, DTOH, 1152, 201326592, 4096, 1048576),  FAULT(0, "CPU page faults", 768, 768),
    FAULT(3, "GPU page faults", 387, 1500),         FAULT(3, "thrashing", 7, 7),
};

static struct capture written(enum stint_format format, unsigned top)
{
    const struct stint_snapshot snapshot = {.size = sizeof snapshot,
                                            .process = {.command = "passes", .host = "", .clock = "tsc"},
                                            .gpu = {.collected = 1, .reason = ""},
                                            .gpu_activities = s_activities,
                                            .gpu_activity_count = TEST_COUNT(s_activities)};
    struct stint_layout layout = {.top = top};
    return capture_report(&snapshot, format, &layout);
}

TEST(unified_memory_is_shown_by_device_and_direction)
{
    struct capture out = written(STINT_FORMAT_GPU, 0);
    assert_non_null(strstr(out.text, "\n\nCount  Bytes(MB)  Avg(kB)  Min(B)   Max(kB)   Time(us)  Unified memory\n"
                                     "10138    201.327   19.858    4096  2097.152  10138.000  GPU 0 Host To Device\n"
                                     " 1152    201.327  174.762    4096  1048.576   1152.000  GPU 0 Device To Host\n"
                                     "    2      0.008    4.096    4096     4.096      2.000  GPU 3 Host To Device\n"
                                     " 1500          -        -       -         -      3.000  GPU 3 page faults\n"
                                     "    7          -        -       -         -      3.000  GPU 3 thrashing\n"
                                     "  768          -        -       -         -          -  CPU page faults\n\n"));
}

TEST(rows_beyond_the_layout_are_counted)
{
    struct capture out = written(STINT_FORMAT_SUMMARY, 2);
    assert_non_null(strstr(out.text, "GPU 0 Device To Host\n… 4 more rows (--top 0 shows all)\n"));
}
