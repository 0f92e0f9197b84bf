#include "store/foreign.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foreign_fixture.h"
#include "replay/subset.h"
#include "report/golden.h"
#include "report/report_form.h"
#include "stint/statset.h"
#include "stint_test.h"
#include "store/foreign_dialect.h"

static char s_reason[160];
static struct stint_foreign *s_foreign; /* of this test */

static const struct stint_snapshot *opened(const char *file, const char *statements)
{
    s_foreign = stint_foreign_open(foreign_fixture(file, statements), s_reason, sizeof s_reason);
    if (!s_foreign)
        fail_msg("%s", s_reason);
    return stint_foreign_snapshot(s_foreign);
}

static int close_file(void **state)
{
    (void)state;
    stint_foreign_close(s_foreign);
    s_foreign = NULL;
    return 0;
}

static void assert_refused(const char *path, const char *reason)
{
    s_foreign = stint_foreign_open(path, s_reason, sizeof s_reason);
    assert_null(s_foreign);
    if (!strstr(s_reason, reason))
        fail_msg("'%s' is not in '%s'", reason, s_reason);
}

/* ------------------------------------------------------------------------------------------------------------- rows */

static const struct stint_stat *stat_of(const struct stint_snapshot *snapshot, const char *set, const char *name)
{
    const struct stint_stat *stat = stint_snapshot_find(snapshot, set, name);
    if (!stat)
        fail_msg("there is no %s in %s", name, set);
    return stat;
}

/* "train/step/forward" */
static const char *path_of(const struct stint_snapshot *snapshot, size_t context)
{
    static char path[400];
    char rest[400] = "";
    if (context == STINT_GPU_NO_SCOPE)
        return "(no scope)";
    if (context == STINT_GPU_UNATTRIBUTED)
        return "(unattributed)";
    for (; context != STINT_NO_PARENT; context = snapshot->contexts[context].parent) {
        snprintf(path, sizeof path, "%.99s%s%.250s", snapshot->stats[snapshot->contexts[context].stat].name,
                 *rest ? "/" : "", rest);
        memcpy(rest, path, sizeof rest);
    }
    return path;
}

/* Returns the charge of that activity to that context. */
static const struct stint_gpu_charge *charge_of(const struct stint_snapshot *snapshot, const char *activity,
                                                const char *path)
{
    for (size_t i = 0; i < snapshot->gpu_charge_count; i++) {
        const struct stint_gpu_charge *charge = &snapshot->gpu_charges[i];
        if (!strncmp(snapshot->gpu_activities[charge->activity].name, activity, strlen(activity)) &&
            !strcmp(path_of(snapshot, charge->context), path))
            return charge;
    }
    fail_msg("no %s in %s", activity, path);
    return NULL;
}

static void write_reports(const struct stint_snapshot *snapshot, const char *const *names, const char *golden)
{
    struct capture out = {0};
    struct stint_layout layout = {0};
    for (; *names; names++) {
        struct stint_report_form form;
        assert_int_equal(stint_report_form_read(&form, *names, strlen(*names)), 0);
        assert_int_equal(stint_report_form_write(snapshot, &form, &layout, capture_write, &out), STINT_OK);
    }
    assert_golden(&out, golden);
    capture_free(&out);
}

static const char *const s_tables[] = {"table",        "tree",        "nvprof", "nvtx_sum", "nvtx_kern_sum",
                                       "cuda_api_sum", "nvprof-nvtx", "gpu",    NULL};
static const char *const s_csv[] = {"csv", "nvprof:csv", "cuda_gpu_sum:csv", "nvtx_values:csv", NULL};

/* ------------------------------------------------------------------------------------------------------------- nsys */

static void an_export_of_nsys_gives_every_table(void **state)
{
    (void)state;
    write_reports(opened("nsys.sql", NULL), s_tables, "store_foreign_nsys.txt");
}

static void an_export_of_nsys_gives_every_csv(void **state)
{
    (void)state;
    write_reports(opened("nsys.sql", NULL), s_csv, "store_foreign_nsys.csv");
}

static void kernels_are_charged_to_the_innermost_range_that_launched_them(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot = opened("nsys.sql", NULL);
    assert_int_equal(charge_of(snapshot, "void gemm", "train/step/forward")->total_ns, 500000);
    assert_int_equal(charge_of(snapshot, "void gemm", "train/step")->total_ns, 600000);
    assert_int_equal(charge_of(snapshot, "[CUDA memcpy HtoD]", "read_csv")->bytes, 4000000);
}

/* A thread that launches twice while the main one is in train/step: the second time in a range of its own. */
#define HELPER_NAMED(name)                                                                                             \
    "INSERT INTO StringIds VALUES (20, '" name "'), (21, 'conv()');"                                                   \
    "INSERT INTO ThreadNames VALUES (20, 0, 281554014175232 + 4713);"                                                  \
    "INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) VALUES"                                \
    "    (3700000, 3800000, 59, 'ConvolutionBackward0', 281554014175232 + 4713, 0);"                                   \
    "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (3600000, 3610000, 0, 281554014175232 + 4713, 200, 1, 0, NULL),"   \
    "    (3720000, 3730000, 0, 281554014175232 + 4713, 201, 1, 0, NULL);"                                              \
    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, streamId, correlationId, globalPid,"     \
    "    demangledName, shortName, registersPerThread, gridX, gridY, gridZ, blockX, blockY, blockZ,"                   \
    "    staticSharedMemory, dynamicSharedMemory) VALUES"                                                              \
    "    (5000000, 5000100, 0, 1, 7, 200, 281554014175232, 21, 21, 1, 1, 1, 1, 1, 1, 1, 0, 0),"                        \
    "    (5000200, 5000220, 0, 1, 7, 201, 281554014175232, 21, 21, 1, 1, 1, 1, 1, 1, 1, 0, 0);"

