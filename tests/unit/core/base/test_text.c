#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stint_test.h"

/* ----------------------------------------------------------------------------------------------------------- output */

struct sink {
    char bytes[8192];
    size_t length;
    int calls;
    int fail_from; /* the call, from 1, that fails, and every later one; 0: none */
};

static int write_sink(void *context, const char *bytes, size_t length)
{
    struct sink *sink = context;
    sink->calls++;
    if (sink->fail_from && sink->calls >= sink->fail_from)
        return -1;
    assert_true(sink->length + length <= sizeof sink->bytes);
    memcpy(sink->bytes + sink->length, bytes, length);
    sink->length += length;
    return 0;
}

TEST(pieces_longer_than_the_buffer_arrive_in_order)
{
    struct sink sink = {0};
    struct stint_text text;
    char expected[6000];
    for (size_t i = 0; i < sizeof expected; i++)
        expected[i] = (char)('a' + i % 26);
    stint_text_begin(&text, write_sink, &sink);
    stint_text_put(&text, expected, 1);
    stint_text_put(&text, expected + 1, 5000);
    stint_text_put(&text, expected + 5001, sizeof expected - 5001);
    assert_int_equal(stint_text_end(&text), STINT_OK);
    assert_int_equal(sink.length, sizeof expected);
    assert_memory_equal(sink.bytes, expected, sizeof expected);
}

TEST(short_text_is_one_write)
{
    struct sink sink = {0};
    struct stint_text text;
    stint_text_begin(&text, write_sink, &sink);
    stint_text_string(&text, "answer ");
    stint_text_string(&text, NULL);
    stint_text_u64(&text, UINT64_MAX);
    stint_text_fill(&text, '.', 3);
    stint_text_i64(&text, INT64_MIN);
    assert_int_equal(sink.calls, 0);
    assert_int_equal(stint_text_end(&text), STINT_OK);
    assert_int_equal(sink.calls, 1);
    const char expected[] = "answer 18446744073709551615...-9223372036854775808";
    assert_int_equal(sink.length, sizeof expected - 1);
    assert_memory_equal(sink.bytes, expected, sizeof expected - 1);
}

TEST(what_is_said_has_the_forms_of_printf)
{
    struct sink sink = {0};
    struct stint_text text;
    const char expected[] = "100 % of 7, -8 and 9: \"a\", 0.250, 3";
    stint_text_begin(&text, write_sink, &sink);
    stint_text_say(&text, "%ju %% of %zu, %jd and %ju: \"%s\", %.3f, %.0f", (uintmax_t)100, (size_t)7, (intmax_t)-8,
                   (uintmax_t)9, "a", 0.25, 3.0);
    assert_int_equal(stint_text_end(&text), STINT_OK);
    assert_int_equal(sink.length, sizeof expected - 1);
    assert_memory_equal(sink.bytes, expected, sizeof expected - 1);
}

TEST(empty_text_is_not_written)
{
    struct sink sink = {0};
    struct stint_text text;
    stint_text_begin(&text, write_sink, &sink);
    assert_int_equal(stint_text_end(&text), STINT_OK);
    assert_int_equal(sink.calls, 0);
}

TEST(failed_write_is_reported_and_is_the_last)
{
    struct sink sink = {.fail_from = 2};
    struct stint_text text;
    stint_text_begin(&text, write_sink, &sink);
    stint_text_fill(&text, 'x', 5 * sizeof text.buffer);
    assert_int_equal(stint_text_end(&text), STINT_ERROR_IO);
    assert_int_equal(sink.calls, 2);
    assert_int_equal(sink.length, sizeof text.buffer);
}

/* ---------------------------------------------------------------------------------------------------------- numbers */

static uint64_t random_state = UINT64_C(88172645463325252);

static uint64_t random_u64(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state * UINT64_C(0x2545f4914f6cdd1d);
}

/* Uniform in [0, 1). */
static double random_unit(void)
{
    return (double)(random_u64() >> 11) / 9007199254740992.0;
}

static void check_general(double value)
{
    char expected[64], actual[STINT_NUMBER_SIZE];
    snprintf(expected, sizeof expected, "%g", value);
    size_t length = stint_number_general(actual, value);
    if (strcmp(expected, actual) != 0 || length != strlen(actual))
        fail_msg("%a: printf has %s, stint_number_general %s (length %zu)", value, expected, actual, length);
}

