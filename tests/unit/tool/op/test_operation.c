#include "op/operation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stint_test.h"

static struct stint_operation s_operation;

static enum stint_op_kind read_text(const char *text)
{
    return stint_operation_read(&s_operation, text, strlen(text));
}

static int put_numbers(char *out, size_t size, const struct stint_op_value *value)
{
    int used = 0;
    for (size_t i = 0; i < value->count; i++)
        used += snprintf(out + used, size - (size_t)used, i ? " %lld" : "%lld",
                         (long long)stint_op_numbers(&s_operation, value)[i]);
    return used;
}

/* Returns the values as text: "name:[64 16]fp16<783.0" for a tensor by output 0 of 783, "?" for what is unknown. */
static const char *values(void)
{
    static char text[1024];
    int used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < s_operation.values.count; i++) {
        const struct stint_op_value *value = stint_op_values(&s_operation) + i;
#define PUT(...) used += snprintf(text + used, sizeof text - (size_t)used, __VA_ARGS__)
        PUT("%s%.*s%s", i ? " " : "", (int)value->name.length, value->name.text, value->name.length ? ":" : "");
        switch (value->kind) {
        case STINT_OP_TENSOR:
        case STINT_OP_NUMBERS:
            PUT(value->kind == STINT_OP_TENSOR ? "[" : "(");
            used += put_numbers(text + used, sizeof text - (size_t)used, value);
            PUT(value->kind == STINT_OP_TENSOR ? "]" : ")");
            if (value->type)
                PUT("%s", stint_op_type_name(value->type));
            break;
        case STINT_OP_NUMBER:
        case STINT_OP_SWITCH:
            PUT("%s%g", value->kind == STINT_OP_SWITCH ? "!" : "", value->number);
            break;
        case STINT_OP_TEXT:
            PUT("'%.*s'", (int)value->text.length, value->text.text);
            break;
        default:
            PUT(value->kind == STINT_OP_NONE ? "None" : "?");
        }
        if (value->producer)
            PUT("<%llu.%u", (unsigned long long)value->producer, value->producer_output);
#undef PUT
    }
    return text;
}

static void assert_name(const char *name)
{
    assert_int_equal(s_operation.name.length, strlen(name));
    assert_memory_equal(s_operation.name.text, name, strlen(name));
}

static void assert_module(const char *name)
{
    assert_int_equal(s_operation.module.length, strlen(name));
    assert_memory_equal(s_operation.module.text, name, strlen(name));
}

/* ------------------------------------------------------------------------------------------------------- emit_nvtx */

static void operations_of_pytorch_have_numbers_sizes_and_producers(void **state)
{
    assert_int_equal(read_text("aten::convolution_backward, op_id = 783, sizes = [[64, 16, 10, 10], [64, 6, 14, 14], "
                               "[16, 6, 5, 5], [], []], input_op_ids = [(780,0), (712,1), (0,-1), (0,-1), (0,-1)]"),
                     STINT_OP_CALL);
    assert_name("aten::convolution_backward");
    assert_int_equal(s_operation.op_id, 783);
    assert_false(s_operation.has_seq);
    assert_false(s_operation.is_cut);
    assert_string_equal(values(), "[64 16 10 10]<780.0 [64 6 14 14]<712.1 [16 6 5 5] ? ?");
}

static void operations_run_by_autograd_have_the_forward_one_s_number(void **state)
{
    assert_int_equal(read_text("ConvolutionBackward0, seq = 54, op_id = 782, sizes = [[64, 16, 10, 10]], "
                               "input_op_ids = [(779,0)]"),
                     STINT_OP_CALL);
    assert_name("ConvolutionBackward0");
    assert_true(s_operation.has_seq);
    assert_int_equal(s_operation.seq, 54);
    assert_int_equal(s_operation.op_id, 782);
    assert_string_equal(values(), "[64 16 10 10]<779.0");
}