static void backward_pass_is_charged_to_the_range_that_waits_for_it(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot = opened("nsys.sql", HELPER_NAMED("pt_autograd_0"));
    assert_int_equal(charge_of(snapshot, "conv", "train/step/(adopted)")->total_ns, 100);
    assert_int_equal(charge_of(snapshot, "conv", "train/step/(adopted)/ConvolutionBackward0")->total_ns, 20);
    assert_int_equal(stat_of(snapshot, "NVTX", "step")->gpu.kernels, 3 + 2);
    assert_int_equal(stat_of(snapshot, "NVTX", "ConvolutionBackward0")->numbers.total_ns, 100000);
    assert_int_equal(stat_of(snapshot, "NVTX", "step")->numbers.total_ns, 2900000 + 3900000);

    struct stint_event_source *source = stint_foreign_events(s_foreign);
    struct stint_event event;
    size_t adopted = 0;
    assert_int_equal(source->begin(source), 0);
    while (source->next(source, &event) > 0)
        adopted += event.kind == STINT_EVENT_DEVICE && strstr(path_of(snapshot, event.context), "/(adopted)") != NULL;
    assert_int_equal(adopted, 2);
}

static void event_of_a_backward_pass_belongs_to_the_instance_that_waits_for_it(void **state)
{
    (void)state;
    const struct stint_snapshot *whole = opened("nsys.sql", HELPER_NAMED("pt_autograd_0"));
    const struct stint_subset all = {.counts = 1, .trace = 100, .to_ns = UINT64_MAX};
    struct stint_subset_seen seen;
    struct stint_snapshot *part = stint_subset_take(whole, stint_foreign_events(s_foreign), &all, &seen);
    size_t adopted = 0;
    assert_non_null(part);
    for (size_t i = 0; i < part->gpu_event_count; i++) {
        const struct stint_gpu_event *event = &part->gpu_events[i];
        if (event->api || strcmp(path_of(part, event->context), "train/step/(adopted)") != 0)
            continue;
        assert_string_equal(path_of(part, part->gpu_instances[event->instance].context), "train/step");
        adopted++;
    }
    assert_int_equal(adopted, 1);
    stint_snapshot_free(part);
}

static void work_of_other_threads_is_adopted_as_the_environment_says(void **state)
{
    (void)state;
    charge_of(opened("nsys.sql", HELPER_NAMED("worker")), "conv", "(no scope)");
    close_file(NULL);
    setenv("STINT_ADOPT", "off", 1);
    charge_of(opened("nsys.sql", HELPER_NAMED("pt_autograd_0")), "conv", "(no scope)");
    close_file(NULL);
    setenv("STINT_ADOPT", "main", 1);
    charge_of(opened("nsys.sql", HELPER_NAMED("worker")), "conv", "train/step/(adopted)");
    charge_of(stint_foreign_snapshot(s_foreign), "conv", "ConvolutionBackward0");
    close_file(NULL);
    setenv("STINT_ADOPT", "all", 1);
    charge_of(opened("nsys.sql", HELPER_NAMED("worker")), "conv", "train/step/(adopted)/ConvolutionBackward0");
    unsetenv("STINT_ADOPT");
}

static void work_of_a_launch_that_is_not_in_the_file_is_unattributed(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot = opened("nsys.sql", NULL);
    assert_int_equal(charge_of(snapshot, "relu", "(unattributed)")->total_ns, 30000);
    assert_int_equal(charge_of(snapshot, "relu", "(no scope)")->total_ns, 10000);
}

static void self_time_is_without_enclosed_ranges_and_calls(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot = opened("nsys.sql", NULL);
    const struct stint_stat *step = stat_of(snapshot, "NVTX", "step");
    assert_int_equal(step->numbers.count, 2);
    assert_int_equal(step->numbers.total_ns, 2900000 + 3900000);
    /* less forward, cudaDeviceSynchronize, and the launch in the second step */
    assert_int_equal(step->numbers.self_ns, 6800000 - 500000 - 400000 - 10000);
}

static void calls_within_calls_are_no_calls(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot = opened("nsys.sql", NULL);
    assert_null(stint_snapshot_find(snapshot, STINT_API_SET, "cuLaunchKernel"));
    assert_int_equal(stat_of(snapshot, STINT_API_SET, "cudaLaunchKernel")->numbers.count, 4);
}

static void ranges_that_never_end_are_counted_and_end_with_the_recording(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot = opened("nsys.sql", NULL);
    assert_int_equal(snapshot->dropped.abandoned, 1);
    assert_int_equal(stat_of(snapshot, "NVTX", "never ends")->numbers.total_ns, 9610000 - 8500000);
}

static void ranges_and_marks_have_their_sets(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot = opened("nsys.sql", NULL);
    assert_int_equal(stat_of(snapshot, "NVTX:cuDF", "read_csv")->numbers.total_ns, 3000000);
    assert_int_equal(stat_of(snapshot, "NVTX start/end", "epoch")->numbers.total_ns, 4500000);
    assert_int_equal(stat_of(snapshot, "NVTX marks", "checkpoint")->numbers.count, 1);
}

