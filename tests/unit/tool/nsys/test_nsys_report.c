#include <stdio.h>
#include <string.h>

#include "nsys/nsys_fixture.h"
#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "stint_test.h"

/* ---------------------------------------------------------------------------------------------------------- goldens */

TEST(reports_of_a_training_program)
{
    nsys_check(fixture_gpu(), 0, 0, "report_nsys_gpu.txt");
    nsys_check(fixture_gpu(), 1, 0, "report_nsys_gpu.csv");
}

TEST(reports_of_ranges_that_are_all_in_a_trace)
{
    nsys_check(fixture_gpu_nvtx(), 0, 0, "report_nsys_nvtx.txt");
    nsys_check(fixture_gpu_nvtx(), 1, 0, "report_nsys_nvtx.csv");
}

TEST(reports_survive_nasty_names)
{
    nsys_check(fixture_gpu_nasty(), 0, 0, "report_nsys_nasty.txt");
    nsys_check(fixture_gpu_nasty(), 1, 0, "report_nsys_nasty.csv");
}

TEST(reports_of_the_largest_numbers_and_every_loss)
{
    nsys_check(fixture_gpu_extreme(), 0, 0, "report_nsys_extreme.txt");
    nsys_check(fixture_gpu_extreme(), 1, 0, "report_nsys_extreme.csv");
}

/* ------------------------------------------------------------------------------------------------------- statistics */

TEST(spread_of_two_is_exact)
{
    const struct stint_bin bins[] = {{120, 1}, {380, 1}};
    const struct stint_stat stat = {.file = "",
                                    .set = "NVTX",
                                    .name = "two",
                                    .numbers = {.count = 2,
                                                .total_ns = 500,
                                                .min_ns = 100,
                                                .max_ns = 400,
                                                .square_ns2 = 170000,
                                                .bins = bins,
                                                .bin_count = 2}};
    const struct stint_snapshot snapshot = nsys_of_stats(&stat, 1);
    nsys_expect(&snapshot, "nvtx_pushpop_sum", "\n100.0,500,2,250.0,250.0,100,400,212.1,:two\n");
}

TEST(median_of_more_is_the_histograms_and_deviation_a_samples)
{
    const struct stint_bin bins[] = {{100, 1}, {205, 1}, {400, 1}};
    struct stint_stat stat = {.file = "",
                              .set = "NVTX",
                              .name = "three",
                              .numbers = {.count = 3,
                                          .total_ns = 700,
                                          .min_ns = 100,
                                          .max_ns = 400,
                                          .square_ns2 = 10000 + 40000 + 160000,
                                          .bins = bins,
                                          .bin_count = 3}};
    const struct stint_snapshot snapshot = nsys_of_stats(&stat, 1);
    nsys_expect(&snapshot, "nvtx_pushpop_sum", "\n100.0,700,3,233.3,205.0,100,400,152.8,:three\n");
    struct capture out = nsys_write(&snapshot, "nvtx_pushpop_sum", 0, 0);
    assert_non_null(strstr(out.text, "\nMed: from histograms, within 0.8 %\n"));
    stat.numbers.bin_count = 0;
    nsys_expect(&snapshot, "nvtx_pushpop_sum", "\n100.0,700,3,233.3,,100,400,152.8,:three\n");
    out = nsys_write(&snapshot, "nvtx_pushpop_sum", 0, 0);
    assert_non_null(strstr(out.text, "233.3         -       100"));
    assert_non_null(strstr(out.text, "\nMed: - where no histogram was kept (STINT_PERCENTILES=off)\n"));
}

TEST(instances_within_their_own_name_count_in_full)
{
    const struct stint_stat stat = {
        .file = "",
        .set = "NVTX",
        .name = "again",
        .numbers = {.count = 2, .recursive = 1, .total_ns = 900, .min_ns = 900, .max_ns = 900}};
    const struct stint_context contexts[] = {{.parent = STINT_NO_PARENT, .numbers = nsys_once(900)},
                                             {.parent = 0, .depth = 1, .numbers = nsys_once(300)}};
    struct stint_snapshot snapshot = nsys_of_stats(&stat, 1);
    TEST_ROWS(snapshot, contexts, context_count, contexts);
    nsys_expect(&snapshot, "nvtx_sum", "\n100.0,1200,2,600.0,600.0,300,900,424.3,PushPop,:again\n");
}

/* Of five streams, one launch each. */
TEST(streams_of_a_kernel_are_one_row_with_one_histogram)
{
    const uint64_t ns[] = {500, 100, 300, 200, 400};
    struct stint_bin bins[5];
    struct stint_gpu_activity activities[5];
    struct stint_snapshot snapshot = nsys_of_stats(NULL, 0);
    for (size_t i = 0; i < 5; i++) {
        bins[i] = (struct stint_bin){ns[i], 1};
        activities[i] = (struct stint_gpu_activity){
            .kind = STINT_GPU_KERNEL, .name = "k()", .stream = (uint32_t)i, .numbers = nsys_once(ns[i])};
        activities[i].numbers.bins = &bins[i];
        activities[i].numbers.bin_count = 1;
    }
    TEST_ROWS(snapshot, gpu_activities, gpu_activity_count, activities);
    nsys_expect(&snapshot, "cuda_gpu_kern_sum", "\n100.0,1500,5,300.0,300.0,100,500,158.1,k()\n");
}