static void texts_of_all_versions_of_pytorch_are_read(void **state)
{
    assert_int_equal(read_text("conv2d, seq = 5"), STINT_OP_CALL); /* before 1.9 */
    assert_name("conv2d");
    assert_int_equal(s_operation.seq, 5);
    assert_int_equal(read_text("addmm, seq = 0, sizes = [[10], [4, 3], [3, 10]]"), STINT_OP_CALL);
    assert_true(s_operation.has_seq);
    assert_string_equal(values(), "[10] [4 3] [3 10]");
    assert_int_equal(read_text("aten::to, op_id = 3"), STINT_OP_CALL);
    assert_int_equal(s_operation.op_id, 3);
    assert_int_equal(read_text("detach_, sizes = [[7]]"), STINT_OP_CALL);
    assert_int_equal(read_text("f(a, b), op_id = 7"), STINT_OP_CALL);
    assert_name("f(a, b)");
    assert_int_equal(read_text("autograd::engine::evaluate_function: AddmmBackward0, op_id = 9"), STINT_OP_CALL);
    assert_name("autograd::engine::evaluate_function: AddmmBackward0");
}

static void steps_of_optimizers_are_operations_without_data(void **state)
{
    assert_int_equal(read_text("Optimizer.step#SGD.step"), STINT_OP_CALL);
    assert_name("Optimizer.step#SGD.step");
    assert_int_equal(s_operation.op_id, 0);
    assert_int_equal(read_text("Optimizer.step#SGD.step, op_id = 7"), STINT_OP_CALL);
    assert_name("Optimizer.step#SGD.step");
    assert_int_equal(read_text("Optimizer.step"), STINT_OP_PLAIN);
    assert_int_equal(read_text("step#3"), STINT_OP_PLAIN);
}

static void tensors_of_lists_follow_each_other(void **state)
{
    (void)read_text("aten::cat, op_id = 4, sizes = [[[2, 3], [2, 5]], []], input_op_ids = [(1,0), (2,0), (0,-1)]");
    assert_false(s_operation.is_cut);
    assert_string_equal(values(), "[2 3]<1.0 [2 5]<2.0 ?");
    (void)read_text("aten::cat, op_id = 4, sizes = [[2, 3], [2, 5], []], input_op_ids = [(1,0), (2,0), (0,-1)]");
    assert_string_equal(values(), "[2 3]<1.0 [2 5]<2.0 ?");
}

static void producers_that_do_not_belong_to_sizes_are_not_known(void **state)
{
    (void)read_text("aten::index, op_id = 4, sizes = [[2], [3]], input_op_ids = [(1,0), (0,-1), (2,0)]");
    assert_string_equal(values(), "[2] [3]");
    (void)read_text("aten::index, op_id = 4, sizes = [[2], [3]], input_op_ids = [(1,0), (9,70000)]");
    assert_string_equal(values(), "[2]<1.0 [3]");
}

static void texts_of_torch_profiler_have_types_and_values(void **state)
{
    assert_int_equal(
        read_text(
            "aten::conv2d, seq = 0, op_id = 12, sizes = [[8, 3, 14, 14], [16, 3, 3, 3], [], [], [], [], []], "
            "types = [\"c10::Half\", \"c10::Half\", \"\", \"ScalarList\", \"\", \"Scalar\", \"float\"], strides = "
            "[[588, 1, 42, 3], [27, 1, 9, 3], [], [], [], [], []], inputs = [\"\", \"\", \"\", \"[2, 1]\", \"same\", "
            "\"False\", \"\"]"),
        STINT_OP_CALL);
    assert_string_equal(values(), "[8 3 14 14]fp16 [16 3 3 3]fp16 ? (2 1) 'same' !0 []fp32");
    assert_false(s_operation.is_cut);
    assert_int_equal(read_text("aten::cat, op_id = 3, sizes = [[[2, 3], [4, 3]], []], types = [\"TensorList\", "
                               "\"Scalar\"], inputs = [\"\", \"-1\"]"),
                     STINT_OP_CALL);
    assert_string_equal(values(), "[2 3] [4 3] -1");
    assert_int_equal(read_text("autograd::engine::evaluate_function: MulBackward0, seq = 7, op_id = 20, "
                               "forward_thread = 1, sizes = [[2]], types = [\"double\"]"),
                     STINT_OP_CALL);
    assert_int_equal(s_operation.forward_thread, 1);
    assert_string_equal(values(), "[2]fp64");
}

