#include <string.h>

#include "foreign_fixture.h"
#include "stint_test.h"

TEST_EACH(NULL, foreign_close)

TEST(a_file_of_nvprof_gives_every_table)
{
    foreign_assert_reports("nvprof.sql", 0, "store_foreign_nvprof.txt");
}

TEST(a_file_of_nvprof_gives_every_csv)
{
    foreign_assert_reports("nvprof.sql", 1, "store_foreign_nvprof.csv");
}

TEST(kernels_of_the_runtime_and_of_the_driver_are_charged)
{
    const struct stint_snapshot *snapshot = foreign_open("nvprof.sql", NULL);
    assert_int_equal(foreign_charge(snapshot, "axpy", "epoch/batch")->count, 2);
    assert_int_equal(foreign_charge(snapshot, "dot", "epoch/batch")->count, 1);
    assert_int_equal(foreign_charge(snapshot, "[CUDA memcpy DtoH]", "epoch")->bytes, 4194304);
}

TEST(markers_are_paired_by_id)
{
    const struct stint_snapshot *snapshot = foreign_open("nvprof.sql", NULL);
    assert_int_equal(foreign_stat(snapshot, "NVTX:solver", "batch")->numbers.total_ns, 50000 + 40000);
    assert_int_equal(foreign_stat(snapshot, "NVTX", "epoch")->numbers.total_ns, 199000);
    assert_int_equal(foreign_stat(snapshot, "NVTX start/end", "whole run")->numbers.total_ns, 300000);
    assert_int_equal(foreign_stat(snapshot, "NVTX marks", "saved")->numbers.count, 1);
}

TEST(devices_of_nvprof_are_described)
{
    const struct stint_snapshot *snapshot = foreign_open("nvprof.sql", NULL);
    assert_string_equal(snapshot->gpu_devices[0].name, "Tesla V100-SXM2-16GB");
    assert_int_equal(snapshot->gpu_devices[0].core_clock_khz, 1530000);
    assert_int_equal(snapshot->gpu_devices[0].memory_bytes_per_s, 898048000000);
}

/* CUPTI writes 0 for a time that it does not know. */
TEST(a_range_whose_end_is_0_has_not_ended)
{
    const struct stint_snapshot *snapshot =
        foreign_open("nvprof.sql", "UPDATE CUPTI_ACTIVITY_KIND_MARKER SET timestamp = 0 WHERE flags & 4 AND id = "
                                   "(SELECT id FROM CUPTI_ACTIVITY_KIND_MARKER m JOIN StringTable s ON s._id_ = m.name "
                                   "WHERE value = 'epoch')");
    assert_int_equal(snapshot->dropped.abandoned, 1);
    assert_int_equal(snapshot->dropped.negative, 0);
    assert_int_equal(foreign_stat(snapshot, "NVTX", "epoch")->numbers.running, 1);
    assert_true(foreign_stat(snapshot, "NVTX", "epoch")->numbers.running_ns > 199000);
}

TEST(times_count_from_the_first)
{
    const struct stint_snapshot *snapshot = foreign_open("nvprof.sql", NULL);
    assert_int_equal(snapshot->process.start_unix_ns, 1500000000000000000);
    assert_int_equal(snapshot->process.wall_ns, 300500);
    assert_int_equal(snapshot->process.pid, 815);
}

/* Each beginning has one end at most: the next of its id. */
TEST(markers_of_one_id_do_not_multiply)
{
    const struct stint_snapshot *snapshot =
        foreign_open("nvprof.sql", "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000) "
                                   "INSERT INTO CUPTI_ACTIVITY_KIND_MARKER SELECT NULL, 4 - i % 2 * 2, "
                                   "1500000000000000600 + i, 77, 2, x'2F03', 3, 9 FROM n");
    uint64_t ranges = 0;
    for (size_t i = 0; i < snapshot->stat_count; i++)
        if (strncmp(snapshot->stats[i].set, "NVTX", 4) == 0)
            ranges += snapshot->stats[i].numbers.count;
    assert_int_equal(ranges, 5 + 15000);
}
