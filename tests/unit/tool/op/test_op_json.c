/* An object for each kernel. */
#include <string.h>

#include "op/op_recording.h"
#include "op/op_table.h"
#include "report/golden.h"
#include "stint_test.h"

TEST_EACH(NULL, op_forget)

static struct capture json_of(void)
{
    struct capture out = {0};
    struct stint_text text;
    struct stint_op_table table;
    stint_op_table_take_all(&table, STINT_OP_COLUMNS - 1);
    stint_text_begin(&text, capture_write, &out);
    assert_int_equal(stint_op_json_put(&table, &op_rows, &text), 0);
    assert_int_equal(stint_text_end(&text), STINT_OK);
    return out;
}

TEST(an_object_has_all_that_is_known_of_a_kernel)
{
    op_range(7, 4, 70, "{'traceMarker': ['train.py:12', '/usr/lib/torch/nn/functional.py:1', 'a,b.py:30']}");
    op_range(7, 5, 60, "layer:net");
    op_range(
        7, 10, 50,
        "aten::conv2d, seq = 54, op_id = 2, sizes = [[8, 3, 14, 14], [16, 3, 3, 3], [], [], []], types = [\"float\", "
        "\"float\", \"\", \"ScalarList\", \"Scalar\"], inputs = [\"\", \"\", \"\", \"[1, 1]\", \"0.5\"]");
    op_call(7, 20, 1);
    op_kernel(200, 10, 1, "void gemm<float>(float*)");
    memcpy(op_last_gpu()->grid, (uint32_t[]){4, 2, 1}, sizeof op_last_gpu()->grid);
    op_joined();
    assert_string_equal(
        json_of().text,
        "{\"idx\":1,\"seq\":54,\"altseq\":[],\"tid\":7,\"layer\":\"net\",\"trace\":[\"train.py:12\",\"a,b.py:30\"],"
        "\"dir\":\"fprop\",\"sub\":0,\"mod\":null,\"op\":\"aten::conv2d\",\"kernel\":\"gemm\",\"params\":[{\"shape\":["
        "8,3,"
        "14,14],\"type\":\"fp32\"},{\"shape\":[16,3,3,3],\"type\":\"fp32\"},{\"value\":[1,1]},{\"value\":0.5}],\"sil\":"
        "10,"
        "\"tc\":null,\"device\":0,\"stream\":0,\"grid\":[4,2,1],\"block\":[0,0,0],\"flops\":995328,\"bytes\":94272,"
        "\"executed\":995328,\"bus\":0,\"name\":\"void gemm<float>(float*)\",\"start_ns\":200}\n");
}

TEST(what_is_not_known_is_null)
{
    op_kernel(200, 10, 1, "gemm");
    op_joined();
    struct capture out = json_of();
    assert_non_null(strstr(out.text, "\"seq\":null,\"altseq\":[],"));
    assert_non_null(strstr(out.text, "\"layer\":null,\"trace\":[],\"dir\":null,"));
    assert_non_null(strstr(out.text, "\"op\":null,\"kernel\":\"gemm\",\"params\":null,"));
    assert_non_null(strstr(out.text, "\"flops\":null,"));
}

TEST(a_number_that_JSON_does_not_have_is_a_word)
{
    op_range(
        7, 10, 50,
        "aten::masked_fill, op_id = 2, sizes = [[8], [8], []], types = [\"float\", \"bool\", \"Scalar\"], inputs = "
        "[\"\", \"\", \"-inf\"]");
    op_call(7, 20, 1);
    op_kernel(200, 10, 1, "fill");
    op_joined();
    assert_non_null(strstr(json_of().text, "{\"shape\":[8],\"type\":\"bool\"},{\"value\":\"-inf\"}],"));
}
