/* Operations of which some memory cannot be had, whichever: what is written is complete, or said not to be. */
#include <string.h>

#include "failing_arena.h"
#include "op/op_recording.h"
#include "op/op_roofline.h"
#include "op/op_table.h"
#include "report/golden.h"
#include "stint_test.h"

/* ---------------------------------------------------------------------------------------------------------- writers */

static int put_sums(struct stint_text *text)
{
    const struct stint_layout layout = {.columns = 0};
    int failed = 0;
    for (int by = STINT_OP_BY_OP; by <= STINT_OP_BY_ALL && !failed; by++)
        failed = stint_op_sum_table_put(&op_rows, (enum stint_op_by)by, by % 2, &layout, text);
    return failed;
}

static int put_advice(struct stint_text *text)
{
    return stint_op_advices_put(&op_rows, 0, text) || stint_op_advices_put(&op_rows, 1, text) ? -1 : 0;
}

static int put_table(struct stint_text *text)
{
    struct stint_op_table table = {.csv = 1};
    stint_op_table_take_all(&table, STINT_OP_COLUMNS - 1);
    return stint_op_table_put(&table, &op_rows, text);
}

static int put_json(struct stint_text *text)
{
    struct stint_op_table table = {.json = 1};
    stint_op_table_take_all(&table, STINT_OP_COLUMNS - 1);
    return stint_op_json_put(&table, &op_rows, text);
}

static int put_roofline(struct stint_text *text)
{
    return stint_op_roofline_put(&op_rows, text);
}

typedef int put_fn(struct stint_text *text);

static int capture(put_fn *put, struct capture *out)
{
    struct stint_text text;
    out->length = 0;
    assert_int_equal(capture_write(out, "", 0), 0);
    stint_text_begin(&text, capture_write, out);
    int failed = put(&text);
    assert_int_equal(stint_text_end(&text), STINT_OK);
    return failed;
}

/* All of them, with the join before it if `again`. */
static int write_all(struct capture *out, int again)
{
    static put_fn *const all[] = {put_sums, put_advice, put_table, put_json, put_roofline};
    int failed = again ? op_join_again() : 0;
    for (size_t i = 0; i < TEST_COUNT(all) && !failed; i++)
        failed = capture(all[i], &out[i]);
    return failed;
}

static void assert_all_or_nothing(int again)
{
    enum { OUTPUTS = 5 };
    static struct capture whole[OUTPUTS], now[OUTPUTS];
    int told = 0;
    assert_int_equal(write_all(whole, again), 0);
    for (s_fails_at = 0;; s_fails_at++) {
        s_calls = 0;
        int failed = write_all(now, again);
        if (s_calls <= s_fails_at)
            break;
        told += failed != 0;
        for (size_t i = 0; i < OUTPUTS && !failed; i++)
            if (strcmp(now[i].text, whole[i].text) != 0)
                fail_msg("call %ld of memory fails, and output %zu is\n%s", s_fails_at, i, now[i].text);
    }
    s_fails_at = -1;
    assert_in_range(told, 1, s_calls);
}

TEST_EACH(NULL, op_forget)

TEST(kernels_of_layers)
{
    op_example();
    assert_all_or_nothing(0);
    assert_all_or_nothing(1);
}

/* Dimensions that are no multiples, a wide type, and short kernels that the device waits for. */
TEST(all_rules_of_advice)
{
    enum { KERNELS = 20 };
    static struct stint_gpu_device device = {.name = "", .multiprocessors = 80};
    TEST_ROWS(op_snapshot, gpu_devices, gpu_device_count, device);
#define MM(type)                                                                                                       \
    "aten::mm, op_id = 1, sizes = [[64, 63], [63, 64]], types = [\"" type "\", \"" type                                \
    "\"], input_op_ids = [(0,-1), (0,-1)]"
    for (uint64_t i = 0; i < KERNELS; i++) {
        op_range(7, 10 * i, 10 * i + 9, i % 2 ? MM("float") : MM("c10::Half"));
        op_call(7, 10 * i + 5, i + 1);
        op_kernel(1000 + 3000 * i, 500 + (i + 1) % 2, i + 1, i % 2 ? "sgemm" : "hmma");
        op_last_gpu()->grid[0] = op_last_gpu()->grid[1] = op_last_gpu()->grid[2] = 1;
    }
    op_joined();
    assert_all_or_nothing(1);
}

