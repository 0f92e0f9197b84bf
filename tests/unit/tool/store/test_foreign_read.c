#include <string.h>

#include "foreign_fixture.h"
#include "replay/replay.h"
#include "report/golden.h"
#include "report/report.h"
#include "stint_test.h"

TEST_EACH(NULL, foreign_close)

TEST(copies_of_unified_memory_are_moves)
{
    const struct stint_snapshot *snapshot =
        foreign_open("nsys.sql", "UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET copyKind = 12");
    assert_int_equal(foreign_activity(snapshot, "[CUDA Unified Memory memcpy DtoH]")->kind, STINT_GPU_UNIFIED);
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
TEST(moves_and_faults_of_unified_memory_have_addresses)
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
    const struct stint_snapshot *whole = foreign_open("nsys.sql", UNIFIED_MEMORY);
    const struct stint_subset all = {.counts = 1, .trace = 100, .to_ns = UINT64_MAX};
    uint64_t kept;
    struct stint_snapshot *traced = stint_subset_take(whole, stint_foreign_events(foreign_opened), &all, &kept);
    struct capture out = {0};
    struct stint_layout layout = {0};
    assert_non_null(traced);
    for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++) {
        struct stint_report_form form;
        assert_int_equal(stint_report_form_read(&form, reports[i], strlen(reports[i])), 0);
        assert_int_equal(stint_report_form_write(traced, &form, &layout, capture_write, &out), STINT_OK);
    }
    assert_string_equal(out.text, expected);
    stint_snapshot_free(traced);
}

TEST(copies_of_a_kind_to_come_are_copies)
{
    const struct stint_snapshot *snapshot =
        foreign_open("nsys.sql", "UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET copyKind = 77");
    assert_int_equal(foreign_activity(snapshot, "[CUDA memcpy]")->kind, STINT_GPU_COPY);
}

TEST(copies_between_devices_name_both)
{
    foreign_open("nvprof.sql",
                 "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY2 (copyKind, srcKind, dstKind, bytes, start, end, "
                 "deviceId, contextId, streamId, srcDeviceId, srcContextId, dstDeviceId, dstContextId, "
                 "correlationId);"
                 "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY2 VALUES "
                 "(10, 3, 3, 64, 1500000000000150000, 1500000000000151000, 0, 1, 7, 2, 1, 3, 4, 6)");
    struct stint_event_source *source = stint_foreign_events(foreign_opened);
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

TEST(bytes_have_their_extremes)
{
    const struct stint_snapshot *snapshot = foreign_open(
        "nsys.sql", "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, end, deviceId, contextId, streamId, bytes, "
                    "copyKind) VALUES (7, 8, 0, 1, 14, 100, 1), (9, 10, 0, 1, 14, 300, 1)");
    const struct stint_gpu_activity *copies = foreign_activity(snapshot, "[CUDA memcpy HtoD]");
    assert_int_equal(copies->min_bytes, 100);
    assert_int_equal(copies->max_bytes, 4000000);
    assert_int_equal(copies->bytes, 4000400);
}
