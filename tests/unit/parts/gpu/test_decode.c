/* Records as CUPTI writes them, of several versions, and what the ledger is told of them. What lies behind the end of
 * an older version's record is garbage here. */
#include "gpu/collector.h"

#include <string.h>

#include "gpu/activity_table.h"
#include "stint_test.h"

enum { V10_2 = 12, V11_0 = 13, V11_1 = 14, V11_2 = 15, V11_4 = 15, V11_5 = 16, V12_0 = 19, V12_2 = 20, V13_0 = 130001 };

static struct {
    int activities;
    int devices;
    int unknown;
    struct stint_activity activity;
    struct stint_gpu_device device;
} s_told;

void __wrap_stint_ledger_add(const struct stint_activity *activity)
{
    ++s_told.activities;
    s_told.activity = *activity;
}

void __wrap_stint_ledger_device(const struct stint_gpu_device *device);
void __wrap_stint_ledger_device(const struct stint_gpu_device *device)
{
    ++s_told.devices;
    s_told.device = *device;
}

void __wrap_stint_ledger_count_unknown(void);
void __wrap_stint_ledger_count_unknown(void)
{
    ++s_told.unknown;
}

/* Decodes the first `length` bytes of a record. */
static int decode(uint32_t version, const void *record, size_t length)
{
    union {
        uint64_t alignment;
        unsigned char bytes[512];
        struct stint_cupti_record record;
    } memory;

    memset(memory.bytes, 0xA5, sizeof memory.bytes);
    memcpy(memory.bytes, record, length);
    memset(&s_told, 0, sizeof s_told);
    stint_decode_start(version);
    return stint_decode(&memory.record);
}

#define DECODE(version, record) decode((version), &(record), sizeof(record))

static int told_once(int count)
{
    return count == 1 && s_told.activities + s_told.devices == 1 && !s_told.unknown;
}

/* ---------------------------------------------------------------------------------------------------------- kernels */

static struct stint_cupti_kernel a_kernel(void)
{
    return (struct stint_cupti_kernel){
        .kind = STINT_CUPTI_KIND_CONCURRENT_KERNEL,
        .registers = 40,
        .start = 1000,
        .end = 1512,
        .completed = 1600,
        .device = 2,
        .context = 3,
        .stream = 13,
        .grid = {10, 11, 12},
        .block = {128, 2, 4},
        .static_shared = 4096,
        .dynamic_shared = 65536,
        .local_per_thread = 77,
        .local_total = 78,
        .correlation = 129,
        .grid_id = 79,
        .name = "_Z5emptyv",
        .queued = 80,
        .submitted = 81,
        .shared_executed = 82,
        .graph_node = UINT64_C(8589934592),
        .graph = 2,
    };
}

TEST(kernel_is_told_whole)
{
    const struct stint_cupti_kernel raw = a_kernel();
    assert_int_equal(DECODE(V13_0, raw), 0);
    assert_true(told_once(s_told.activities));
    assert_int_equal(s_told.activity.kind, STINT_GPU_KERNEL);
    assert_ptr_equal(s_told.activity.name, raw.name);
    assert_int_equal(s_told.activity.start, 1000);
    assert_int_equal(s_told.activity.end, 1512);
    assert_int_equal(s_told.activity.correlation, 129);
    assert_int_equal(s_told.activity.path, 0);
    assert_int_equal(s_told.activity.device, 2);
    assert_int_equal(s_told.activity.context, 3);
    assert_int_equal(s_told.activity.stream, 13);
    assert_int_equal(s_told.activity.grid[0], 10);
    assert_int_equal(s_told.activity.grid[1], 11);
    assert_int_equal(s_told.activity.grid[2], 12);
    assert_int_equal(s_told.activity.block[0], 128);
    assert_int_equal(s_told.activity.block[1], 2);
    assert_int_equal(s_told.activity.block[2], 4);
    assert_int_equal(s_told.activity.registers, 40);
    assert_int_equal(s_told.activity.static_shared, 4096);
    assert_int_equal(s_told.activity.dynamic_shared, 65536);
    assert_int_equal(s_told.activity.graph, 2);
    assert_int_equal(s_told.activity.graph_node, UINT64_C(8589934592));
    assert_int_equal(s_told.activity.peer, 0);
}

