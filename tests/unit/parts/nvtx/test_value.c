#include "nvtx/payload.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "nvtx/client.h"
#include "nvtx/domain.h"
#include "record/fixture.h"
#include "stint_test.h"

/* Pushes and pops a range with that payload. */
static void carry(const char *name, int32_t type, union stint_nvtx_number number)
{
    struct stint_nvtx_attributes attributes = text(name);
    attributes.payload_type = type;
    attributes.payload = number;
    push_attributes(NULL, &attributes);
    pop();
}

static void carry_double(const char *name, double number)
{
    carry(name, STINT_NVTX_PAYLOAD_F64, (union stint_nvtx_number){.f64 = number});
}

/* cmocka compares no doubles. */
static void check_value(const struct stint_nvtx_value *value, uint64_t count, double sum, double min, double max)
{
    assert_int_equal(value->count, count);
    assert_true(value->sum == sum);
    assert_true(value->min == min);
    assert_true(value->max == max);
}

TEST_ONCE(client_start, NULL)
TEST_EACH(client_reset, NULL)

#define CALL(callback, result, parameters, arguments)                                                                  \
    call_extension(STINT_NVTX_COUNTER_MODULE, (callback), result, parameters, arguments)

static uint64_t register_counter(nvtx_handle domain, const struct stint_nvtx_counter_attributes *attributes)
{
    return CALL(STINT_NVTX_COUNTER_REGISTER, uint64_t, (nvtx_handle, const struct stint_nvtx_counter_attributes *),
                (domain, attributes));
}

static uint64_t counter(nvtx_handle domain, const char *name, uint64_t schema)
{
    const struct stint_nvtx_counter_attributes attributes = {sizeof attributes, schema, name, NULL, 0, NULL, 0};
    return register_counter(domain, &attributes);
}

static void sample(nvtx_handle domain, uint64_t id, int64_t value)
{
    CALL(STINT_NVTX_COUNTER_SAMPLE_INT64, void, (nvtx_handle, uint64_t, int64_t), (domain, id, value));
}

TEST(samples_are_added_up_under_the_counters_name)
{
    const nvtx_handle domain = create("counters");
    const uint64_t id = counter(domain, "queue length", 17);
    assert_true(id >= STINT_NVTX_FIRST_DYNAMIC_ID);
    sample(domain, id, 4);
    sample(domain, id, -1);
    CALL(STINT_NVTX_COUNTER_SAMPLE_FLOAT64, void, (nvtx_handle, uint64_t, double), (domain, id, 0.5));
    struct stint_nvtx_value value = value_of("NVTX counters:counters", "queue length", "");
    assert_int_equal(value.count, 3);
    assert_true(value.sum == 3.5 && value.min == -1 && value.max == 4);
}

TEST(a_counter_of_the_default_domain_has_its_set)
{
    sample(NULL, counter(NULL, "plain counter", 17), 2);
    assert_true(value_of("NVTX counters", "plain counter", "").sum == 2);
}

TEST(a_counter_is_no_statistic_with_samples)
{
    sample(NULL, counter(NULL, "no samples", 17), 2);
    assert_int_equal(of("NVTX counters", "no samples").count, 0);
}