static void threads_processes_and_devices_are_described(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot = opened("nsys.sql", NULL);
    assert_int_equal(snapshot->thread_count, 2);
    assert_string_equal(snapshot->threads[1].name, "loader");
    assert_int_equal(snapshot->threads[1].tid, 4712);
    assert_int_equal(snapshot->process.pid, 4711);
    assert_string_equal(snapshot->process.command, "./train");
    assert_string_equal(snapshot->process.host, "node7");
    assert_int_equal(snapshot->process.start_unix_ns, 1760000000000000000);
    assert_int_equal(snapshot->process.wall_ns, 10000000);
    assert_int_equal(snapshot->gpu_device_count, 1);
    assert_string_equal(snapshot->gpu_devices[0].name, "NVIDIA H200");
    assert_int_equal(snapshot->gpu_devices[0].core_clock_khz, 1980000);
}

static void a_process_among_others_is_the_one_with_events(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot =
        opened("nsys.sql", "INSERT INTO PROCESSES (rowid, globalPid, pid, name) VALUES (0, 1, 1, 'init')");
    assert_int_equal(snapshot->process.pid, 4711);
    assert_string_equal(snapshot->process.command, "./train");
}

static void several_processes_with_events_have_no_number(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot =
        opened("nsys.sql", "INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) "
                           "VALUES (900, 990, 59, 'other', (4712 << 24) + 5, 0)");
    assert_int_equal(snapshot->process.pid, 0);
    assert_int_equal(snapshot->threads[2].pid, 4712);
}

static void calls_of_the_c_library_stand_below_the_range_around_them(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot =
        opened("nsys.sql", "CREATE TABLE OSRT_API (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER, "
                           "globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER, "
                           "nestingLevel INTEGER, callchainId INTEGER); "
                           "INSERT INTO StringIds VALUES (800, 'poll'); "
                           "INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) "
                           "VALUES (9000, 9900, 59, 'around', (4711 << 24) + 9, 0); "
                           "INSERT INTO OSRT_API VALUES (9100, 9400, 27, (4711 << 24) + 9, 0, 800, 0, 0, 0), "
                           "(9950, 9960, 27, (4711 << 24) + 9, 0, 800, 0, 0, 0), "
                           "(9970, 9980, 27, (4711 << 24) + 9, 0, 12345, 0, 0, 0)");
    assert_int_equal(stat_of(snapshot, STINT_OS_SET, "poll")->numbers.count, 2);
    assert_int_equal(stat_of(snapshot, STINT_OS_SET, "poll")->numbers.total_ns, 310);
    assert_int_equal(stat_of(snapshot, "NVTX", "around")->numbers.self_ns, 600);
    assert_int_equal(snapshot->dropped.unnamed, 1);
}

static void payloads_are_added_up(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot = opened("nsys.sql", NULL);
    assert_int_equal(snapshot->nvtx_value_count, 1);
    assert_string_equal(snapshot->nvtx_values[0].name, "step");
    assert_true(snapshot->nvtx_values[0].sum == 96);
}

/* As texts of their own, and as strings of the file. */
static void texts_that_carry_data_are_counted_by_their_name(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot =
        opened("nsys.sql", "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
                           "INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) "
                           "SELECT 100, 100, 59, 'aten::mm, op_id = ' || i, 7, 0 FROM n; "
                           "INSERT INTO StringIds VALUES (900, 'XlaModule:#hlo_module=jit_f,program_id=1#'), "
                           "(901, 'XlaModule:#hlo_module=jit_f,program_id=2#'); "
                           "INSERT INTO NVTX_EVENTS (start, end, eventType, textId, globalTid, domainId) "
                           "VALUES (200, 210, 59, 900, 7, 0), (300, 330, 59, 901, 7, 0), (400, 400, 59, 901, 7, 0)");
    struct stint_event_source *source = stint_foreign_events(s_foreign);
    struct stint_event event;
    assert_int_equal(stat_of(snapshot, "NVTX", "aten::mm")->numbers.count, 5000);
    assert_int_equal(stat_of(snapshot, "NVTX", "XlaModule jit_f")->numbers.count, 3);
    assert_int_equal(stat_of(snapshot, "NVTX", "XlaModule jit_f")->numbers.total_ns, 40);
    assert_int_equal(snapshot->dropped.names, 0);
    assert_int_equal(source->begin(source), 0);
    while (source->next(source, &event) == 1 && strcmp(event.name, "XlaModule jit_f") != 0)
        assert_true(strcmp(event.name, "aten::mm") != 0 || strncmp(event.text, "aten::mm, op_id = ", 18) == 0);
    assert_string_equal(event.text, "XlaModule:#hlo_module=jit_f,program_id=1#");
}

/* Domains nest by themselves only. Each moment is the self time of one range: of the one that began last. */
static void colors_and_categories_are_read(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot =
        opened("nsys.sql", "UPDATE NVTX_EVENTS SET color = 4278255360, category = 3 WHERE text = 'read_csv';"
                           "INSERT INTO NVTX_EVENTS (start, eventType, text, globalTid, domainId, category) VALUES "
                           "(0, 33, 'disk', 281554014175232 + 4711, 1, 3), (0, 33, 'net', 281554014175232, 0, 4)");
    struct stint_event_source *source = stint_foreign_events(s_foreign);
    struct stint_event event;
    int colored = 0;
    assert_int_equal(source->begin(source), 0);
    while (source->next(source, &event) > 0) {
        int is_colored = strcmp(event.name, "read_csv") == 0;
        colored += is_colored;
        assert_int_equal(event.color, is_colored ? 0xff00ff00 : 0);
        assert_int_equal(event.category, is_colored ? 3 : 0);
    }
    assert_int_equal(colored, 1);
    assert_int_equal(snapshot->nvtx_name_count, 2);
    assert_string_equal(snapshot->nvtx_names[0].domain, "");
    assert_string_equal(snapshot->nvtx_names[0].name, "net");
    assert_string_equal(snapshot->nvtx_names[1].domain, "cuDF");
    assert_int_equal(snapshot->nvtx_names[1].handle, 3);
}

