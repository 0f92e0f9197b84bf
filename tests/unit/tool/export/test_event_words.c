#include <string.h>

#include "export/tracks.h"
#include "stint/nvtx_stats.h"
#include "stint_test.h"

static char s_buffer[STINT_WORDS_SIZE];

static const char *name_of(const struct stint_gpu_event *gpu)
{
    return stint_words_event(s_buffer,
                             &(struct stint_event){.kind = STINT_EVENT_DEVICE, .name = gpu->name, .gpu = gpu});
}

TEST(device_events_have_the_names_of_pytorchs_profiler)
{
    struct stint_gpu_event copy = {.kind = STINT_GPU_COPY,
                                   .name = "[CUDA memcpy HtoD]",
                                   .direction = STINT_GPU_HTOD,
                                   .source = STINT_GPU_MEMORY_PAGEABLE,
                                   .destination = STINT_GPU_MEMORY_DEVICE};
    assert_string_equal(name_of(&copy), "Memcpy HtoD (Pageable -> Device)");
    copy.source = copy.destination = 0;
    assert_string_equal(name_of(&copy), "Memcpy HtoD");
    assert_string_equal(name_of(&(struct stint_gpu_event){.kind = STINT_GPU_SET, .name = "[CUDA memset]"}), "Memset");
    assert_string_equal(
        name_of(&(struct stint_gpu_event){.kind = STINT_GPU_OVERHEAD, .name = "[CUDA driver compiler]"}),
        "driver compiler");
    assert_string_equal(name_of(&(struct stint_gpu_event){.kind = STINT_GPU_KERNEL, .name = "[k]"}), "[k]");
}

TEST(categories_have_their_name_or_number)
{
    static const struct stint_nvtx_name name = {
        .what = STINT_NVTX_CATEGORY, .pid = 7, .domain = "cuDF", .handle = 3, .name = "io"};
    const struct stint_snapshot snapshot = {.nvtx_names = &name, .nvtx_name_count = 1};
    struct stint_event event = {.pid = 7, .set = "NVTX:cuDF", .category = 3};
    assert_string_equal(stint_words_category(s_buffer, &snapshot, &event), "io");
    event.set = "NVTX";
    assert_string_equal(stint_words_category(s_buffer, &snapshot, &event), "3");
    event.category = 0;
    assert_null(stint_words_category(s_buffer, &snapshot, &event));
}

TEST(tracks_are_named_by_what_they_are_of)
{
    static const struct stint_thread thread = {.pid = 7, .tid = 8, .name = "loader"};
    const struct stint_snapshot snapshot = {.threads = &thread, .thread_count = 1};
    static const struct {
        struct stint_track track;
        const char *name;
    } tracks[] = {
        {{.kind = STINT_TRACK_THREAD, .pid = 7, .tid = 8}, "thread 8 (loader)"},
        {{.kind = STINT_TRACK_THREAD, .pid = 7, .tid = 9}, "thread 9"},
        {{.kind = STINT_TRACK_THREAD, .pid = 7}, "unknown threads"},
        {{.kind = STINT_TRACK_RANGES, .pid = 7}, "ranges"},
        {{.kind = STINT_TRACK_STREAM, .stream = 13}, "stream 13"},
        {{.kind = STINT_TRACK_SPANS, .stream = 13}, "stream 13 scopes"},
        {{.kind = STINT_TRACK_WAITS, .stream = UINT32_MAX, .context = 2}, "context 2 waits"},
        {{.kind = STINT_TRACK_UNIFIED}, "unified memory"},
        {{.kind = STINT_TRACK_OVERHEAD}, "profiler overhead"},
    };
    for (size_t i = 0; i < TEST_COUNT(tracks); i++) {
        stint_words_track(s_buffer, &snapshot, &tracks[i].track);
        assert_string_equal(s_buffer, tracks[i].name);
    }
}

TEST(processes_are_named_by_their_program)
{
    static const struct stint_merged_process other = {.pid = 9, .rank = "", .command = "/opt/tools/serve"};
    const struct stint_snapshot snapshot = {
        .process = {.pid = 7, .command = "/usr/bin/train --out /tmp/x"}, .processes = &other, .process_count = 1};
    stint_words_process(s_buffer, &snapshot, 7);
    assert_string_equal(s_buffer, "train");
    stint_words_process(s_buffer, &snapshot, 9);
    assert_string_equal(s_buffer, "serve");
    stint_words_process(s_buffer, &snapshot, 10);
    assert_string_equal(s_buffer, "process 10");
}