/* The second one's inputs tell the shape of what the first one made; a backward one has a number, a call stack. */
TEST(what_autograd_and_its_observer_say)
{
    op_range(7, 1, 900, "{'traceMarker': ['train.py:12', 'a,b.py:30']}");
    op_range(7, 2, 800, "layer:a");
    op_range(7, 10, 90, "aten::conv2d, seq = 5, op_id = 10, sizes = [[8, 3, 9, 9], [16, 3, 3, 3], [], [1]]");
    op_call(7, 20, 1);
    op_range(7, 100, 190, "aten::relu, seq = 6, op_id = 11, sizes = [[8, 16, 7, 7]], input_op_ids = [(10,0)]");
    op_call(7, 120, 2);
    op_range(7, 200, 290, "Optimizer.step#SGD.step");
    op_call(7, 220, 3);
    op_range(8, 300, 390, "autograd::engine::evaluate_function: ReluBackward0, op_id = 12");
    op_range(8, 310, 380, "ReluBackward0, seq = 6, op_id = 13, sizes = [[8, 16, 7, 7]]");
    op_call(8, 320, 4);
    op_range(7, 400, 401,
             "stint.facts, op_id = 11, op_ids = [11], text = aten::relu, op_id = 0, sizes = [[8, 16, 7, 7]], types = "
             "[\"float\"]");
    op_kernel(500, 10, 1, "implicit_convolve");
    op_kernel(510, 10, 2, "a");
    op_kernel(520, 10, 3, "b");
    op_kernel(530, 10, 4, "c");
    op_joined();
    assert_int_equal(op_join.unparsed, 0);
    assert_all_or_nothing(1);
}

/* What has no launch is known by its scopes; what graphs run, by what was captured. */
TEST(kernels_that_nothing_launched)
{
    op_scopes();
    op_range(7, 0, 100, "aten::relu, op_id = 1, sizes = [[8]]");
    op_call(7, 10, 1);
    op_kernel(200, 10, 99, "a")->context = 1;
    op_kernel(210, 10, 1123, "b")->context = 1;
    op_kernel(220, 10, 6, "k");
    op_last_gpu()->graph_node = 70;
    op_last_gpu()->captured = 1;
    op_call(8, 241, 6);
    op_joined();
    assert_all_or_nothing(1);
}

TEST(what_a_program_computes_itself)
{
    op_range(7, 1, 100, "layer:x");
    op_range(7, 10, 90, "a, op_id = 0, direction = \"fprop\", layer = \"one\"");
    op_range(7, 20, 80, "b, op_id = 0, sizes = [[4, 4]], direction = \"fprop\", layer = \"one\"");
    op_range(7, 200, 210, "c, op_id = 0, direction = \"bprop\", layer = \"one\"");
    op_joined();
    assert_int_equal(op_rows.count, 2);
    assert_all_or_nothing(1);
}

/* By their counters. */
TEST(kernels_of_the_roofline)
{
    static const char *const fields[] = {"dram__bytes_read.sum",
                                         "dram__bytes_write.sum",
                                         "gpu__time_duration.sum",
                                         "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
                                         "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
                                         "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum",
                                         STINT_COUNTER_LAUNCHES};
    static struct stint_nvtx_value values[TEST_COUNT(fields)];
    op_kernel(100, 10, 1, "void product<4>(float *)");
    op_joined();
    for (size_t i = 0; i < TEST_COUNT(fields); i++)
        values[i] = (struct stint_nvtx_value){
            .set = STINT_COUNTER_SET, .name = "void product<4>(float *)", .field = fields[i], .count = 1, .sum = 1000};
    TEST_ROWS(op_snapshot, nvtx_values, nvtx_value_count, values);
    assert_true(stint_op_roofline_has_kernels(&op_rows));
    assert_all_or_nothing(0);
}