TEST(sizes_of_streams_are_one_row)
{
    struct stint_gpu_activity activities[2];
    struct stint_snapshot snapshot = nsys_of_stats(NULL, 0);
    for (uint32_t i = 0; i < 2; i++) {
        const uint64_t bytes = i ? 2000000 : 9000000;
        activities[i] = (struct stint_gpu_activity){.kind = STINT_GPU_SET,
                                                    .name = "[CUDA memset]",
                                                    .stream = i,
                                                    .numbers = nsys_once(10),
                                                    .bytes = bytes,
                                                    .min_bytes = bytes,
                                                    .max_bytes = bytes,
                                                    .square_bytes2 = (double)bytes * (double)bytes};
    }
    TEST_ROWS(snapshot, gpu_activities, gpu_activity_count, activities);
    nsys_expect(&snapshot, "cuda_gpu_mem_size_sum", "\n11.000,2,5.500,5.500,2.000,9.000,4.950,[CUDA memset]\n");
}

TEST(kernel_named_like_an_operation_is_a_row_of_its_own)
{
    const struct stint_gpu_activity activities[] = {
        {.kind = STINT_GPU_KERNEL, .name = "[CUDA memset]", .numbers = nsys_once(30)},
        {.kind = STINT_GPU_SET, .name = "[CUDA memset]", .numbers = nsys_once(10)}};
    struct stint_snapshot snapshot = nsys_of_stats(NULL, 0);
    TEST_ROWS(snapshot, gpu_activities, gpu_activity_count, activities);
    nsys_expect(&snapshot, "cuda_gpu_sum", "\n75.0,30,1,30.0,30.0,30,30,0.0,CUDA_KERNEL,[CUDA memset]\n");
    nsys_expect(&snapshot, "cuda_gpu_sum", "\n25.0,10,1,10.0,10.0,10,10,0.0,MEMORY_OPER,[CUDA memset]\n");
}

TEST(trace_that_has_all_gives_exact_medians)
{
    /* 91, 92, 95 and 100 us; 1, 2, 4 and 8 MB */
    nsys_expect(fixture_gpu_nvtx(), "cuda_gpu_mem_time_sum",
                ",378000,4,94500.0,93500.0,91000,100000,4041.5,[CUDA memcpy Host-to-Device]\n");
    nsys_expect(fixture_gpu_nvtx(), "cuda_gpu_mem_size_sum",
                "\n15.000,4,3.750,3.000,1.000,8.000,3.096,[CUDA memcpy Host-to-Device]\n");
}

TEST(trace_that_lacks_one_gives_no_median_of_sizes)
{
    struct stint_snapshot snapshot = *fixture_gpu_nvtx();
    snapshot.gpu_events++;
    snapshot.gpu_event_count--;
    nsys_expect(&snapshot, "cuda_gpu_mem_size_sum",
                "\n15.000,4,3.750,,1.000,8.000,3.096,[CUDA memcpy Host-to-Device]\n");
    struct capture out = nsys_write(&snapshot, "cuda_gpu_mem_size_sum", 0, 0);
    assert_non_null(strstr(out.text, "     3.750         -     1.000"));
    assert_non_null(strstr(out.text, "\nMed: - where the trace lacks some operations; STINT_GPU_TRACE=N keeps"));
}

/* ----------------------------------------------------------------------------------------------------------- ranges */

TEST(ranges_are_named_by_domain)
{
    nsys_expect(fixture_gpu_nvtx(), "nvtx_sum", ",PushPop,:forward\n");
    nsys_expect(fixture_gpu_nvtx(), "nvtx_sum", ",PushPop,NCCL:ncclAllReduce\n");
    nsys_expect(fixture_gpu_nvtx(), "nvtx_sum", ",StartEnd,:prefetch\n");
    nsys_expect(fixture_gpu_nvtx(), "nvtx_sum", ",StartEnd,\"data, \"\"loader\"\":read batch\"\n");
}

TEST(scopes_are_ranges_of_stints_domain)
{
    nsys_expect(fixture_gpu_nvtx(), "nvtx_pushpop_sum", ",stint:Evaluation/validate\n");
    nsys_expect(fixture_gpu(), "nvtx_pushpop_sum", ",stint:forward\n");
}

TEST(marks_and_calls_are_no_ranges)
{
    nsys_refuse(fixture_gpu_nvtx(), "nvtx_sum", "checkpoint");
    nsys_refuse(fixture_gpu_nvtx(), "nvtx_sum", "abort");
    nsys_refuse(fixture_gpu_nvtx(), "nvtx_sum", "cudaLaunchKernel");
}

TEST(sets_of_other_names_are_no_domains)
{
    const struct stint_stat stats[] = {{.file = "", .set = "NVTXray", .name = "trace", .numbers = nsys_once(4)},
                                       {.file = "", .set = "NVTX counters", .name = "queue", .numbers = nsys_once(3)},
                                       {.file = "", .set = "NVTX marks:x", .name = "mark", .numbers = nsys_once(2)},
                                       {.file = "", .set = "NVTX:start/ends", .name = "odd", .numbers = nsys_once(1)}};
    const struct stint_snapshot snapshot = nsys_of_stats(stats, 4);
    nsys_expect(&snapshot, "nvtx_sum",
                "StdDev (ns),Style,Range\n80.0,4,1,4.0,4.0,4,4,0.0,PushPop,stint:NVTXray/trace\n"
                "20.0,1,1,1.0,1.0,1,1,0.0,PushPop,start/ends:odd\n");
}

