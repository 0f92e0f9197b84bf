/* The versions of the payload extension that programs were built with, each as its own headers lay it out. What NCCL
 * brings along, and with it every PyTorch, is of the first two. */
#include <string.h>

#include "nvtx/client.h"
#include "nvtx/handler.h"
#include "record/fixture.h"
#include "stint_test.h"

/* ------------------------------------------------------------------------------------------ what all have in common */

struct header_segment {
    size_t segment_id;
    size_t slot_count;
    intptr_t *function_slots;
};

struct header_module {
    uint16_t nvtx_version;
    uint16_t struct_size;
    uint16_t module_id;
    uint16_t compat_id;
    size_t segments_count;
    struct header_segment *segments;
    intptr_t (*get_export_function)(uint32_t id);
    const void *ext_info;
};

struct header_entry {
    uint64_t flags;
    uint64_t type;
    const char *name;
    const char *description;
    uint64_t array_or_union_detail;
    uint64_t offset;
    const void *semantics;
    const void *reserved;
};

struct header_data {
    uint64_t schema_id;
    size_t size;
    const void *payload;
};

_Static_assert(sizeof(struct header_module) == 40 && offsetof(struct header_module, segments) == 16, "module");
_Static_assert(sizeof(struct header_segment) == 24, "segment");
_Static_assert(sizeof(struct header_entry) == 64 && offsetof(struct header_entry, offset) == 40, "entry");
_Static_assert(sizeof(struct header_data) == 24, "payload");

enum { TYPE_INT = 5, TYPE_UINT64 = 18, TYPE_SIZE = 22 };

/* type, entries, their number, size, id */
enum { NCCL_FIELDS = 1 << 2 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 8 };

static const uint64_t s_schema_id = 5 + (1 << 24), s_enum_id = 24 + (1 << 24);

struct all_reduce {
    uint64_t communicator;
    size_t bytes;
    int reduction;
};

static const struct header_entry s_entries[] = {
    {0, TYPE_UINT64, "NCCL communicator ID", NULL, 0, 0, NULL, NULL},
    {0, TYPE_SIZE, "Message size [bytes]", NULL, 0, offsetof(struct all_reduce, bytes), NULL, NULL},
    {0, 24 + (1 << 24), "Reduction operation", NULL, 0, offsetof(struct all_reduce, reduction), NULL, NULL},
};

enum { MOST_SLOTS = 63 };

static intptr_t s_slots[MOST_SLOTS];
static nvtx_handle s_domain;

static int reset(void **state)
{
    const int failed = client_reset(state);
    memset(s_slots, 0, sizeof s_slots);
    s_domain = create("NCCL");
    return failed;
}

static void attach(uint16_t version, size_t slots)
{
    struct header_segment segment = {0, slots, s_slots};
    struct header_module module = {3, sizeof module, 2, version, 1, &segment, NULL, NULL};
    assert_int_equal(stint_nvtx_attach_extension((struct stint_nvtx_module *)(void *)&module), 1);
}

/* Whether stint took these slots, and no others. */
static void check_slots(const int *taken, size_t count)
{
    int is_taken[MOST_SLOTS] = {0};
    for (size_t i = 0; i < count; i++)
        is_taken[taken[i]] = 1;
    for (int i = 0; i < MOST_SLOTS; i++)
        assert_int_equal(s_slots[i] != 0, is_taken[i]);
}

#define SLOT(number, result, parameters) ((result(*) parameters)s_slots[number])

static void check_payload(const char *set)
{
    assert_true(value_of(set, "ncclAllReduce", "Message size [bytes]").sum == 4096);
    assert_true(value_of(set, "ncclAllReduce", "NCCL communicator ID").sum == 77);
    assert_int_equal(value_of(set, "ncclAllReduce", "Reduction operation").count, 0); /* a code, no number */
    check_dropped((struct stint_dropped){0});
}

/* --------------------------------------------------------------------- 0x0103 of 2022: NCCL 2.16 to 2.21, PyTorch 2 */

struct schema_2022 {
    uint64_t field_mask;
    const char *name;
    uint64_t type;
    uint64_t flags;
    const struct header_entry *entries;
    size_t num_entries;
    size_t payload_static_size;
    size_t pack_align;
    uint64_t schema_id;
};

struct enum_2022 {
    uint64_t field_mask;
    const char *name;
    const void *entries;
    size_t num_entries;
    size_t size_of_enum;
    uint64_t schema_id;
};

