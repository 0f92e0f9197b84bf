#include "cli/live.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "stint_test.h"
#include "store/scratch.h"

TEST_ONCE(scratch_make, scratch_remove)

/* Rows of one scope with these numbers, and of a constant one. */
static struct stint_live_rows rows_of(uint64_t total_ns, uint64_t self_ns, uint64_t count, uint64_t running_ns)
{
    static const char *const sets[] = {"GlobalStatInfo"};
    const struct stint_stat stats[] = {
        {.set = "GlobalStatInfo",
         .name = "step",
         .numbers = {.total_ns = total_ns, .self_ns = self_ns, .count = count, .running_ns = running_ns}},
        {.set = "NVTX", .name = "step", .numbers = {.total_ns = 70, .self_ns = 70, .count = 7}},
        {.set = "NVTX", .name = "never"},
    };
    const struct stint_gpu_activity activities[] = {
        {.kind = STINT_GPU_KERNEL, .name = "k", .stream = 1, .numbers = {.total_ns = 5, .count = 1}},
        {.kind = STINT_GPU_KERNEL, .name = "k", .stream = 2, .numbers = {.total_ns = 6, .count = 2}},
        {.kind = STINT_GPU_OVERHEAD, .name = "o", .numbers = {.total_ns = 6, .count = 2}},
    };
    const struct stint_snapshot snapshot = {.sets = sets,
                                            .set_count = 1,
                                            .stats = stats,
                                            .stat_count = sizeof stats / sizeof stats[0],
                                            .gpu_activities = activities,
                                            .gpu_activity_count = sizeof activities / sizeof activities[0]};
    struct stint_live_rows rows = {0};
    stint_live_rows_add(&rows, &snapshot, NULL);
    return rows;
}

/* Returns "group/name total self count; …". */
static const char *text_of(const struct stint_live_rows *rows)
{
    static char text[400];
    int used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < rows->all.count; i++) {
        const struct stint_live_row *row = stint_live_row_at(rows, i);
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%s/%s %llu %llu %llu", i ? "; " : "", row->group,
                         row->name, (unsigned long long)row->total_ns, (unsigned long long)row->self_ns,
                         (unsigned long long)row->count);
    }
    return text;
}

TEST(streams_are_one_row_and_what_never_ran_is_none)
{
    struct stint_live_rows rows = rows_of(100, 60, 4, 9);
    assert_string_equal(text_of(&rows), "GPU/k 11 0 3; /step 109 60 4; NVTX/step 70 70 7");
    stint_live_rows_free(&rows);
}

static uint64_t address_in_file(const void *function)
{
    Dl_info info;
    struct link_map *map = NULL;
    assert_true(dladdr1(function, &info, (void **)&map, RTLD_DL_LINKMAP));
    return (uint64_t)((uintptr_t)function - map->l_addr);
}

/* Of this one the name is removed after the first snapshot, and it can be opened no more. */
TEST(files_with_functions_are_opened_once)
{
    static void (*const function)(struct stint_live_rows * rows) = stint_live_rows_free;
    const struct stint_sample_module module = {.path = "program", .build_id = "", .end = UINT64_MAX};
    const struct stint_sample_frame frame = {0, address_in_file(*(void *const *)&function)};
    const struct stint_sample_stack stack = {.parent = STINT_SAMPLE_NO_STACK};
    const struct stint_sample_count count = {.context = STINT_GPU_NO_SCOPE, .samples = 3, .time_ns = 3000};
    const struct stint_snapshot snapshot = {.sampling = {.samples = 3},
                                            .sample_modules = &module,
                                            .sample_module_count = 1,
                                            .sample_frames = &frame,
                                            .sample_frame_count = 1,
                                            .sample_stacks = &stack,
                                            .sample_stack_count = 1,
                                            .sample_counts = &count,
                                            .sample_count_count = 1};
    struct stint_symbols *symbols = NULL;
    char path[PATH_MAX] = "";
    assert_in_range(readlink("/proc/self/exe", path, sizeof path - 1), 1, sizeof path - 2);
    assert_int_equal(symlink(path, "program"), 0);
    for (int i = 0; i < 2; i++) {
        struct stint_live_rows rows = {0};
        stint_live_rows_add(&rows, &snapshot, &symbols);
        assert_string_equal(text_of(&rows), "CPU/stint_live_rows_free 3000 3000 3");
        stint_live_rows_free(&rows);
        (void)unlink("program");
    }
    stint_symbols_end(symbols);
}

TEST(what_was_there_before_is_taken_off)
{
    struct stint_live_rows before = rows_of(100, 60, 4, 50), now = rows_of(300, 90, 6, 0), rows = {0};
    stint_live_rows_since(&rows, &now, &before);
    assert_string_equal(text_of(&rows), "/step 150 30 2");
    stint_live_rows_since(&rows, &now, &(struct stint_live_rows){0}); /* of another process, at the first look */
    stint_live_rows_sort(&rows, STINT_LIVE_BY_TOTAL);
    assert_string_equal(text_of(&rows), "/step 450 120 8; NVTX/step 70 70 7; GPU/k 11 0 3");
    stint_live_rows_free(&rows);
    stint_live_rows_free(&now);
    stint_live_rows_free(&before);
}

TEST(after_a_reset_all_is_new)
{
    struct stint_live_rows before = rows_of(100, 60, 4, 0), now = rows_of(30, 20, 1, 0), rows = {0};
    stint_live_rows_since(&rows, &now, &before);
    assert_string_equal(text_of(&rows), "/step 30 20 1");
    stint_live_rows_free(&rows);
    stint_live_rows_free(&now);
    stint_live_rows_free(&before);
}

TEST(rows_have_four_orders)
{
    static const char *const orders[] = {[STINT_LIVE_BY_TOTAL] = "/step 109 80 4; NVTX/step 70 70 7; GPU/k 11 0 3",
                                         [STINT_LIVE_BY_SELF] = "/step 109 80 4; NVTX/step 70 70 7; GPU/k 11 0 3",
                                         [STINT_LIVE_BY_COUNT] = "NVTX/step 70 70 7; /step 109 80 4; GPU/k 11 0 3",
                                         [STINT_LIVE_BY_NAME] = "/step 109 80 4; GPU/k 11 0 3; NVTX/step 70 70 7"};
    struct stint_live_rows rows = rows_of(100, 80, 4, 9);
    for (int i = STINT_LIVE_BY_TOTAL; i <= STINT_LIVE_BY_NAME; i++) {
        stint_live_rows_sort(&rows, (enum stint_live_order)i);
        assert_string_equal(text_of(&rows), orders[i]);
    }
    stint_live_rows_free(&rows);
    rows = rows_of(70, 70, 7, 0);
    for (int i = STINT_LIVE_BY_TOTAL; i < STINT_LIVE_BY_NAME; i++) {
        stint_live_rows_sort(&rows, (enum stint_live_order)i); /* equal ones by name */
        assert_string_equal(text_of(&rows), "/step 70 70 7; NVTX/step 70 70 7; GPU/k 11 0 3");
    }
    stint_live_rows_free(&rows);
}
