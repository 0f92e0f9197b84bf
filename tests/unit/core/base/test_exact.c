#include "base/text.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stint_test.h"

static void check(double value, const char *expected)
{
    char out[STINT_NUMBER_SIZE];
    assert_int_equal(stint_number_exact(out, value), strlen(expected));
    assert_string_equal(out, expected);
}

TEST(what_people_write_is_written_likewise)
{
    check(0, "0");
    check(-0.0, "-0");
    check(1, "1");
    check(-2.5, "-2.5");
    check(0.1, "0.1");
    check(0.3, "0.3");
    check(0.00001, "0.00001");
    check(0.0000095, "9.5e-6");
    check(123456789.012345, "123456789.012345");
    check(-1e-300, "-1e-300");
}

TEST(whole_numbers_have_no_point)
{
    check(100, "100");
    check(0x1p53, "9007199254740992");
    check(1e20, "100000000000000000000");
    check(1e21, "1e+21");
    check(0x1p52, "4503599627370496");
}

TEST(others_have_seventeen_digits)
{
    check(1.0 / 3, "0.33333333333333331");
    check(0.1 + 0.2, "0.30000000000000004");
    check(DBL_MAX, "1.7976931348623157e+308");
    check(DBL_MIN, "2.2250738585072014e-308");
    check(DBL_TRUE_MIN, "4.94065645841247e-324");
}

TEST(nines_round_up_into_another_digit)
{
    check(0.99999999999999989, "0.99999999999999989");
    check(9.9999999999999982, "9.9999999999999982");
    check(99999999999999.98, "99999999999999.984");
    check(0x1.fffffffffffffp+66, "147573952589676400000");
}

TEST(what_is_not_finite_is_a_dash)
{
    check((double)INFINITY, "-");
    check(-(double)INFINITY, "-");
    check((double)NAN, "-");
}

/* All kinds of bits, the same in every run. */
TEST(every_number_reads_as_itself)
{
    uint64_t bits = 1;
    for (int i = 0; i < TEST_MANY(200000); ++i) {
        char out[STINT_NUMBER_SIZE];
        double value;
        bits = bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        assert_true(stint_number_exact(out, value) < 25);
        if (strtod(out, NULL) != value)
            fail_msg("%a is written as %s", value, out);
    }
}

TEST(so_do_powers_of_two_and_their_neighbours)
{
    for (int exponent = -1074; exponent < 1024; ++exponent) {
        const double power = ldexp(1, exponent);
        const double numbers[] = {power, nextafter(power, 0), nextafter(power, DBL_MAX)};
        for (size_t i = 0; i < 3; ++i) {
            char out[STINT_NUMBER_SIZE];
            stint_number_exact(out, numbers[i]);
            if (strtod(out, NULL) != numbers[i])
                fail_msg("%a is written as %s", numbers[i], out);
        }
    }
}