_Static_assert(sizeof(struct schema_2022) == 72 && sizeof(struct enum_2022) == 48, "2022");

TEST_ONCE(client_start, NULL)
TEST_EACH(reset, NULL)

/* Two functions; payloads come as attributes of core events. */
TEST(schemas_of_2022_are_known)
{
    static const int taken[] = {0, 1};
    const struct schema_2022 schema = {NCCL_FIELDS, NULL,       1, 0, s_entries, 3, sizeof(struct all_reduce),
                                       0,           s_schema_id};
    const struct enum_2022 values = {1 << 2 | 1 << 3 | 1 << 4 | 1 << 5, NULL, NULL, 0, sizeof(int), s_enum_id};
    const struct all_reduce payload = {77, 4096, 2};
    const struct header_data data = {s_schema_id, sizeof payload, &payload};
    struct stint_nvtx_attributes event = text("ncclAllReduce");
    attach(0x0103, 2);
    check_slots(taken, TEST_COUNT(taken));
    assert_int_equal(SLOT(1, uint64_t, (nvtx_handle, const struct enum_2022 *))(s_domain, &values), s_enum_id);
    assert_int_equal(SLOT(0, uint64_t, (nvtx_handle, const struct schema_2022 *))(s_domain, &schema), s_schema_id);
    event.payload_type = STINT_NVTX_PAYLOAD_EXTENDED;
    event.payload_count = 1;
    event.payload.u64 = (uintptr_t)&data;
    push_attributes(s_domain, &event);
    pop_in(s_domain);
    check_payload("NVTX:NCCL");
}

/* ------------------------------------------------------------ 0x0103 of 2024, NCCL 2.22 and later; 0x0104, NVTX 3.2 */

struct schema_2024 {
    struct schema_2022 attributes;
    const void *extension;
};

struct enum_2024 {
    struct enum_2022 attributes;
    const void *extension;
};

_Static_assert(sizeof(struct schema_2024) == 80 && sizeof(struct enum_2024) == 56, "2024");

static void register_2024(void)
{
    const struct schema_2024 schema = {
        {NCCL_FIELDS, NULL, 1, 0, s_entries, 3, sizeof(struct all_reduce), 0, s_schema_id}, NULL};
    const struct enum_2024 values = {{1 << 2 | 1 << 3 | 1 << 4 | 1 << 5, NULL, NULL, 0, sizeof(int), s_enum_id}, NULL};
    assert_int_equal(SLOT(1, uint64_t, (nvtx_handle, const struct enum_2024 *))(s_domain, &values), s_enum_id);
    assert_int_equal(SLOT(0, uint64_t, (nvtx_handle, const struct schema_2024 *))(s_domain, &schema), s_schema_id);
}

/* As NCCL does it: the range begins as one of the core, and its end brings the payload. */
static void check_range_that_ends_with_its_payload(void)
{
    const struct all_reduce payload = {77, 4096, 2};
    const struct header_data data = {s_schema_id, sizeof payload, &payload};
    register_2024();
    push_in(s_domain, "ncclAllReduce");
    clock_advance(5);
    assert_int_equal(SLOT(4, int, (nvtx_handle, const struct header_data *, size_t))(s_domain, &data, 1), 0);
    range("what follows", 3);
    check_range("NVTX:NCCL", "ncclAllReduce", 1, 5);
    assert_int_equal(now_at("what follows").count, 1);
    check_payload("NVTX:NCCL");
}

/* The numbers from 8 on, but for 12, stood for functions with other parameters on NVTX's development branch. */
TEST(ranges_of_0103_end)
{
    static const int taken[] = {0, 1, 2, 3, 4, 5, 6, 7, 12};
    attach(0x0103, MOST_SLOTS);
    check_slots(taken, TEST_COUNT(taken));
    check_range_that_ends_with_its_payload();
}

TEST(ranges_of_0104_end)
{
    static const int taken[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17};
    attach(0x0104, MOST_SLOTS);
    check_slots(taken, TEST_COUNT(taken));
    check_range_that_ends_with_its_payload();
}

TEST(later_ones_are_taken_unless_they_say_that_they_differ)
{
    attach(0x0105, MOST_SLOTS);
    check_range_that_ends_with_its_payload();
    memset(s_slots, 0, sizeof s_slots);
    attach(0x0204, MOST_SLOTS);
    attach(0x0102, MOST_SLOTS);
    check_slots(NULL, 0);
    assert_int_equal(stint_nvtx_info().refused, 2);
}