TEST(a_group_has_a_row_per_field)
{
    static const struct stint_nvtx_entry entries[] = {{.type = 16, .name = "reads"}, {.type = 16, .name = "writes"}};
    const struct stint_nvtx_schema_attributes attributes = {
        .fields = STINT_NVTX_SCHEMA_HAS_TYPE | STINT_NVTX_SCHEMA_HAS_ENTRIES | STINT_NVTX_SCHEMA_HAS_COUNT,
        .type = STINT_NVTX_SCHEMA_STATIC,
        .entries = entries,
        .entry_count = 2,
    };
    const uint64_t schema =
        call_extension(STINT_NVTX_PAYLOAD_MODULE, STINT_NVTX_SCHEMA_REGISTER, uint64_t,
                       (nvtx_handle, const struct stint_nvtx_schema_attributes *), (NULL, &attributes));
    const uint64_t id = counter(NULL, "group", schema);
    const uint32_t samples[] = {1, 2, 3, 4, 5, 6, 7};
    const struct stint_nvtx_counter_batch batch = {.counter = id, .samples = samples + 2, .size = 5 * sizeof *samples};
    CALL(STINT_NVTX_COUNTER_SAMPLE, void, (nvtx_handle, uint64_t, const void *, size_t), (NULL, id, samples, 8));
    assert_true(value_of("NVTX counters", "group", "reads").sum == 1);
    assert_true(value_of("NVTX counters", "group", "writes").sum == 2);
    CALL(STINT_NVTX_COUNTER_BATCH_SUBMIT, void, (nvtx_handle, const struct stint_nvtx_counter_batch *), (NULL, &batch));
    assert_true(value_of("NVTX counters", "group", "reads").sum == 1 + 3 + 5);
    assert_true(value_of("NVTX counters", "group", "writes").sum == 2 + 4 + 6);
    assert_int_equal(stint_nvtx_counts.rest, 0);
}

TEST(a_batch_of_a_predefined_type_is_an_array)
{
    const double samples[] = {0.5, 1, 2};
    const struct stint_nvtx_counter_batch batch = {
        .counter = counter(NULL, "array", STINT_NVTX_TYPE_DOUBLE), .samples = samples, .size = sizeof samples};
    CALL(STINT_NVTX_COUNTER_BATCH_SUBMIT, void, (nvtx_handle, const struct stint_nvtx_counter_batch *), (NULL, &batch));
    assert_int_equal(value_of("NVTX counters", "array", "").count, 3);
    assert_true(value_of("NVTX counters", "array", "").sum == 3.5);
}

TEST(a_batch_of_unknown_layout_is_unknown)
{
    const struct stint_nvtx_counter_batch batch = {
        .counter = counter(NULL, "unknown layout", STINT_NVTX_FIRST_STATIC_ID + 99), .samples = "12345678", .size = 8};
    CALL(STINT_NVTX_COUNTER_BATCH_SUBMIT, void, (nvtx_handle, const struct stint_nvtx_counter_batch *), (NULL, &batch));
    assert_int_equal(stint_dropped.nvtx_unknown, 1);
}

TEST(ids_that_programs_choose_are_of_a_domain)
{
    const nvtx_handle domain = create("counters");
    struct stint_nvtx_counter_attributes attributes = {sizeof attributes, 17, "mine", NULL, 0, NULL, 0};
    attributes.id = STINT_NVTX_FIRST_STATIC_ID + 1;
    assert_int_equal(register_counter(NULL, &attributes), attributes.id);
    attributes.name = "yours";
    assert_int_equal(register_counter(domain, &attributes), attributes.id);
    sample(NULL, attributes.id, 1);
    sample(domain, attributes.id, 2);
    assert_true(value_of("NVTX counters", "mine", "").sum == 1);
    assert_true(value_of("NVTX counters:counters", "yours", "").sum == 2);
}

TEST(an_older_callers_attributes_may_end_before_the_id)
{
    struct stint_nvtx_counter_attributes attributes = {0, 17, "older", NULL, 0, NULL, 12345678};
    attributes.size = offsetof(struct stint_nvtx_counter_attributes, id);
    assert_true(register_counter(NULL, &attributes) >= STINT_NVTX_FIRST_DYNAMIC_ID);
    attributes.size = offsetof(struct stint_nvtx_counter_attributes, name);
    assert_int_equal(register_counter(NULL, &attributes), 0);
    assert_int_equal(register_counter(NULL, NULL), 0);
}

TEST(samples_of_nothing_are_unknown_and_those_without_a_value_missing)
{
    sample(NULL, 0, 1);
    sample(NULL, STINT_NVTX_FIRST_DYNAMIC_ID + 1000000, 1);
    assert_int_equal(stint_dropped.nvtx_unknown, 2);
    CALL(STINT_NVTX_COUNTER_SAMPLE_NO_VALUE, void, (nvtx_handle, uint64_t, uint8_t), (NULL, 0, 2));
    assert_int_equal(stint_nvtx_counts.missing, 1);
}

