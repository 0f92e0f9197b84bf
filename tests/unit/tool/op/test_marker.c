#include <string.h>

#include "op/operation.h"
#include "op_fixture.h"
#include "stint_test.h"

TEST_ONCE(NULL, op_read_forget)

TEST(markers_of_pyprof_have_arguments)
{
    assert_int_equal(
        op_read_text("{'mod': 'torch.nn.functional', 'op': 'conv2d', 'args': [{'name': '', 'type': 'tensor', 'shape': "
                     "(32, 3, 224, 224), 'dtype': 'float16'}, {'name': '', 'type': 'tensor', 'shape': (64, 3, 7, 7), "
                     "'dtype': 'float16'}, {'name': 'bias', 'type': 'NoneType', 'value': None}, {'name': 'stride', "
                     "'type': 'tuple', 'value': (2, 2)}, {'name': 'padding', 'type': 'list', 'value': [3]}, "
                     "{'name': 'groups', 'type': 'int', 'value': 1}, {'name': 'p', 'type': 'float', 'value': 0.5}, "
                     "{'name': 'training', 'type': 'bool', 'value': True}, {'name': 's', 'type': 'float', 'value': "
                     "'-inf'}, {'name': 't', 'type': 'tuple', 'value': (1, 'x')}, {'name': 'e', 'type': 'tuple', "
                     "'value': ()}, {'name': 'm', 'type': 'list', 'value': [True, False]}]}"),
        STINT_OP_MARKER);
    assert_op_name("conv2d");
    assert_op_module("torch.nn.functional");
    assert_string_equal(op_values(),
                        "[32 3 224 224]fp16 [64 3 7 7]fp16 bias:None stride:(2 2) padding:(3) groups:1 p:0.5 "
                        "training:!1 s:'-inf' t:'(1, 'x')' e:() m:(1 0)");
}

TEST(call_stacks_have_lines_and_modules_a_text)
{
    assert_int_equal(op_read_text("{'traceMarker': ['/a/net.py:10', \"/it's/main.py:3\"]}"), STINT_OP_TRACE);
    const struct stint_piece *lines = op_read.trace.items;
    assert_int_equal(op_read.trace.count, 2);
    assert_memory_equal(lines[0].text, "/a/net.py:10", lines[0].length);
    assert_memory_equal(lines[1].text, "/it's/main.py:3", lines[1].length);
    assert_int_equal(op_read_text("{'mod': 'Conv2d', 'strRepr': '3, 64, kernel_size=(7, 7)'}"), STINT_OP_MODULE);
    assert_op_name("3, 64, kernel_size=(7, 7)");
    assert_op_module("Conv2d");
}

TEST(unknown_keys_are_passed_over)
{
    assert_int_equal(
        op_read_text("{'x': {'y': [1, (2,), None], 'z': -1e-3}, 'mod': 'm', 'op': 'o', 'args': [{'name': 'n', "
                     "'more': [True], 'type': 'int', 'value': 3}], }"),
        STINT_OP_MARKER);
    assert_string_equal(op_values(), "n:3");
    (void)op_read_text("{'mod': 'm', 'op': 'o', 'args': [{'type': 'int', 'value': 3, 'shape': (1, 2)}]}");
    assert_string_equal(op_values(), "3");
}

/* Each begins an endless text that goes on with more of the same. */
TEST(endless_nesting_is_plain)
{
    static const char *const begins[] = {"{'x': [", "{'x': (", "{'x': {'y':", "{'args': [", "{"};
    static char text[100000];
    for (size_t i = 0; i < TEST_COUNT(begins); i++) {
        size_t length = strlen(begins[i]);
        memset(text, begins[i][length - 1], sizeof text);
        memcpy(text, begins[i], length);
        assert_int_equal(stint_operation_read(&op_read, text, sizeof text), STINT_OP_PLAIN);
    }
    memset(text, '[', sizeof text);
    memcpy(text, "a, op_id = 1, sizes = ", strlen("a, op_id = 1, sizes = "));
    assert_int_equal(stint_operation_read(&op_read, text, sizeof text), STINT_OP_CALL);
    assert_true(op_read.is_cut);
}
