#include <stdio.h>
#include <string.h>

#include "nsys/nsys_fixture.h"
#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "report/report.h"
#include "stint/report.h"
#include "stint_test.h"

/* A report that fits on the screen is as it is without a limit; others are made to fit. */
static void check_fits(const struct stint_snapshot *snapshot, const char *name)
{
    enum { LEAST = 80, MOST = 300, WIDTHS = TEST_MANY(44) };
    struct capture all = nsys_write(snapshot, name, 0, 0);
    for (unsigned columns = LEAST; columns <= MOST; columns += (MOST - LEAST) / WIDTHS) {
        struct capture out = nsys_write(snapshot, name, 0, columns);
        assert_true(capture_width(&out) <= columns);
        if (capture_width(&all) <= columns)
            assert_string_equal(out.text, all.text);
    }
}

TEST(screens_are_never_exceeded)
{
    static const char *const wide[] = {"nvtx_gpu_proj_sum", "nvtx_kern_sum"};
    struct capture out = {0};
    const char *name;
    nsys_check(fixture_gpu(), 0, 80, "report_nsys_gpu_80.txt");
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++)
        assert_int_equal(stint_report_named(fixture_gpu_nvtx(), wide[i], 0, &(struct stint_layout){.columns = 200},
                                            capture_write, &out),
                         STINT_OK);
    assert_golden(out, "report_nsys_wide_200.txt");
    for (size_t i = STINT_REPORT_NSYS; (name = stint_report_name_at(i)); i++)
        check_fits(fixture_gpu_nvtx(), name);
}

/* What nsys 2025.3 printed of five ranges, between its line about files and the next. */
TEST(table_is_nsyss_byte_for_byte)
{
    const struct stint_stat stats[] = {
        {.set = "NVTX", .name = "sample_actions_iter_0_num_steps_1", .numbers = nsys_once(15848896)},
        {.set = "NVTX", .name = "sample_actions_iter_4_num_steps_1", .numbers = nsys_once(14767837)},
        {.set = "NVTX", .name = "sample_actions_iter_1_num_steps_1", .numbers = nsys_once(14603742)},
        {.set = "NVTX", .name = "sample_actions_iter_2_num_steps_1", .numbers = nsys_once(14542300)},
        {.set = "NVTX", .name = "sample_actions_iter_3_num_steps_1", .numbers = nsys_once(14509340)},
    };
    const struct stint_snapshot snapshot = {.size = sizeof snapshot,
                                            .process = {.pid = 4212, .command = "python3 trace.py"},
                                            .stats = stats,
                                            .stat_count = 5,
                                            .gpu = {.reason = ""}};
    struct capture out = nsys_write(&snapshot, "nvtx_sum", 0, 0);
    assert_string_equal(out.text,
                        "Processing [python3 trace.py (pid 4212)] with [nvtx_sum]...\n"
                        "\n"
                        " ** NVTX Range Summary (nvtx_sum):\n"
                        "\n"
                        " Time (%)  Total Time (ns)  Instances    Avg (ns)      Med (ns)     Min (ns)    Max (ns)   "
                        "StdDev (ns)   Style                 Range               \n"
                        " --------  ---------------  ---------  ------------  ------------  ----------  ----------  "
                        "-----------  -------  ----------------------------------\n"
                        "     21.3       15,848,896          1  15,848,896.0  15,848,896.0  15,848,896  15,848,896  "
                        "        0.0  PushPop  :sample_actions_iter_0_num_steps_1\n"
                        "     19.9       14,767,837          1  14,767,837.0  14,767,837.0  14,767,837  14,767,837  "
                        "        0.0  PushPop  :sample_actions_iter_4_num_steps_1\n"
                        "     19.7       14,603,742          1  14,603,742.0  14,603,742.0  14,603,742  14,603,742  "
                        "        0.0  PushPop  :sample_actions_iter_1_num_steps_1\n"
                        "     19.6       14,542,300          1  14,542,300.0  14,542,300.0  14,542,300  14,542,300  "
                        "        0.0  PushPop  :sample_actions_iter_2_num_steps_1\n"
                        "     19.5       14,509,340          1  14,509,340.0  14,509,340.0  14,509,340  14,509,340  "
                        "        0.0  PushPop  :sample_actions_iter_3_num_steps_1\n"
                        "\n");
}

