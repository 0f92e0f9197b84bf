#include "op/op_row.h"

#include <stdio.h>
#include <string.h>

#include "op/op_recording.h"
#include "op/op_table.h"
#include "stint_test.h"

/* Returns the operation's name; "" if there is none. */
static const char *op_of(size_t row)
{
    static char name[64];
    const struct stint_op_text *text = stint_op_row_text(&op_rows, &op_rows.rows[row]);
    name[0] = '\0';
    if (text) {
        memcpy(name, text->name.text, text->name.length);
        name[text->name.length] = '\0';
    }
    return name;
}

static const char *layer_of(size_t row)
{
    uint32_t layer = op_rows.rows[row].frame->layer;
    return layer == STINT_OP_NO_TEXT ? "" : stint_op_text_at(&op_join.texts, layer)->text;
}

/* --------------------------------------------------------------------------------------------------------- launches */

static void kernels_belong_to_what_was_open_at_their_launch(void **state)
{
    op_range(7, 0, 100, "aten::linear, op_id = 1");
    op_range(7, 10, 50, "aten::addmm, op_id = 2, sizes = [[32], [64, 128], [128, 32]]");
    op_call(7, 20, 1);
    op_range(8, 22, 30, "aten::relu, op_id = 3, sizes = [[5]]");
    op_call(8, 25, 2);
    op_call(7, 60, 3);
    op_call(7, 150, 4);
    op_kernel(200, 10, 1, "a");
    op_kernel(210, 10, 2, "b");
    op_kernel(220, 10, 3, "c");
    op_kernel(230, 10, 4, "d");
    op_joined();
    assert_string_equal(op_of(0), "aten::addmm");
    assert_int_equal(op_rows.rows[0].kernel->tid, 7);
    assert_int_equal(op_rows.rows[0].cost.flops.value, 524288);
    assert_string_equal(op_of(1), "aten::relu");
    assert_int_equal(op_rows.rows[1].kernel->tid, 8);
    assert_string_equal(op_of(2), "aten::linear");
    assert_int_equal(op_rows.rows[2].cost.flops.state, STINT_OP_IS_UNKNOWN);
    assert_string_equal(op_of(3), "");
    assert_null(op_rows.rows[3].frame);
    assert_int_equal(op_rows.rows[3].kernel->tid, 7);
    assert_int_equal(op_join.unlaunched, 0);
}

/* The clock of a device is known within some error. */
static void kernels_may_seem_to_begin_before_their_launch(void **state)
{
    op_range(7, 0, 100, "aten::relu, op_id = 3, sizes = [[5]]");
    op_kernel(18, 10, 1, "a");
    op_kernel(19, 10, 1025, "b"); /* another one with the same place in tables */
    op_call(7, 20, 1);
    op_call(7, 21, 1025);
    op_kernel(50, 10, 2, "c");
    op_call(7, 60, 2);
    op_joined();
    assert_int_equal(op_join.unlaunched, 1);
    assert_string_equal(op_of(1), "aten::relu");
    assert_string_equal(op_of(2), "aten::relu");
    assert_int_equal(op_rows.rows[2].kernel->tid, 7);
}

static void replayed(uint64_t start, uint64_t correlation, uint64_t node, uint64_t captured)
{
    (void)op_kernel(start, 10, correlation, "k");
    op_last_gpu()->graph = 1;
    op_last_gpu()->graph_node = node;
    op_last_gpu()->captured = captured;
}

/* The second one's node was made before the recording began; of the third the graph's launch is read later. */
static void kernels_of_graphs_have_the_operation_that_was_captured(void **state)
{
    (void)state;
    op_range(7, 0, 100, "aten::relu, op_id = 1, sizes = [[8]]");
    op_call(7, 10, 1);
    op_range(7, 200, 300, "aten::neg, op_id = 2, sizes = [[8]]");
    op_call(7, 210, 5);
    replayed(220, 5, 70, 1);
    replayed(230, 5, 71, 4);
    replayed(240, 6, 70, 1);
    op_call(8, 241, 6);
    op_joined();
    assert_string_equal(op_of(0), "aten::relu");
    assert_string_equal(op_of(1), "aten::neg");
    assert_string_equal(op_of(2), "aten::relu");
    assert_int_equal(op_rows.rows[0].kernel->tid, 7);
    assert_int_equal(op_rows.rows[2].kernel->tid, 8);
}