static void check_fixed(double value, unsigned decimals)
{
    char expected[400], actual[STINT_NUMBER_SIZE];
    snprintf(expected, sizeof expected, "%.*f", (int)decimals, value);
    size_t length = stint_number_fixed(actual, value, decimals);
    if (strcmp(expected, actual) != 0 || length != strlen(actual))
        fail_msg("%a, %u: printf has %s, stint_number_fixed %s (length %zu)", value, decimals, expected, actual,
                 length);
}

static void check_neighbours(double value)
{
    check_general(value);
    check_general(nextafter(value, 0));
    check_general(nextafter(value, INFINITY));
    check_general(-value);
}

TEST(general_is_printf_g_for_thousandths)
{
    for (uint32_t us = 0; us < TEST_MANY(2000000); us++)
        check_general((double)us * 0.001);
    for (int i = 0; i < TEST_MANY(250000); i++)
        check_general((double)(random_u64() >> random_u64() % 64) * 0.001);
}

TEST(general_is_printf_g_near_ties)
{
    for (int i = 0; i < TEST_MANY(300000); i++) {
        double tie = (double)(100000 + random_u64() % 900000) + 0.5;
        int exponent = (int)(random_u64() % 24) - 12;
        check_neighbours(tie * pow(10, exponent));
        check_general(ldexp((double)(random_u64() % 2000001), -(int)(random_u64() % 30)));
    }
}

TEST(general_is_printf_g_at_powers_of_ten)
{
    for (int exponent = -307; exponent <= 308; exponent++) {
        char text[24];
        snprintf(text, sizeof text, "1e%d", exponent);
        check_neighbours(strtod(text, NULL));
        snprintf(text, sizeof text, "9.99999e%d", exponent);
        if (exponent < 308)
            check_neighbours(strtod(text, NULL));
    }
}

TEST(general_is_printf_g_for_any_bits)
{
    for (int i = 0; i < TEST_MANY(125000); i++) {
        uint64_t bits = random_u64();
        double value;
        memcpy(&value, &bits, sizeof value);
        check_general(value);
    }
    const double special[] = {
        0.0, -0.0, INFINITY, -INFINITY, NAN, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308};
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++)
        check_general(special[i]);
}

TEST(fixed_is_printf_f)
{
    for (int i = 0; i < TEST_MANY(250000); i++) {
        double value = pow(10, -12 + 40 * random_unit());
        check_fixed(i % 2 ? value : -value, (unsigned)(random_u64() % 10));
        check_fixed((double)(random_u64() % 100000000) * 0.001, (unsigned)(random_u64() % 4));
        check_fixed(ldexp((double)(random_u64() % 2000001), -(int)(random_u64() % 30)), (unsigned)(random_u64() % 10));
    }
}

TEST(fixed_is_printf_f_for_special_values)
{
    const double special[] = {
        0.0, -0.0, 0.5, 1.5, 2.5, -0.0004, 0.9995, 5e-324, 1e-300, 9.9e28, 18446744073709551615.0};
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++)
        for (unsigned decimals = 0; decimals <= 9; decimals++)
            check_fixed(special[i], decimals);
}

TEST(fixed_without_a_sensible_form_stays_short)
{
    char out[STINT_NUMBER_SIZE];
    assert_int_equal(stint_number_fixed(out, INFINITY, 3), 1);
    assert_string_equal(out, "-");
    assert_int_equal(stint_number_fixed(out, NAN, 0), 1);
    assert_string_equal(out, "-");
    stint_number_fixed(out, -1.5e300, 3);
    assert_string_equal(out, "-1.5e+300");
    stint_number_fixed(out, 0.25, 99);
    assert_string_equal(out, "0.250000000");
}

TEST(integers_have_all_their_digits)
{
    char out[STINT_NUMBER_SIZE];
    assert_int_equal(stint_number_u64(out, 0), 1);
    assert_string_equal(out, "0");
    assert_int_equal(stint_number_u64(out, UINT64_MAX), 20);
    assert_string_equal(out, "18446744073709551615");
    assert_int_equal(stint_number_i64(out, INT64_MIN), 20);
    assert_string_equal(out, "-9223372036854775808");
    assert_int_equal(stint_number_i64(out, 42), 2);
    assert_string_equal(out, "42");
}