TEST(range_that_has_not_ended_is_in_no_report)
{
    const struct stint_stat stat = {
        .file = "", .set = "NVTX", .name = "open", .numbers = {.running = 1, .running_ns = 5}};
    const struct stint_snapshot snapshot = nsys_of_stats(&stat, 1);
    nsys_refuse(&snapshot, "nvtx_sum", "open");
    nsys_refuse(&snapshot, "nvtx_pushpop_sum", "open");
}

TEST(styles_have_reports_of_their_own)
{
    nsys_refuse(fixture_gpu_nvtx(), "nvtx_pushpop_sum", "prefetch");
    nsys_expect(fixture_gpu_nvtx(), "nvtx_startend_sum", ",:prefetch\n");
    nsys_refuse(fixture_gpu_nvtx(), "nvtx_startend_sum", "forward");
}

TEST(kernel_belongs_to_all_ranges_around_it)
{
    static const char gemm[] = ",\"void gemm<float, 128, 64>(float const*, float const*, float*)\"\n";
    static const char *const rows[] = {
        /* range, its instances, kernels, their time, spread */
        "\n:forward,PushPop,4711,4711,4,8,4806000,600750.0,600000.0,400000,803000,214612.4",
        "\n:linear,PushPop,4711,4711,12,12,11606600,967216.7,801500.0,400000,1700300,567735.3",
        "\n:backward,PushPop,4711,4711,4,4,6800600,1700150.0,1700150.0,1700000,1700300,129.1",
        "\n:epoch,PushPop,4711,4711,1,12,11606600,967216.7,801500.0,400000,1700300,567735.3",
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char row[256];
        snprintf(row, sizeof row, "%s%s", rows[i], gemm);
        nsys_expect(fixture_gpu_nvtx(), "nvtx_kern_sum", row);
    }
    nsys_refuse(fixture_gpu_nvtx(), "nvtx_kern_sum", "warmUp");
}

/* A range that runs within itself: its kernel is one kernel in two ranges, and its time counts in both. */
TEST(kernel_in_a_range_within_itself_is_one_kernel_in_two_ranges)
{
    const struct stint_stat stat = {
        .file = "", .set = "NVTX", .name = "again", .numbers = {.count = 2, .recursive = 1}};
    const struct stint_context contexts[] = {{.parent = STINT_NO_PARENT, .numbers = nsys_once(900)},
                                             {.parent = 0, .depth = 1, .numbers = nsys_once(300)}};
    const struct stint_gpu_activity activity = {.kind = STINT_GPU_KERNEL, .name = "k()", .numbers = nsys_once(70)};
    const struct stint_gpu_charge charge = {.context = 1, .count = 1, .total_ns = 70, .min_ns = 70, .max_ns = 70};
    struct stint_snapshot snapshot = nsys_of_stats(&stat, 1);
    TEST_ROWS(snapshot, contexts, context_count, contexts);
    TEST_ROWS(snapshot, gpu_activities, gpu_activity_count, activity);
    TEST_ROWS(snapshot, gpu_charges, gpu_charge_count, charge);
    nsys_expect(&snapshot, "nvtx_kern_sum", "\n:again,PushPop,,,2,1,140,70.0,70.0,70,70,0.0,k()\n");
}

TEST(kernel_of_one_range_has_its_spread_without_a_trace)
{
    struct stint_snapshot snapshot = *fixture_gpu_nvtx();
    snapshot.gpu_event_count = 0;
    /* All of gemm is in epoch; forward has a part. */
    nsys_expect(&snapshot, "nvtx_kern_sum", "\n:epoch,PushPop,4711,4711,1,12,11606600,967216.7,80");
    nsys_expect(&snapshot, "nvtx_kern_sum", "\n:forward,PushPop,4711,4711,,8,4806000,600750.0,,400000,803000,,");
}

TEST(range_of_several_threads_has_no_thread)
{
    struct stint_snapshot snapshot = *fixture_gpu_nvtx();
    const struct stint_thread threads[] = {{.pid = 4711, .tid = 4711}, {.pid = 4711, .tid = 4713}};
    const struct stint_thread merged[] = {{.pid = 4711, .tid = 4711}, {.pid = 4712, .tid = 4712}};
    const struct stint_thread_stat parts[] = {{.thread = 1}, {.thread = 0}};
    TEST_ROWS(snapshot, threads, thread_count, threads);
    snapshot.thread_stats = parts;
    snapshot.thread_stat_count = 1;
    assert_string_equal(snapshot.stats[0].name, "epoch");
    nsys_expect(&snapshot, "nvtx_kern_sum", "\n:epoch,PushPop,4711,4713,1,12,");
    nsys_expect(&snapshot, "nvtx_kern_sum", "\n:forward,PushPop,4711,,4,8,");
    snapshot.thread_stat_count = 2;
    nsys_expect(&snapshot, "nvtx_kern_sum", "\n:epoch,PushPop,4711,,1,12,");
    struct capture out = nsys_write(&snapshot, "nvtx_kern_sum", 0, 0);
    assert_non_null(strstr(out.text, "\nPID, TID: - of ranges of several threads"));
    snapshot.threads = merged;
    nsys_expect(&snapshot, "nvtx_kern_sum", "\n:epoch,PushPop,,,1,12,");
}