static void ranges_of_two_domains_may_overlap(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot =
        opened("nsys.sql", "INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) VALUES "
                           "(100, 300, 59, 'a', 7, 0), (200, 450, 59, 'b', 7, 1), (400, 500, 59, 'c', 7, 0)");
    assert_int_equal(stat_of(snapshot, "NVTX", "a")->numbers.self_ns, 100);
    assert_int_equal(stat_of(snapshot, "NVTX", "b")->numbers.self_ns, 200);
    assert_int_equal(stat_of(snapshot, "NVTX", "c")->numbers.self_ns, 100);
    assert_int_equal(stat_of(snapshot, "NVTX", "c")->numbers.total_ns, 100);
}

static void ranges_that_overlap_in_turn_do_not_stand_ever_deeper(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot =
        opened("nsys.sql", "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999) "
                           "INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) "
                           "SELECT i * 10, i * 10 + 15, 59, iif(i % 2, 'odd', 'even'), 7, i % 2 FROM n");
    size_t contexts = 0;
    for (size_t i = 0; i < snapshot->context_count; i++) {
        const char *name = snapshot->stats[snapshot->contexts[i].stat].name;
        contexts += !strcmp(name, "odd") || !strcmp(name, "even");
    }
    assert_int_equal(contexts, 4); /* even, odd in even, odd, even in odd */
    assert_int_equal(stat_of(snapshot, "NVTX", "even")->numbers.count, 500);
    assert_int_equal(stat_of(snapshot, "NVTX", "even")->numbers.total_ns, 500 * 15);
}

/* Returns the only activity of that name. */
static const struct stint_gpu_activity *activity_of(const struct stint_snapshot *snapshot, const char *name)
{
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++)
        if (!strcmp(snapshot->gpu_activities[i].name, name))
            return &snapshot->gpu_activities[i];
    fail_msg("there is no %s", name);
    return NULL;
}

static void copies_of_unified_memory_are_moves(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot = opened("nsys.sql", "UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET copyKind = 12");
    assert_int_equal(activity_of(snapshot, "[CUDA Unified Memory memcpy DtoH]")->kind, STINT_GPU_UNIFIED);
}

/* Copies that the program asked for have an address, too, which is of no interest. */
#define UNIFIED_MEMORY                                                                                                 \
    "ALTER TABLE CUPTI_ACTIVITY_KIND_MEMCPY ADD COLUMN virtualAddress INTEGER;"                                        \
    "UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET virtualAddress = 4096;"                                                     \
    "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, end, deviceId, contextId, streamId, bytes, copyKind, "             \
    "    virtualAddress) VALUES (5000, 7000, 0, 1, 7, 65536, 11, 0x7f0000010000), "                                    \
    "    (8000, 9000, 0, 1, 7, 4096, 11, 0x7f0000000000), (9000, 9500, 0, 1, 7, 8192, 12, 0x7f0000010000);"            \
    "CREATE TABLE CUDA_UM_CPU_PAGE_FAULT_EVENTS (start, globalPid, address, CpuInstruction);"                          \
    "INSERT INTO CUDA_UM_CPU_PAGE_FAULT_EVENTS VALUES (8500, 281554014175232, 0x7f0000010000, 1), "                    \
    "    (9600, 281554014175232, 0x7f0000010000, 1), (9700, 281554014175232, 0x7effffff0000, 1);"                      \
    "CREATE TABLE CUDA_UM_GPU_PAGE_FAULT_EVENTS (start, end, globalPid, deviceId, address, numberOfPageFaults);"       \
    "INSERT INTO CUDA_UM_GPU_PAGE_FAULT_EVENTS VALUES (4000, 4600, 281554014175232, 1, 0x7f0000000000, 13), "          \
    "    (4100, 4700, 281554014175232, 0, 0x7f0000000000, 4)"

/* 73 728 bytes in 2500 ns are 29 491.2 MB/s, and 4096 in 1000 are 4096. */
static void moves_and_faults_of_unified_memory_have_addresses(void **state)
{
    static const char *const reports[] = {"um_sum:csv", "um_total_sum:csv"};
    static const char expected[] =
        "Virtual Address,HtoD Migration size (MB),DtoH Migration size (MB),CPU Page Faults,GPU Page Faults,"
        "Migration Throughput (MB/s)\n"
        "0x7F0000010000,0.066,0.008,2,,29491.200\n"
        "0x7F0000000000,0.004,,,17,4096.000\n"
        "0x7EFFFFFF0000,,,1,,\n"
        "Total HtoD Migration Size (MB),Total DtoH Migration Size (MB),Total CPU Page Faults,Total GPU PageFaults,"
        "Minimum Virtual Address,Maximum Virtual Address\n"
        "0.070,0.008,3,17,0x7EFFFFFF0000,0x7F0000010000\n";
    const struct stint_snapshot *whole = opened("nsys.sql", UNIFIED_MEMORY);
    const struct stint_subset all = {.counts = 1, .trace = 100, .to_ns = UINT64_MAX};
    struct stint_subset_seen seen;
    struct stint_snapshot *traced = stint_subset_take(whole, stint_foreign_events(s_foreign), &all, &seen);
    struct capture out = {0};
    struct stint_layout layout = {0};
    (void)state;
    assert_non_null(traced);
    for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++) {
        struct stint_report_form form;
        assert_int_equal(stint_report_form_read(&form, reports[i], strlen(reports[i])), 0);
        assert_int_equal(stint_report_form_write(traced, &form, &layout, capture_write, &out), STINT_OK);
    }
    assert_string_equal(out.text, expected);
    capture_free(&out);
    stint_snapshot_free(traced);
}

