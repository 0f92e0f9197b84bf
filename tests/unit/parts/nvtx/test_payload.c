#include "nvtx/payload.h"

#include "nvtx/domain.h"
#include "nvtx/schemas.h"
#include "record/fixture.h"
#include "stint_test.h"

/* --------------------------------------------------------------------------------------------------------- payloads */

TEST_ONCE(client_start, NULL)
TEST_EACH(client_reset, NULL)

TEST(nothing_is_read_beyond_a_payloads_size)
{
    const struct plain bytes = {1, 2, 3, 4};
    const uint64_t id = register_entries(FIELDS(s_plain));
    mark_with("short", id, &bytes, offsetof(struct plain, ratio) + 7);
    assert_true(sum_of("short", "number") == 2);
    assert_int_equal(value_of("NVTX marks", "short", "ratio").count, 0);
    assert_int_equal(stint_nvtx_counts.rest, 2);
    mark_with("short", id, &bytes, SIZE_MAX); /* "find out yourself" */
    assert_true(sum_of("short", "ratio") == 3);
}

TEST(a_payload_may_be_of_a_predefined_type)
{
    const int64_t number = -12;
    const float ratio = 0.5F;
    mark_with("predefined", 17, &number, sizeof number);
    mark_with("predefined", STINT_NVTX_TYPE_FLOAT, &ratio, SIZE_MAX);
    assert_true(sum_of("predefined", "") == -11.5);
    mark_with("predefined", 17, &number, 4);
    mark_with("predefined", STINT_NVTX_TYPE_CSTRING, "text", 5);
    mark_with("predefined", 1023, "raw", 3);
    mark_with("predefined", 0, "none", 3);
    assert_int_equal(value_of("NVTX marks", "predefined", "").count, 2);
    assert_int_equal(stint_nvtx_counts.rest, 4);
}

TEST(several_payloads_are_all_read_and_what_is_missing_is_counted)
{
    const int64_t numbers[] = {1, 2};
    const struct stint_nvtx_data data[] = {
        {17, 8, &numbers[0]},
        {STINT_NVTX_FIRST_DYNAMIC_ID - 1, 8, &numbers[0]},
        {17, 8, NULL},
        {17, 8, &numbers[1]},
    };
    mark_data("several", data, 4);
    assert_true(sum_of("several", "") == 3);
    assert_int_equal(stint_dropped.nvtx_unknown, 1);
    assert_int_equal(stint_nvtx_counts.rest, 1);
    mark_data("several", NULL, 4);
    mark_data("several", data, -1);
    assert_true(sum_of("several", "") == 3);
}

/* -------------------------------------------------------------------------------------- events of nothing but these */

struct event {
    const void *name;
    int32_t number;
};

static uint64_t event_schema(uint64_t type)
{
    struct stint_nvtx_entry entries[] = {
        {.type = type, .flags = STINT_NVTX_ENTRY_MESSAGE},
        {.type = 15, .name = "number"},
    };
    return register_entries(FIELDS(entries));
}

#define EVENT (nvtx_handle, const struct stint_nvtx_data *, size_t)

TEST(events_are_called_what_their_payload_says)
{
    const struct event event = {"payload's name", 4};
    const struct stint_nvtx_data data = {event_schema(STINT_NVTX_TYPE_CSTRING), sizeof event, &event};
    const struct event more = {NULL, 10};
    const struct stint_nvtx_data end_data = {data.schema, sizeof more, &more};
    call_extension(STINT_NVTX_PAYLOAD_MODULE, STINT_NVTX_MARK_PAYLOAD, void, EVENT, (NULL, &data, 1));
    assert_int_equal(
        call_extension(STINT_NVTX_PAYLOAD_MODULE, STINT_NVTX_RANGE_PUSH_PAYLOAD, int, EVENT, (NULL, &data, 1)), 0);
    clock_advance(3);
    assert_int_equal(
        call_extension(STINT_NVTX_PAYLOAD_MODULE, STINT_NVTX_RANGE_POP_PAYLOAD, int, EVENT, (NULL, &end_data, 1)), 0);
    uint64_t id =
        call_extension(STINT_NVTX_PAYLOAD_MODULE, STINT_NVTX_RANGE_START_PAYLOAD, uint64_t, EVENT, (NULL, &data, 1));
    clock_advance(5);
    call_extension(STINT_NVTX_PAYLOAD_MODULE, STINT_NVTX_RANGE_END_PAYLOAD, void,
                   (nvtx_handle, uint64_t, const struct stint_nvtx_data *, size_t), (NULL, id, &end_data, 1));
    assert_int_equal(of("NVTX marks", "payload's name").count, 1);
    assert_int_equal(of("NVTX", "payload's name").total_ns, 3);
    assert_int_equal(of("NVTX start/end", "payload's name").total_ns, 5);
    assert_true(value_of("NVTX marks", "payload's name", "number").sum == 4);
    assert_true(value_of("NVTX", "payload's name", "number").sum == 14);
    assert_true(value_of("NVTX start/end", "payload's name", "number").sum == 14);
}

