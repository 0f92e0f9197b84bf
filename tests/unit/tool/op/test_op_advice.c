#include "op/op_table.h"

#include <stdio.h>
#include <string.h>

#include "op/op_recording.h"
#include "stint_test.h"

static struct stint_op_advices s_advices;

static int forget(void **state)
{
    stint_op_advices_free(&s_advices);
    memset(&s_advices, 0, sizeof s_advices);
    return op_forget(state);
}

static void advise(void)
{
    op_joined();
    assert_int_equal(stint_op_advices_make(&s_advices, &op_rows), 0);
}

/* Does so with what was recorded, forgets that, and returns how many there were. */
static size_t count_advice(void)
{
    advise();
    size_t count = s_advices.count;
    (void)forget(NULL);
    return count;
}

/* A kernel that an operation launched, one after the other without a pause. */
static uint64_t s_time;

static void run(const char *text, const char *kernel, uint64_t ns)
{
    static uint64_t correlation;
    uint64_t at = s_time ? s_time : 1000000000;
    correlation++;
    op_range(7, 10 * correlation, 10 * correlation + 9, text);
    op_call(7, 10 * correlation + 5, correlation);
    (void)op_kernel(at, ns, correlation, kernel);
    s_time = at + ns;
}

static const char *product(const char *type, unsigned m, unsigned n, unsigned k)
{
    static char text[4][512]; /* as many as a test needs at once */
    static unsigned at;
    at = (at + 1) % 4;
    (void)snprintf(
        text[at], sizeof text[at],
        "{'mod': 'm', 'op': 'mm', 'args': [{'name': '', 'type': 'tensor', 'shape': (%u, %u), 'dtype': '%s'}, "
        "{'name': '', 'type': 'tensor', 'shape': (%u, %u), 'dtype': '%s'}]}",
        m, k, type, k, n, type);
    return text[at];
}

static const char s_other[] = "aten::relu, op_id = 1, sizes = [[5]]";

/* ------------------------------------------------------------------------------------------------------- alignment */

static size_t with_dimensions(const char *type, unsigned m, unsigned n, unsigned k)
{
    run(product(type, m, n, k), "hmma", 100);
    return count_advice();
}

TEST_EACH(NULL, forget)

TEST(dimensions_are_multiples_of_16_bytes)
{
    assert_int_equal(with_dimensions("bfloat16", 64, 1001, 64), 1);
    assert_int_equal(with_dimensions("bfloat16", 64, 1004, 64), 1);
    assert_int_equal(with_dimensions("bfloat16", 64, 1000, 64), 0);
    assert_int_equal(with_dimensions("float32", 64, 1002, 64), 1);
    assert_int_equal(with_dimensions("float32", 64, 1004, 64), 0);
    assert_int_equal(with_dimensions("float8_e4m3fn", 64, 1000, 64), 1);
    assert_int_equal(with_dimensions("float8_e4m3fn", 64, 1008, 64), 0);
    assert_int_equal(with_dimensions("float16", 64, 64, 7), 1);
    assert_int_equal(with_dimensions("float16", 7, 64, 64), 1);
    assert_int_equal(with_dimensions("float16", 1, 64, 64), 0); /* times a vector */
}

TEST(types_that_are_not_known_are_taken_for_16_bits)
{
    run("aten::mm, op_id = 1, sizes = [[64, 64], [64, 1004]]", "hmma", 100);
    assert_int_equal(count_advice(), 1);
    run("aten::mm, op_id = 1, sizes = [[64, 64], [64, 1008]]", "hmma", 100);
    assert_int_equal(count_advice(), 0);
}

/* Numbers of 32 bits that are multiplied as they are need not be aligned. */
TEST(names_of_kernels_tell_how_operations_are_to_be_aligned)
{
    static const char mm[] = "aten::mm, op_id = 1, sizes = [[64, 64], [64, 1004]]";
    run(mm, "ampere_bf16_s16816gemm_bf16_128x64", 100);
    assert_int_equal(count_advice(), 1);
    run(mm, "ampere_fp16_s1688gemm_fp16_128x128", 100);
    assert_int_equal(count_advice(), 1);
    run(mm, "void cutlass::Kernel2<cutlass_75_tensorop_f16_s1688gemm_f16_128x128_tn_align1>(Params)", 100);
    assert_int_equal(count_advice(), 1);
    run(mm, "void cutlass::Kernel2<cutlass_75_tensorop_bf16_s1688gemm_bf16_128x128_tn_align1>(Params)", 100);
    assert_int_equal(count_advice(), 1);
    run(mm, "cutlass_80_tensorop_s1688gemm_128x256_16x3_nt_align4", 100);
    assert_int_equal(count_advice(), 0);
    run(mm, "sm80_xmma_gemm_tf32tf32_tf32f32_f32_tn", 100);
    assert_int_equal(count_advice(), 0);
    run("aten::mm, op_id = 1, sizes = [[64, 64], [64, 1001]]", "sm80_xmma_gemm_tf32tf32_tf32f32_f32_tn", 100);
    assert_int_equal(count_advice(), 1);
    run("aten::mm, op_id = 1, sizes = [[64, 64], [64, 1001]]", "sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_ffma", 100);
    assert_int_equal(count_advice(), 0);
    run(product("float32", 64, 1001, 64), "ampere_sgemm_128x64", 100);
    assert_int_equal(count_advice(), 0);
    run(product("float16", 64, 1001, 64), "ampere_sgemm_128x64", 100); /* for that very reason, maybe */
    assert_int_equal(count_advice(), 1);
}