TEST(serialised_kernel_is_one_too)
{
    struct stint_cupti_kernel raw = a_kernel();
    raw.kind = STINT_CUPTI_KIND_KERNEL;
    assert_int_equal(DECODE(V13_0, raw), 0);
    assert_true(told_once(s_told.activities));
    assert_int_equal(s_told.activity.kind, STINT_GPU_KERNEL);
}

TEST(kernel_without_a_name_gets_one)
{
    struct stint_cupti_kernel raw = a_kernel();
    raw.name = NULL;
    assert_int_equal(DECODE(V13_0, raw), 0);
    assert_string_equal(s_told.activity.name, "(unnamed)");
}

TEST(kernel_of_11_0_has_a_node_but_no_graph)
{
    const struct stint_cupti_kernel raw = a_kernel();
    assert_int_equal(DECODE(V11_0, raw), 0);
    assert_int_equal(s_told.activity.graph, 0);
    assert_int_equal(s_told.activity.graph_node, UINT64_C(8589934592));
    assert_int_equal(DECODE(V11_1, raw), 0);
    assert_int_equal(s_told.activity.graph, 2);
}

/* ----------------------------------------------------------------------------------------------------------- copies */

static struct stint_cupti_memcpy a_copy(void)
{
    return (struct stint_cupti_memcpy){
        .kind = STINT_CUPTI_KIND_MEMCPY,
        .copy = STINT_GPU_HTOD,
        .source = STINT_GPU_MEMORY_PINNED,
        .destination = STINT_GPU_MEMORY_DEVICE,
        .flags = 1,
        .bytes = 1 << 20,
        .start = 5,
        .end = 9,
        .device = 1,
        .context = 2,
        .stream = 7,
        .correlation = 123,
        .runtime_correlation = 99,
        .graph_node = 44,
        .graph = 3,
    };
}

TEST(copy_is_told_whole)
{
    const struct stint_cupti_memcpy raw = a_copy();
    assert_int_equal(DECODE(V13_0, raw), 0);
    assert_true(told_once(s_told.activities));
    assert_int_equal(s_told.activity.kind, STINT_GPU_COPY);
    assert_null(s_told.activity.name);
    assert_int_equal(s_told.activity.what, STINT_GPU_HTOD);
    assert_int_equal(s_told.activity.source, STINT_GPU_MEMORY_PINNED);
    assert_int_equal(s_told.activity.destination, STINT_GPU_MEMORY_DEVICE);
    assert_int_equal(s_told.activity.bytes, 1 << 20);
    assert_int_equal(s_told.activity.start, 5);
    assert_int_equal(s_told.activity.end, 9);
    assert_int_equal(s_told.activity.device, 1);
    assert_int_equal(s_told.activity.context, 2);
    assert_int_equal(s_told.activity.stream, 7);
    assert_int_equal(s_told.activity.correlation, 123);
    assert_int_equal(s_told.activity.graph, 3);
    assert_int_equal(s_told.activity.graph_node, 44);
    assert_int_equal(s_told.activity.peer, 0);
}

TEST(copy_of_11_0_ends_before_its_graph)
{
    const struct stint_cupti_memcpy raw = a_copy();
    assert_int_equal(decode(V11_0, &raw, offsetof(struct stint_cupti_memcpy, graph)), 0);
    assert_int_equal(s_told.activity.graph, 0);
    assert_int_equal(s_told.activity.graph_node, 44);
    assert_int_equal(s_told.activity.correlation, 123);
}

TEST(copies_and_memory_of_new_kinds_are_unknown_ones)
{
    struct stint_cupti_memcpy raw = a_copy();
    raw.copy = STINT_GPU_PTOP + 1;
    raw.source = STINT_GPU_MEMORY_MANAGED_STATIC + 1;
    raw.destination = 255;
    assert_int_equal(DECODE(V13_0, raw), 0);
    assert_int_equal(s_told.activity.what, STINT_GPU_DIRECTION_UNKNOWN);
    assert_int_equal(s_told.activity.source, STINT_GPU_MEMORY_UNKNOWN);
    assert_int_equal(s_told.activity.destination, STINT_GPU_MEMORY_UNKNOWN);
}