static void ranges_that_do_not_nest_end_where_they_end(void **state)
{
    op_range(7, 0, 50, "layer:a");
    op_range(7, 10, 100, "layer:b");
    op_range(7, 60, 90, "layer:c");
    op_range(7, 70, 80, "aten::relu, op_id = 3, sizes = [[5]]");
    op_call(7, 75, 1);
    op_call(7, 85, 2);
    op_call(7, 95, 3);
    op_kernel(200, 10, 1, "a");
    op_kernel(210, 10, 2, "b");
    op_kernel(220, 10, 3, "c");
    op_joined();
    assert_string_equal(layer_of(0), "b:c");
    assert_string_equal(op_of(0), "aten::relu");
    assert_string_equal(layer_of(1), "b:c");
    assert_string_equal(op_of(1), "");
    assert_string_equal(layer_of(2), "b");
}

static void kernels_without_a_launch_have_the_names_of_scopes(void **state)
{
    static const struct stint_stat stats[] = {{.set = "", .name = "layer:x"}, {.set = "", .name = "aten::mm"}};
    static const struct stint_context contexts[] = {{.stat = 0, .parent = STINT_NO_PARENT}, {.stat = 1, .parent = 0}};
    op_snapshot = (struct stint_snapshot){.stats = (struct stint_stat *)stats,
                                          .stat_count = 2,
                                          .contexts = (struct stint_context *)contexts,
                                          .context_count = 2};
    op_kernel(200, 10, 99, "a")->context = 1;
    op_kernel(210, 10, 99, "b")->context = 1;
    op_kernel(220, 10, 99, "c")->context = STINT_GPU_UNATTRIBUTED;
    op_joined();
    assert_int_equal(op_join.unlaunched, 3);
    for (size_t i = 0; i < 2; i++) {
        assert_string_equal(op_of(i), "aten::mm");
        assert_string_equal(layer_of(i), "x");
        assert_int_equal(op_rows.rows[i].cost.flops.state, STINT_OP_IS_UNKNOWN);
        assert_int_equal(op_rows.rows[i].sub, 0);
    }
    assert_string_equal(op_of(2), "");
}

/* ------------------------------------------------------------------------------------------------------------- cost */

static void an_operation_has_its_cost_once_on_its_main_kernel(void **state)
{
    op_range(7, 0, 100, "aten::mm, op_id = 1, sizes = [[64, 128], [128, 32]]");
    op_call(7, 20, 1);
    op_call(7, 30, 2);
    op_call(7, 40, 3);
    op_range(7, 110, 120, "aten::mm, op_id = 2, sizes = [[64, 128], [128, 32]]");
    op_call(7, 115, 4);
    op_kernel(200, 900, 1, "void cublasLt::splitKreduce_kernel<32>(int)");
    op_kernel(1200, 100, 2, "ampere_sgemm_128x128_nn");
    op_kernel(1400, 300, 3, "ampere_sgemm_128x128_nn");
    op_kernel(1800, 100, 4, "ampere_sgemm_128x128_nn");
    op_joined();
    static const uint64_t flops[] = {0, 0, 524288, 524288};
    static const uint32_t subs[] = {0, 1, 2, 0};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(op_rows.rows[i].cost.flops.state, STINT_OP_IS_KNOWN);
        assert_int_equal(op_rows.rows[i].cost.flops.value, flops[i]);
        assert_int_equal(op_rows.rows[i].sub, subs[i]);
        assert_int_equal(op_rows.rows[i].is_main, i >= 2);
    }
    assert_string_equal(op_rows.rows[0].name, "cublasLt::splitKreduce_kernel");
}

