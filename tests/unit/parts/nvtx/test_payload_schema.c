#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "nvtx/domain.h"
#include "nvtx/schemas.h"
#include "stint_test.h"

TEST_ONCE(client_start, NULL)
TEST_EACH(client_reset, NULL)

TEST(numbers_of_a_struct_are_added_up_by_field)
{
    const struct plain first = {200, -3, 0.5, -1}, second = {100, 5, 0.25, 4};
    const uint64_t id = register_entries(FIELDS(s_plain));
    assert_true(id >= STINT_NVTX_FIRST_DYNAMIC_ID);
    mark_with("plain", id, &first, sizeof first);
    mark_with("plain", id, &second, sizeof second);
    assert_true(sum_of("plain", "small") == 300);
    assert_true(sum_of("plain", "number") == 2);
    assert_true(sum_of("plain", "ratio") == 0.75);
    assert_true(sum_of("plain", "last") == 3);
    assert_true(value_of("NVTX marks", "plain", "number").min == -3);
    assert_true(value_of("NVTX marks", "plain", "number").max == 5);
    assert_int_equal(stint_nvtx_counts.rest, 0);
}

/* One of each type of number, at natural alignment. */
TEST(every_type_of_number_is_read)
{
    const struct {
        char c;
        unsigned char uc;
        short s;
        unsigned short us;
        int i;
        unsigned u;
        long l;
        unsigned long ul;
        long long ll;
        unsigned long long ull;
        int8_t i8;
        uint8_t u8;
        int16_t i16;
        uint16_t u16;
        int32_t i32;
        uint32_t u32;
        int64_t i64;
        uint64_t u64;
        float f;
        double d;
        long double ld;
        size_t size;
        float f32;
        double f64;
    } numbers = {1,  255, -3,  65535, -5,        UINT_MAX, -7, 8,    -9, 10, -128, 200,
                 -1, 300, -15, 16,    INT64_MIN, 1,        19, 20.5, 21, 22, 23,   24};
    const double expected[] = {1,   255, -3,  65535, -5, 4294967295.0,           -7, 8,  -9,   10, -128,
                               200, -1,  300, -15,   16, -9223372036854775808.0, 1,  19, 20.5, 21, 22,
                               23,  24};
    static const uint64_t types[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
                                     13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 43, 44};
    struct stint_nvtx_entry entries[TEST_COUNT(types)];
    char name[8];

    memset(entries, 0, sizeof entries);
    for (size_t i = 0; i < TEST_COUNT(types); ++i)
        entries[i].type = types[i];
    uint64_t id = register_entries(FIELDS(entries));
    mark_with("numbers", id, &numbers, sizeof numbers);
    for (size_t i = 0; i < TEST_COUNT(types); ++i) {
        snprintf(name, sizeof name, "[%zu]", i);
        assert_int_equal(value_of("NVTX marks", "numbers", name).count, 1);
        assert_true(sum_of("numbers", name) == expected[i]);
    }
    assert_int_equal(stint_nvtx_counts.rest, 0);
}

TEST(offsets_and_packing_are_heeded)
{
    static const struct stint_nvtx_entry far[] = {{.type = 16, .name = "far", .offset = 20}};
    static const struct stint_nvtx_entry tight[] = {{.type = 12, .name = "a"}, {.type = 18, .name = "b"}};
    struct stint_nvtx_schema_attributes packed = schema(FIELDS(tight));
    unsigned char bytes[24] = {5, 0, 1};
    const uint32_t number = 77;
    memcpy(bytes + 20, &number, sizeof number);
    mark_with("offsets", register_entries(FIELDS(far)), bytes, sizeof bytes);
    assert_true(sum_of("offsets", "far") == 77);
    packed.fields |= STINT_NVTX_SCHEMA_HAS_ALIGNMENT;
    packed.alignment = 1;
    mark_with("offsets", register_as(NULL, &packed), bytes, sizeof bytes);
    assert_true(sum_of("offsets", "a") == 5);
    assert_true(sum_of("offsets", "b") == 256);
}

TEST(what_is_no_number_is_rest_and_what_follows_is_found)
{
    static const struct stint_nvtx_entry entries[] = {
        {.type = 15, .name = "array", .flags = STINT_NVTX_ENTRY_ARRAY_FIXED, .detail = 3},
        {.type = STINT_NVTX_TYPE_CSTRING, .name = "inside", .detail = 5},
        {.type = STINT_NVTX_TYPE_CSTRING, .name = "outside"},
        {.type = 16, .name = "pointer", .flags = STINT_NVTX_ENTRY_POINTER},
        {.type = STINT_NVTX_TYPE_CATEGORY, .name = "category"},
        {.type = 17, .name = "time", .flags = STINT_NVTX_ENTRY_TIMESTAMP},
        {.type = 16, .name = "number"},
    };
    const struct {
        int32_t array[3];
        char inside[5];
        const char *outside;
        const uint32_t *pointer;
        uint32_t category;
        int64_t time;
        uint32_t number;
    } bytes = {{1, 2, 3}, "text", "more", NULL, 4, 5, 6};

    mark_with("rest", register_entries(FIELDS(entries)), &bytes, sizeof bytes);
    assert_true(sum_of("rest", "number") == 6);
    assert_int_equal(stint_nvtx_counts.rest, 6);
}