TEST(while_off_no_counter_is_added)
{
    const uint64_t id = counter(NULL, "off", 17);
    stint_registry_set_enabled(0);
    sample(NULL, id, 1);
    stint_registry_set_enabled(1);
    assert_int_equal(value_of("NVTX counters", "off", "").count, 0);
}

TEST(a_reset_begins_counters_anew)
{
    const uint64_t id = counter(NULL, "anew", 17);
    sample(NULL, id, 1);
    reset_set(NULL, STINT_RESET_ALL);
    sample(NULL, id, 5);
    assert_int_equal(value_of("NVTX counters", "anew", "").count, 1);
    assert_true(value_of("NVTX counters", "anew", "").min == 5);
}

/* Last: it fills the table. */
TEST(too_many_counters_are_counted)
{
    uint64_t id = 1;
    for (int i = 0; i < STINT_NVTX_MAX_COUNTERS + 1 && id; ++i)
        id = counter(NULL, "many", 17);
    assert_int_equal(id, 0);
    assert_int_equal(stint_dropped.nvtx_counters, 1);
}

TEST(payloads_are_added_up_per_range)
{
    carry_double("added up", 2.5);
    carry_double("added up", -4);
    carry_double("added up", 1);
    struct stint_nvtx_value value = value_of("NVTX", "added up", "");
    check_value(&value, 3, -0.5, -4, 2.5);
}

TEST(every_plain_type_is_understood)
{
    static const struct {
        int32_t type;
        union stint_nvtx_number number;
        const char *name;
        double expected;
    } types[] = {
        {STINT_NVTX_PAYLOAD_U64, {.u64 = UINT64_C(1) << 63}, "u64", 9223372036854775808.0},
        {STINT_NVTX_PAYLOAD_I64, {.i64 = -5}, "i64", -5},
        {STINT_NVTX_PAYLOAD_F64, {.f64 = 0.25}, "f64", 0.25},
        {STINT_NVTX_PAYLOAD_U32, {.u32 = UINT32_MAX}, "u32", 4294967295.0},
        {STINT_NVTX_PAYLOAD_I32, {.i32 = -7}, "i32", -7},
        {STINT_NVTX_PAYLOAD_F32, {.f32 = 0.5F}, "f32", 0.5},
    };

    for (size_t i = 0; i < TEST_COUNT(types); ++i) {
        carry(types[i].name, types[i].type, types[i].number);
        struct stint_nvtx_value value = value_of("NVTX", types[i].name, "");
        check_value(&value, 1, types[i].expected, types[i].expected, types[i].expected);
    }
    assert_int_equal(stint_nvtx_counts.rest, 0);
}

TEST(what_is_no_type_is_unknown)
{
    carry("typeless", 77, (union stint_nvtx_number){.u64 = 1});
    assert_int_equal(value_of("NVTX", "typeless", "").count, 0);
    assert_int_equal(stint_dropped.nvtx_unknown, 1);
}

TEST(extremes_keep_their_order_and_what_is_not_finite_is_rest)
{
    carry_double("extremes", DBL_MIN);
    carry_double("extremes", -DBL_MIN);
    carry_double("extremes", (double)NAN);
    struct stint_nvtx_value value = value_of("NVTX", "extremes", "");
    check_value(&value, 2, 0, -DBL_MIN, DBL_MIN);
    carry_double("extremes", (double)INFINITY);
    carry_double("extremes", -(double)INFINITY);
    value = value_of("NVTX", "extremes", "");
    assert_int_equal(value.count, 2);
    assert_int_equal(stint_nvtx_counts.rest, 3);
}

TEST(a_sum_stays_finite)
{
    for (int i = 0; i < 3; ++i) {
        carry_double("large", DBL_MAX);
        carry_double("small", -DBL_MAX);
    }
    struct stint_nvtx_value value = value_of("NVTX", "large", "");
    check_value(&value, 3, DBL_MAX, DBL_MAX, DBL_MAX);
    value = value_of("NVTX", "small", "");
    check_value(&value, 3, -DBL_MAX, -DBL_MAX, -DBL_MAX);
}