static struct stint_cupti_memcpy_peer a_peer_copy(void)
{
    return (struct stint_cupti_memcpy_peer){
        .kind = STINT_CUPTI_KIND_MEMCPY2,
        .copy = STINT_GPU_PTOP,
        .source = STINT_GPU_MEMORY_DEVICE,
        .destination = STINT_GPU_MEMORY_MANAGED,
        .bytes = 4096,
        .start = 50,
        .end = 90,
        .device = 6,
        .context = 60,
        .stream = 17,
        .source_device = 4,
        .source_context = 40,
        .destination_device = 5,
        .destination_context = 51,
        .correlation = 1234,
        .graph_node = 46,
        .graph = 9,
    };
}

TEST(copy_between_devices_is_told_from_its_source)
{
    const struct stint_cupti_memcpy_peer raw = a_peer_copy();
    assert_int_equal(DECODE(V13_0, raw), 0);
    assert_true(told_once(s_told.activities));
    assert_int_equal(s_told.activity.kind, STINT_GPU_COPY);
    assert_int_equal(s_told.activity.what, STINT_GPU_PTOP);
    assert_int_equal(s_told.activity.device, 4);
    assert_int_equal(s_told.activity.context, 40);
    assert_int_equal(s_told.activity.stream, 17);
    assert_int_equal(s_told.activity.peer, 1);
    assert_int_equal(s_told.activity.peer_device, 5);
    assert_int_equal(s_told.activity.peer_context, 51);
    assert_int_equal(s_told.activity.bytes, 4096);
    assert_int_equal(s_told.activity.start, 50);
    assert_int_equal(s_told.activity.end, 90);
    assert_int_equal(s_told.activity.correlation, 1234);
    assert_int_equal(s_told.activity.graph, 9);
    assert_int_equal(s_told.activity.graph_node, 46);
    assert_int_equal(s_told.activity.source, STINT_GPU_MEMORY_DEVICE);
    assert_int_equal(s_told.activity.destination, STINT_GPU_MEMORY_MANAGED);
}

TEST(copy_between_devices_of_11_0_ends_before_its_graph)
{
    const struct stint_cupti_memcpy_peer raw = a_peer_copy();
    assert_int_equal(decode(V11_0, &raw, offsetof(struct stint_cupti_memcpy_peer, graph)), 0);
    assert_int_equal(s_told.activity.graph, 0);
    assert_int_equal(s_told.activity.graph_node, 46);
}

/* ------------------------------------------------------------------------------------------------------------- sets */

static struct stint_cupti_memset a_set(void)
{
    return (struct stint_cupti_memset){
        .kind = STINT_CUPTI_KIND_MEMSET,
        .value = 0x55,
        .bytes = 100,
        .start = 20,
        .end = 21,
        .device = 1,
        .context = 2,
        .stream = 7,
        .correlation = 150,
        .flags = 1,
        .memory = STINT_GPU_MEMORY_DEVICE,
        .graph_node = 45,
        .graph = 8,
    };
}

TEST(set_is_told_whole)
{
    const struct stint_cupti_memset raw = a_set();
    assert_int_equal(DECODE(V13_0, raw), 0);
    assert_true(told_once(s_told.activities));
    assert_int_equal(s_told.activity.kind, STINT_GPU_SET);
    assert_null(s_told.activity.name);
    assert_int_equal(s_told.activity.what, 0);
    assert_int_equal(s_told.activity.bytes, 100);
    assert_int_equal(s_told.activity.start, 20);
    assert_int_equal(s_told.activity.end, 21);
    assert_int_equal(s_told.activity.device, 1);
    assert_int_equal(s_told.activity.context, 2);
    assert_int_equal(s_told.activity.stream, 7);
    assert_int_equal(s_told.activity.correlation, 150);
    assert_int_equal(s_told.activity.destination, STINT_GPU_MEMORY_DEVICE);
    assert_int_equal(s_told.activity.graph, 8);
    assert_int_equal(s_told.activity.graph_node, 45);
}

