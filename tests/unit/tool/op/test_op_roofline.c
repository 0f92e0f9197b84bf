#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ceiling/ceilings.h"
#include "op/op_recording.h"
#include "op/op_roofline.h"
#include "stint_test.h"

/* What NVIDIA's data sheets say, at the clocks that they mean. */
TEST(peaks_are_those_of_data_sheets)
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

TEST(what_is_not_known_has_no_peak)
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

enum { COUNTED = 7 };

static char s_image[16384];

static int keep(void *context, const char *text, size_t length)
{
    size_t used = strlen(s_image);
    assert_in_range(used + length, 0, sizeof s_image - 1);
    memcpy(s_image + used, text, length);
    return 0;
}

static void draw(void)
{
    struct stint_text text;
    memset(s_image, 0, sizeof s_image);
    stint_text_begin(&text, keep, NULL);
    assert_int_equal(stint_op_roofline_put(&op_rows, &text), 0);
    assert_int_equal(stint_text_end(&text), STINT_OK);
}

TEST_TEARDOWN(operations_have_a_circle_with_their_numbers, op_forget)
{
    op_range(7, 0, 9,
             "{'mod': 'm', 'op': 'mm', 'args': [{'name': '', 'type': 'tensor', 'shape': (64, 64), 'dtype': 'half'}, "
             "{'name': '', 'type': 'tensor', 'shape': (64, 64), 'dtype': 'half'}]}");
    op_call(7, 5, 1);
    op_kernel(100, 10, 1, "hmma");
    op_joined();
    draw();
    assert_non_null(strstr(s_image, "<title>mm: 100.00 % of the time, 21.33 FLOP/B, 52.429 TFLOP/s</title>"));
    assert_null(strstr(s_image, "no operation has known"));
}

TEST_TEARDOWN(an_image_without_operations_says_why, op_forget)
{
    op_range(7, 0, 9, "aten::mm, op_id = 1, sizes = [[64, 64], [64, 64]]");
    op_call(7, 5, 1);
    op_kernel(100, 10, 1, "kernel");
    op_joined();
    draw();
    assert_non_null(strstr(s_image, "no operation has known FLOPs and bytes"));
    assert_string_equal(s_image + strlen(s_image) - 7, "</svg>\n");
}

/* An operation with a 1001st of the time. */
TEST_TEARDOWN(what_takes_hardly_any_time_is_left_out, op_forget)
{
#define RELU(name)                                                                                                     \
    "{'mod': 'm', 'op': '" name "', 'args': [{'name': '', 'type': 'tensor', 'shape': (64,), 'dtype': 'half'}]}"
    op_range(7, 0, 9, RELU("relu"));
    op_call(7, 5, 1);
    op_range(7, 10, 19, RELU("sigmoid"));
    op_call(7, 15, 2);
    op_range(7, 20, 29, RELU("tanh"));
    op_call(7, 25, 3);
    op_kernel(100, 998000, 1, "a");
    op_kernel(1000000, 999, 2, "b");
    op_kernel(1100000, 1001, 3, "c");
    op_joined();
    draw();
    assert_non_null(strstr(s_image, "<title>relu"));
    assert_null(strstr(s_image, "<title>sigmoid"));
    assert_non_null(strstr(s_image, "<title>tanh"));
}

#define THREADS(op) "smsp__sass_thread_inst_executed_op_" op "_pred_on.sum"

/* A kernel with 64^3 instructions, each a multiplication and an addition, that takes 2 us by its counters. In fp32 they
 * are 2 * 64^3 FLOPs, and it moves four times the bytes it must. */
static void count(const char *name, const char *fma, const char *add, const char *multiply)
{
    static struct stint_nvtx_value values[COUNTED];
    const struct {
        const char *field;
        double value;
    } counted[] = {{"dram__bytes_read.sum", 60000},
                   {"dram__bytes_write.sum", 38304},
                   {"gpu__time_duration.sum", 2000},
                   {fma, 262144},
                   {add, 0},
                   {multiply, 0},
                   {STINT_COUNTER_LAUNCHES, 3}};
    for (size_t i = 0; i < COUNTED; i++)
        values[i] = (struct stint_nvtx_value){
            .set = STINT_COUNTER_SET, .name = name, .field = counted[i].field, .count = 1, .sum = counted[i].value};
    TEST_ROWS(op_snapshot, nvtx_values, nvtx_value_count, values);
}

static void count_kernel(const char *name)
{
    count(name, THREADS("ffma"), THREADS("fadd"), THREADS("fmul"));
}

