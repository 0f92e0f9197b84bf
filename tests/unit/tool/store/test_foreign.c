#include "store/store.h"

#include <stdlib.h>
#include <string.h>

#include "foreign_fixture.h"
#include "replay/replay.h"
#include "stint_test.h"

static void kernels_are_charged_to_the_innermost_range_that_launched_them(void **state)
{
    const struct stint_snapshot *snapshot = foreign_open("nsys.sql", NULL);
    assert_int_equal(foreign_charge(snapshot, "void gemm", "train/step/forward")->total_ns, 500000);
    assert_int_equal(foreign_charge(snapshot, "void gemm", "train/step")->total_ns, 600000);
    assert_int_equal(foreign_charge(snapshot, "[CUDA memcpy HtoD]", "read_csv")->bytes, 4000000);
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
    const struct stint_snapshot *snapshot = foreign_open("nsys.sql", HELPER_NAMED("pt_autograd_0"));
    assert_int_equal(foreign_charge(snapshot, "conv", "train/step/(adopted)")->total_ns, 100);
    assert_int_equal(foreign_charge(snapshot, "conv", "train/step/(adopted)/ConvolutionBackward0")->total_ns, 20);
    assert_int_equal(foreign_stat(snapshot, "NVTX", "step")->gpu.kernels, 3 + 2);
    assert_int_equal(foreign_stat(snapshot, "NVTX", "ConvolutionBackward0")->numbers.total_ns, 100000);
    assert_int_equal(foreign_stat(snapshot, "NVTX", "step")->numbers.total_ns, 2900000 + 3900000);

    struct stint_event_source *source = stint_foreign_events(foreign_opened);
    struct stint_event event;
    size_t adopted = 0;
    assert_int_equal(source->begin(source), 0);
    while (source->next(source, &event) > 0)
        adopted +=
            event.kind == STINT_EVENT_DEVICE && strstr(foreign_path(snapshot, event.context), "/(adopted)") != NULL;
    assert_int_equal(adopted, 2);
}

static void event_of_a_backward_pass_belongs_to_the_instance_that_waits_for_it(void **state)
{
    const struct stint_snapshot *whole = foreign_open("nsys.sql", HELPER_NAMED("pt_autograd_0"));
    const struct stint_subset all = {.counts = 1, .trace = 100, .to_ns = UINT64_MAX};
    struct stint_subset_seen seen;
    struct stint_snapshot *part = stint_subset_take(whole, stint_foreign_events(foreign_opened), &all, &seen);
    size_t adopted = 0;
    assert_non_null(part);
    for (size_t i = 0; i < part->gpu_event_count; i++) {
        const struct stint_gpu_event *event = &part->gpu_events[i];
        if (event->api || strcmp(foreign_path(part, event->context), "train/step/(adopted)") != 0)
            continue;
        assert_string_equal(foreign_path(part, part->gpu_instances[event->instance].context), "train/step");
        adopted++;
    }
    assert_int_equal(adopted, 1);
    stint_snapshot_free(part);
}

static void work_of_other_threads_is_adopted_as_the_environment_says(void **state)
{
    foreign_charge(foreign_open("nsys.sql", HELPER_NAMED("worker")), "conv", "(no scope)");
    foreign_close(NULL);
    setenv("STINT_ADOPT", "off", 1);
    foreign_charge(foreign_open("nsys.sql", HELPER_NAMED("pt_autograd_0")), "conv", "(no scope)");
    foreign_close(NULL);
    setenv("STINT_ADOPT", "main", 1);
    foreign_charge(foreign_open("nsys.sql", HELPER_NAMED("worker")), "conv", "train/step/(adopted)");
    foreign_charge(stint_foreign_snapshot(foreign_opened), "conv", "ConvolutionBackward0");
    foreign_close(NULL);
    setenv("STINT_ADOPT", "all", 1);
    foreign_charge(foreign_open("nsys.sql", HELPER_NAMED("worker")), "conv",
                   "train/step/(adopted)/ConvolutionBackward0");
    unsetenv("STINT_ADOPT");
}

static void work_of_a_launch_that_is_not_in_the_file_is_unattributed(void **state)
{
    const struct stint_snapshot *snapshot = foreign_open("nsys.sql", NULL);
    assert_int_equal(foreign_charge(snapshot, "relu", "(unattributed)")->total_ns, 30000);
    assert_int_equal(foreign_charge(snapshot, "relu", "(no scope)")->total_ns, 10000);
}