static void copies_of_a_kind_to_come_are_copies(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot = opened("nsys.sql", "UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET copyKind = 77");
    assert_int_equal(activity_of(snapshot, "[CUDA memcpy]")->kind, STINT_GPU_COPY);
}

static void graphs_that_were_kept_whole_are_kernels(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot =
        opened("nsys.sql", "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start, end, deviceId, contextId, streamId, "
                           "correlationId, globalPid, graphId);"
                           "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES "
                           "(1380000, 1480000, 0, 1, 7, 102, 281554014175232, 3)");
    assert_int_equal(activity_of(snapshot, "[CUDA graph]")->kind, STINT_GPU_KERNEL);
    assert_int_equal(charge_of(snapshot, "[CUDA graph]", "train/step/forward")->total_ns, 100000);
}

static void work_that_begins_before_its_launch_is_unattributed(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot =
        opened("nsys.sql", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 1240000 WHERE correlationId = 100");
    assert_int_equal(charge_of(snapshot, "void gemm", "(unattributed)")->count, 1);
}

static void calls_of_the_driver_may_have_a_table_of_their_own(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot =
        opened("nsys.sql", "CREATE TABLE CUPTI_ACTIVITY_KIND_DRIVER (start, end, globalTid, correlationId, nameId);"
                           "INSERT INTO CUPTI_ACTIVITY_KIND_DRIVER VALUES (50000, 50900, 281554014179943, 99, 11)");
    assert_int_equal(stat_of(snapshot, STINT_API_SET, "cuLaunchKernel")->numbers.total_ns, 900);
    assert_int_equal(charge_of(snapshot, "relu", "(no scope)")->count, 2);
}

static void bytes_have_their_extremes(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot =
        opened("nsys.sql", "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, end, deviceId, contextId, streamId, bytes, "
                           "copyKind) VALUES (7, 8, 0, 1, 14, 100, 1), (9, 10, 0, 1, 14, 300, 1)");
    const struct stint_gpu_activity *copies = activity_of(snapshot, "[CUDA memcpy HtoD]");
    assert_int_equal(copies->min_bytes, 100);
    assert_int_equal(copies->max_bytes, 4000000);
    assert_int_equal(copies->bytes, 4000400);
}

static void of_ranges_that_begin_together_the_longer_one_is_outside(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot =
        opened("nsys.sql", "INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) VALUES "
                           "(100, 200, 59, 'inner', 7, 0), (100, 300, 59, 'outer', 7, 0)");
    assert_int_equal(stat_of(snapshot, "NVTX", "outer")->numbers.self_ns, 100);
}

static void tables_and_columns_may_be_missing(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot = opened(
        NULL, "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT); INSERT INTO StringIds VALUES (1, 'k');"
              "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, demangledName);"
              "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (10, 30, 1)");
    assert_int_equal(snapshot->gpu_activity_count, 1);
    assert_string_equal(snapshot->gpu_activities[0].name, "k");
    assert_int_equal(snapshot->gpu_activities[0].numbers.total_ns, 20);
}

/* ----------------------------------------------------------------------------------------------------------- nvprof */

static void a_file_of_nvprof_gives_every_table(void **state)
{
    (void)state;
    write_reports(opened("nvprof.sql", NULL), s_tables, "store_foreign_nvprof.txt");
}

static void a_file_of_nvprof_gives_every_csv(void **state)
{
    (void)state;
    write_reports(opened("nvprof.sql", NULL), s_csv, "store_foreign_nvprof.csv");
}

static void kernels_of_the_runtime_and_of_the_driver_are_charged(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot = opened("nvprof.sql", NULL);
    assert_int_equal(charge_of(snapshot, "axpy", "epoch/batch")->count, 2);
    assert_int_equal(charge_of(snapshot, "dot", "epoch/batch")->count, 1);
    assert_int_equal(charge_of(snapshot, "[CUDA memcpy DtoH]", "epoch")->bytes, 4194304);
}

static void copies_between_devices_name_both(void **state)
{
    (void)state;
    opened("nvprof.sql", "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY2 (copyKind, srcKind, dstKind, bytes, start, end, "
                         "deviceId, contextId, streamId, srcDeviceId, srcContextId, dstDeviceId, dstContextId, "
                         "correlationId);"
                         "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY2 VALUES "
                         "(10, 3, 3, 64, 1500000000000150000, 1500000000000151000, 0, 1, 7, 2, 1, 3, 4, 6)");
    struct stint_event_source *source = stint_foreign_events(s_foreign);
    struct stint_event event;
    int found = 0;
    assert_int_equal(source->begin(source), 0);
    while (source->next(source, &event) == 1)
        if (!strcmp(event.name, "[CUDA memcpy PtoP]")) {
            found++;
            assert_int_equal(event.gpu->peer, 1);
            assert_int_equal(event.gpu->device, 2);
            assert_int_equal(event.gpu->peer_device, 3);
            assert_int_equal(event.gpu->peer_context, 4);
            assert_int_equal(event.gpu->source, STINT_GPU_MEMORY_DEVICE);
        }
    assert_int_equal(found, 1);
}

static void markers_are_paired_by_id(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot = opened("nvprof.sql", NULL);
    assert_int_equal(stat_of(snapshot, "NVTX:solver", "batch")->numbers.total_ns, 50000 + 40000);
    assert_int_equal(stat_of(snapshot, "NVTX", "epoch")->numbers.total_ns, 199000);
    assert_int_equal(stat_of(snapshot, "NVTX start/end", "whole run")->numbers.total_ns, 300000);
    assert_int_equal(stat_of(snapshot, "NVTX marks", "saved")->numbers.count, 1);
}

static void calls_of_unknown_functions_have_their_number(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot = opened("nvprof.sql", NULL);
    assert_int_equal(stat_of(snapshot, STINT_API_SET, "cudaApi_9999")->numbers.count, 1);
    assert_int_equal(stat_of(snapshot, STINT_API_SET, "cuLaunchKernel")->numbers.count, 1);
}

static void all_calls_of_cuda_13_have_names(void **state)
{
    enum { RUNTIME = 522, DRIVER = 806 };
    (void)state;
    for (int64_t number = 1; number <= RUNTIME; number++)
        assert_non_null(strstr(stint_foreign_call_name(0, number), "cuda"));
    for (int64_t number = 1; number <= DRIVER; number++)
        assert_memory_equal(stint_foreign_call_name(1, number), "cu", 2);
    assert_null(stint_foreign_call_name(0, 0));
    assert_null(stint_foreign_call_name(0, -1));
    assert_null(stint_foreign_call_name(0, RUNTIME + 1));
    assert_null(stint_foreign_call_name(1, DRIVER + 1));
    assert_string_equal(stint_foreign_call_name(0, 13), "cudaLaunch");
    assert_string_equal(stint_foreign_call_name(0, 31), "cudaMemcpy");
    assert_string_equal(stint_foreign_call_name(0, RUNTIME), "cudaDeviceGetP2PAtomicCapabilities");
    assert_string_equal(stint_foreign_call_name(1, 243), "cuMemAlloc");
    assert_string_equal(stint_foreign_call_name(1, 307), "cuLaunchKernel");
}

static void versions_of_cuda_are_not_shown_but_those_of_functions(void **state)
{
    char name[64];
    (void)state;
    assert_string_equal(stint_foreign_shown_call("cudaLaunchKernel_v7000", name, sizeof name), "cudaLaunchKernel");
    assert_string_equal(stint_foreign_shown_call("cudaMemcpyAsync_ptsz_v7000", name, sizeof name), "cudaMemcpyAsync");
    assert_string_equal(stint_foreign_shown_call("cudaGraphInstantiate_v12000", name, sizeof name),
                        "cudaGraphInstantiate");
    assert_string_equal(stint_foreign_shown_call("cuMemAlloc_v2", name, sizeof name), "cuMemAlloc_v2");
    assert_string_equal(stint_foreign_shown_call("cuMemcpyHtoD_v2_ptds", name, sizeof name), "cuMemcpyHtoD_v2");
}

static void devices_of_nvprof_are_described(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot = opened("nvprof.sql", NULL);
    assert_string_equal(snapshot->gpu_devices[0].name, "Tesla V100-SXM2-16GB");
    assert_int_equal(snapshot->gpu_devices[0].core_clock_khz, 1530000);
    assert_int_equal(snapshot->gpu_devices[0].memory_bytes_per_s, 898048000000);
}

static void times_count_from_the_first(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot = opened("nvprof.sql", NULL);
    assert_int_equal(snapshot->process.start_unix_ns, 1500000000000000000);
    assert_int_equal(snapshot->process.wall_ns, 300500);
    assert_int_equal(snapshot->process.pid, 815);
}

/* ----------------------------------------------------------------------------------------------------------- events */

static void events_come_by_start_with_contexts_of_the_snapshot(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot = /* with a kernel that begins together with a shorter call */
        opened("nsys.sql", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 4200000 WHERE correlationId = 105");
    struct stint_event_source *source = stint_foreign_events(s_foreign);
    struct stint_event event;
    uint64_t last_ns = 0, last_end_ns = 0, count = 0;
    assert_int_equal(source->begin(source), 0);
    for (; source->next(source, &event) == 1; count++) {
        assert_true(event.start_ns > last_ns || (event.start_ns == last_ns && event.end_ns <= last_end_ns) || !count);
        assert_true(event.end_ns >= event.start_ns);
        last_ns = event.start_ns;
        last_end_ns = event.end_ns;
        if (event.kind == STINT_EVENT_DEVICE && event.gpu->kind == STINT_GPU_COPY)
            assert_int_equal(event.gpu->source, STINT_GPU_MEMORY_PINNED);
        if (event.kind == STINT_EVENT_SCOPE)
            assert_string_equal(snapshot->stats[snapshot->contexts[event.context].stat].name, event.name);
    }
    assert_int_equal(count, 8 + 7 + 5 + 1 + 1 + 1);
}

/* Writes start, end and name of all events. */
static void write_events(struct capture *out, const char *file, const char *statements)
{
    struct stint_event event;
    opened(file, statements);
    struct stint_event_source *source = stint_foreign_events(s_foreign);
    assert_int_equal(source->begin(source), 0);
    while (source->next(source, &event) == 1) {
        char line[256];
        int length = snprintf(line, sizeof line, "%llu %llu %.200s\n", (unsigned long long)event.start_ns,
                              (unsigned long long)event.end_ns, event.name);
        assert_int_equal(capture_write(out, line, (size_t)length), 0);
    }
    (void)close_file(NULL);
}

#define IN_ORDER(table, order)                                                                                         \
    "CREATE TEMP TABLE rows AS SELECT * FROM " table " ORDER BY " order "; DELETE FROM " table ";"                     \
    "INSERT INTO " table " SELECT * FROM rows; DROP TABLE rows;"

/* What is in order is not sorted, also if an index has it in another one. */
static void rows_of_any_order_are_read_by_start(void **state)
{
    static const char *const orders[][3] = {
        {"nsys.sql",
         IN_ORDER("NVTX_EVENTS", "start, end DESC") IN_ORDER("CUPTI_ACTIVITY_KIND_RUNTIME", "start, end DESC"),
         IN_ORDER("NVTX_EVENTS", "start DESC") IN_ORDER("CUPTI_ACTIVITY_KIND_RUNTIME", "end DESC")},
        {"nsys.sql", IN_ORDER("NVTX_EVENTS", "start, end DESC"),
         IN_ORDER("NVTX_EVENTS", "start, end DESC") "CREATE INDEX i ON NVTX_EVENTS (start DESC, end)"},
        {"nvprof.sql", IN_ORDER("CUPTI_ACTIVITY_KIND_MARKER", "timestamp"),
         IN_ORDER("CUPTI_ACTIVITY_KIND_MARKER", "timestamp DESC")},
    };
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(orders); i++) {
        struct capture a = {0}, b = {0};
        write_events(&a, orders[i][0], orders[i][1]);
        write_events(&b, orders[i][0], orders[i][2]);
        assert_true(a.length > 300);
        assert_string_equal(a.text, b.text);
        capture_free(&a);
        capture_free(&b);
    }
}

static void events_can_be_read_again(void **state)
{
    (void)state;
    opened("nvprof.sql", NULL);
    struct stint_event_source *source = stint_foreign_events(s_foreign);
    struct stint_event event;
    int counts[2] = {0};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(source->begin(source), 0);
        while (source->next(source, &event) == 1)
            counts[i] += 1 + (event.context < stint_foreign_snapshot(s_foreign)->context_count);
    }
    assert_int_equal(counts[0], counts[1]);
    assert_true(counts[0] > 20);
}