/* ------------------------------------------------------------------------------------------------------ projections */

TEST(range_that_ran_once_is_projected_by_the_trace)
{
    struct stint_snapshot snapshot = *fixture_gpu_nvtx();
    /* From the first copy at 1000 us to the last kernel's end at 55000 + 353 us. */
    nsys_expect(&snapshot, "nvtx_gpu_proj_sum",
                "\n:epoch,PushPop,54353000,61000000,1,54353000.0,54353000.0,54353000,54353000,0.0,18,18.0,0.0,4.0\n");
    snapshot.gpu_events++;
    snapshot.gpu_event_count--;
    nsys_expect(&snapshot, "nvtx_gpu_proj_sum", "\n:epoch,PushPop,,61000000,1,,,,,,18,18.0,0.0,4.0\n");
}

TEST(range_that_ran_more_often_is_projected_instance_by_instance)
{
    /* Of the second and the fourth step, from the copy to the end of the reduction: 9000 + 351 us, + 353 us; of the
     * others to the end of the last gemm: 6500 + 1700 us, + 1700.2 us. */
    nsys_expect(
        fixture_gpu_nvtx(), "nvtx_gpu_proj_sum",
        "\n:train_step,PushPop,35104200,56000000,4,8776050.0,8775600.0,8200000,9353000,665050.3,18,4.5,1.0,2.0\n");
    /* Each kernel has its own. */
    nsys_expect(fixture_gpu_nvtx(), "nvtx_gpu_proj_sum",
                "\n:linear,PushPop,11606600,20000000,12,967216.7,801500.0,400000,1700300,567735.3,12,1.0,3.0,0.0\n");
}

/* Two of the same name, one in the other, are two instances; what the inner one launches is work of both. */
TEST(range_within_itself_is_projected_twice)
{
    const struct stint_stat stat = {
        .file = "", .set = "NVTX", .name = "again", .numbers = {.count = 2, .recursive = 1}};
    const struct stint_context contexts[] = {{.parent = STINT_NO_PARENT, .numbers = nsys_once(900)},
                                             {.parent = 0, .depth = 1, .numbers = nsys_once(300)}};
    const struct stint_gpu_activity activity = {.kind = STINT_GPU_KERNEL, .name = "k()", .numbers = {.count = 2}};
    const struct stint_gpu_charge charges[] = {{.context = 0, .count = 1, .total_ns = 10},
                                               {.context = 1, .count = 1, .total_ns = 70}};
    const struct stint_gpu_instance instances[] = {{0, STINT_GPU_NO_INSTANCE}, {1, 0}};
    const struct stint_gpu_event events[] = {
        {.kind = STINT_GPU_KERNEL, .name = "k()", .start_ns = 1000, .end_ns = 1010},
        {.kind = STINT_GPU_KERNEL, .name = "k()", .start_ns = 1100, .end_ns = 1170, .context = 1, .instance = 1}};
    struct stint_snapshot snapshot = nsys_of_stats(&stat, 1);
    TEST_ROWS(snapshot, contexts, context_count, contexts);
    TEST_ROWS(snapshot, gpu_activities, gpu_activity_count, activity);
    TEST_ROWS(snapshot, gpu_charges, gpu_charge_count, charges);
    TEST_ROWS(snapshot, gpu_instances, gpu_instance_count, instances);
    TEST_ROWS(snapshot, gpu_events, gpu_event_count, events);
    nsys_expect(&snapshot, "nvtx_gpu_proj_sum", "\n:again,PushPop,240,1200,2,120.0,120.0,70,170,70.7,3,1.5,0.5,0.5\n");
}

/* More instances than the range ran: it was continued elsewhere. */
TEST(range_in_parts_has_no_projection)
{
    const struct stint_stat stat = {.file = "", .set = "NVTX", .name = "parts", .numbers = nsys_once(900)};
    const struct stint_context context = {.parent = STINT_NO_PARENT, .numbers = nsys_once(900)};
    const struct stint_gpu_activity activity = {.kind = STINT_GPU_KERNEL, .name = "k()", .numbers = {.count = 2}};
    const struct stint_gpu_charge charge = {.count = 2, .total_ns = 80};
    const struct stint_gpu_instance instances[] = {{0, STINT_GPU_NO_INSTANCE}, {0, STINT_GPU_NO_INSTANCE}};
    const struct stint_gpu_event events[] = {
        {.kind = STINT_GPU_KERNEL, .name = "k()", .start_ns = 1000, .end_ns = 1010},
        {.kind = STINT_GPU_KERNEL, .name = "k()", .start_ns = 1100, .end_ns = 1170, .instance = 1}};
    struct stint_snapshot snapshot = nsys_of_stats(&stat, 1);
    TEST_ROWS(snapshot, contexts, context_count, context);
    TEST_ROWS(snapshot, gpu_activities, gpu_activity_count, activity);
    TEST_ROWS(snapshot, gpu_charges, gpu_charge_count, charge);
    TEST_ROWS(snapshot, gpu_instances, gpu_instance_count, instances);
    TEST_ROWS(snapshot, gpu_events, gpu_event_count, events);
    nsys_expect(&snapshot, "nvtx_gpu_proj_sum", "\n:parts,PushPop,,900,1,,,,,,2,2.0,0.0,0.0\n");
}