/* The one that uses a result knows the outer operation, by its number on the same thread. */
static void shapes_of_results_come_from_the_next_operation(void **state)
{
    static const char conv[] = "aten::conv2d, op_id = 5, sizes = [[8, 3, 32, 32], [16, 3, 3, 3], [], []]";
    static const char inner[] = "aten::cudnn_convolution, op_id = 6, sizes = [[8, 3, 32, 32], [16, 3, 3, 3], [], []]";
    op_range(7, 0, 50, conv);
    op_range(7, 10, 40, inner);
    op_call(7, 20, 1);
    op_range(8, 55, 58, "aten::relu, op_id = 9, sizes = [[1, 1, 1, 1]], input_op_ids = [(5,0)]");
    op_range(7, 60, 62, "aten::relu, op_id = 7, sizes = [[2, 2, 2, 2]], input_op_ids = [(5,1)]");
    op_range(7, 70, 80, "aten::relu, op_id = 8, sizes = [[8, 16, 30, 30]], input_op_ids = [(5,0)]");
    op_kernel(200, 10, 1, "a");
    op_joined();
    assert_string_equal(op_of(0), "aten::cudnn_convolution");
    assert_int_equal(op_rows.rows[0].cost.flops.value, 2 * 8 * 16 * 30 * 30 * 27);
}

/* Padding is not in the text. */
static void operations_of_one_text_may_have_different_costs(void **state)
{
    static const uint64_t sides[] = {30, 32, 30};
    char texts[3][128], uses[3][128];
    for (unsigned i = 0; i < 3; i++) {
        uint64_t at = 100 * i;
        (void)snprintf(texts[i], sizeof texts[i],
                       "aten::cudnn_convolution, op_id = %u, sizes = [[8, 3, 32, 32], [16, 3, 3, 3], [], []]",
                       2 * i + 1);
        op_range(7, at, at + 50, texts[i]);
        op_call(7, at + 10, i + 1);
        (void)snprintf(uses[i], sizeof uses[i],
                       "aten::relu, op_id = %u, sizes = [[8, 16, %u, %u]], input_op_ids = [(%u,0)]", 2 * i + 2,
                       (unsigned)sides[i], (unsigned)sides[i], 2 * i + 1);
        op_range(7, at + 60, at + 70, uses[i]);
        op_kernel(1000 + at, 10, i + 1, "a");
    }
    op_joined();
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(op_rows.rows[i].cost.flops.value, 2 * 8 * 16 * sides[i] * sides[i] * 27);
}

/* 2 * 2 * 8 * 64 * 32, and the scores again: 2 * 8 * 64 * 16. */
static void what_is_computed_again_is_executed_and_not_needed(void **state)
{
    struct stint_op_cell cell = {0};
#define TENSOR "{'name': '', 'type': 'tensor', 'shape': (2, 4, 8, 16), 'dtype': 'bfloat16'}"
    op_range(7, 10, 90,
             "{'mod': 'm', 'op': 'scaled_dot_product_attention', 'args': [" TENSOR ", " TENSOR ", " TENSOR "]}");
    op_range(7, 20, 80, "attention, seq = 4");
    op_call(7, 30, 1);
    op_range(9, 200, 300, "AttentionBackward, seq = 4");
    op_call(9, 210, 2);
    op_kernel(1000, 10, 1, "a");
    op_kernel(1010, 10, 2, "b");
    op_joined();
    assert_string_equal(stint_op_cell_fill(&cell, &op_rows, 0, STINT_OP_FLOPS), "32768");
    assert_string_equal(stint_op_cell_fill(&cell, &op_rows, 0, STINT_OP_EXECUTED), "32768");
    assert_string_equal(stint_op_cell_fill(&cell, &op_rows, 1, STINT_OP_FLOPS), "65536");
    assert_string_equal(stint_op_cell_fill(&cell, &op_rows, 1, STINT_OP_EXECUTED), "81920");
    assert_int_equal(op_rows.rows[1].type, STINT_OP_BF16);
    stint_op_cell_free(&cell);
}