TEST(channels_count_unless_they_are_those_of_an_image)
{
    run("aten::conv2d, op_id = 1, sizes = [[8, 3, 32, 32], [64, 3, 7, 7], []]", "hmma", 100);
    assert_int_equal(count_advice(), 0);
    run("aten::conv2d, op_id = 1, sizes = [[8, 9, 32, 32], [64, 9, 7, 7], []]", "hmma", 100);
    assert_int_equal(count_advice(), 1);
    run("aten::conv2d, op_id = 1, sizes = [[8, 16, 32, 32], [63, 16, 7, 7], []]", "hmma", 100);
    assert_int_equal(count_advice(), 1);
}

TEST(advice_is_on_what_takes_a_hundredth_of_the_time)
{
    run(product("float16", 64, 65, 64), "hmma", 100);
    run(s_other, "relu", 9900);
    assert_int_equal(count_advice(), 1);
    run(product("float16", 64, 65, 64), "hmma", 100);
    run(s_other, "relu", 9901);
    assert_int_equal(count_advice(), 0);
}

TEST(advice_on_the_same_shapes_is_one)
{
    run(product("float16", 64, 65, 64), "hmma", 100);
    run(product("float16", 64, 65, 64), "hmma", 200);
    run(product("float16", 64, 66, 64), "hmma", 250);
    advise();
    assert_int_equal(s_advices.count, 2);
    assert_int_equal(s_advices.all[0].ns, 300);
    assert_int_equal(s_advices.all[0].kernels, 2);
    assert_int_equal(s_advices.all[0].dimension, 'N');
    assert_int_equal(s_advices.all[1].is, 66);
}

/* ------------------------------------------------------------------------------------------------------- precision */

static size_t with_types(const char *type, const char *kernel, uint64_t used_ns, uint64_t unused_ns)
{
    run(product("bfloat16", 64, 64, 64), "hmma", used_ns);
    run(product(type, 64, 64, 64), kernel, unused_ns);
    return count_advice();
}

TEST(wide_types_are_advised_against_where_most_are_narrow)
{
    assert_int_equal(with_types("float32", "sgemm", 100, 100), 1);
    assert_int_equal(with_types("float64", "dgemm", 100, 100), 1);
    assert_int_equal(with_types("float32", "sgemm", 99, 100), 0); /* it may be what is wanted */
    assert_int_equal(with_types("float32", "hmma", 100, 100), 0);
    assert_int_equal(with_types("float16", "gemv", 100, 100), 0); /* no wide type */
    assert_int_equal(with_types("float32", "sgemm", 9900, 100), 1);
    assert_int_equal(with_types("float32", "sgemm", 9901, 100), 0);
}

TEST(names_of_kernels_tell_types_that_ranges_do_not)
{
    run(product("bfloat16", 64, 64, 64), "hmma", 100);
    run("aten::mm, op_id = 1, sizes = [[64, 64], [64, 64]]", "ampere_sgemm_128x64", 100);
    assert_int_equal(count_advice(), 1);
    run(product("bfloat16", 64, 64, 64), "hmma", 100);
    run("aten::mm, op_id = 1, sizes = [[64, 64], [64, 64]]", "gemv2T", 100);
    assert_int_equal(count_advice(), 0);
}

/* ------------------------------------------------------------------------------------------------------------- grid */

static size_t with_blocks(uint32_t x, uint32_t y, unsigned multiprocessors, uint64_t other_ns)
{
    struct stint_gpu_device device = {.name = "", .multiprocessors = multiprocessors};
    TEST_ROWS(op_snapshot, gpu_devices, gpu_device_count, device);
    run(s_other, "relu", 200);
    memcpy(op_last_gpu()->grid, (const uint32_t[]){x, y, 1}, sizeof op_last_gpu()->grid);
    run(s_other, "other", other_ns);
    memcpy(op_last_gpu()->grid, (const uint32_t[]){1000, 1, 1}, sizeof op_last_gpu()->grid);
    return count_advice();
}