static void self_time_is_without_enclosed_ranges_and_calls(void **state)
{
    const struct stint_snapshot *snapshot = foreign_open("nsys.sql", NULL);
    const struct stint_stat *step = foreign_stat(snapshot, "NVTX", "step");
    assert_int_equal(step->numbers.count, 2);
    assert_int_equal(step->numbers.total_ns, 2900000 + 3900000);
    /* less forward, cudaDeviceSynchronize, and the launch in the second step */
    assert_int_equal(step->numbers.self_ns, 6800000 - 500000 - 400000 - 10000);
}

static void ranges_that_never_end_are_counted_and_end_with_the_recording(void **state)
{
    const struct stint_snapshot *snapshot = foreign_open("nsys.sql", NULL);
    assert_int_equal(snapshot->dropped.abandoned, 1);
    assert_int_equal(foreign_stat(snapshot, "NVTX", "never ends")->numbers.total_ns, 9610000 - 8500000);
}

static void several_processes_with_events_have_no_number(void **state)
{
    const struct stint_snapshot *snapshot =
        foreign_open("nsys.sql", "INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) "
                                 "VALUES (900, 990, 59, 'other', (4712 << 24) + 5, 0)");
    assert_int_equal(snapshot->process.pid, 0);
    assert_int_equal(snapshot->threads[2].pid, 4712);
}

static void payloads_are_added_up(void **state)
{
    const struct stint_snapshot *snapshot = foreign_open("nsys.sql", NULL);
    assert_int_equal(snapshot->nvtx_value_count, 1);
    assert_string_equal(snapshot->nvtx_values[0].name, "step");
    assert_true(snapshot->nvtx_values[0].sum == 96);
}

static void ranges_of_two_domains_may_overlap(void **state)
{
    const struct stint_snapshot *snapshot =
        foreign_open("nsys.sql", "INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) VALUES "
                                 "(100, 300, 59, 'a', 7, 0), (200, 450, 59, 'b', 7, 1), (400, 500, 59, 'c', 7, 0)");
    assert_int_equal(foreign_stat(snapshot, "NVTX", "a")->numbers.self_ns, 100);
    assert_int_equal(foreign_stat(snapshot, "NVTX", "b")->numbers.self_ns, 200);
    assert_int_equal(foreign_stat(snapshot, "NVTX", "c")->numbers.self_ns, 100);
    assert_int_equal(foreign_stat(snapshot, "NVTX", "c")->numbers.total_ns, 100);
}

static void ranges_that_overlap_in_turn_do_not_stand_ever_deeper(void **state)
{
    const struct stint_snapshot *snapshot =
        foreign_open("nsys.sql", "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999) "
                                 "INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) "
                                 "SELECT i * 10, i * 10 + 15, 59, iif(i % 2, 'odd', 'even'), 7, i % 2 FROM n");
    size_t contexts = 0;
    for (size_t i = 0; i < snapshot->context_count; i++) {
        const char *name = snapshot->stats[snapshot->contexts[i].stat].name;
        contexts += !strcmp(name, "odd") || !strcmp(name, "even");
    }
    assert_int_equal(contexts, 4); /* even, odd in even, odd, even in odd */
    assert_int_equal(foreign_stat(snapshot, "NVTX", "even")->numbers.count, 500);
    assert_int_equal(foreign_stat(snapshot, "NVTX", "even")->numbers.total_ns, 500 * 15);
}