static void operations_of_op_h_have_a_direction_and_a_layer(void **state)
{
    assert_int_equal(read_text("conv2d, seq = 7, sizes = [[64, 6], [16, 6], [], []], types = [\"fp16\", \"fp8e5m2\", "
                               "\"\", \"\"], inputs = [\"\", \"\", \"None\", \"[1, 2]\"], direction = \"bprop\", "
                               "layer = \"net.conv1\""),
                     STINT_OP_CALL);
    assert_false(s_operation.is_cut);
    assert_int_equal(s_operation.seq, 7);
    assert_int_equal(s_operation.pass, STINT_OP_BACKWARD);
    assert_int_equal(s_operation.layer.length, 9);
    assert_memory_equal(s_operation.layer.text, "net.conv1", 9);
    assert_string_equal(values(), "[64 6]fp16 [16 6]fp8e5m2 None (1 2)");
    assert_int_equal(read_text("step, direction = \"optim\""), STINT_OP_CALL);
    assert_false(s_operation.is_cut || s_operation.has_seq || s_operation.layer.length);
    assert_int_equal(s_operation.pass, STINT_OP_UPDATE);
    assert_int_equal(read_text("aten::mm, op_id = 5"), STINT_OP_CALL);
    assert_int_equal(s_operation.pass, -1);
    (void)state;
}

static void collectives_have_a_size(void **state)
{
    assert_int_equal(read_text("record_param_comms, op_id = 30, collective = \"allreduce\", dtype = \"BFloat16\", "
                               "group_size = 8, in_elements = 4096, out_elements = 4097"),
                     STINT_OP_CALL);
    assert_int_equal(s_operation.collective.length, 9);
    assert_memory_equal(s_operation.collective.text, "allreduce", 9);
    assert_int_equal(s_operation.type, STINT_OP_BF16);
    assert_int_equal(s_operation.group_size, 8);
    assert_int_equal(s_operation.in_elements, 4096);
    assert_int_equal(s_operation.out_elements, 4097);
    assert_int_equal(read_text("aten::mm, op_id = 1"), STINT_OP_CALL);
    assert_int_equal(s_operation.collective.length + s_operation.group_size + s_operation.type, 0);
}

static void facts_that_are_cut_are_told(void **state)
{
    static const char whole[] = "aten::mm, op_id = 783, sizes = [[64, 16], [16, 10]], types = [\"float\", \"float\"], "
                                "strides = [[16, 1], [1, 16]], inputs = [\"\", \"\"]";
    for (size_t length = sizeof "aten::mm, op_id = 783, sizes = " - 1; length < sizeof whole - 1; length++) {
        assert_int_equal(stint_operation_read(&s_operation, whole, length), STINT_OP_CALL);
        if (whole[length - 1] != ']' || whole[length] != ',' || whole[length + 2] == '[')
            assert_true(s_operation.is_cut);
    }
    assert_int_equal(read_text(whole), STINT_OP_CALL);
    assert_string_equal(values(), "[64 16]fp32 [16 10]fp32");
}

static void what_is_cut_keeps_its_name_and_number(void **state)
{
    static const char *const texts[] = {"aten::mm, op_id = 783, sizes = [[64, 16], [16",
                                        "aten::mm, op_id = 783, sizes = [[64, ",
                                        "aten::mm, op_id = 783, sizes = [[64, 16]",
                                        "aten::mm, op_id = 783, sizes = [[64, 16]], input_op_ids = [(780,",
                                        "aten::mm, op_id = 783, siz",
                                        "aten::mm, op_id = 783, sizes = [[9223372036854775808]]"};
    for (size_t i = 0; i < TEST_COUNT(texts); i++) {
        assert_int_equal(read_text(texts[i]), STINT_OP_CALL);
        assert_name("aten::mm");
        assert_int_equal(s_operation.op_id, 783);
        assert_true(s_operation.is_cut);
        assert_int_equal(s_operation.values.count, 0);
    }
}

static void sizes_may_be_as_large_as_numbers_are(void **state)
{
    (void)read_text("a, op_id = 1, sizes = [[1000000000000000000, 9223372036854775807, -1]]");
    assert_string_equal(values(), "[1000000000000000000 9223372036854775807 -1]");
}

/* ------------------------------------------------------------------------------------------------------ pyprof.init */

