

#include "base/text.h"
#include "report/line.h"
#include "stint_test.h"

static void check_cell(enum stint_time_unit unit, uint64_t ns, const char *expected)
{
    char out[STINT_NUMBER_SIZE];
    stint_unit_format(out, unit, ns);
    assert_string_equal(out, expected);
}

static void check_time(double ns, const char *expected)
{
    char out[STINT_NUMBER_SIZE];
    stint_time_format(out, ns);
    assert_string_equal(out, expected);
}

TEST(greatest_chooses_the_unit)
{
    assert_int_equal(stint_unit_choose(0, 0), STINT_UNIT_NS);
    assert_int_equal(stint_unit_choose(999, 999), STINT_UNIT_NS);
    assert_int_equal(stint_unit_choose(1000, 1000), STINT_UNIT_US);
    assert_int_equal(stint_unit_choose(2000000, 5000000), STINT_UNIT_MS);
    assert_int_equal(stint_unit_choose(UINT64_C(3000000000), UINT64_C(9000000000)), STINT_UNIT_S);
}

TEST(least_asks_for_a_finer_unit_while_the_greatest_stays_short)
{
    assert_int_equal(stint_unit_choose(2000000, UINT64_C(9000000000)), STINT_UNIT_MS);
    assert_int_equal(stint_unit_choose(50, UINT64_C(9000000000)), STINT_UNIT_MS);
    assert_int_equal(stint_unit_choose(50, UINT64_C(90000000000)), STINT_UNIT_MS);
    assert_int_equal(stint_unit_choose(50, UINT64_C(100000000000)), STINT_UNIT_S);
    assert_int_equal(stint_unit_choose(50, 50000), STINT_UNIT_NS);
}

TEST(cells_have_three_decimals)
{
    check_cell(STINT_UNIT_NS, 12345, "12345");
    check_cell(STINT_UNIT_US, 12345, "12.345");
    check_cell(STINT_UNIT_US, 0, "0.000");
    check_cell(STINT_UNIT_MS, 12345678, "12.346");
    check_cell(STINT_UNIT_MS, 999999499, "999.999");
    check_cell(STINT_UNIT_MS, 999999500, "1000.000");
    check_cell(STINT_UNIT_S, UINT64_MAX, "18446744073.710");
}

TEST(short_times_keep_their_digits)
{
    check_cell(STINT_UNIT_US, 1, "0.001");
    check_cell(STINT_UNIT_MS, 10000, "0.010");
    check_cell(STINT_UNIT_MS, 9999, "0.009999");
    check_cell(STINT_UNIT_MS, 1, "0.000001");
    check_cell(STINT_UNIT_S, 9999999, "0.010000");
    check_cell(STINT_UNIT_S, 9999, "0.000009999");
    check_cell(STINT_UNIT_S, 1, "0.000000001");
}

TEST(the_largest_time_is_a_sum_that_is_greater)
{
    check_time((double)UINT64_MAX, ">18446744073.7 s");
    check_time(0x1p63, "9223372036.9 s");
}

TEST(single_times_carry_their_unit)
{
    check_time(0, "0.0 ns");
    check_time(8.34, "8.3 ns");
    check_time(830, "830 ns");
    check_time(999.94, "1000 ns");
    check_time(999.96, "1.000 us");
    check_time(24123, "24.12 us");
    check_time(999960000, "1.000 s");
    check_time(1234567890, "1.235 s");
    check_time(86400e9, "86400.0 s");
}
