#include <stdio.h>
#include <string.h>

#include "op/op_cost.h"
#include "op_fixture.h"
#include "stint_test.h"

/* --------------------------------------------------------------------------------------------------------- elements */

TEST(operations_without_sizes_are_not_known)
{
    struct stint_op_cost cost = op_cost("aten::copy_, op_id = 3", STINT_OP_FP32, 0);
    assert_op_amount(cost.flops, OP_SOME, "copy_", "flops");
    assert_op_amount(cost.bytes, OP_SOME, "copy_", "bytes");
    cost = op_cost("aten::cat, op_id = 3, sizes = [[], []]", STINT_OP_FP32, 0);
    assert_op_amount(cost.bytes, OP_SOME, "cat", "bytes");
}

/* ----------------------------------------------------------------------------------------------------------- others */

TEST(what_is_too_large_or_not_known_is_said)
{
    static const struct op_expected expected[] = {
        {"mm", "float32", "[1000000000000000000,2] [2,1000000000000000000]", OP_FULL, OP_FULL},
        {"relu", "float32", "[4000000000,4000000000]", UINT64_C(16000000000000000000), OP_FULL},
        {"relu", "float32", "[5000000000,5000000000]", OP_FULL, OP_FULL},
        {"mm", "", "[2,3] [3,4]", 48, OP_SOME},
        {"mm", "float32", "[2,-3] [3,4]", OP_SOME, OP_SOME},
        {"mm", "float32", "3 [3,4]", OP_SOME, OP_SOME},
        {"mm", "float32", "", OP_SOME, OP_SOME},
        {"sum", "float32", "[4,5] 2", 20, OP_SOME},
        {"sum", "float32", "[4,5] -3", 20, OP_SOME},
        {"sum", "float32", "[4,5] 1e300", 20, OP_SOME},
        {"sum", "float32", "[4,5] (9223372036854775807,)", 20, OP_SOME},
        {"topk", "float32", "[3,16] 1e300", 48, OP_SOME},
        {"conv2d", "float32", "[1,3,16,16] [8,3,3,3] - 0", OP_SOME, OP_SOME},
        {"conv2d", "float32", "[1,3,2,2] [8,3,3,3]", OP_SOME, OP_SOME},
        {"conv2d", "float32", "[1] [8,3,3,3]", OP_SOME, OP_SOME},
        {"max_pool2d", "float32", "[8] 2", OP_SOME, OP_SOME},
    };
    assert_op_costs(expected, TEST_COUNT(expected), 0);
}

TEST(operations_without_a_formula_have_no_rule)
{
    static const char *const names[] = {"", "_", ".", "aten::", "mmm", "mylib::mm", "ConvolutionBackward0", "x y"};
    for (size_t i = 0; i < TEST_COUNT(names); i++)
        assert_null(stint_op_rule_of((struct stint_piece){names[i], strlen(names[i])}));
}

enum { MOST = 1 << 24 };

/* Each rule's first operation, with values in place of the first of its arguments, and none for the rest. */
static void ask_with(const struct stint_op_rule *rule, size_t given, const char *last)
{
    static const int64_t output[] = {4, 16};
    char name[64], arguments[512] = "";
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(rule->names, " "), rule->names);
    for (size_t i = 0; i < given; i++)
        (void)snprintf(arguments + strlen(arguments), sizeof arguments - strlen(arguments), "%s ",
                       i + 1 < given ? "[4,16]" : last);
    for (int backward = 0; backward < 2; backward++) {
        struct stint_op_cost cost = op_cost(op_marker(name, "float32", arguments), STINT_OP_FP32, backward);
        if (cost.flops.value > MOST || cost.bytes.value > MOST)
            fail_msg("%s(%s) costs %llu and moves %llu", name, arguments, (unsigned long long)cost.flops.value,
                     (unsigned long long)cost.bytes.value);
    }
    (void)op_cost_with(op_marker(name, "float32", arguments), STINT_OP_FP32, output, TEST_COUNT(output));
}

TEST(arguments_of_any_kind_cost_little_or_what_is_not_known)
{
    static const struct stint_op_rule *const tables[] = {
        stint_op_rules_matrix, stint_op_rules_each, stint_op_rules_norm, stint_op_rules_index, stint_op_rules_update};
    static const char *const values[] = {"[4,16]", "[4]", "[2,3,4,4]", "0", "-", "(2,2)"};
    for (size_t table = 0; table < TEST_COUNT(tables); table++)
        for (const struct stint_op_rule *rule = tables[table]; rule->names; rule++)
            for (size_t given = 0; given <= 7; given++)
                for (size_t i = 0; i < TEST_COUNT(values); i++)
                    ask_with(rule, given, values[i]);
}