/* A call of CUDA's API between two ranges is no level, and what ends first need not have begun first. */
TEST(projection_looks_through_calls_and_overlaps)
{
    const struct stint_stat stats[] = {
        {.file = "", .set = "NVTX", .name = "outer", .numbers = nsys_once(900)},
        {.file = "", .set = STINT_API_SET, .name = "cudaLaunchKernel", .numbers = nsys_once(500)},
        {.file = "", .set = "NVTX", .name = "callback", .numbers = nsys_once(100)}};
    const struct stint_context contexts[] = {
        {.stat = 0, .parent = STINT_NO_PARENT, .numbers = nsys_once(900)},
        {.stat = 1, .parent = 0, .depth = 1, .numbers = nsys_once(500)},
        {.stat = 2, .parent = 1, .depth = 2, .numbers = nsys_once(100)},
    };
    const struct stint_gpu_activity activity = {.kind = STINT_GPU_KERNEL, .name = "k()", .numbers = {.count = 2}};
    const struct stint_gpu_charge charge = {.context = 2, .count = 2, .total_ns = 90};
    const struct stint_gpu_event events[] = {
        {.kind = STINT_GPU_KERNEL, .name = "k()", .start_ns = 1000, .end_ns = 1080, .context = 2, .instance = 1},
        {.kind = STINT_GPU_KERNEL, .name = "k()", .start_ns = 1010, .end_ns = 1020, .context = 2, .instance = 1}};
    const struct stint_gpu_instance instances[] = {{0, STINT_GPU_NO_INSTANCE}, {2, 0}};
    struct stint_snapshot snapshot = nsys_of_stats(stats, 3);
    TEST_ROWS(snapshot, contexts, context_count, contexts);
    TEST_ROWS(snapshot, gpu_activities, gpu_activity_count, activity);
    TEST_ROWS(snapshot, gpu_charges, gpu_charge_count, charge);
    TEST_ROWS(snapshot, gpu_instances, gpu_instance_count, instances);
    TEST_ROWS(snapshot, gpu_events, gpu_event_count, events);
    nsys_expect(&snapshot, "nvtx_gpu_proj_sum", "\n:outer,PushPop,80,900,1,80.0,80.0,80,80,0.0,2,2.0,0.0,1.0\n");
    nsys_expect(&snapshot, "nvtx_gpu_proj_sum", "\n:callback,PushPop,80,100,1,80.0,80.0,80,80,0.0,2,2.0,1.0,0.0\n");
    nsys_expect(&snapshot, "cuda_gpu_kern_gb_sum", ",90,2,45.0,45.0,10,80,49.5,");
}

TEST(without_a_trace_there_is_no_projection)
{
    struct stint_snapshot snapshot = *fixture_gpu_nvtx();
    snapshot.gpu_instance_count = 0;
    nsys_expect(&snapshot, "nvtx_gpu_proj_sum", "\n:linear,PushPop,,,,,,,,,12,,3.0,0.0\n");
    struct capture out = nsys_write(&snapshot, "nvtx_gpu_proj_sum", 0, 0);
    assert_non_null(strstr(out.text, "\nProj, Total Range Time, Range Instances: - where the trace lacks some work"));
}

TEST(ranges_without_work_are_not_projected)
{
    nsys_refuse(fixture_gpu_nvtx(), "nvtx_gpu_proj_sum", "prefetch");
}

/* ------------------------------------------------------------------------------------------------------------ grids */

TEST(kernel_that_is_all_in_the_trace_is_taken_apart_by_grid)
{
    nsys_expect(fixture_gpu_nvtx(), "cuda_gpu_kern_gb_sum",
                ",1600000,4,400000.0,400000.0,400000,400000,0.0, 148    1    1, 256    1    1,\"void gemm");
    nsys_expect(fixture_gpu_nvtx(), "cuda_gpu_kern_gb_sum",
                ",10006600,8,1250825.0,1251500.0,800000,1700300,480349.4, 896    1    1, 256    1    1,\"void gemm");
}

TEST(kernel_that_is_partly_in_the_trace_has_no_grid)
{
    struct stint_snapshot snapshot = *fixture_gpu_nvtx();
    snapshot.gpu_events += 2;
    snapshot.gpu_event_count -= 2;
    nsys_expect(&snapshot, "cuda_gpu_kern_gb_sum", ",11606600,12,967216.7,");
    nsys_expect(&snapshot, "cuda_gpu_kern_gb_sum", ",,,\"void gemm");
    nsys_expect(&snapshot, "cuda_gpu_kern_gb_sum", ",  24    1    1, 256    1    1,ncclDev");
    struct capture out = nsys_write(&snapshot, "cuda_gpu_kern_gb_sum", 0, 0);
    assert_non_null(strstr(out.text, "\nGridXYZ, BlockXYZ: - where the trace lacks some launches"));
}