TEST(behind_an_entry_of_unknown_size_only_offsets_help)
{
    static const struct stint_nvtx_entry entries[] = {
        {.type = 16, .name = "length"}, {.type = 16, .name = "as many", .flags = 3 << 4, .detail = 0},
        {.type = 16, .name = "lost"},   {.type = 16, .name = "found", .offset = 12},
        {.type = 16, .name = "next"},
    };
    struct stint_nvtx_schema_attributes attributes = schema(FIELDS(entries));
    const uint32_t numbers[] = {2, 8, 9, 10, 11};
    attributes.type = STINT_NVTX_SCHEMA_DYNAMIC;
    mark_with("unknown size", register_as(NULL, &attributes), numbers, sizeof numbers);
    assert_true(sum_of("unknown size", "length") == 2);
    assert_true(sum_of("unknown size", "found") == 10);
    assert_true(sum_of("unknown size", "next") == 11);
    assert_int_equal(value_of("NVTX marks", "unknown size", "lost").count, 0);
    assert_int_equal(stint_nvtx_counts.rest, 2);
}

TEST(schemas_nest)
{
    const uint64_t inner = register_entries(FIELDS(s_plain));
    const struct stint_nvtx_entry entries[] = {
        {.type = 12, .name = "first"},
        {.type = inner, .name = "inner"},
        {.type = 12, .name = "last"},
    };
    const struct {
        uint8_t first;
        struct plain inner;
        uint8_t last;
    } bytes = {1, {2, 3, 4, 5}, 6};

    mark_with("nest", register_entries(FIELDS(entries)), &bytes, sizeof bytes);
    assert_true(sum_of("nest", "first") == 1);
    assert_true(sum_of("nest", "inner.small") == 2);
    assert_true(sum_of("nest", "inner.ratio") == 4);
    assert_true(sum_of("nest", "last") == 6);
}

TEST(an_enumeration_has_a_size_but_no_sum)
{
    const struct stint_nvtx_enum_attributes attributes = {.fields = STINT_NVTX_ENUM_HAS_SIZE, .size = 2};
    const uint64_t id = call_extension(STINT_NVTX_PAYLOAD_MODULE, STINT_NVTX_ENUM_REGISTER, uint64_t,
                                       (nvtx_handle, const struct stint_nvtx_enum_attributes *), (NULL, &attributes));
    const struct stint_nvtx_entry entries[] = {{.type = id, .name = "kind"}, {.type = 14, .name = "behind"}};
    const uint16_t bytes[] = {3, 4};
    mark_with("enumeration", register_entries(FIELDS(entries)), bytes, sizeof bytes);
    assert_int_equal(value_of("NVTX marks", "enumeration", "kind").count, 0);
    assert_true(sum_of("enumeration", "behind") == 4);
    assert_int_equal(stint_nvtx_counts.rest, 1);
}

TEST(ids_that_programs_choose_are_of_a_domain)
{
    static const struct stint_nvtx_entry mine[] = {{.type = 12, .name = "mine"}};
    static const struct stint_nvtx_entry yours[] = {{.type = 12, .name = "yours"}};
    struct stint_nvtx_schema_attributes first = schema(FIELDS(mine)), second = schema(FIELDS(yours));
    const nvtx_handle domain = create("schemas");
    const uint8_t byte = 9;
    first.fields |= STINT_NVTX_SCHEMA_HAS_ID;
    first.id = STINT_NVTX_FIRST_STATIC_ID + 3;
    second.fields = first.fields;
    second.id = first.id;
    assert_int_equal(register_as(NULL, &first), first.id);
    assert_int_equal(register_as(domain, &second), first.id);
    assert_int_equal(register_as(NULL, &second), first.id); /* again, by another library: the first stays */
    mark_with("chosen", first.id, &byte, 1);
    assert_true(sum_of("chosen", "mine") == 9);
    assert_int_equal(value_of("NVTX marks", "chosen", "yours").count, 0);
}

TEST(unions_and_what_is_incomplete_are_rest)
{
    struct stint_nvtx_schema_attributes attributes = schema(FIELDS(s_plain));
    const struct plain bytes = {0};
    attributes.type = 3;
    mark_with("union", register_as(NULL, &attributes), &bytes, sizeof bytes);
    assert_int_equal(stint_nvtx_counts.rest, 1);
    attributes = schema(FIELDS(s_plain));
    attributes.fields &= ~(uint64_t)STINT_NVTX_SCHEMA_HAS_COUNT;
    mark_with("union", register_as(NULL, &attributes), &bytes, sizeof bytes);
    assert_int_equal(stint_nvtx_counts.rest, 2);
    assert_int_equal(register_as(NULL, NULL), 0);
}

TEST(fields_beyond_the_limit_are_rest)
{
    struct stint_nvtx_entry entries[70];
    uint8_t bytes[70] = {0};
    memset(entries, 0, sizeof entries);
    for (size_t i = 0; i < 70; ++i)
        entries[i].type = 12;
    mark_with("long", register_entries(FIELDS(entries)), bytes, sizeof bytes);
    assert_int_equal(value_of("NVTX marks", "long", "[63]").count, 1);
    assert_int_equal(value_of("NVTX marks", "long", "[64]").count, 0);
    assert_int_equal(stint_nvtx_counts.rest, 6);
}

/* Last: it fills the table. */
TEST(too_many_schemas_are_counted)
{
    uint64_t id = 1;
    for (int i = 0; i < STINT_NVTX_MAX_SCHEMAS + 1 && id; ++i)
        id = register_entries(FIELDS(s_plain));
    assert_int_equal(id, 0);
    assert_int_equal(stint_dropped.nvtx_schemas, 1);
}