TEST(set_of_11_0_ends_before_its_graph)
{
    const struct stint_cupti_memset raw = a_set();
    assert_int_equal(decode(V11_0, &raw, offsetof(struct stint_cupti_memset, graph)), 0);
    assert_int_equal(s_told.activity.graph, 0);
    assert_int_equal(s_told.activity.graph_node, 45);
}

/* -------------------------------------------------------------------------------------------------------- overheads */

TEST(overheads_are_told_by_their_kind)
{
    static const struct {
        uint32_t raw;
        enum stint_overhead what;
    } kinds[] = {
        {0, STINT_OVERHEAD_UNKNOWN},
        {1, STINT_OVERHEAD_COMPILER},
        {2, STINT_OVERHEAD_UNKNOWN},
        {1 << 16, STINT_OVERHEAD_BUFFER_FLUSH},
        {2 << 16, STINT_OVERHEAD_INSTRUMENTATION},
        {3 << 16, STINT_OVERHEAD_RESOURCE},
        {4 << 16, STINT_OVERHEAD_RUNTIME_LOADING},
        {5 << 16, STINT_OVERHEAD_LAZY_LOADING},
        {6 << 16, STINT_OVERHEAD_COMMAND_BUFFER_FULL},
        {7 << 16, STINT_OVERHEAD_BUFFER_REQUEST},
        {8 << 16, STINT_OVERHEAD_INITIALIZATION},
        {9 << 16, STINT_OVERHEAD_UNKNOWN},
    };

    for (size_t i = 0; i < TEST_COUNT(kinds); ++i) {
        const struct stint_cupti_overhead raw = {
            .kind = STINT_CUPTI_KIND_OVERHEAD, .overhead = kinds[i].raw, .start = 7, .end = 8, .correlation = 119};
        assert_int_equal(DECODE(V13_0, raw), 0);
        assert_true(told_once(s_told.activities));
        assert_int_equal(s_told.activity.kind, STINT_GPU_OVERHEAD);
        assert_null(s_told.activity.name);
        assert_int_equal(s_told.activity.what, kinds[i].what);
        assert_int_equal(s_told.activity.start, 7);
        assert_int_equal(s_told.activity.end, 8);
        assert_int_equal(s_told.activity.correlation, 119);
    }
}

TEST(overhead_before_12_2_ends_before_its_correlation)
{
    const struct stint_cupti_overhead raw = {
        .kind = STINT_CUPTI_KIND_OVERHEAD, .overhead = 1 << 16, .start = 7, .end = 8, .correlation = 119};
    assert_int_equal(decode(V12_0, &raw, offsetof(struct stint_cupti_overhead, correlation)), 0);
    assert_int_equal(s_told.activity.correlation, 0);
    assert_int_equal(s_told.activity.end, 8);
    assert_int_equal(DECODE(V12_2, raw), 0);
    assert_int_equal(s_told.activity.correlation, 119);
}

TEST(overhead_is_on_the_device_it_concerns)
{
    struct stint_cupti_overhead raw = {.kind = STINT_CUPTI_KIND_OVERHEAD, .object = {5, 6, 7}};
    static const uint32_t expected[][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {5, 0, 0}, {5, 6, 0}, {5, 6, 7}, {0, 0, 0}};
    for (uint32_t kind = 0; kind < TEST_COUNT(expected); ++kind) {
        raw.object_kind = kind;
        assert_int_equal(DECODE(V13_0, raw), 0);
        assert_int_equal(s_told.activity.device, expected[kind][0]);
        assert_int_equal(s_told.activity.context, expected[kind][1]);
        assert_int_equal(s_told.activity.stream, expected[kind][2]);
    }
}

/* --------------------------------------------------------------------------------------------------- unified memory */

static struct stint_cupti_unified_memory_counter a_move(uint32_t counter)
{
    return (struct stint_cupti_unified_memory_counter){
        .kind = STINT_CUPTI_KIND_UNIFIED_MEMORY_COUNTER,
        .counter = counter,
        .value = 61440,
        .start = 1000,
        .end = 3000,
        .address = 0x7f00,
        .source = 1,
        .destination = 2,
        .stream = 99,
        .process = 4711,
    };
}