/* What it printed of copies through unified memory: the total of 48 is 8388608 bytes. */
TEST(sizes_are_in_millions_of_bytes)
{
    const struct stint_gpu_activity activities[] = {
        {.kind = STINT_GPU_UNIFIED,
         .direction = STINT_GPU_HTOD,
         .name = "[CUDA Unified Memory memcpy HtoD]",
         .numbers = {.count = 48, .total_ns = 736932, .min_ns = 1887, .max_ns = 83295},
         .bytes = 8388608,
         .min_bytes = 4096,
         .max_bytes = 1044480,
         .square_bytes2 = 304e3 * 304e3 * 47 + 8388608.0 * 8388608.0 / 48}};
    const struct stint_snapshot snapshot = {.size = sizeof snapshot,
                                            .process = {.command = "./add"},
                                            .gpu = {.collected = 1, .reason = ""},
                                            .gpu_activities = activities,
                                            .gpu_activity_count = 1};
    struct capture out = nsys_write(&snapshot, "cuda_gpu_mem_size_sum", 1, 0);
    assert_string_equal(out.text, "Total (MB),Count,Avg (MB),Med (MB),Min (MB),Max (MB),StdDev (MB),Operation\n"
                                  "8.389,48,0.175,,0.004,1.044,0.304,[CUDA memcpy Unified Host-to-Device]\n");
}

TEST(kernels_may_be_named_by_the_function_alone)
{
    static const char *const names[][2] = {
        {"void gemm<float, 3>(float const*)", "gemm"},
        {"void at::native::(anonymous namespace)::copy<int, (at::mode)1>(int*, at::pair<int, int>)", "copy"},
        {"relu(float*, int)", "relu"},
        {"ns::type<a::b>::run(int)", "run"},
        {"plain", "plain"},
        {"[CUDA graph]", "[CUDA graph]"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct stint_gpu_activity activity = {
            .kind = STINT_GPU_KERNEL, .name = names[i][0], .mangled = "", .numbers = nsys_once(70)};
        struct stint_snapshot snapshot = nsys_of_stats(NULL, 0);
        char row[100];
        TEST_ROWS(snapshot, gpu_activities, gpu_activity_count, activity);
        snprintf(row, sizeof row, "\n100.0,70,1,70.0,70.0,70,70,0.0,%s\n", names[i][1]);
        nsys_expect_of(&snapshot, STINT_REPORT_CUDA_GPU_KERN_SUM, STINT_KERNELS_BASE, row);
    }
}

/* Kernels of one function are one row; one whose mangled name is not known keeps its name. */
TEST(kernels_of_one_new_name_are_one_row)
{
    const struct stint_gpu_activity activities[] = {
        {.kind = STINT_GPU_KERNEL, .name = "void k<1>()", .mangled = "_Z1kILi1EEvv", .numbers = nsys_once(70)},
        {.kind = STINT_GPU_KERNEL, .name = "other()", .mangled = "", .numbers = nsys_once(40)},
        {.kind = STINT_GPU_KERNEL, .name = "void k<2>()", .mangled = "_Z1kILi2EEvv", .numbers = nsys_once(30)},
        {.kind = STINT_GPU_COPY, .name = "k", .mangled = "", .numbers = nsys_once(5)}};
    struct stint_snapshot snapshot = nsys_of_stats(NULL, 0);
    TEST_ROWS(snapshot, gpu_activities, gpu_activity_count, activities);
    nsys_expect_of(&snapshot, STINT_REPORT_CUDA_GPU_SUM, STINT_KERNELS_BASE,
                   "\n69.0,100,2,50.0,50.0,30,70,28.3,CUDA_KERNEL,k\n27.6,40,1,");
    nsys_expect_of(&snapshot, STINT_REPORT_CUDA_GPU_KERN_SUM, STINT_KERNELS_MANGLED,
                   "\n50.0,70,1,70.0,70.0,70,70,0.0,_Z1kILi1EEvv\n28.6,40,1,40.0,40.0,40,40,0.0,other()\n21.4,30,");
}

TEST(names_are_cut_in_tables_and_never_in_csv)
{
    struct capture out = nsys_write(fixture_gpu_nasty(), "cuda_gpu_kern_sum", 0, 0);
    char cut[110] = "  void begin<";
    memset(cut + 13, 'x', 88);
    memcpy(cut + 101, "…\n", 5);
    assert_non_null(strstr(out.text, cut));
    nsys_expect(fixture_gpu_nasty(), "cuda_gpu_kern_sum", "x>(float)\n");
}

TEST(nothing_in_a_table_steers_the_terminal)
{
    struct capture out = nsys_write_all(fixture_gpu_nasty(), 0, 0);
    for (const char *at = out.text; *at; at++)
        assert_true(*at == '\n' || (unsigned char)*at >= 0x20);
}