TEST(tiny_grids_have_fewer_blocks_than_half_of_the_device)
{
    assert_int_equal(with_blocks(65, 1, 132, 100), 1);
    assert_int_equal(with_blocks(13, 5, 132, 100), 1);
    assert_int_equal(with_blocks(66, 1, 132, 100), 0);
    assert_int_equal(with_blocks(1, 1, 0, 100), 0); /* the device is not known */
    assert_int_equal(with_blocks(65, 1, 132, 9800), 1);
    assert_int_equal(with_blocks(65, 1, 132, 9801), 0); /* less than 2 % */
}

/* --------------------------------------------------------------------------------------------------------- launches */

/* So many kernels, each a while after the one before. */
static size_t with_pauses(size_t count, uint64_t pause_ns, uint64_t ns)
{
    for (size_t i = 0; i < count; i++) {
        s_time += i ? pause_ns : 0;
        run(s_other, "relu", ns);
    }
    return count_advice();
}

TEST(many_short_kernels_that_a_device_waits_for_are_a_graph)
{
    assert_int_equal(with_pauses(16, 2000, 1875), 1); /* 15 pauses of 2000 for 16 * 1875 = 30000 ns */
    assert_int_equal(with_pauses(15, 2000, 1800), 0);
    assert_int_equal(with_pauses(16, 1999, 1800), 0); /* shorter than a launch */
    assert_int_equal(with_pauses(16, 2000, 1876), 0); /* runs longer than it waits */
    assert_int_equal(with_pauses(16, 1000000, 10), 1);
    assert_int_equal(with_pauses(16, 1000001, 10), 0); /* the host does something else */
}

TEST(launches_matter_if_they_take_a_twentieth_of_the_time)
{
    run(s_other, "long", 599840); /* and 16 * 10 and 15 * 2000 */
    s_time += 2000000;
    assert_int_equal(with_pauses(16, 2000, 10), 1);
    run(s_other, "long", 599841);
    s_time += 2000000;
    assert_int_equal(with_pauses(16, 2000, 10), 0);
}

TEST(sequences_are_counted_together)
{
    for (size_t i = 0; i < 2 * 16 + 5; i++) {
        s_time += i % 16 ? 3000 : 2000000;
        run(s_other, "relu", 1000);
    }
    advise();
    assert_int_equal(s_advices.count, 1);
    assert_int_equal(s_advices.all[0].rule, STINT_OP_ADVICE_LAUNCH);
    assert_int_equal(s_advices.all[0].kernels, 32);
    assert_int_equal(s_advices.all[0].wanted, 2);
    assert_int_equal(s_advices.all[0].ns, 2 * 15 * 3000);
}

/* ------------------------------------------------------------------------------------------------------------ lines */

static int keep(void *context, const char *text, size_t length)
{
    char *out = context;
    strncat(out, text, length);
    return 0;
}

TEST(lines_say_what_to_do)
{
    char out[2048] = "";
    struct stint_text text;
    op_range(7, 0, 9, "layer:net.a");
    op_range(7, 1, 8, product("float16", 64, 65, 64));
    op_call(7, 5, 1000000);
    (void)op_kernel(1000, 300, 1000000, "hmma");
    op_range(7, 10, 19, "layer:net.b");
    op_range(7, 11, 18, product("float16", 64, 65, 64));
    op_call(7, 15, 1000001);
    (void)op_kernel(1300, 100, 1000001, "hmma");
    op_joined();
    stint_text_begin(&text, keep, out);
    assert_int_equal(stint_op_advices_put(&op_rows, 0, &text), 0);
    assert_int_equal(stint_text_end(&text), STINT_OK);
    assert_string_equal(out, " 100.00 % alignment: mm [64,64]fp16;[64,65]fp16 in layer net.a and others: N = 65 is not "
                             "a multiple of 8, which Tensor Cores need for fp16: pad it to 72\n");
    out[0] = '\0';
    stint_text_begin(&text, keep, out);
    assert_int_equal(stint_op_advices_put(&op_rows, 1, &text), 0);
    assert_int_equal(stint_text_end(&text), STINT_OK);
    assert_string_equal(out, "rule,total_ns,kernels,layer,op,params,kernel,advice\n"
                             "alignment,400,2,\"net.a\",\"mm\",\"[64,64]fp16;[64,65]fp16\",\"hmma\",\"N = 65 is not "
                             "a multiple of 8, which Tensor Cores need for fp16: pad it to 72\"\n");
}