static void mark_payload(uint64_t id, const void *bytes, size_t size)
{
    const struct stint_nvtx_data data = {id, size, bytes};
    call_extension(STINT_NVTX_PAYLOAD_MODULE, STINT_NVTX_MARK_PAYLOAD, void, EVENT, (NULL, &data, 1));
}

TEST(a_name_may_be_registered_or_inside)
{
    static const struct stint_nvtx_entry inside[] = {
        {.type = STINT_NVTX_TYPE_CSTRING_UTF8, .flags = STINT_NVTX_ENTRY_MESSAGE, .detail = 6}};
    const struct event event = {register_text(NULL, "registered name"), 1};
    mark_payload(event_schema(STINT_NVTX_TYPE_REGISTERED), &event, sizeof event);
    mark_payload(register_entries(FIELDS(inside)), "inside", 6);
    mark_payload(register_entries(FIELDS(inside)), "in\0ide", 6);
    mark_payload(register_entries(FIELDS(inside)), "insert", 3);
    assert_int_equal(of("NVTX marks", "registered name").count, 1);
    assert_int_equal(of("NVTX marks", "inside").count, 1);
    assert_int_equal(of("NVTX marks", "in").count, 1);
    assert_int_equal(of("NVTX marks", "ins").count, 1);
}

TEST(without_a_name_the_schemas_serves)
{
    struct stint_nvtx_schema_attributes attributes = schema(FIELDS(s_plain));
    const struct plain bytes = {1, 2, 3, 4};
    const struct event event = {NULL, 1};
    attributes.fields |= STINT_NVTX_SCHEMA_HAS_NAME;
    attributes.name = "schema's name";
    mark_payload(register_as(NULL, &attributes), &bytes, sizeof bytes);
    assert_int_equal(of("NVTX marks", "schema's name").count, 1);
    mark_payload(event_schema(STINT_NVTX_TYPE_CSTRING), &event, sizeof event);
    mark_payload(event_schema(STINT_NVTX_TYPE_CSTRING), &event, 4);
    mark_payload(1, &event, 1);
    assert_int_equal(of("NVTX marks", "(unnamed)").count, 3);
}

TEST(deferred_events_are_counted)
{
    const struct plain bytes[3] = {{0}};
    const struct stint_nvtx_data data = {register_entries(FIELDS(s_plain)), sizeof bytes[0], bytes};
    struct stint_nvtx_event_batch batch = {.schema = data.schema, .size = sizeof bytes, .events = bytes};
    call_extension(STINT_NVTX_PAYLOAD_MODULE, STINT_NVTX_EVENT_SUBMIT, void, EVENT, (NULL, &data, 1));
    assert_int_equal(stint_dropped.nvtx_events, 1);
    call_extension(STINT_NVTX_PAYLOAD_MODULE, STINT_NVTX_EVENT_BATCH_SUBMIT, void,
                   (nvtx_handle, const struct stint_nvtx_event_batch *), (NULL, &batch));
    assert_int_equal(stint_dropped.nvtx_events, 4);
    batch.schema = STINT_NVTX_FIRST_STATIC_ID;
    call_extension(STINT_NVTX_PAYLOAD_MODULE, STINT_NVTX_EVENT_BATCH_SUBMIT, void,
                   (nvtx_handle, const struct stint_nvtx_event_batch *), (NULL, &batch));
    assert_int_equal(stint_dropped.nvtx_events, 5);
}
