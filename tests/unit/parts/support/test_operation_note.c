#include "support/annotation.h"

#include <stdio.h>
#include <string.h>

#include "stint/op.h"
#include "stint_test.h"

static unsigned char s_bytes[STINT_I_OP_BYTES];
static int s_is_cut;

static const char *text_of(const struct stint_operation_note *note)
{
    static char text[STINT_OPERATION_TEXT];
    assert_true(stint_operation_write(s_bytes, note, &s_is_cut) <= STINT_I_OP_BYTES);
    size_t length = stint_operation_text(text, sizeof text, "op", s_bytes);
    assert_int_equal(length, strlen(text));
    return text;
}

TEST(every_type_has_a_name)
{
    static const char *const names[] = {"fp64",  "fp32",  "tf32",  "fp16", "bf16",  "fp8e4m3", "fp8e5m2",
                                        "int64", "int32", "int16", "int8", "uint8", "bool"};
    char expected[128];
    for (int i = STINT_FP64; i <= STINT_BOOL; i++) {
        const struct stint_i_operand operand = STINT_TENSOR(i, 8);
        snprintf(expected, sizeof expected,
                 "op, sizes = [[8]], types = [\"%s\"], inputs = [\"\"], direction = \"fprop\"", names[i - 1]);
        assert_string_equal(text_of(&(struct stint_operation_note){.operands = &operand, .count = 1}), expected);
    }
}

TEST(operands_are_tensors_numbers_or_nothing)
{
    const struct stint_i_operand operands[] = {STINT_TENSOR(STINT_BF16, 1, 2, 3, 4, 5, 6), STINT_NONE(),
                                               STINT_NUMBERS(-1), STINT_NUMBERS(1, INT64_MIN),
                                               STINT_TENSOR(STINT_INT8, INT64_MAX)};
    assert_string_equal(
        text_of(&(struct stint_operation_note){UINT64_MAX, STINT_BPROP, "conv1", operands, TEST_COUNT(operands)}),
        "op, seq = 18446744073709551615, sizes = [[1, 2, 3, 4, 5, 6], [], [], [], [9223372036854775807]], "
        "types = [\"bf16\", \"\", \"\", \"\", \"int8\"], "
        "inputs = [\"\", \"None\", \"[-1]\", \"[1, -9223372036854775808]\", \"\"], direction = \"bprop\", "
        "layer = \"conv1\"");
}

TEST(an_operation_may_have_no_operands)
{
    const struct stint_i_operand none = STINT_I_NO_OPERAND;
    assert_string_equal(text_of(&(struct stint_operation_note){3, STINT_OPTIM, NULL, &none, 1}),
                        "op, seq = 3, direction = \"optim\"");
    assert_string_equal(text_of(&(struct stint_operation_note){0, 99, "", NULL, 0}), "op, direction = \"fprop\"");
}

TEST(layers_cannot_end_the_text)
{
    assert_string_equal(text_of(&(struct stint_operation_note){.layer = "a\"b\\c\nd\xC3\xA4"}),
                        "op, direction = \"fprop\", layer = \"a_b_c_d\xC3\xA4\"");
}

TEST(what_has_no_room_is_told)
{
    struct stint_i_operand operands[40];
    char layer[1000];
    for (size_t i = 0; i < TEST_COUNT(operands); i++)
        operands[i] = STINT_TENSOR(STINT_FP32, 1, 2, 3, 4, 5, 6);
    (void)text_of(&(struct stint_operation_note){.operands = operands, .count = TEST_COUNT(operands)});
    assert_true(s_is_cut);
    memset(layer, 'l', sizeof layer);
    layer[sizeof layer - 1] = '\0';
    (void)text_of(&(struct stint_operation_note){.layer = layer});
    assert_true(s_is_cut);
    (void)text_of(&(struct stint_operation_note){.operands = operands, .count = 12});
    assert_false(s_is_cut);
}

TEST(texts_are_cut_to_their_room)
{
    const struct stint_operation_note note = {.layer = "a layer"};
    char text[8];
    (void)stint_operation_write(s_bytes, &note, &s_is_cut);
    assert_int_equal(stint_operation_text(text, sizeof text, "op", s_bytes), sizeof text - 1);
    assert_string_equal(text, "op, dir");
}