TEST(one_number_is_its_own_extreme_whatever_its_sign)
{
    static const double numbers[] = {3, -3, 0, 1e300, -1e-300};
    for (size_t i = 0; i < TEST_COUNT(numbers); ++i) {
        reset_set(NULL, STINT_RESET_ALL);
        carry_double("alone", numbers[i]);
        struct stint_nvtx_value value = value_of("NVTX", "alone", "");
        check_value(&value, 1, numbers[i], numbers[i], numbers[i]);
    }
}

TEST(starts_and_marks_carry_payloads_too)
{
    struct stint_nvtx_attributes attributes = text("carrier");
    attributes.payload_type = STINT_NVTX_PAYLOAD_I32;
    attributes.payload.i32 = 6;
    end(call(STINT_NVTX_CORE, STINT_NVTX_RANGE_START_EX, uint64_t, (const struct stint_nvtx_attributes *),
             (&attributes)));
    call(STINT_NVTX_CORE, STINT_NVTX_MARK_EX, void, (const struct stint_nvtx_attributes *), (&attributes));
    call(STINT_NVTX_CORE, STINT_NVTX_RANGE_PUSH_EX, int, (const struct stint_nvtx_attributes *), (&attributes));
    pop();
    assert_true(value_of("NVTX start/end", "carrier", "").sum == 6);
    assert_true(value_of("NVTX marks", "carrier", "").sum == 6);
    assert_true(value_of("NVTX", "carrier", "").sum == 6);
}

TEST(a_registered_range_may_carry_a_payload)
{
    struct stint_nvtx_attributes attributes = registered(register_text(NULL, "registered carrier"));
    push_attributes(NULL, &attributes);
    pop();
    attributes.payload_type = STINT_NVTX_PAYLOAD_U32;
    attributes.payload.u32 = 11;
    push_attributes(NULL, &attributes);
    pop();
    assert_int_equal(of("NVTX", "registered carrier").count, 2);
    assert_true(value_of("NVTX", "registered carrier", "").sum == 11);
}

TEST(a_reset_begins_anew)
{
    carry_double("anew", 5);
    reset_set(NULL, STINT_RESET_ALL);
    assert_int_equal(value_of("NVTX", "anew", "").count, 0);
    carry_double("anew", 1);
    struct stint_nvtx_value value = value_of("NVTX", "anew", "");
    check_value(&value, 1, 1, 1, 1);
}

TEST(while_off_nothing_is_added)
{
    stint_registry_set_enabled(0);
    carry_double("off", 1);
    stint_registry_set_enabled(1);
    assert_int_equal(value_of("NVTX", "off", "").count, 0);
}

enum { THREADS = 4, TIMES = 20000 };

static void *add_many(void *first)
{
    for (int i = 0; i < TIMES; ++i)
        carry_double("from all threads", (double)(i + (int)(intptr_t)first));
    return NULL;
}

TEST(threads_lose_nothing)
{
    pthread_t threads[THREADS];
    double sum = 0;
    for (int i = 0; i < THREADS; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, add_many, (void *)(intptr_t)(i * TIMES)), 0);
    for (int i = 0; i < THREADS; ++i)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS * TIMES; ++i)
        sum += i;
    struct stint_nvtx_value value = value_of("NVTX", "from all threads", "");
    assert_int_equal(value.count, THREADS * TIMES);
    assert_true(value.sum == sum);
    assert_true(value.min == 0);
    assert_true(value.max == THREADS * TIMES - 1);
}

/* Last: it fills the table. */
TEST(too_many_are_counted)
{
    push("many fields");
    pop();
    uint32_t id = stint_registry_last_id();
    for (uint32_t field = 1; field <= STINT_NVTX_MAX_VALUES + 5; ++field)
        stint_nvtx_value_add(id, field, 1);
    assert_true(stint_dropped.nvtx_values >= 5);
    carry_double("added up", 1);
    assert_int_equal(value_of("NVTX", "added up", "").count, 1);
}