TEST(moves_of_unified_memory_are_on_the_device_side)
{
    static const struct {
        uint32_t counter;
        enum stint_gpu_direction what;
        uint32_t device;
        int peer;
        uint32_t peer_device;
    } moves[] = {
        {STINT_CUPTI_UM_HTOD, STINT_GPU_HTOD, 2, 0, 0},
        {STINT_CUPTI_UM_DTOH, STINT_GPU_DTOH, 1, 0, 0},
        {STINT_CUPTI_UM_DTOD, STINT_GPU_DTOD, 1, 1, 2},
    };

    stint_decode_count_moves(1);
    for (size_t i = 0; i < TEST_COUNT(moves); ++i) {
        const struct stint_cupti_unified_memory_counter raw = a_move(moves[i].counter);
        assert_int_equal(DECODE(i ? V13_0 : V11_0, raw), 0);
        assert_true(told_once(s_told.activities));
        assert_int_equal(s_told.activity.kind, STINT_GPU_UNIFIED);
        assert_int_equal(s_told.activity.what, moves[i].what);
        assert_int_equal(s_told.activity.device, moves[i].device);
        assert_int_equal(s_told.activity.peer, moves[i].peer);
        assert_int_equal(s_told.activity.peer_device, moves[i].peer_device);
        assert_int_equal(s_told.activity.bytes, 61440);
        assert_int_equal(s_told.activity.address, 0x7f00);
        assert_int_equal(s_told.activity.start, 1000);
        assert_int_equal(s_told.activity.end, 3000);
        assert_int_equal(s_told.activity.stream, 0);
        assert_int_equal(s_told.activity.correlation, 0);
    }
}

TEST(page_fault_is_one_at_a_moment)
{
    struct stint_cupti_unified_memory_counter raw = a_move(STINT_CUPTI_UM_CPU_PAGE_FAULT);
    stint_decode_count_moves(1);
    raw.value = 94419304674692; /* an address in the program */
    raw.end = 0;
    assert_int_equal(DECODE(V13_0, raw), 0);
    assert_true(told_once(s_told.activities));
    assert_int_equal(s_told.activity.kind, STINT_GPU_FAULT);
    assert_int_equal(s_told.activity.bytes, 1);
    assert_int_equal(s_told.activity.address, 0x7f00);
    assert_int_equal(s_told.activity.start, 1000);
    assert_int_equal(s_told.activity.end, 1000);
    assert_int_equal(s_told.activity.device, 0);
}

/* Their records may go on after collecting has been stopped. */
TEST(moves_that_do_not_count_are_passed_over)
{
    const struct stint_cupti_unified_memory_counter raw = a_move(STINT_CUPTI_UM_HTOD);
    stint_decode_count_moves(0);
    assert_int_equal(DECODE(V13_0, raw), 0);
    assert_false(told_once(s_told.activities));
    assert_int_equal(stint_decode_has_moves(), 1);
}

TEST(other_counters_of_unified_memory_are_passed_over)
{
    static const uint32_t counters[] = {0,
                                        STINT_CUPTI_UM_GPU_PAGE_FAULT,
                                        STINT_CUPTI_UM_THRASHING,
                                        STINT_CUPTI_UM_THROTTLING,
                                        STINT_CUPTI_UM_REMOTE_MAP,
                                        9};
    for (size_t i = 0; i < TEST_COUNT(counters); ++i) {
        const struct stint_cupti_unified_memory_counter raw = a_move(counters[i]);
        assert_int_equal(DECODE(V13_0, raw), 0);
        assert_int_equal(s_told.activities + s_told.unknown, 0);
    }
}

/* --------------------------------------------------------------------------------------------------------- devices */

static struct stint_cupti_device a_device(void)
{
    return (struct stint_cupti_device){
        .kind = STINT_CUPTI_KIND_DEVICE,
        .memory_kb_per_s = 4814304000,
        .memory_bytes = 150109880320,
        .core_khz = 1980000,
        .multiprocessors = 132,
        .compute_major = 9,
        .compute_minor = 1,
        .id = 3,
        .name = "NVIDIA H200",
        .visible = 1,
    };
}

