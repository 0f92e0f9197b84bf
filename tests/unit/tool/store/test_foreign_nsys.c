#include "store/foreign_dialect.h"

#include <string.h>

#include "foreign_fixture.h"
#include "stint_test.h"

TEST_EACH(NULL, foreign_close)

TEST(ranges_of_unknown_kinds_are_told)
{
    (void)foreign_open("nsys.sql", "INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) VALUES "
                                   "(900, 990, 39, 'thread', 5, 0), (900, 990, 99, 'of tomorrow', 5, 0)");
    assert_string_equal(stint_foreign_left_out(foreign_opened), "1 of unknown kinds of ranges");
}

TEST(an_export_of_nsys_gives_every_table)
{
    foreign_assert_reports("nsys.sql", 0, "store_foreign_nsys.txt");
}

TEST(an_export_of_nsys_gives_every_csv)
{
    foreign_assert_reports("nsys.sql", 1, "store_foreign_nsys.csv");
}

TEST(calls_within_calls_are_no_calls)
{
    const struct stint_snapshot *snapshot = foreign_open("nsys.sql", NULL);
    assert_null(stint_snapshot_find(snapshot, STINT_API_SET, "cuLaunchKernel"));
    assert_int_equal(foreign_stat(snapshot, STINT_API_SET, "cudaLaunchKernel")->numbers.count, 4);
}

TEST(ranges_and_marks_have_their_sets)
{
    const struct stint_snapshot *snapshot = foreign_open("nsys.sql", NULL);
    assert_int_equal(foreign_stat(snapshot, "NVTX:cuDF", "read_csv")->numbers.total_ns, 3000000);
    assert_int_equal(foreign_stat(snapshot, "NVTX start/end", "epoch")->numbers.total_ns, 4500000);
    assert_int_equal(foreign_stat(snapshot, "NVTX marks", "checkpoint")->numbers.count, 1);
}

TEST(threads_processes_and_devices_are_described)
{
    const struct stint_snapshot *snapshot = foreign_open("nsys.sql", NULL);
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

TEST(a_process_among_others_is_the_one_with_events)
{
    const struct stint_snapshot *snapshot =
        foreign_open("nsys.sql", "INSERT INTO PROCESSES (rowid, globalPid, pid, name) VALUES (0, 1, 1, 'init')");
    assert_int_equal(snapshot->process.pid, 4711);
    assert_string_equal(snapshot->process.command, "./train");
}

TEST(calls_of_the_c_library_stand_below_the_range_around_them)
{
    const struct stint_snapshot *snapshot = foreign_open(
        "nsys.sql", "CREATE TABLE OSRT_API (start INTEGER NOT NULL, end INTEGER, eventClass INTEGER, "
                    "globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER, "
                    "nestingLevel INTEGER, callchainId INTEGER); "
                    "INSERT INTO StringIds VALUES (800, 'poll'); "
                    "INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) "
                    "VALUES (9000, 9900, 59, 'around', (4711 << 24) + 9, 0); "
                    "INSERT INTO OSRT_API VALUES (9100, 9400, 27, (4711 << 24) + 9, 0, 800, 0, 0, 0), "
                    "(9950, 9960, 27, (4711 << 24) + 9, 0, 800, 0, 0, 0), "
                    "(9990, NULL, 27, (4711 << 24) + 9, 0, 800, 0, 0, 0), "
                    "(9970, 9980, 27, (4711 << 24) + 9, 0, 12345, 0, 0, 0)");
    assert_int_equal(foreign_stat(snapshot, STINT_OS_SET, "poll")->numbers.count, 2);
    assert_int_equal(foreign_stat(snapshot, STINT_OS_SET, "poll")->numbers.total_ns, 310);
    assert_int_equal(foreign_stat(snapshot, STINT_OS_SET, "poll")->numbers.running, 1);
    assert_int_equal(foreign_stat(snapshot, "NVTX", "around")->numbers.self_ns, 600);
    assert_int_equal(snapshot->dropped.unnamed, 1);
}

/* Domains nest by themselves only. Each moment is the self time of one range: of the one that began last. */
TEST(colors_and_categories_are_read)
{
    const struct stint_snapshot *snapshot = foreign_open(
        "nsys.sql", "UPDATE NVTX_EVENTS SET color = 4278255360, category = 3 WHERE text = 'read_csv';"
                    "INSERT INTO NVTX_EVENTS (start, eventType, text, globalTid, domainId, category) VALUES "
                    "(0, 33, 'disk', 281554014175232 + 4711, 1, 3), (0, 33, 'net', 281554014175232, 0, 4)");
    struct stint_event_source *source = stint_foreign_events(foreign_opened);
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

TEST(graphs_that_were_kept_whole_are_kernels)
{
    const struct stint_snapshot *snapshot = foreign_open(
        "nsys.sql", "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start, end, deviceId, contextId, streamId, "
                    "correlationId, globalPid, graphId);"
                    "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES "
                    "(1380000, 1480000, 0, 1, 7, 102, 281554014175232, 3)");
    assert_int_equal(foreign_activity(snapshot, "[CUDA graph]")->kind, STINT_GPU_KERNEL);
    assert_int_equal(foreign_charge(snapshot, "[CUDA graph]", "train/step/forward")->total_ns, 100000);
}

TEST(calls_of_the_driver_may_have_a_table_of_their_own)
{
    const struct stint_snapshot *snapshot = foreign_open(
        "nsys.sql", "CREATE TABLE CUPTI_ACTIVITY_KIND_DRIVER (start, end, globalTid, correlationId, nameId);"
                    "INSERT INTO CUPTI_ACTIVITY_KIND_DRIVER VALUES (50000, 50900, 281554014179943, 99, 11)");
    assert_int_equal(foreign_stat(snapshot, STINT_API_SET, "cuLaunchKernel")->numbers.total_ns, 900);
    assert_int_equal(foreign_charge(snapshot, "relu", "(no scope)")->count, 2);
}
