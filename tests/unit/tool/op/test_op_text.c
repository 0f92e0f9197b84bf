#include "op/op_recording.h"
#include "op/op_sum.h"
#include "stint_test.h"

/* Numbers are taken out of texts, and nothing else is: what torch.profiler knows stays. */
TEST_TEARDOWN(texts_are_kept_once_with_all_that_costs_depend_on, op_forget)
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
