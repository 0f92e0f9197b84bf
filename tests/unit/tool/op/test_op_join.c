#include "op/op_recording.h"
#include "stint_test.h"

TEST_EACH(NULL, op_forget)

TEST(kernels_belong_to_what_was_open_at_their_launch)
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
    assert_string_equal(op_name_of(0), "aten::addmm");
    assert_int_equal(op_rows.rows[0].kernel->tid, 7);
    assert_int_equal(op_rows.rows[0].cost.flops.value, 524288);
    assert_string_equal(op_name_of(1), "aten::relu");
    assert_int_equal(op_rows.rows[1].kernel->tid, 8);
    assert_string_equal(op_name_of(2), "aten::linear");
    assert_int_equal(op_rows.rows[2].cost.flops.state, STINT_OP_IS_UNKNOWN);
    assert_string_equal(op_name_of(3), "");
    assert_null(op_rows.rows[3].frame);
    assert_int_equal(op_rows.rows[3].kernel->tid, 7);
    assert_int_equal(op_join.unlaunched, 0);
}

/* The clock of a device is known within some error. */
TEST(kernels_may_seem_to_begin_before_their_launch)
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
    assert_string_equal(op_name_of(1), "aten::relu");
    assert_string_equal(op_name_of(2), "aten::relu");
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
TEST(kernels_of_graphs_have_the_operation_that_was_captured)
{
    op_range(7, 0, 100, "aten::relu, op_id = 1, sizes = [[8]]");
    op_call(7, 10, 1);
    op_range(7, 200, 300, "aten::neg, op_id = 2, sizes = [[8]]");
    op_call(7, 210, 5);
    replayed(220, 5, 70, 1);
    replayed(230, 5, 71, 4);
    replayed(240, 6, 70, 1);
    op_call(8, 241, 6);
    op_joined();
    assert_string_equal(op_name_of(0), "aten::relu");
    assert_string_equal(op_name_of(1), "aten::neg");
    assert_string_equal(op_name_of(2), "aten::relu");
    assert_int_equal(op_rows.rows[0].kernel->tid, 7);
    assert_int_equal(op_rows.rows[2].kernel->tid, 8);
    assert_int_equal(op_rows.rows[0].cost.flops.value, 8);
    assert_int_equal(op_rows.rows[2].cost.flops.value, 8); /* each time that it runs */
}

TEST(ranges_that_do_not_nest_end_where_they_end)
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
    assert_string_equal(op_layer_of(0), "b:c");
    assert_string_equal(op_name_of(0), "aten::relu");
    assert_string_equal(op_layer_of(1), "b:c");
    assert_string_equal(op_name_of(1), "");
    assert_string_equal(op_layer_of(2), "b");
}

TEST(kernels_without_a_launch_have_the_names_of_scopes)
{
    op_scopes();
    op_kernel(200, 10, 99, "a")->context = 1;
    op_kernel(210, 10, 99, "b")->context = 1;
    op_kernel(220, 10, 99, "c")->context = STINT_GPU_UNATTRIBUTED;
    op_joined();
    assert_int_equal(op_join.unlaunched, 3);
    for (size_t i = 0; i < 2; i++) {
        assert_string_equal(op_name_of(i), "aten::mm");
        assert_string_equal(op_layer_of(i), "x");
        assert_int_equal(op_rows.rows[i].cost.flops.state, STINT_OP_IS_UNKNOWN);
        assert_int_equal(op_rows.rows[i].sub, 0);
    }
    assert_string_equal(op_name_of(2), "");
}

TEST(texts_that_cannot_be_parsed_are_counted)
{
    op_range(7, 0, 10, "aten::mm, op_id = 5, sizes = [[6");
    op_range(7, 1, 9, "{'mod': 'a");
    op_range(7, 2, 8, "just a range, or {two}");
    op_joined();
    assert_int_equal(op_join.unparsed, 2);
}