/* ------------------------------------------------------------------------------------------------------------ names */

TEST(other_operations_keep_their_names)
{
    static const char *const names[] = {"[CUDA memcpy]", "[CUDA memcpy HtoX]", "[CUDA memset]",
                                        "[CUDA Unified Memory memcpy]"};
    struct stint_gpu_activity activity = {.kind = STINT_GPU_COPY, .numbers = nsys_once(10)};
    struct stint_snapshot snapshot = nsys_of_stats(NULL, 0);
    TEST_ROWS(snapshot, gpu_activities, gpu_activity_count, activity);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char row[128];
        activity.name = names[i];
        snprintf(row, sizeof row, ",0.0,%s\n", names[i]);
        nsys_expect(&snapshot, "cuda_gpu_mem_time_sum", row);
    }
    activity.direction = STINT_GPU_DTOA;
    activity.name = "[CUDA memcpy DtoA]";
    nsys_expect(&snapshot, "cuda_gpu_sum", ",0.0,MEMORY_OPER,[CUDA memcpy Device-to-Array]\n");
}

/* ------------------------------------------------------------------------------------------------------------ whole */

TEST(shares_of_a_report_add_up_to_100_percent)
{
    static const char *const names[] = {"nvtx_sum", "cuda_gpu_sum", "cuda_api_sum", "cuda_gpu_kern_gb_sum"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct capture out = nsys_write(fixture_gpu(), names[i], 1, 0);
        double sum = 0, share = 0;
        for (const char *at = strchr(out.text, '\n'); at && sscanf(at + 1, "%lf,", &share) == 1;
             at = strchr(at + 1, '\n'))
            sum += share;
        assert_true(sum > 99.5 && sum < 100.5);
    }
}

/* The second kernel begins before its call returns; the third one's call is not in the trace. */
TEST(launches_are_call_queue_and_kernel)
{
    const struct stint_gpu_event events[] = {
        {.api = 1, .name = "cudaLaunchKernel", .start_ns = 0, .end_ns = 10, .correlation = 1, .tid = 7},
        {.name = "k",
         .start_ns = 25,
         .end_ns = 125,
         .correlation = 1,
         .device = 3,
         .grid = {2, 1, 1},
         .block = {64, 1, 1}},
        {.api = 1, .name = "cudaLaunchKernel", .start_ns = 200, .end_ns = 260, .correlation = 2, .tid = 7},
        {.name = "k",
         .start_ns = 210,
         .end_ns = 240,
         .correlation = 2,
         .device = 3,
         .grid = {2, 1, 1},
         .block = {64, 1, 1}},
        {.name = "k", .start_ns = 300, .end_ns = 900, .correlation = 9, .device = 3},
    };
    const struct stint_snapshot snapshot = {.size = sizeof snapshot,
                                            .process = {.pid = 5, .command = "", .host = "", .clock = ""},
                                            .gpu_events = events,
                                            .gpu_event_count = sizeof events / sizeof events[0]};
    struct capture out = nsys_write(&snapshot, "cuda_kern_exec_trace", 1, 0);
    assert_string_equal(out.text,
                        "API Start (ns),API Dur (ns),Queue Start (ns),Queue Dur (ns),Kernel Start (ns),Kernel Dur (ns),"
                        "Total Dur (ns),PID,TID,DevId,API Function,GridXYZ,BlockXYZ,Kernel Name\n"
                        "0,10,10,15,25,100,125,5,7,3,cudaLaunchKernel,   2    1    1,  64    1    1,k\n"
                        "200,60,,,210,30,60,5,7,3,cudaLaunchKernel,   2    1    1,  64    1    1,k\n");
    out = nsys_write(&snapshot, "cuda_kern_exec_sum", 1, 0);
    assert_string_equal(out.text, "PID,TID,DevId,Count,QCount,"
                                  "TAvg (ns),TMed (ns),TMin (ns),TMax (ns),TStdDev (ns),"
                                  "AAvg (ns),AMed (ns),AMin (ns),AMax (ns),AStdDev (ns),"
                                  "QAvg (ns),QMed (ns),QMin (ns),QMax (ns),QStdDev (ns),"
                                  "KAvg (ns),KMed (ns),KMin (ns),KMax (ns),KStdDev (ns),API Name,Kernel Name\n"
                                  "5,7,3,2,1,92.5,92.5,60,125,46.0,35.0,35.0,10,60,35.4,15.0,15.0,15,15,0.0,"
                                  "65.0,65.0,30,100,49.5,cudaLaunchKernel,k\n");
}

