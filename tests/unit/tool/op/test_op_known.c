#include <string.h>

#include "op_recording.h"
#include "stint_test.h"

#define MM(id) "aten::mm, op_id = " id ", sizes = [[2, 3], [3, 4]]"
#define KNOWN(ids, type)                                                                                               \
    "stint.facts, op_id = 1, op_ids = [" ids "], text = aten::mm, op_id = 0, schema = \"aten::mm(Tensor self, Tensor " \
    "mat2) -> Tensor\", sizes = [[2, 3], [3, 4]], types = [\"" type "\", \"" type "\"], strides = [[3, 1], [4, 1]], "  \
    "inputs = [\"\", \"\"]"

/* A launch and a kernel of an operation in a layer. */
static void run_in(const char *layer, const char *text, uint64_t at)
{
    op_range(7, at, at + 50, layer);
    op_range(7, at + 10, at + 40, text);
    op_call(7, at + 20, at);
    op_kernel(at + 30, 5, at, "gemm");
}

static uint64_t bytes_at(size_t row)
{
    return op_rows.rows[row].cost.bytes.state ? 0 : op_rows.rows[row].cost.bytes.value;
}

TEST_EACH(NULL, op_forget)

/* 6 and 12 elements, and 8 of the result. */
TEST(what_was_seen_of_an_operation_is_known_of_it_and_of_those_in_its_place)
{
    run_in("layer:a", MM("10"), 100);
    run_in("layer:b", MM("20"), 200);
    op_range(7, 290, 291, KNOWN("10", "float"));
    op_range(7, 292, 293, KNOWN("20", "c10::Half"));
    run_in("layer:a", MM("30"), 300);
    run_in("layer:b", MM("40"), 400);
    op_joined();
    assert_int_equal(bytes_at(0), 26 * 4);
    assert_int_equal(bytes_at(1), 26 * 2);
    assert_int_equal(bytes_at(2), 26 * 4);
    assert_int_equal(bytes_at(3), 26 * 2);
    assert_int_equal(op_join.unparsed, 0);
}

TEST(what_differs_in_one_place_is_not_known_elsewhere)
{
    run_in("layer:a", MM("10"), 100);
    run_in("layer:a", MM("20"), 200);
    op_range(7, 290, 291, KNOWN("10", "float"));
    op_range(7, 292, 293, KNOWN("20", "c10::Half"));
    run_in("layer:a", MM("30"), 300);
    run_in("layer:new", MM("40"), 400);
    op_joined();
    assert_int_equal(bytes_at(0), 26 * 4);
    assert_int_equal(bytes_at(1), 26 * 2);
    assert_int_equal(bytes_at(2), 0);
    assert_int_equal(bytes_at(3), 0);
}

/* Two operations of one layer. */
static void run_two(const char *first, const char *second, uint64_t at)
{
    op_range(7, at, at + 50, "layer:a");
    op_range(7, at + 1, at + 10, first);
    op_call(7, at + 2, at);
    op_range(7, at + 11, at + 20, second);
    op_call(7, at + 12, at + 1);
    op_kernel(at + 60, 5, at, "gemm");
    op_kernel(at + 70, 5, at + 1, "gemm");
}

TEST(several_of_one_shape_are_told_apart_by_their_order)
{
    run_two(MM("10"), MM("20"), 100);
    op_range(7, 190, 191, KNOWN("10", "float"));
    op_range(7, 192, 193, KNOWN("20", "c10::Half"));
    run_two(MM("30"), MM("40"), 200);
    run_in("layer:a", MM("50"), 300);
    op_joined();
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(bytes_at(i), 26 * (i % 2 ? 2 : 4));
    assert_int_equal(bytes_at(4), 0); /* it might be either */
}

/* What was watched need not be in the recording; a number that another operation has says nothing about it. */
TEST(what_is_known_holds_for_the_same_shapes_anywhere)
{
    op_range(7, 10, 11, KNOWN("1, 2", "double"));
    run_in("layer:a", MM("30"), 100);
    op_range(7, 200, 250, "aten::relu, op_id = 2, sizes = [[5]]");
    op_call(7, 220, 2);
    op_kernel(230, 5, 2, "relu");
    op_joined();
    assert_int_equal(bytes_at(0), 26 * 8);
    assert_int_equal(bytes_at(1), 0);
}

TEST(damaged_texts_are_counted)
{
    op_range(7, 10, 11, "stint.facts, op_id = 1, op_ids = [1], text = aten::mm, op_id = 0, sizes = [[2");
    op_range(7, 12, 13, "stint.facts, op_id = 1, op_ids = [1], text = ");
    op_range(7, 14, 15, "stint.facts, op_id = 1, sizes = [[2]]");
    op_range(7, 16, 17, "stint.facts, op_id = 99999999999999999999999, op_ids = [1], text = aten::mm, op_id = 0");
    run_in("layer:a", MM("1"), 100);
    op_joined();
    assert_int_equal(op_join.unparsed, 2);
    assert_int_equal(bytes_at(0), 0);
}

/* ------------------------------------------------------------------------------------------------------------ names */

#define POINT(id) "triton_poi_fused_gelu_0, op_id = " id ", sizes = [[8]]"
#define FUSED(layer)                                                                                                   \
    "stint.facts, op_id = 1, op_ids = [10], text = triton_poi_fused_gelu_0, op_id = 0, kernel_file = \"c0.py\", "      \
    "nodes = "                                                                                                         \
    "\"gelu,add_3\", aten = \"aten.gelu,aten.add\", sizes = [[8]], types = [\"float\"], strides = [[1]], inputs = "    \
    "[\"\"], layer = \"" layer "\""

/* In the second place, which may not be that of the first network, and in one that the layer is not within. */
TEST(a_fused_kernel_is_in_the_layer_of_its_nodes)
{
    run_in("layer:net", POINT("10"), 100);
    run_in("layer:net", POINT("20"), 200);
    run_in("layer:other", POINT("30"), 300);
    op_range(7, 390, 391, FUSED("net.mlp.1"));
    op_joined();
    assert_string_equal(op_layer_of(0), "net.mlp.1");
    assert_string_equal(op_layer_of(1), "net.mlp.1");
    assert_string_equal(op_layer_of(2), "other");
    assert_int_equal(op_join.unparsed, 0);
}