/* -------------------------------------------------------------------------------------------------------- bad files */

static void a_database_of_something_else_is_refused(void **state)
{
    (void)state;
    assert_refused(foreign_fixture(NULL, "CREATE TABLE people (name TEXT)"), "is not a recording");
}

static void strings_without_a_key_are_refused(void **state)
{
    (void)state;
    assert_refused(foreign_fixture(NULL, "CREATE TABLE StringIds (id INTEGER, value TEXT)"), "StringIds");
}

static void texts_in_place_of_times_are_counted(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot =
        opened("nsys.sql", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 'soon' WHERE correlationId = 105");
    assert_int_equal(snapshot->dropped.gpu_unknown, 1);
    assert_int_equal(charge_of(snapshot, "void gemm", "train/step/forward")->count, 1);
}

static void kernels_that_end_before_they_begin_are_counted(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot =
        opened("nsys.sql", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = start - 1 WHERE correlationId = 105");
    assert_int_equal(snapshot->dropped.gpu_invalid, 1);
}

/* Nsight Systems counts from the start of the recording; CUPTI writes 0 to 0 if it has no times. */
static void work_may_begin_with_the_recording(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot =
        opened("nsys.sql", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 0 WHERE correlationId = 105");
    assert_int_equal(snapshot->dropped.gpu_invalid, 0);
}

static void work_without_times_is_counted_as_lost(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot =
        opened("nsys.sql", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 0, end = 0 WHERE correlationId = 105");
    assert_int_equal(snapshot->dropped.gpu_invalid, 1);
}

static void times_that_cannot_be_are_counted(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot =
        opened("nsys.sql", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = 9223372036854775807 WHERE correlationId = 105;"
                           "UPDATE NVTX_EVENTS SET start = -5 WHERE text = 'train'");
    assert_int_equal(snapshot->dropped.gpu_invalid, 1);
    assert_int_equal(snapshot->dropped.mismatched, 1);
    assert_int_equal(snapshot->process.wall_ns, 10000000);
}

static void ranges_that_end_before_they_begin_have_no_duration(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot = opened("nsys.sql", "UPDATE NVTX_EVENTS SET end = 5 WHERE text = 'forward'");
    assert_int_equal(snapshot->dropped.negative, 1);
    assert_int_equal(stat_of(snapshot, "NVTX", "forward")->numbers.total_ns, 0);
}

static void views_are_no_tables(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot =
        opened("nsys.sql", "DROP TABLE CUPTI_ACTIVITY_KIND_MEMCPY;"
                           "CREATE VIEW CUPTI_ACTIVITY_KIND_MEMCPY AS SELECT * FROM CUPTI_ACTIVITY_KIND_MEMCPY");
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++)
        assert_int_not_equal(snapshot->gpu_activities[i].kind, STINT_GPU_COPY);
}

static void names_that_are_too_long_are_cut_and_counted(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot =
        opened("nsys.sql", "UPDATE StringIds SET value = printf('%.*c', 100000, 'x') WHERE id = 4");
    assert_int_equal(snapshot->dropped.truncated, 1);
    assert_int_equal(strlen(snapshot->gpu_activities[0].name), 4095);
}

static void names_that_are_missing_are_counted(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot = opened(
        "nsys.sql", "DELETE FROM StringIds WHERE id = 4; UPDATE NVTX_EVENTS SET text = '' WHERE text = 'forward'");
    assert_int_equal(snapshot->dropped.gpu_unknown, 2);
    assert_int_equal(snapshot->dropped.unnamed, 1);
}

static void ranges_within_too_many_others_are_counted(void **state)
{
    (void)state;
    const struct stint_snapshot *snapshot =
        opened("nsys.sql", "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 16400) "
                           "INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) "
                           "SELECT 1000 + i, 100000 - i, 59, 'deep', 7, 0 FROM n");
    assert_int_equal(stat_of(snapshot, "NVTX", "deep")->numbers.count, 16384);
    assert_int_equal(snapshot->dropped.nvtx_depth, 16);
}

/* Beginnings and ends of one id multiply. */
static void markers_that_would_take_forever_are_refused(void **state)
{
    (void)state;
    assert_refused(foreign_fixture("nvprof.sql",
                                   "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000) "
                                   "INSERT INTO CUPTI_ACTIVITY_KIND_MARKER "
                                   "SELECT NULL, 2 + i % 2 * 2, 1500000000000000600, 77, 2, x'2F03', 3, 9 FROM n"),
                   "more work");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(an_export_of_nsys_gives_every_table, close_file),
        cmocka_unit_test_teardown(an_export_of_nsys_gives_every_csv, close_file),
        cmocka_unit_test_teardown(kernels_are_charged_to_the_innermost_range_that_launched_them, close_file),
        cmocka_unit_test_teardown(backward_pass_is_charged_to_the_range_that_waits_for_it, close_file),
        cmocka_unit_test_teardown(event_of_a_backward_pass_belongs_to_the_instance_that_waits_for_it, close_file),
        cmocka_unit_test_teardown(work_of_other_threads_is_adopted_as_the_environment_says, close_file),
        cmocka_unit_test_teardown(work_of_a_launch_that_is_not_in_the_file_is_unattributed, close_file),
        cmocka_unit_test_teardown(self_time_is_without_enclosed_ranges_and_calls, close_file),
        cmocka_unit_test_teardown(calls_within_calls_are_no_calls, close_file),
        cmocka_unit_test_teardown(ranges_that_never_end_are_counted_and_end_with_the_recording, close_file),
        cmocka_unit_test_teardown(ranges_and_marks_have_their_sets, close_file),
        cmocka_unit_test_teardown(threads_processes_and_devices_are_described, close_file),
        cmocka_unit_test_teardown(a_process_among_others_is_the_one_with_events, close_file),
        cmocka_unit_test_teardown(several_processes_with_events_have_no_number, close_file),
        cmocka_unit_test_teardown(calls_of_the_c_library_stand_below_the_range_around_them, close_file),
        cmocka_unit_test_teardown(payloads_are_added_up, close_file),
        cmocka_unit_test_teardown(colors_and_categories_are_read, close_file),
        cmocka_unit_test_teardown(texts_that_carry_data_are_counted_by_their_name, close_file),
        cmocka_unit_test_teardown(ranges_of_two_domains_may_overlap, close_file),
        cmocka_unit_test_teardown(ranges_that_overlap_in_turn_do_not_stand_ever_deeper, close_file),
        cmocka_unit_test_teardown(copies_of_unified_memory_are_moves, close_file),
        cmocka_unit_test_teardown(moves_and_faults_of_unified_memory_have_addresses, close_file),
        cmocka_unit_test_teardown(copies_of_a_kind_to_come_are_copies, close_file),
        cmocka_unit_test_teardown(graphs_that_were_kept_whole_are_kernels, close_file),
        cmocka_unit_test_teardown(work_that_begins_before_its_launch_is_unattributed, close_file),
        cmocka_unit_test_teardown(calls_of_the_driver_may_have_a_table_of_their_own, close_file),
        cmocka_unit_test_teardown(bytes_have_their_extremes, close_file),
        cmocka_unit_test_teardown(of_ranges_that_begin_together_the_longer_one_is_outside, close_file),
        cmocka_unit_test_teardown(tables_and_columns_may_be_missing, close_file),
        cmocka_unit_test_teardown(a_file_of_nvprof_gives_every_table, close_file),
        cmocka_unit_test_teardown(a_file_of_nvprof_gives_every_csv, close_file),
        cmocka_unit_test_teardown(kernels_of_the_runtime_and_of_the_driver_are_charged, close_file),
        cmocka_unit_test_teardown(copies_between_devices_name_both, close_file),
        cmocka_unit_test_teardown(markers_are_paired_by_id, close_file),
        cmocka_unit_test_teardown(calls_of_unknown_functions_have_their_number, close_file),
        cmocka_unit_test(all_calls_of_cuda_13_have_names),
        cmocka_unit_test(versions_of_cuda_are_not_shown_but_those_of_functions),
        cmocka_unit_test_teardown(devices_of_nvprof_are_described, close_file),
        cmocka_unit_test_teardown(times_count_from_the_first, close_file),
        cmocka_unit_test_teardown(events_come_by_start_with_contexts_of_the_snapshot, close_file),
        cmocka_unit_test_teardown(rows_of_any_order_are_read_by_start, close_file),
        cmocka_unit_test_teardown(events_can_be_read_again, close_file),
        cmocka_unit_test_teardown(a_database_of_something_else_is_refused, close_file),
        cmocka_unit_test_teardown(strings_without_a_key_are_refused, close_file),
        cmocka_unit_test_teardown(texts_in_place_of_times_are_counted, close_file),
        cmocka_unit_test_teardown(kernels_that_end_before_they_begin_are_counted, close_file),
        cmocka_unit_test_teardown(work_may_begin_with_the_recording, close_file),
        cmocka_unit_test_teardown(work_without_times_is_counted_as_lost, close_file),
        cmocka_unit_test_teardown(times_that_cannot_be_are_counted, close_file),
        cmocka_unit_test_teardown(ranges_that_end_before_they_begin_have_no_duration, close_file),
        cmocka_unit_test_teardown(views_are_no_tables, close_file),
        cmocka_unit_test_teardown(names_that_are_too_long_are_cut_and_counted, close_file),
        cmocka_unit_test_teardown(names_that_are_missing_are_counted, close_file),
        cmocka_unit_test_teardown(ranges_within_too_many_others_are_counted, close_file),
        cmocka_unit_test_teardown(markers_that_would_take_forever_are_refused, close_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