/* Every process counts from the same number, and in a container of its own has the same threads. */
TEST(launches_of_processes_are_told_apart)
{
    const struct stint_gpu_event events[] = {
        {.api = 1, .name = "cudaLaunchKernel", .start_ns = 0, .end_ns = 10, .correlation = 1, .pid = 5, .tid = 7},
        {.api = 1, .name = "cudaLaunchKernel", .start_ns = 50, .end_ns = 60, .correlation = 1, .pid = 6, .tid = 7},
        {.name = "a", .start_ns = 10, .end_ns = 110, .correlation = 1, .pid = 5},
        {.name = "b", .start_ns = 60, .end_ns = 90, .correlation = 1, .pid = 6},
    };
    const struct stint_thread threads[] = {{.pid = 5, .tid = 7}, {.pid = 6, .tid = 7}};
    const struct stint_snapshot snapshot = {.size = sizeof snapshot,
                                            .process = {.pid = 5, .command = "", .host = "", .clock = ""},
                                            .threads = threads,
                                            .thread_count = 2,
                                            .gpu_events = events,
                                            .gpu_event_count = sizeof events / sizeof events[0]};
    struct capture out = nsys_write(&snapshot, "cuda_kern_exec_trace", 1, 0);
    assert_non_null(strstr(out.text, "\n0,10,,,10,100,110,5,7,0,cudaLaunchKernel,   0    0    0,   0    0    0,a\n"
                                     "50,10,,,60,30,40,6,7,0,cudaLaunchKernel,   0    0    0,   0    0    0,b\n"));
    out = nsys_write(&snapshot, "cuda_kern_exec_sum", 1, 0);
    assert_non_null(strstr(out.text, "\n5,7,0,1,0,110.0,"));
    assert_non_null(strstr(out.text, "\n6,7,0,1,0,40.0,"));
    assert_non_null(strstr(nsys_write(&snapshot, "cuda_api_trace", 1, 0).text, ",1,6,7,,\n"));
}

/* Nsight Systems calls a set's memory its source. */
TEST(traces_have_a_row_for_each_event)
{
    const struct stint_thread thread = {.pid = 6, .tid = 7, .name = "loader"};
    const struct stint_gpu_device device = {.id = 1, .name = "NVIDIA H200"};
    const struct stint_gpu_event events[] = {
        {.api = 1, .name = "cudaMemcpy_v3020", .start_ns = 0, .end_ns = 10, .correlation = 1, .tid = 7},
        {.kind = STINT_GPU_COPY,
         .name = "[CUDA memcpy HtoD]",
         .direction = STINT_GPU_HTOD,
         .start_ns = 5,
         .end_ns = 1005,
         .correlation = 1,
         .device = 1,
         .device_context = 2,
         .stream = 13,
         .bytes = 4000000,
         .source = STINT_GPU_MEMORY_PINNED,
         .destination = STINT_GPU_MEMORY_DEVICE},
        {.kind = STINT_GPU_SET,
         .name = "[CUDA memset]",
         .start_ns = 2000,
         .end_ns = 2000,
         .bytes = 512,
         .destination = STINT_GPU_MEMORY_DEVICE},
        {.name = "k<int>(int*, float)",
         .start_ns = 3000,
         .end_ns = 3100,
         .correlation = 4,
         .grid = {2, 3, 4},
         .block = {64, 2, 1},
         .registers = 40,
         .static_shared = 2048,
         .dynamic_shared = 1000},
    };
    const struct stint_snapshot snapshot = {.size = sizeof snapshot,
                                            .process = {.pid = 5, .command = "", .host = "", .clock = ""},
                                            .threads = &thread,
                                            .thread_count = 1,
                                            .gpu_devices = &device,
                                            .gpu_device_count = 1,
                                            .gpu_events = events,
                                            .gpu_event_count = sizeof events / sizeof events[0]};
    struct capture out = nsys_write(&snapshot, "cuda_gpu_trace", 1, 0);
    assert_string_equal(
        out.text,
        "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),"
        "Bytes (MB),Throughput (MB/s),SrcMemKd,DstMemKd,Device,Ctx,GreenCtx,Strm,Name\n"
        "5,1000,1,,,,,,,,,,4.000,4000000.000,Pinned,Device,NVIDIA H200 (1),2,,13,[CUDA memcpy Host-to-Device]\n"
        "2000,0,,,,,,,,,,,0.001,,Device,,(0),0,,0,[CUDA memset]\n"
        "3000,100,4,2,3,4,64,2,1,40,0.002,0.001,,,,,(0),0,,0,\"k<int>(int*, float)\"\n");
    out = nsys_write(&snapshot, "cuda_api_trace", 1, 0);
    assert_string_equal(out.text, "Start (ns),Duration (ns),Name,Result,CorrID,Pid,Tid,T-Pri,Thread Name\n"
                                  "0,10,cudaMemcpy_v3020,,1,6,7,,loader\n");
}

