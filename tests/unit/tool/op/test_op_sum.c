#include "op/op_sum.h"

#include <string.h>

#include "op/op_recording.h"
#include "stint_test.h"

static struct stint_op_sums s_sums;

static const struct stint_op_sum *next(size_t *at, const char *name)
{
    *at = stint_op_sum_after(&s_sums, *at);
    assert_true(*at);
    const struct stint_op_sum *sum = stint_op_sum_at(&s_sums, *at);
    assert_int_equal(sum->name.length, strlen(name));
    assert_memory_equal(sum->name.text, name, sum->name.length);
    return sum;
}

static int forget(void **state)
{
    stint_op_sums_free(&s_sums);
    memset(&s_sums, 0, sizeof s_sums);
    return op_forget(state);
}

TEST_EACH(NULL, forget)

/* Slashes are between layers in paths of XLA only. */
TEST(layers_of_paths_are_a_tree)
{
    size_t at = 0;
    op_range(7, 0, 9, "Thunk:#name=jit(a/b.c)/d/e/add,hlo_op=x#");
    op_call(7, 1, 1);
    op_range(7, 10, 19, "layer:f/g.h");
    op_call(7, 11, 2);
    op_kernel(20, 10, 1, "k");
    op_kernel(40, 5, 2, "k");
    op_joined();
    assert_int_equal(stint_op_sums_make(&s_sums, &op_rows, STINT_OP_BY_LAYER), 0);
    (void)next(&at, "jit(a/b.c)");
    (void)next(&at, "jit(a/b.c)/d");
    assert_int_equal(next(&at, "jit(a/b.c)/d/e")->depth, 2);
    (void)next(&at, "f/g");
    assert_int_equal(next(&at, "f/g.h")->depth, 1);
    assert_int_equal(stint_op_sum_after(&s_sums, at), 0);
}

TEST(layers_have_operations_that_have_kernels)
{
    static const struct {
        const char *name;
        size_t depth;
        enum stint_op_level level;
        uint64_t ns, kernels;
    } rows[] = {
        {"net", 0, STINT_OP_LEVEL_LAYER, 6000, 4},
        {"net.<b>conv</b>", 1, STINT_OP_LEVEL_LAYER, 4700, 3},
        {"mm", 2, STINT_OP_LEVEL_OPERATION, 4000, 2},
        {"volta_h884gemm_128x64_ldg8_nn", 3, STINT_OP_LEVEL_KERNEL, 3200, 1},
        {"splitKreduce_kernel", 3, STINT_OP_LEVEL_KERNEL, 800, 1},
        {"relu", 2, STINT_OP_LEVEL_OPERATION, 700, 1},
        {"vectorized_elementwise_kernel", 3, STINT_OP_LEVEL_KERNEL, 700, 1},
        {"net.head", 1, STINT_OP_LEVEL_LAYER, 1300, 1},
        {"mm", 2, STINT_OP_LEVEL_OPERATION, 1300, 1},
        {"volta_h884gemm_128x64_ldg8_nn", 3, STINT_OP_LEVEL_KERNEL, 1300, 1},
        {"(no layer)", 0, STINT_OP_LEVEL_LAYER, 130, 2},
        {"aten::sum", 1, STINT_OP_LEVEL_OPERATION, 100, 1},
        {"reduce_kernel", 2, STINT_OP_LEVEL_KERNEL, 100, 1},
        {"record_param_comms", 1, STINT_OP_LEVEL_OPERATION, 30, 1},
        {"ncclDevKernel_AllReduce", 2, STINT_OP_LEVEL_KERNEL, 30, 1},
    };
    size_t at = 0;
    op_example();
    assert_int_equal(stint_op_sums_make(&s_sums, &op_rows, STINT_OP_BY_ALL), 0);
    assert_int_equal(s_sums.ns, 6130);
    for (size_t i = 0; i < TEST_COUNT(rows); i++) {
        const struct stint_op_sum *sum = next(&at, rows[i].name);
        assert_int_equal(sum->depth, rows[i].depth);
        assert_int_equal(sum->level, rows[i].level);
        assert_int_equal(sum->ns, rows[i].ns);
        assert_int_equal(sum->kernels, rows[i].kernels);
    }
    assert_int_equal(stint_op_sum_after(&s_sums, at), 0);
}

TEST(times_beyond_64_bits_stay_at_the_largest_number)
{
    size_t at = 0;
    op_example();
    for (size_t i = 0; i < op_rows.count; i++)
        ((struct stint_op_kernel *)(uintptr_t)op_rows.rows[i].kernel)->ns = UINT64_MAX / 2;
    assert_int_equal(stint_op_sums_make(&s_sums, &op_rows, STINT_OP_BY_ALL), 0);
    assert_true(s_sums.ns == UINT64_MAX);
    assert_true(next(&at, "net")->ns == UINT64_MAX);
}

/* mm: 2 * 64 * 256 * 1024 + 2 * 64 * 1024 * 16 = 35651584 FLOPs in 5300 ns, of 80 * 1.53 GHz * 1024 = 125.3376 TFLOP/s;
 * 2 * (16384 + 262144 + 65536) + 2 * (65536 + 16384 + 1024) = 854016 bytes of 900 GB/s. */
TEST(shares_of_the_peak_are_of_all_kernels_of_operations)
{
    size_t at = 0;
    op_example();
    assert_int_equal(stint_op_sums_make(&s_sums, &op_rows, STINT_OP_BY_OP), 0);
    const struct stint_op_sum *sum = next(&at, "mm");
    assert_true(sum->flops == 35651584 && sum->both_flops == 35651584);
    assert_true(sum->bytes == 854016 && sum->both_bytes == 854016);
    assert_int_equal(sum->both_ns, 5300);
    assert_in_range(1e6 * stint_op_sum_flops_share(sum), 53668, 53669);   /* 35651584 / 5300 / 125337.6 */
    assert_in_range(1e6 * stint_op_sum_bytes_share(sum), 179038, 179039); /* 854016 / 5300 / 900 */
    assert_string_equal(stint_op_sum_bound(sum), "memory");
    (void)next(&at, "relu");
    sum = next(&at, "aten::sum"); /* of an unknown type; it waited for 1700 ns */
    assert_true(stint_op_sum_flops_share(sum) < 0);
    assert_string_equal(stint_op_sum_bound(sum), "launch");
    sum = next(&at, "record_param_comms");
    assert_true(sum->bus_bytes == 3000 && sum->bus_ns == 30); /* 2 * 3 / 4 * 2000 */
}