static void markers_of_pyprof_have_arguments(void **state)
{
    assert_int_equal(
        read_text("{'mod': 'torch.nn.functional', 'op': 'conv2d', 'args': [{'name': '', 'type': 'tensor', 'shape': "
                  "(32, 3, 224, 224), 'dtype': 'float16'}, {'name': '', 'type': 'tensor', 'shape': (64, 3, 7, 7), "
                  "'dtype': 'float16'}, {'name': 'bias', 'type': 'NoneType', 'value': None}, {'name': 'stride', "
                  "'type': 'tuple', 'value': (2, 2)}, {'name': 'padding', 'type': 'list', 'value': [3]}, "
                  "{'name': 'groups', 'type': 'int', 'value': 1}, {'name': 'p', 'type': 'float', 'value': 0.5}, "
                  "{'name': 'training', 'type': 'bool', 'value': True}, {'name': 's', 'type': 'float', 'value': "
                  "'-inf'}, {'name': 't', 'type': 'tuple', 'value': (1, 'x')}, {'name': 'e', 'type': 'tuple', "
                  "'value': ()}, {'name': 'm', 'type': 'list', 'value': [True, False]}]}"),
        STINT_OP_MARKER);
    assert_name("conv2d");
    assert_module("torch.nn.functional");
    assert_string_equal(values(), "[32 3 224 224]fp16 [64 3 7 7]fp16 bias:None stride:(2 2) padding:(3) groups:1 p:0.5 "
                                  "training:!1 s:'-inf' t:'(1, 'x')' e:() m:(1 0)");
}

static void call_stacks_have_lines_and_modules_a_text(void **state)
{
    assert_int_equal(read_text("{'traceMarker': ['/a/net.py:10', \"/it's/main.py:3\"]}"), STINT_OP_TRACE);
    const struct stint_piece *lines = s_operation.trace.items;
    assert_int_equal(s_operation.trace.count, 2);
    assert_memory_equal(lines[0].text, "/a/net.py:10", lines[0].length);
    assert_memory_equal(lines[1].text, "/it's/main.py:3", lines[1].length);
    assert_int_equal(read_text("{'mod': 'Conv2d', 'strRepr': '3, 64, kernel_size=(7, 7)'}"), STINT_OP_MODULE);
    assert_name("3, 64, kernel_size=(7, 7)");
    assert_module("Conv2d");
}

static void unknown_keys_are_passed_over(void **state)
{
    assert_int_equal(
        read_text("{'x': {'y': [1, (2,), None], 'z': -1e-3}, 'mod': 'm', 'op': 'o', 'args': [{'name': 'n', "
                  "'more': [True], 'type': 'int', 'value': 3}], }"),
        STINT_OP_MARKER);
    assert_string_equal(values(), "n:3");
    (void)read_text("{'mod': 'm', 'op': 'o', 'args': [{'type': 'int', 'value': 3, 'shape': (1, 2)}]}");
    assert_string_equal(values(), "3");
}

static void layers_have_names(void **state)
{
    assert_int_equal(read_text("layer:net.layer1.0.conv2"), STINT_OP_LAYER);
    assert_name("net.layer1.0.conv2");
    assert_int_equal(read_text("layer: a:b, op_id = 3"), STINT_OP_LAYER);
    assert_name("a:b, op_id = 3");
    assert_int_equal(read_text("layer:"), STINT_OP_PLAIN);
}

/* ----------------------------------------------------------------------------------------------------------- others */

static void other_texts_are_plain(void **state)
{
    static const char *const texts[] = {"",
                                        "step 12",
                                        "a, b, 12",
                                        "loss, sizes = 3",
                                        "x, seq = a1",
                                        "x, seq = 1a",
                                        "x, seq = -1",
                                        "x, op_id = ",
                                        "x, op_id = 99999999999999999999",
                                        "a,op_id = 7",
                                        "op_id = 7",
                                        ", op_id = 7",
                                        "{",
                                        "{}",
                                        "{}}",
                                        "{'mod': 'm', 'op': 'o'}",
                                        "{'mod': 'm', 'op': 'o', 'args': [}",
                                        "{'mod': 'm', 'op': 'o', 'args': [{'shape': (1, 2]}]}",
                                        "{'mod': 'm', 'op': 'o', 'args': [{'shape': (1, 'a')}]}",
                                        "{'mod': 'm', 'op': 'o', 'args': []} ",
                                        "{'mod': 'm', 'op': 'o', 'args': [",
                                        "{'mod': 'm', 'op': 'o",
                                        "{'mod': 'm', 'op': 'o\\",
                                        "{'mod': __import__('os').system('true'), 'op': 'o', 'args': []}",
                                        "{'traceMarker': 3}"};
    for (size_t i = 0; i < TEST_COUNT(texts); i++) {
        if (read_text(texts[i]) != STINT_OP_PLAIN)
            fail_msg("%s is not plain", texts[i]);
        assert_name("");
        assert_int_equal(s_operation.values.count, 0);
    }
}

