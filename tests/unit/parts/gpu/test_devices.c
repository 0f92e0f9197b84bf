/* What the system says of a device's link. The rest is tested with whole processes. */
#include "gpu/callback.h"

#include "stint_test.h"

TEST(link_bandwidth_follows_speed_and_width)
{
    assert_int_equal(stint_ask_link_bytes_per_s("2.5 GT/s PCIe\n", 1), 250000000);
    assert_int_equal(stint_ask_link_bytes_per_s("8.0 GT/s PCIe\n", 8), UINT64_C(8000000000) * 8 / 130 * 128 / 8);
    assert_int_equal(stint_ask_link_bytes_per_s("2.5 GT/s PCIe\n", 16), 4000000000);
    assert_int_equal(stint_ask_link_bytes_per_s("5.0 GT/s PCIe\n", 8), 4000000000);
    assert_in_range(stint_ask_link_bytes_per_s("16.0 GT/s PCIe\n", 16), 31507692000, 31507693000);
    assert_int_equal(stint_ask_link_bytes_per_s("64.0 GT/s PCIe\n", 16), 121000000000);
    assert_int_equal(stint_ask_link_bytes_per_s("32.0 GT/s PCIe\n", 16), UINT64_C(32000000000) * 16 / 130 * 128 / 8);
}

TEST(what_is_no_speed_gives_none)
{
    static const char *const speeds[] = {"", "Unknown", "8.0", "8.0 GB/s", "0 GT/s", "-8 GT/s", "1e9 GT/s", "nan GT/s"};
    for (size_t i = 0; i < TEST_COUNT(speeds); ++i)
        assert_int_equal(stint_ask_link_bytes_per_s(speeds[i], 16), 0);
    assert_int_equal(stint_ask_link_bytes_per_s("8.0 GT/s", 0), 0);
    assert_int_equal(stint_ask_link_bytes_per_s("8.0 GT/s", 255), 0); /* the kernel's word for unknown */
}
