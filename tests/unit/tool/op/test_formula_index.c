#include "op_fixture.h"
#include "stint_test.h"

TEST(what_is_looked_up_or_sorted_moves)
{
    static const struct op_expected expected[] = {
        {"embedding", "float32", "[4,6] [100,8]", 0, 24 * 8 + 2 * 24 * 8 * 4},
        {"aten::embedding", "float32", "[100,8] [4,6]", 0, 24 * 8 + 2 * 24 * 8 * 4},
        {"embedding_dense_backward", "float32", "[4,6,8] [4,6] 100", 0, 3 * 24 * 8 * 4},
        {"_embedding_bag", "float32", "[100,8] [24] [4] False 0", 24 * 8, 8 * 28 + 28 * 8 * 4},
        {"_embedding_bag", "float32", "[100,8] [24] [5] False 1 False [24] True", (2 * 24 + 4) * 8,
         8 * 29 + 28 * 8 * 4},
        {"_embedding_bag_dense_backward", "float32", "[4,8] [24] [24] [4] [0]", 24 * 8, 4 * 84 + 2 * 24 * 8 * 4},
        {"gather", "float32", "[100] 0 [10]", 0, 10 * (8 + 8)},
        {"scatter_add_", "float32", "[100] 0 [10] [10]", 10, 10 * (8 + 12)},
        {"index_select", "float32", "[100,8] 0 [10]", 0, 2 * 80 * 4 + 80},
        {"index_put_", "float32", "[100,8] [10,8]", 0, 2 * 80 * 4},
        {"index_add", "float32", "[100,8] 0 [10,8]", 80, 3 * 80 * 4},
        {"masked_select", "float32", "[10] [10]", 0, 90},
        {"masked_scatter_", "float32", "[10] [10] [10]", 0, 90},
        {"nonzero", "float32", "[4,5]", 0, 80 + 8 * 20 * 2},
        {"sort", "float32", "[3,5]", 15 * 3, 15 * (4 + 4 + 8)},
        {"topk", "float32", "[3,16] 2", 48, 4 * 48 + 6 * 12},
        {"cumsum", "float32", "[10] 0", 10, 80},
        {"randperm", NULL, "10", 30, 80},
        {"max_pool2d", "float32", "[1,2,8,8] 2", 2 * 16 * 4, 4 * (128 + 32)},
        {"max_pool2d_with_indices", "float32", "[1,2,8,8] (3,3) (2,2) (1,1)", 2 * 16 * 9, 4 * 128 + 12 * 32},
        {"max_pool2d", "float32", "[1,2,7,7] 2 2 0 1 True", 2 * 16 * 4, 4 * (98 + 32)},
        {"avg_pool2d", "float32", "[1,2,8,8] 2 ()", 2 * 16 * 4, 4 * (128 + 32)},
        {"max_pool2d_with_indices_backward", "float32", "[1,2,4,4] [1,2,8,8]", 32, 4 * (32 + 128) + 8 * 32},
        {"adaptive_avg_pool2d", "float32", "[1,2,8,8] (1,1)", 128, 4 * 130},
        {"upsample_nearest2d", "float32", "[1,2,4,4] (8,8)", 0, 4 * (32 + 128)},
        {"upsample_linear1d", "float32", "[2,4] (8,)", 4 * 16, 4 * (8 + 16)},
        {"upsample_trilinear3d", "float32", "[2,2,2,2] (4,4,4)", 16 * 128, 4 * (16 + 128)},
        {"upsample_bicubic2d", "float32", "[1,2,4,4] (8,8)", 32 * 128, 4 * (32 + 128)},
        {"avg_pool2d_backward", "float32", "[1,2,4,4] [1,2,8,8]", 32, 4 * (32 + 128)},
        {"avg_pool1d", "float32", "[2,8] 4 2", 2 * 3 * 4, 4 * (16 + 6)},
        {"max_pool3d_with_indices", "float32", "[2,4,4,4] 2", 16 * 8, 4 * 128 + 12 * 16},
        {"adaptive_avg_pool1d", "float32", "[2,8] 4", 16, 4 * (16 + 8)},
        {"adaptive_avg_pool3d", "float32", "[2,4,4,4] 2", 128, 4 * (128 + 16)},
        {"logcumsumexp", "float32", "[10] 0", 200, 80},
        {"scatter", "float32", "[100] 0 [10] [10]", 0, 10 * (8 + 8)},
        {"upsample_bilinear2d", "float32", "[1,2,4,4] (8,8)", 8 * 128, 4 * (32 + 128)},
    };
    assert_op_costs(expected, TEST_COUNT(expected), 0);
}
