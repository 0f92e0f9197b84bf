#include <stdio.h>

#include "op/op_cost.h"
#include "op_fixture.h"
#include "stint_test.h"

TEST(collectives_say_what_they_read_and_write)
{
    struct stint_op_cost cost =
        op_cost("record_param_comms, op_id = 30, collective = \"allreduce\", dtype = \"BFloat16\", "
                "group_size = 8, in_elements = 1000, out_elements = 1000",
                0, 0);
    assert_op_amount(cost.bytes, 4000, "allreduce", "bytes");
    assert_op_amount(cost.bus_bytes, 3500, "allreduce", "bus"); /* 2 * 7 / 8 * 2000 */
    cost = op_cost("record_param_comms, op_id = 30, sizes = [[5]]", STINT_OP_FP32, 0);
    assert_op_amount(cost.bytes, OP_SOME, "allreduce", "bytes");
}

/* Of fp32, on 4 ranks, with in and out elements. */
TEST(collectives_have_bytes_on_the_bus)
{
    static const struct {
        const char *name;
        unsigned in, out;
        uint64_t bus;
    } all[] = {
        {"allreduce_coalesced", 100, 100, 600},   /* 2 * 3 / 4 * 400 */
        {"_allgather_base", 100, 400, 1200},      /* 3 / 4 * 1600 */
        {"_reduce_scatter_base", 400, 100, 1200}, /* the same way back */
        {"reduce_scatter_tensor", 400, 100, 1200},
        {"all_to_allv", 100, 100, 300},
        {"broadcast", 100, 100, 400},
        {"reduce", 100, 100, 400},
        {"send", 100, 0, 400},
        {"gather", 100, 400, 1200},
        {"barrier", 0, 0, 0},
        {"something new", 100, 100, OP_SOME},
    };
    for (size_t i = 0; i < TEST_COUNT(all); i++) {
        char text[256];
        (void)snprintf(text, sizeof text,
                       "record_param_comms, op_id = 30, collective = \"%s\", dtype = \"Float\", group_size = 4, "
                       "in_elements = %u, out_elements = %u",
                       all[i].name, all[i].in, all[i].out);
        assert_op_amount(op_cost(text, 0, 0).bus_bytes, all[i].bus, all[i].name, "bus");
    }
    assert_op_amount(
        op_cost("record_param_comms, op_id = 30, collective = \"allreduce\", dtype = \"Float\", in_elements = 5, "
                "out_elements = 5",
                0, 0)
            .bus_bytes,
        OP_SOME, "without a size", "bus");
}

TEST(optimizers_read_and_write_their_state)
{
    static const struct op_expected expected[] = {
        /* two parameters of 10 and 6, as lists: p, g, m, v, and steps without dimensions */
        {"_fused_adam_", "float32", "[10] [6] [10] [6] [10] [6] [10] [6]", 13 * 16, 4 * 7 * 16},
        {"_fused_adamw_", "float32", "[10] [10] [10] [10]", 140, 4 * 7 * 10},
        {"_fused_sgd_", "float32", "[10] [10] [10]", 40, 4 * 5 * 10},
        {"adam", "float32", "[10] [0] [10] [10] [10]", 130, 280}, /* bytes as PyProf has them */
        {"_fused_adagrad_", "float32", "[10] [10] [10]", 80, 4 * 5 * 10},
        {"_foreach_neg", "float32", "[10] [10]", 20, 160},
        {"_foreach_sqrt", "float32", "[10] [6]", 320, 128},
        {"_foreach_lerp_", "float32", "[10] [10]", 30, 120},
        {"_foreach_copy_", "float32", "[10] [10]", 0, 80},
        {"_foreach_norm", "float32", "[10] [6]", 2 * 16 + 2, 4 * (16 + 2)},
        {"_amp_foreach_non_finite_check_and_unscale_", "float32", "[10] [6]", 32, 2 * 64},
        {"_amp_foreach_non_finite_check_and_unscale_", "float32", "[0]", OP_SOME, OP_SOME},
        {"triton_poi_fused_add_gelu_view_4", "bfloat16", "[64,256] [4,16,256]", OP_SOME, 2 * 2 * 16384},
        {"triton_red_fused_sum_1", "float32", "[16,10] [10]", OP_SOME, 4 * 170},
        {"c10d::broadcast_", "float32", "[10]", 0, 40},
        {"c10d::_allgather_base_", "float32", "[40] [10]", 0, 200},
        {"_foreach_add_", "float32", "[10] [6] [10] [6] 1", 16, 4 * 48},
        {"_foreach_mul_", "float32", "[10] [6] 2", 16, 4 * 32},
        {"_foreach_addcdiv_", "float32", "[10] [10] [10]", 30, 160},
        {"_foreach_zero_", "float32", "[10] [6]", 0, 64},
        {"c10d::allreduce_", "float32", "[10]", 0, 80},
    };
    assert_op_costs(expected, TEST_COUNT(expected), 0);
}

/* Gradients are read in their own type, and not written. */
TEST(gradients_may_have_another_type)
{
#define TENSOR(type) "{'name': '', 'type': 'tensor', 'shape': (10,), 'dtype': '" type "'}, "
    struct stint_op_cost cost = op_cost("{'mod': 'm', 'op': '_fused_adam_', 'args': [" TENSOR("float32")
                                            TENSOR("bfloat16") TENSOR("float32") TENSOR("float32") "]}",
                                        0, 0);
    assert_op_amount(cost.bytes, 40 + 20 + 40 + 40 + 3 * 40, "_fused_adam_", "bytes");
    cost = op_cost("{'mod': 'm', 'op': 'adam', 'args': [" TENSOR("float32") TENSOR("float16") TENSOR("float32")
                       TENSOR("float32") TENSOR("float16") "]}",
                   0, 0);
    assert_op_amount(cost.bytes, 6 * 40 + 2 * 20, "adam", "bytes");
#undef TENSOR
}