/* A device that waits waits for the next kernel; one that began before another one ended is not waited for. */
static void a_device_is_idle_until_the_kernel_that_is_late(void **state)
{
    static const uint64_t idle[] = {0, 0, 50, 0, 70};
    op_kernel(100, 50, 1, "a");
    op_kernel(120, 100, 2, "b");
    op_kernel(270, 10, 3, "c");
    op_kernel(300, 10, 4, "other device");
    op_last_gpu()->device = 1;
    op_kernel(350, 10, 5, "d");
    op_joined();
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(op_rows.rows[i].idle_ns, idle[i]);
}

/* Numbers are taken out of texts, and nothing else is: what torch.profiler knows stays. */
static void texts_are_kept_once_with_all_that_costs_depend_on(void **state)
{
    op_range(7, 0, 10, "aten::relu, seq = 1, op_id = 3, sizes = [[5]], input_op_ids = [(1,0)], types = [\"float\"]");
    op_call(7, 1, 1);
    op_range(7, 20, 30, "aten::relu, seq = 2, op_id = 4, forward_thread = 1, sizes = [[5]], types = [\"float\"]");
    op_call(7, 21, 2);
    op_range(7, 40, 50,
             "record_param_comms, op_id = 30, collective = \"allreduce\", dtype = \"float\", in_elements = 5");
    op_call(7, 41, 3);
    op_kernel(100, 10, 1, "a");
    op_kernel(110, 10, 2, "b");
    op_kernel(120, 10, 3, "c");
    op_joined();
    assert_ptr_equal(stint_op_row_text(&op_rows, &op_rows.rows[0]), stint_op_row_text(&op_rows, &op_rows.rows[1]));
    assert_int_equal(op_rows.rows[1].cost.bytes.value, 40);
    assert_int_equal(op_rows.rows[2].cost.bytes.value, 20);
}

static void costs_without_room_are_counted(void **state)
{
    op_range(7, 0, 100, "aten::mm, op_id = 1, sizes = [[1000000000000000000, 128], [128, 1000000000000000000]]");
    op_call(7, 20, 1);
    op_kernel(200, 10, 1, "a");
    op_joined();
    assert_int_equal(op_rows.too_large, 1);
    assert_int_equal(op_rows.rows[0].cost.flops.state, STINT_OP_IS_TOO_LARGE);
}

/* -------------------------------------------------------------------------------------------------------- direction */

static void backward_kernels_have_what_the_forward_operation_has(void **state)
{
    op_range(7, 0, 100, "layer:fc");
    op_range(7, 10, 90,
             "{'mod': 'm', 'op': 'mm', 'args': [{'name': '', 'type': 'tensor', 'shape': (64, 128), 'dtype': "
             "'float16'}, {'name': '', 'type': 'tensor', 'shape': (128, 32), 'dtype': 'float16'}]}");
    op_range(7, 20, 80, "mm, seq = 4");
    op_call(7, 30, 1);
    op_range(7, 110, 120, "mul, seq = 5");
    op_range(9, 200, 300, "MmBackward, seq = 4");
    op_call(9, 210, 2);
    op_range(9, 310, 400, "MulBackward0, seq = 5, op_id = 3");
    op_call(9, 320, 3);
    op_range(7, 500, 600, "Optimizer.step#SGD.step");
    op_range(7, 510, 590, "aten::add_, op_id = 78, sizes = [[5], [5], []]");
    op_call(7, 520, 4);
    op_kernel(1000, 10, 1, "a");
    op_kernel(1010, 10, 2, "b");
    op_kernel(1020, 10, 3, "c");
    op_kernel(1030, 10, 4, "d");
    op_joined();
    static const char *const words[] = {"fprop", "bprop", "bprop", "optim"};
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(stint_op_direction_word((enum stint_op_direction)op_rows.rows[i].frame->direction),
                            words[i]);
    assert_string_equal(layer_of(0), "fc");
    assert_string_equal(layer_of(1), "fc");
    assert_string_equal(layer_of(2), "");
    assert_string_equal(op_of(1), "mm");
    assert_int_equal(op_rows.rows[0].cost.flops.value, 524288);
    assert_int_equal(op_rows.rows[1].cost.flops.value, 2 * 524288);
    assert_string_equal(op_of(2), "mul");
}