/* Each begins an endless text that goes on with more of the same. */
static void endless_nesting_is_plain(void **state)
{
    static const char *const begins[] = {"{'x': [", "{'x': (", "{'x': {'y':", "{'args': [", "{"};
    static char text[100000];
    for (size_t i = 0; i < TEST_COUNT(begins); i++) {
        size_t length = strlen(begins[i]);
        memset(text, begins[i][length - 1], sizeof text);
        memcpy(text, begins[i], length);
        assert_int_equal(stint_operation_read(&s_operation, text, sizeof text), STINT_OP_PLAIN);
    }
    memset(text, '[', sizeof text);
    memcpy(text, "a, op_id = 1, sizes = ", strlen("a, op_id = 1, sizes = "));
    assert_int_equal(stint_operation_read(&s_operation, text, sizeof text), STINT_OP_CALL);
    assert_true(s_operation.is_cut);
}

static void more_values_than_are_kept_are_cut(void **state)
{
    size_t size = 4 * ((size_t)STINT_OP_MOST + 1) + 32, used;
    char *text = malloc(size);
    assert_non_null(text);
    used = (size_t)snprintf(text, size, "a, op_id = 1, sizes = [[1]");
    for (size_t i = 1; i <= STINT_OP_MOST; i++, used += 3)
        memcpy(text + used, ",[]", 4);
    memcpy(text + used, "]", 2);
    (void)read_text(text);
    assert_true(s_operation.is_cut);
    free(text);
}

static void what_was_read_before_is_forgotten(void **state)
{
    (void)read_text("ConvolutionBackward0, seq = 54, op_id = 782, sizes = [[64, 16]], input_op_ids = [(779,0)]");
    (void)read_text("{'mod': 'm', 'op': 'o', 'args': [{'name': 'n', 'type': 'tensor', 'shape': (), 'dtype': 'int8'}]}");
    assert_false(s_operation.has_seq);
    assert_int_equal(s_operation.op_id, 0);
    assert_string_equal(values(), "n:[]int8");
    size_t mapped = s_operation.arena.mapped;
    for (int i = 0; i < 10000; i++)
        (void)read_text("ConvolutionBackward0, seq = 54, op_id = 782, sizes = [[64, 16]], input_op_ids = [(779,0)]");
    assert_int_equal(s_operation.arena.mapped, mapped);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_of_pytorch_have_numbers_sizes_and_producers),
        cmocka_unit_test(operations_run_by_autograd_have_the_forward_one_s_number),
        cmocka_unit_test(texts_of_all_versions_of_pytorch_are_read),
        cmocka_unit_test(steps_of_optimizers_are_operations_without_data),
        cmocka_unit_test(tensors_of_lists_follow_each_other),
        cmocka_unit_test(producers_that_do_not_belong_to_sizes_are_not_known),
        cmocka_unit_test(texts_of_torch_profiler_have_types_and_values),
        cmocka_unit_test(operations_of_op_h_have_a_direction_and_a_layer),
        cmocka_unit_test(collectives_have_a_size),
        cmocka_unit_test(facts_that_are_cut_are_told),
        cmocka_unit_test(what_is_cut_keeps_its_name_and_number),
        cmocka_unit_test(sizes_may_be_as_large_as_numbers_are),
        cmocka_unit_test(markers_of_pyprof_have_arguments),
        cmocka_unit_test(call_stacks_have_lines_and_modules_a_text),
        cmocka_unit_test(unknown_keys_are_passed_over),
        cmocka_unit_test(layers_have_names),
        cmocka_unit_test(other_texts_are_plain),
        cmocka_unit_test(endless_nesting_is_plain),
        cmocka_unit_test(more_values_than_are_kept_are_cut),
        cmocka_unit_test(what_was_read_before_is_forgotten),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    stint_operation_free(&s_operation);
    return failed;
}
