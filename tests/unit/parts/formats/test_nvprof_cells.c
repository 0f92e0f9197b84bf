#include <string.h>

#include "formats/nvprof.h"
#include "stint_test.h"

TEST(times_read_as_nvprof_printed_them)
{
    static const struct {
        uint64_t ns;
        unsigned digits;
        const char *text;
    } samples[] = {
        {136140000, 5, "136.14ms"},
        {9630500, 5, "9.6305ms"},
        {1252, 5, "1.2520us"},
        {830, 5, "830ns"},
        {0, 5, "0ns"},
        {115446, 5, "115.45us"}, /* rounded, not cut */
        {UINT64_C(34175900000), 5, "34.1759s"},
        {UINT64_C(5286700000), 5, "5.28670s"},
        {12247350, 7, "12.24735ms"},
        {699179, 7, "699.1790us"},
        {UINT64_C(1360747000), 7, "1.360747s"},
    };
    char text[STINT_NUMBER_SIZE];
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        assert_int_equal(stint_nvprof_time(text, samples[i].ns, samples[i].digits), strlen(samples[i].text));
        assert_string_equal(text, samples[i].text);
    }
}

TEST(sizes_read_as_nvprof_printed_them)
{
    static const struct {
        uint64_t bytes;
        unsigned digits;
        const char *text;
    } samples[] = {
        {0, 5, "0B"},
        {16, 5, "16B"},
        {4096, 5, "4.0000KB"},
        {1142, 5, "1.1152KB"},
        {996 * 1024, 5, "996.00KB"},
        {1020 * 1024, 5, "0.9961MB"},
        {80000000, 5, "76.294MB"},
        {16777216, 7, "16.00000MB"},
        {8388608, 7, "8.000000MB"},
        {UINT64_C(5476753244), 7, "5.100624GB"},
    };
    char text[STINT_NUMBER_SIZE];
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        assert_int_equal(stint_nvprof_size(text, samples[i].bytes, samples[i].digits), strlen(samples[i].text));
        assert_string_equal(text, samples[i].text);
    }
}

TEST(rates_read_as_nvprof_printed_them)
{
    static const struct {
        uint64_t bytes;
        uint64_t ns;
        const char *text;
    } samples[] = {
        {262144, 26016, "9.3842GB/s"}, {262144, 22016, "11.089GB/s"}, {1, 1280, "762.94KB/s"},
        {4, 640, "5.9605MB/s"},        {8, 1344, "5.6766MB/s"},       {8, 0, "-"},
    };
    char text[STINT_NUMBER_SIZE];
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        assert_int_equal(stint_nvprof_rate(text, samples[i].bytes, samples[i].ns), strlen(samples[i].text));
        assert_string_equal(text, samples[i].text);
    }
}

TEST(no_time_is_wider_than_its_column)
{
    char text[STINT_NUMBER_SIZE];
    for (unsigned shift = 0; shift < 64; shift++) {
        for (uint64_t ns = UINT64_MAX >> shift; ns; ns = ns / 10 * 9 / 3) {
            assert_true(stint_nvprof_time(text, ns, 5) <= 8);
            assert_true(stint_nvprof_time(text, ns, 7) <= 10);
            assert_true(stint_nvprof_size(text, ns, 5) <= 9); /* more TB than have room */
        }
    }
    assert_int_equal(stint_nvprof_time(text, 999996, 5), 8);
    assert_string_equal(text, "1000.0us");
}

TEST(times_from_1000_s_keep_their_digits)
{
    char text[STINT_NUMBER_SIZE];
    stint_nvprof_time(text, UINT64_C(2400760000000), 5);
    assert_string_equal(text, "2400.76s");
    stint_nvprof_time(text, UINT64_MAX, 5);
    assert_string_equal(text, "1.8e+10s");
}

TEST(device_keeps_its_number_when_its_name_is_cut)
{
    struct stint_gpu_device device = {.id = 7, .name = "NVIDIA H100 80GB HBM3"};
    char text[STINT_NUMBER_SIZE];
    assert_int_equal(stint_nvprof_device(text, &device, 15), 15);
    assert_string_equal(text, "NVIDIA H100 (7)");
    device.name = "NVIDIA H200";
    device.id = 0;
    stint_nvprof_device(text, &device, 15);
    assert_string_equal(text, "NVIDIA H200 (0)");
    device.name = "";
    stint_nvprof_device(text, &device, 15);
    assert_string_equal(text, "Device (0)");
}