static void record_product(void)
{
    op_range(7, 0, 9,
             "{'mod': 'm', 'op': 'mm', 'args': [{'name': '', 'type': 'tensor', 'shape': (64, 64), 'dtype': 'half'}, "
             "{'name': '', 'type': 'tensor', 'shape': (64, 64), 'dtype': 'half'}]}");
    op_call(7, 5, 1);
    op_kernel(100, 10, 1, "void product<4>(float *)");
    op_joined();
}

/* If every launch was counted, no kernel has any other record. */
TEST_TEARDOWN(kernels_that_were_only_counted_are_drawn, op_forget)
{
    op_joined();
    assert_int_equal(op_rows.count, 0);
    assert_false(stint_op_roofline_has_kernels(&op_rows));
    count_kernel("void product<4>(float *)");
    assert_true(stint_op_roofline_has_kernels(&op_rows));
    draw();
    assert_non_null(strstr(s_image, "<title>product: "));
    assert_non_null(strstr(s_image, "5.33 FLOP/B, 0.262 TFLOP/s</title>"));
}

TEST_TEARDOWN(counted_kernels_are_drawn_instead_of_operations, op_forget)
{
    record_product();
    assert_false(stint_op_roofline_has_kernels(&op_rows));
    count_kernel("void product<4>(float *)");
    assert_true(stint_op_roofline_has_kernels(&op_rows));
    draw();
    assert_null(strstr(s_image, "<title>mm"));
    assert_non_null(strstr(s_image, "<title>product: "));
    assert_non_null(strstr(s_image, "5.33 FLOP/B, 0.262 TFLOP/s, moves 4.0 x the bytes it must</title>"));
    assert_non_null(strstr(s_image, "class=\"least\""));
}

/* As the report on counters has them, and the roof that is measured. */
TEST_TEARDOWN(instructions_of_fp16_compute_with_pairs, op_forget)
{
    record_product();
    count("void product<4>(float *)", THREADS("hfma"), THREADS("hadd"), THREADS("hmul"));
    draw();
    assert_non_null(strstr(s_image, "10.67 FLOP/B, 0.524 TFLOP/s"));
}

TEST_TEARDOWN(a_kernel_that_no_operation_has_launched_has_nothing_to_compare_with, op_forget)
{
    record_product();
    count_kernel("other(float *)");
    draw();
    assert_non_null(strstr(s_image, "<title>other: "));
    assert_null(strstr(s_image, "class=\"least\""));
    assert_null(strstr(s_image, "it must"));
}

/* Without bytes there is no place for it. */
TEST_TEARDOWN(kernels_of_which_less_was_counted_are_not_drawn, op_forget)
{
    record_product();
    count_kernel("void product<4>(float *)");
    op_snapshot.nvtx_values++;
    op_snapshot.nvtx_value_count--;
    assert_false(stint_op_roofline_has_kernels(&op_rows));
    draw();
    assert_non_null(strstr(s_image, "<title>mm"));
}

TEST_TEARDOWN(roofs_are_those_that_were_measured, op_forget)
{
    static const struct stint_gpu_device device = {.name = "Some GPU", .memory_bytes_per_s = 200000000000u};
    struct stint_ceilings ceilings = {.device = "Some GPU", .driver = 13000};
    char folder[] = "roofs-XXXXXX", path[64];
    record_product();
    TEST_ROWS(op_snapshot, gpu_devices, gpu_device_count, device);
    count_kernel("void product<4>(float *)");
    assert_non_null(mkdtemp(folder));
    assert_int_equal(setenv("XDG_STATE_HOME", folder, 1), 0);
    draw();
    assert_non_null(strstr(s_image, ">200 GB/s</text>"));
    ceilings.per_s[STINT_CEILING_COPY] = 0.18e12;
    ceilings.per_s[STINT_CEILING_READ] = 0.19e12;
    ceilings.per_s[STINT_CEILING_FP32] = 50.5e12;
    assert_int_equal(stint_ceilings_write(&ceilings), 0);
    draw();
    assert_non_null(strstr(s_image, ">190 GB/s, measured</text>"));
    assert_non_null(strstr(s_image, ">fp32: 50.5 TFLOP/s, measured</text>"));
    (void)snprintf(path, sizeof path, "%s/stint/ceilings.tsv", folder);
    assert_int_equal(unlink(path), 0);
    path[strlen(path) - strlen("/ceilings.tsv")] = '\0';
    assert_int_equal(rmdir(path) + rmdir(folder), 0);
}
