/* Ranges and work in the scopes that they belong to. */

#include <stdlib.h>
#include <string.h>

#include "foreign_fixture.h"
#include "replay/replay.h"
#include "stint_test.h"
#include "store/store.h"

TEST_EACH(NULL, foreign_close)

TEST(kernels_are_charged_to_the_innermost_range_that_launched_them)
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

TEST(backward_pass_is_charged_to_the_range_that_waits_for_it)
{
    const struct stint_snapshot *snapshot = foreign_open("nsys.sql", HELPER_NAMED("pt_autograd_0"));
    assert_int_equal(foreign_charge(snapshot, "conv", "train/step/(other threads)")->total_ns, 100);
    assert_int_equal(foreign_charge(snapshot, "conv", "train/step/(other threads)/ConvolutionBackward0")->total_ns, 20);
    assert_int_equal(foreign_stat(snapshot, "NVTX", "step")->gpu.kernels, 3 + 2);
    assert_int_equal(foreign_stat(snapshot, "NVTX", "ConvolutionBackward0")->numbers.total_ns, 100000);
    assert_int_equal(foreign_stat(snapshot, "NVTX", "step")->numbers.total_ns, 2900000 + 3900000);

    struct stint_event_source *source = stint_foreign_events(foreign_opened);
    struct stint_event event;
    size_t adopted = 0;
    assert_int_equal(source->begin(source), 0);
    while (source->next(source, &event) > 0)
        adopted += event.kind == STINT_EVENT_DEVICE &&
                   strstr(foreign_path(snapshot, event.context), "/(other threads)") != NULL;
    assert_int_equal(adopted, 2);
}

TEST(event_of_a_backward_pass_belongs_to_the_instance_that_waits_for_it)
{
    const struct stint_snapshot *whole = foreign_open("nsys.sql", HELPER_NAMED("pt_autograd_0"));
    const struct stint_subset all = {.counts = 1, .trace = 100, .to_ns = UINT64_MAX};
    uint64_t kept;
    struct stint_snapshot *part = stint_subset_take(whole, stint_foreign_events(foreign_opened), &all, &kept);
    size_t adopted = 0;
    assert_non_null(part);
    for (size_t i = 0; i < part->gpu_event_count; i++) {
        const struct stint_gpu_event *event = &part->gpu_events[i];
        if (event->api || strcmp(foreign_path(part, event->context), "train/step/(other threads)") != 0)
            continue;
        assert_string_equal(foreign_path(part, part->gpu_instances[event->instance].context), "train/step");
        adopted++;
    }
    assert_int_equal(adopted, 1);
    stint_snapshot_free(part);
}

TEST(work_of_other_threads_is_adopted_as_the_environment_says)
{
    foreign_charge(foreign_open("nsys.sql", HELPER_NAMED("worker")), "conv", "(no scope)");
    foreign_close(NULL);
    setenv("STINT_ADOPT", "off", 1);
    foreign_charge(foreign_open("nsys.sql", HELPER_NAMED("pt_autograd_0")), "conv", "(no scope)");
    foreign_close(NULL);
    setenv("STINT_ADOPT", "main", 1);
    foreign_charge(foreign_open("nsys.sql", HELPER_NAMED("worker")), "conv", "train/step/(other threads)");
    foreign_charge(stint_foreign_snapshot(foreign_opened), "conv", "ConvolutionBackward0");
    foreign_close(NULL);
    setenv("STINT_ADOPT", "all", 1);
    foreign_charge(foreign_open("nsys.sql", HELPER_NAMED("worker")), "conv",
                   "train/step/(other threads)/ConvolutionBackward0");
    unsetenv("STINT_ADOPT");
}

TEST(self_time_is_without_enclosed_ranges_and_calls)
{
    const struct stint_snapshot *snapshot = foreign_open("nsys.sql", NULL);
    const struct stint_stat *step = foreign_stat(snapshot, "NVTX", "step");
    assert_int_equal(step->numbers.count, 2);
    assert_int_equal(step->numbers.total_ns, 2900000 + 3900000);
    /* less forward, cudaDeviceSynchronize, and the launch in the second step */
    assert_int_equal(step->numbers.self_ns, 6800000 - 500000 - 400000 - 10000);
}

TEST(ranges_of_two_domains_may_overlap)
{
    const struct stint_snapshot *snapshot =
        foreign_open("nsys.sql", "INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) VALUES "
                                 "(100, 300, 59, 'a', 7, 0), (200, 450, 59, 'b', 7, 1), (400, 500, 59, 'c', 7, 0)");
    assert_int_equal(foreign_stat(snapshot, "NVTX", "a")->numbers.self_ns, 100);
    assert_int_equal(foreign_stat(snapshot, "NVTX", "b")->numbers.self_ns, 200);
    assert_int_equal(foreign_stat(snapshot, "NVTX", "c")->numbers.self_ns, 100);
    assert_int_equal(foreign_stat(snapshot, "NVTX", "c")->numbers.total_ns, 100);
}

TEST(ranges_that_overlap_in_turn_do_not_stand_ever_deeper)
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

TEST(ranges_within_too_many_others_are_counted)
{
    const struct stint_snapshot *snapshot =
        foreign_open("nsys.sql", "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 16400) "
                                 "INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) "
                                 "SELECT 1000 + i, 100000 - i, 59, 'deep', 7, 0 FROM n");
    assert_int_equal(foreign_stat(snapshot, "NVTX", "deep")->numbers.count, 16384);
    assert_int_equal(snapshot->dropped.nvtx_depth, 16);
}