static void work_that_begins_before_its_launch_is_unattributed(void **state)
{
    const struct stint_snapshot *snapshot =
        foreign_open("nsys.sql", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 1240000 WHERE correlationId = 100");
    assert_int_equal(foreign_charge(snapshot, "void gemm", "(unattributed)")->count, 1);
}

static void events_come_by_start_with_contexts_of_the_snapshot(void **state)
{
    const struct stint_snapshot *snapshot = /* with a kernel that begins together with a shorter call */
        foreign_open("nsys.sql", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 4200000 WHERE correlationId = 105");
    struct stint_event_source *source = stint_foreign_events(foreign_opened);
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

static void a_database_of_something_else_is_refused(void **state)
{
    foreign_assert_refused(foreign_fixture(NULL, "CREATE TABLE people (name TEXT)"), "is not a recording");
}

static void kernels_that_end_before_they_begin_are_counted(void **state)
{
    const struct stint_snapshot *snapshot =
        foreign_open("nsys.sql", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = start - 1 WHERE correlationId = 105");
    assert_int_equal(snapshot->dropped.gpu_invalid, 1);
}

/* Nsight Systems counts from the start of the recording; CUPTI writes 0 to 0 if it has no times. */
static void work_may_begin_with_the_recording(void **state)
{
    const struct stint_snapshot *snapshot =
        foreign_open("nsys.sql", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 0 WHERE correlationId = 105");
    assert_int_equal(snapshot->dropped.gpu_invalid, 0);
}

static void work_without_times_is_counted_as_lost(void **state)
{
    const struct stint_snapshot *snapshot =
        foreign_open("nsys.sql", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 0, end = 0 WHERE correlationId = 105");
    assert_int_equal(snapshot->dropped.gpu_invalid, 1);
}

static void times_that_cannot_be_are_counted(void **state)
{
    const struct stint_snapshot *snapshot = foreign_open(
        "nsys.sql", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = 9223372036854775807 WHERE correlationId = 105;"
                    "UPDATE NVTX_EVENTS SET start = -5 WHERE text = 'train'");
    assert_int_equal(snapshot->dropped.gpu_invalid, 1);
    assert_int_equal(snapshot->dropped.mismatched, 1);
    assert_int_equal(snapshot->process.wall_ns, 10000000);
}

static void ranges_that_end_before_they_begin_have_no_duration(void **state)
{
    const struct stint_snapshot *snapshot =
        foreign_open("nsys.sql", "UPDATE NVTX_EVENTS SET end = 5 WHERE text = 'forward'");
    assert_int_equal(snapshot->dropped.negative, 1);
    assert_int_equal(foreign_stat(snapshot, "NVTX", "forward")->numbers.total_ns, 0);
}

static void ranges_within_too_many_others_are_counted(void **state)
{
    const struct stint_snapshot *snapshot =
        foreign_open("nsys.sql", "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 16400) "
                                 "INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) "
                                 "SELECT 1000 + i, 100000 - i, 59, 'deep', 7, 0 FROM n");
    assert_int_equal(foreign_stat(snapshot, "NVTX", "deep")->numbers.count, 16384);
    assert_int_equal(snapshot->dropped.nvtx_depth, 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(kernels_are_charged_to_the_innermost_range_that_launched_them, foreign_close),
        cmocka_unit_test_teardown(backward_pass_is_charged_to_the_range_that_waits_for_it, foreign_close),
        cmocka_unit_test_teardown(event_of_a_backward_pass_belongs_to_the_instance_that_waits_for_it, foreign_close),
        cmocka_unit_test_teardown(work_of_other_threads_is_adopted_as_the_environment_says, foreign_close),
        cmocka_unit_test_teardown(work_of_a_launch_that_is_not_in_the_file_is_unattributed, foreign_close),
        cmocka_unit_test_teardown(self_time_is_without_enclosed_ranges_and_calls, foreign_close),
        cmocka_unit_test_teardown(ranges_that_never_end_are_counted_and_end_with_the_recording, foreign_close),
        cmocka_unit_test_teardown(several_processes_with_events_have_no_number, foreign_close),
        cmocka_unit_test_teardown(payloads_are_added_up, foreign_close),
        cmocka_unit_test_teardown(ranges_of_two_domains_may_overlap, foreign_close),
        cmocka_unit_test_teardown(ranges_that_overlap_in_turn_do_not_stand_ever_deeper, foreign_close),
        cmocka_unit_test_teardown(work_that_begins_before_its_launch_is_unattributed, foreign_close),
        cmocka_unit_test_teardown(events_come_by_start_with_contexts_of_the_snapshot, foreign_close),
        cmocka_unit_test_teardown(a_database_of_something_else_is_refused, foreign_close),
        cmocka_unit_test_teardown(kernels_that_end_before_they_begin_are_counted, foreign_close),
        cmocka_unit_test_teardown(work_may_begin_with_the_recording, foreign_close),
        cmocka_unit_test_teardown(work_without_times_is_counted_as_lost, foreign_close),
        cmocka_unit_test_teardown(times_that_cannot_be_are_counted, foreign_close),
        cmocka_unit_test_teardown(ranges_that_end_before_they_begin_have_no_duration, foreign_close),
        cmocka_unit_test_teardown(ranges_within_too_many_others_are_counted, foreign_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