static void a_number_that_repeats_means_the_last_forward_operation(void **state)
{
    op_range(7, 0, 10, "layer:old");
    op_range(7, 1, 9, "mm, seq = 4");
    op_range(7, 20, 30, "layer:new");
    op_range(7, 21, 29, "mm, seq = 4");
    op_range(9, 40, 50, "MmBackward, seq = 4");
    op_call(9, 45, 1);
    op_kernel(100, 10, 1, "a");
    op_joined();
    assert_string_equal(layer_of(0), "new");
}

static void texts_that_cannot_be_parsed_are_counted(void **state)
{
    op_range(7, 0, 10, "aten::mm, op_id = 5, sizes = [[6");
    op_range(7, 1, 9, "{'mod': 'a");
    op_range(7, 2, 8, "just a range, or {two}");
    op_joined();
    assert_int_equal(op_join.unparsed, 2);
}

/* ------------------------------------------------------------------------------------------------------------ names */

static void names_of_kernels_are_those_of_their_functions(void **state)
{
    static const char *const names[][2] = {
        {"void at::native::(anonymous namespace)::f<4, at::g<int>>(int)", "f"},
        {"void cudnn::ops::nchwToNhwcKernel<float>(cudnn::p)", "cudnn::ops::nchwToNhwcKernel"},
        {"axpy(float, float*)", "axpy"},
        {"_Z4axpyfPf", "axpy"},
        {"volta_sgemm_128x64_nn", "volta_sgemm_128x64_nn"},
        {"", ""},
    };
    struct stint_arena arena = {0};
    for (size_t i = 0; i < TEST_COUNT(names); i++)
        assert_string_equal(stint_op_kernel_name(&arena, names[i][0]), names[i][1]);
    stint_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(kernels_belong_to_what_was_open_at_their_launch, op_forget),
        cmocka_unit_test_teardown(kernels_may_seem_to_begin_before_their_launch, op_forget),
        cmocka_unit_test_teardown(kernels_of_graphs_have_the_operation_that_was_captured, op_forget),
        cmocka_unit_test_teardown(ranges_that_do_not_nest_end_where_they_end, op_forget),
        cmocka_unit_test_teardown(kernels_without_a_launch_have_the_names_of_scopes, op_forget),
        cmocka_unit_test_teardown(an_operation_has_its_cost_once_on_its_main_kernel, op_forget),
        cmocka_unit_test_teardown(shapes_of_results_come_from_the_next_operation, op_forget),
        cmocka_unit_test_teardown(operations_of_one_text_may_have_different_costs, op_forget),
        cmocka_unit_test_teardown(what_is_computed_again_is_executed_and_not_needed, op_forget),
        cmocka_unit_test_teardown(a_device_is_idle_until_the_kernel_that_is_late, op_forget),
        cmocka_unit_test_teardown(texts_are_kept_once_with_all_that_costs_depend_on, op_forget),
        cmocka_unit_test_teardown(costs_without_room_are_counted, op_forget),
        cmocka_unit_test_teardown(backward_kernels_have_what_the_forward_operation_has, op_forget),
        cmocka_unit_test_teardown(a_number_that_repeats_means_the_last_forward_operation, op_forget),
        cmocka_unit_test_teardown(texts_that_cannot_be_parsed_are_counted, op_forget),
        cmocka_unit_test(names_of_kernels_are_those_of_their_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