/* The bytes of faults are their number. */
TEST(unified_memory_has_a_row_in_all)
{
    const struct stint_gpu_activity activities[] = {
        {.kind = STINT_GPU_UNIFIED, .direction = STINT_GPU_HTOD, .name = "", .mangled = "", .bytes = 3000000},
        {.kind = STINT_GPU_UNIFIED, .direction = STINT_GPU_HTOD, .name = "", .mangled = "", .bytes = 1, .device = 1},
        {.kind = STINT_GPU_UNIFIED, .direction = STINT_GPU_DTOH, .name = "", .mangled = "", .bytes = 1500000},
        {.kind = STINT_GPU_COPY, .direction = STINT_GPU_HTOD, .name = "", .mangled = "", .bytes = 7000000},
        {.kind = STINT_GPU_FAULT, .name = "[CUDA Unified Memory CPU page faults]", .mangled = "", .bytes = 12},
        {.kind = STINT_GPU_FAULT, .name = "[CUDA Unified Memory GPU page faults]", .mangled = "", .bytes = 70},
        {.kind = STINT_GPU_FAULT, .name = "[CUDA Unified Memory thrashing]", .mangled = "", .bytes = 3},
    };
    const struct stint_snapshot snapshot = {.size = sizeof snapshot,
                                            .process = {.command = "", .host = "", .clock = ""},
                                            .gpu_activities = activities,
                                            .gpu_activity_count = sizeof activities / sizeof activities[0]};
    struct capture out = nsys_write(&snapshot, "um_total_sum", 1, 0);
    assert_string_equal(out.text, "Total HtoD Migration Size (MB),Total DtoH Migration Size (MB),Total CPU Page Faults,"
                                  "Total GPU PageFaults,Minimum Virtual Address,Maximum Virtual Address\n"
                                  "3.000,1.500,12,70,,\n");
}

#define MOVE(way, at, size, ns)                                                                                        \
    {                                                                                                                  \
        .kind = STINT_GPU_UNIFIED, .direction = STINT_GPU_##way, .name = "", .address = at, .bytes = size,             \
        .start_ns = 50, .end_ns = 50 + (ns)                                                                            \
    }
#define FAULTS(of, at, number)                                                                                         \
    {                                                                                                                  \
        .kind = STINT_GPU_FAULT, .name = "[CUDA Unified Memory " of " page faults]", .address = at, .bytes = number    \
    }

/* 3.5 MB in 2 us are 1 750 000 MB/s; 4096 bytes in 1024 ns are 4000. Moves between devices are in neither column, and
 * what has no address has no row. */
TEST(unified_memory_has_a_row_for_each_address)
{
    const struct stint_gpu_event events[] = {
        MOVE(DTOH, 0x10000, 4096, 1024),
        FAULTS("CPU", UINT64_C(0xFFFFFFFFFFFFF000), 1),
        MOVE(HTOD, 0x7F0000200000, 2000000, 1000),
        MOVE(DTOD, 0x20000, 4096, 10),
        FAULTS("CPU", 0x7F0000200000, 1),
        FAULTS("GPU", 0x10000, 7),
        MOVE(HTOD, 0, 4096, 10),
        MOVE(DTOH, 0x7F0000200000, 500000, 500),
        FAULTS("CPU", 0x7F0000200000, 1),
        {.kind = STINT_GPU_COPY, .direction = STINT_GPU_HTOD, .name = "", .bytes = 9, .end_ns = 9},
        MOVE(HTOD, 0x7F0000200000, 1000000, 500),
        FAULTS("CPU", 0x3000, 1),
    };
    const struct stint_snapshot snapshot = {.size = sizeof snapshot,
                                            .process = {.command = "", .host = "", .clock = ""},
                                            .gpu_events = events,
                                            .gpu_event_count = sizeof events / sizeof events[0]};
    struct capture out = nsys_write(&snapshot, "um_sum", 1, 0);
    assert_string_equal(out.text, "Virtual Address,HtoD Migration size (MB),DtoH Migration size (MB),CPU Page Faults,"
                                  "GPU Page Faults,Migration Throughput (MB/s)\n"
                                  "0x7F0000200000,3.000,0.500,2,,1750000.000\n"
                                  "0x10000,,0.004,,7,4000.000\n"
                                  "0x3000,,,1,,\n"
                                  "0xFFFFFFFFFFFFF000,,,1,,\n");
}

/* Only a trace that has everything knows the least and the greatest address. */
TEST(extent_of_unified_memory_needs_every_event)
{
    const struct stint_gpu_event events[] = {MOVE(HTOD, 0x7000, 1000000, 10), FAULTS("CPU", 0x5000, 1),
                                             MOVE(DTOD, 0x1000, 1, 1), MOVE(DTOH, 0x6000, 2000, 1)};
    const struct stint_gpu_activity activities[] = {
        {.kind = STINT_GPU_UNIFIED, .direction = STINT_GPU_HTOD, .name = "", .numbers = {.count = 1}, .bytes = 1000000},
        {.kind = STINT_GPU_UNIFIED, .direction = STINT_GPU_DTOH, .name = "", .numbers = {.count = 1}, .bytes = 2000},
        {.kind = STINT_GPU_UNIFIED, .direction = STINT_GPU_DTOD, .name = "", .numbers = {.count = 1}, .bytes = 1},
        {.kind = STINT_GPU_FAULT, .name = "CPU", .numbers = {.count = 1}, .bytes = 1},
        {.kind = STINT_GPU_FAULT, .name = "GPU", .numbers = {.count = 0}, .bytes = 40},
    };
    struct stint_snapshot snapshot = {.size = sizeof snapshot,
                                      .process = {.command = "", .host = "", .clock = ""},
                                      .gpu_activities = activities,
                                      .gpu_activity_count = 5,
                                      .gpu_events = events,
                                      .gpu_event_count = 4};
    nsys_expect(&snapshot, "um_total_sum", "\n1.000,0.002,1,40,0x5000,0x7000\n");
    snapshot.gpu_event_count = 3;
    nsys_expect(&snapshot, "um_total_sum", "\n1.000,0.002,1,40,,\n");
}
