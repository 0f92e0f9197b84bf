#include "op/op_roofline.h"

#include "stint_test.h"

/* What NVIDIA's data sheets say, at the clocks that they mean. */
static void peaks_are_those_of_data_sheets(void **state)
{
    static const struct stint_gpu_device v100 = {
        .compute_major = 7, .multiprocessors = 80, .core_clock_khz = 1530000, .name = ""};
    static const struct stint_gpu_device a100 = {
        .compute_major = 8, .multiprocessors = 108, .core_clock_khz = 1410000, .name = ""};
    static const struct stint_gpu_device h100 = {
        .compute_major = 9, .multiprocessors = 132, .core_clock_khz = 1830000, .name = ""};
    static const struct {
        const struct stint_gpu_device *device;
        enum stint_op_type type;
        enum stint_op_tensor_cores use;
        double tera;
    } all[] = {
        {&v100, STINT_OP_FP16, STINT_OP_TC_USED, 125},      {&v100, STINT_OP_FP32, STINT_OP_TC_UNUSED, 15.7},
        {&v100, STINT_OP_FP64, STINT_OP_TC_NONE, 7.8},      {&a100, STINT_OP_BF16, STINT_OP_TC_USED, 312},
        {&a100, STINT_OP_FP32, STINT_OP_TC_USED, 156},      {&a100, STINT_OP_FP64, STINT_OP_TC_USED, 19.5},
        {&a100, STINT_OP_FP64, STINT_OP_TC_UNUSED, 9.7},    {&a100, STINT_OP_FP16, STINT_OP_TC_NONE, 78},
        {&h100, STINT_OP_FP16, STINT_OP_TC_USED, 989.4},    {&h100, STINT_OP_TF32, STINT_OP_TC_USED, 494.7},
        {&h100, STINT_OP_FP8_E4M3, STINT_OP_TC_USED, 1979},
    };
    for (size_t i = 0; i < TEST_COUNT(all); i++) {
        double tera = stint_op_peak(all[i].device, all[i].type, all[i].use) / 1e12;
        assert_true(tera > 0.99 * all[i].tera && tera < 1.01 * all[i].tera);
    }
}

static void what_is_not_known_has_no_peak(void **state)
{
    static const struct stint_gpu_device a100 = {
        .compute_major = 8, .multiprocessors = 108, .core_clock_khz = 1410000, .name = ""};
    static const struct stint_gpu_device other = {
        .compute_major = 6, .multiprocessors = 56, .core_clock_khz = 1300000, .name = ""};
    static const struct stint_gpu_device none = {.name = ""};
    assert_true(stint_op_peak(&a100, STINT_OP_TYPE_UNKNOWN, STINT_OP_TC_USED) == 0);
    assert_true(stint_op_peak(&a100, STINT_OP_FP16, STINT_OP_TC_UNKNOWN) == 0);
    assert_true(stint_op_peak(&other, STINT_OP_FP32, STINT_OP_TC_NONE) == 0);
    assert_true(stint_op_peak(&none, STINT_OP_FP32, STINT_OP_TC_NONE) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(peaks_are_those_of_data_sheets),
        cmocka_unit_test(what_is_not_known_has_no_peak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