TEST(device_is_told_in_bytes_per_second)
{
    const struct stint_cupti_device raw = a_device();
    assert_int_equal(DECODE(V13_0, raw), 0);
    assert_true(told_once(s_told.devices));
    assert_int_equal(s_told.device.id, 3);
    assert_string_equal(s_told.device.name, "NVIDIA H200");
    assert_int_equal(s_told.device.compute_major, 9);
    assert_int_equal(s_told.device.compute_minor, 1);
    assert_int_equal(s_told.device.multiprocessors, 132);
    assert_int_equal(s_told.device.core_clock_khz, 1980000);
    assert_int_equal(s_told.device.memory_bytes, 150109880320);
    assert_int_equal(s_told.device.memory_bytes_per_s, 4814304000000);
    assert_int_equal(s_told.device.link_bytes_per_s, 0);
}

TEST(device_kept_from_cuda_is_passed_over)
{
    struct stint_cupti_device raw = a_device();
    raw.visible = 0;
    assert_int_equal(DECODE(V11_5, raw), 0);
    assert_int_equal(s_told.devices + s_told.unknown, 0);
    assert_int_equal(DECODE(V11_4, raw), 0); /* whose record ends before, so that nothing is known */
    assert_int_equal(s_told.devices, 1);
}

TEST(device_without_a_name_has_an_empty_one)
{
    struct stint_cupti_device raw = a_device();
    raw.name = NULL;
    assert_int_equal(DECODE(V13_0, raw), 0);
    assert_string_equal(s_told.device.name, "");
}

/* ----------------------------------------------------------------------------------------------- kinds and versions */

static const uint32_t s_kinds[] = {
    STINT_CUPTI_KIND_MEMCPY,          STINT_CUPTI_KIND_MEMSET,  STINT_CUPTI_KIND_KERNEL,
    STINT_CUPTI_KIND_DEVICE,          STINT_CUPTI_KIND_CONTEXT, STINT_CUPTI_KIND_CONCURRENT_KERNEL,
    STINT_CUPTI_KIND_OVERHEAD,        STINT_CUPTI_KIND_MEMCPY2, STINT_CUPTI_KIND_UNIFIED_MEMORY_COUNTER,
    STINT_CUPTI_KIND_SYNCHRONIZATION,
};

TEST(records_older_than_11_0_are_counted_unread)
{
    for (size_t i = 0; i < TEST_COUNT(s_kinds); ++i) {
        assert_int_equal(decode(V10_2, &s_kinds[i], sizeof s_kinds[i]), -1);
        assert_int_equal(s_told.activities + s_told.devices, 0);
        assert_int_equal(s_told.unknown, 1);
    }
}

TEST(records_that_say_nothing_to_the_ledger_are_passed_over)
{
    static const uint32_t kinds[] = {STINT_CUPTI_KIND_DRIVER,          STINT_CUPTI_KIND_RUNTIME,
                                     STINT_CUPTI_KIND_STREAM,          STINT_CUPTI_KIND_CONTEXT,
                                     STINT_CUPTI_KIND_SYNCHRONIZATION, STINT_CUPTI_KIND_INTERNAL_LAUNCH_API};
    for (size_t i = 0; i < TEST_COUNT(kinds); ++i) {
        assert_int_equal(decode(V13_0, &kinds[i], sizeof kinds[i]), 0);
        assert_int_equal(s_told.activities + s_told.devices + s_told.unknown, 0);
    }
}

TEST(records_of_other_kinds_are_counted)
{
    static const uint32_t kinds[] = {0, 6, 7, 36, 47, 51, 52, 1000, UINT32_MAX};
    for (size_t i = 0; i < TEST_COUNT(kinds); ++i) {
        assert_int_equal(decode(V13_0, &kinds[i], sizeof kinds[i]), -1);
        assert_int_equal(s_told.activities + s_told.devices, 0);
        assert_int_equal(s_told.unknown, 1);
    }
}
