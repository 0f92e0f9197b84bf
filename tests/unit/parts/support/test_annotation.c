#include "support/annotation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stint_test.h"

/* Returns the name by which a text is counted: itself, if it carries no data. */
static const char *name_of(const char *text)
{
    static char name[256];
    struct stint_annotation annotation;
    if (!stint_annotation_read(&annotation, text, strlen(text)))
        return text;
    stint_annotation_name(&annotation, name, sizeof name);
    return name;
}

/* Returns the text's pairs as "key -> value; key -> value". */
static const char *pairs_of(const char *text)
{
    static char pairs[512];
    struct stint_annotation annotation;
    struct stint_piece key, value;
    size_t used = 0;
    assert_true(stint_annotation_read(&annotation, text, strlen(text)));
    pairs[0] = '\0';
    while (stint_annotation_pair(&annotation.data, &key, &value))
        used += (size_t)snprintf(pairs + used, sizeof pairs - used, "%s%.*s -> %.*s", used ? "; " : "", (int)key.length,
                                 key.text, (int)value.length, value.text);
    return pairs;
}

TEST(names_are_without_their_data)
{
    assert_string_equal(name_of("Thunk:#name=jit(multiply)/mul,hlo_op=loop_multiply_fusion,unique_hlo_op_id=1#"),
                        "Thunk");
    assert_string_equal(name_of("Thunk:#hlo_op=copy.1#"), "Thunk");
    assert_string_equal(name_of("XlaCompile:#module=jit_step,program_id=7#"), "XlaCompile");
    assert_string_equal(name_of("MatMul#id=3#"), "MatMul");
    assert_string_equal(name_of("  two words : #id=3#"), "two words ");
}

TEST(what_tells_modules_and_passes_apart_is_in_the_name)
{
    assert_string_equal(name_of("XlaModule:#hlo_module=jit_step,program_id=4639#"), "XlaModule jit_step");
    assert_string_equal(name_of("XlaModule:#prefix=jit(f)/a,b,hlo_module=jit_f,program_id=1#"), "XlaModule jit_f");
    assert_string_equal(name_of("XlaPass:#name=algsimp,module=jit_step,program_id=7#"), "XlaPass algsimp");
    assert_string_equal(name_of("XlaPassPipeline:#name=fusion,module=jit_step#"), "XlaPassPipeline fusion");
    assert_string_equal(name_of("XlaModule:#program_id=4639#"), "XlaModule");
}

TEST(texts_without_data_are_names)
{
    static const char *const texts[] = {"",
                                        "step",
                                        "C#",
                                        "#",
                                        "##",
                                        "a##",
                                        "step #3#",
                                        "a#b=c",
                                        "Optimizer.step#SGD.step",
                                        "x=1#",
                                        "#x",
                                        "=#",
                                        "step 12",
                                        "a[3]",
                                        "a, b, 12",
                                        "loss, sizes = 3",
                                        "x, seq = a1",
                                        "decode, seq = 128",
                                        "decode, seq = 128, sizes = [1]",
                                        "conv2d, seq = 5",
                                        "resize, sizes = [2]",
                                        "{'step': 5}",
                                        "{'mod': 'torch'}",
                                        "{'mod': '', 'op': 'mm'}",
                                        "{'mod': 'torch', 'op': ''}",
                                        "{'mod': 'torch', 'args': []}",
                                        "{'mod': 'torch', 'op': 'mm', 'args': [",
                                        "{'mod'",
                                        "{}",
                                        "a, seq = 1, op_id = [",
                                        "op_id = 7",
                                        "a,op_id = 7",
                                        "a, op_id = ",
                                        "a, 1"};
    for (size_t i = 0; i < TEST_COUNT(texts); i++)
        assert_string_equal(name_of(texts[i]), texts[i]);
}

TEST(operations_of_pytorch_are_without_their_numbers_and_sizes)
{
    assert_string_equal(name_of("aten::convolution_backward, op_id = 783, sizes = [[64, 16, 10, 10], [], [6]], "
                                "input_op_ids = [(780,0), (781,2)]"),
                        "aten::convolution_backward");
    assert_string_equal(name_of("ConvolutionBackward0, seq = 54, op_id = 782"), "ConvolutionBackward0");
    assert_string_equal(name_of("autograd::engine::evaluate_function: AddmmBackward0, op_id = 7"),
                        "autograd::engine::evaluate_function: AddmmBackward0");
    assert_string_equal(name_of("f(a, b), op_id = 7"), "f(a, b)");
    assert_string_equal(name_of(", op_id = 7"), "");
    assert_string_equal(pairs_of("aten::mm, op_id = 783, sizes = [[64, 16], [16]], input_op_ids = [(780,0), (781,2)]"),
                        "op_id -> 783; sizes -> [[64, 16], [16]]; input_op_ids -> [(780,0), (781,2)]");
}

TEST(older_versions_of_pytorch_give_no_number_of_the_operation)
{
    assert_string_equal(name_of("aten::mm, seq = 54"), "aten::mm");
    assert_string_equal(name_of("aten::mm, seq = 54, sizes = [[64, 16], [16, 10]]"), "aten::mm");
    assert_string_equal(name_of("aten::empty, sizes = []"), "aten::empty");
    assert_string_equal(name_of("aten::add, sizes = [[1], []]"), "aten::add");
    assert_string_equal(name_of("torch::autograd::AccumulateGrad, seq = 18"), "torch::autograd::AccumulateGrad");
    assert_string_equal(name_of("MyFunctionBackward, seq = 18"), "MyFunctionBackward");
    assert_string_equal(name_of("ConvolutionBackward12, seq = 18"), "ConvolutionBackward12");
    assert_string_equal(pairs_of("aten::mm, seq = 54, sizes = [[64]]"), "seq -> 54; sizes -> [[64]]");
}

TEST(a_program_that_uses_pytorch_has_no_other_ranges_with_a_number)
{
    assert_string_equal(name_of("aten::mm, op_id = 54"), "aten::mm");
    assert_string_equal(name_of("conv2d, seq = 54"), "conv2d");
    assert_string_equal(name_of("decode, seq = 128, sizes = [1]"), "decode, seq = 128, sizes = [1]");
}

TEST(dictionaries_of_pyprof_are_named_by_function_or_module)
{
    static const char call[] =
        "{'mod': 'torch.nn.functional', 'op': 'conv2d', 'args': [{'name': '', 'type': 'tensor'}]}";
    struct stint_annotation annotation;
    assert_string_equal(name_of(call), "torch.nn.functional.conv2d");
    assert_string_equal(name_of("{'mod': 'Tensor', 'op': '__add__'}"), "Tensor.__add__");
    assert_string_equal(name_of("{'mod': 'Conv2d', 'strRepr': '3, 64, kernel_size=(7, 7)'}"), "Conv2d");
    assert_string_equal(name_of("{'mod': 'ReLU', 'strRepr': ''}"), "ReLU");
    assert_string_equal(name_of("{'mod': 'A', 'strRepr': \"padding='same'\"}"), "A");
    assert_string_equal(name_of("{'traceMarker': ['net.py:5', 'net.py:70']}"), "traceMarker");
    assert_true(stint_annotation_read(&annotation, call, sizeof call - 1));
    assert_int_equal(annotation.data.length, sizeof call - 1);
}

TEST(a_text_may_be_data_alone)
{
    assert_string_equal(name_of("#tf_op=a:MatMul#"), "");
    assert_string_equal(name_of(":#a=b#"), "");
    assert_string_equal(pairs_of("#tf_op=a:MatMul#"), "tf_op -> a:MatMul");
}

TEST(pairs_are_separated_by_commas_outside_of_brackets_and_quotation_marks)
{
    assert_string_equal(pairs_of("a#k=1,l=2#"), "k -> 1; l -> 2");
    assert_string_equal(pairs_of("a#shape=f32[2,3]{1,0},name=jit(f)/dot(a, b)#"),
                        "shape -> f32[2,3]{1,0}; name -> jit(f)/dot(a, b)");
    assert_string_equal(pairs_of("a#k=\"x,y\",l='[,',m=3#"), "k -> \"x,y\"; l -> '[,'; m -> 3");
    assert_string_equal(pairs_of("a# k = 1 , l = 2 #"), "k -> 1; l -> 2");
}

TEST(values_contain_equals_signs_and_data_number_signs)
{
    assert_string_equal(pairs_of("a#k=x=y#"), "k -> x=y");
    assert_string_equal(pairs_of("a#k=x#y,l=2#"), "k -> x#y; l -> 2");
    assert_string_equal(pairs_of("a#k=1##"), "k -> 1#");
}

TEST(pairs_that_lack_a_part_are_passed_over)
{
    assert_string_equal(pairs_of("a#,,k=,=v,x,l=2,#"), "l -> 2");
    assert_string_equal(pairs_of("a#=#"), "");
}

TEST(what_is_not_closed_reaches_to_the_end)
{
    assert_string_equal(pairs_of("a#k=(1,l=2#"), "k -> (1,l=2");
    assert_string_equal(pairs_of("a#k=1),l=2#"), "k -> 1); l -> 2");
    assert_string_equal(pairs_of("a#k=it's,l=2#"), "k -> it's,l=2");
}

TEST(brackets_may_nest_without_end)
{
    enum { DEPTH = 100000 };
    char *text = malloc(2 * DEPTH + 16);

    assert_non_null(text);
    memcpy(text, "a#k=", 4);
    memset(text + 4, '[', DEPTH);
    memset(text + 4 + DEPTH, ']', DEPTH);
    memcpy(text + 4 + 2 * DEPTH, "#", 2);
    assert_string_equal(name_of(text), "a");
    free(text);
}

TEST(a_name_is_cut_to_its_room)
{
    static const char text[] = "XlaModule:#hlo_module=jit_step#";
    struct stint_annotation annotation;
    char name[13];
    assert_true(stint_annotation_read(&annotation, text, sizeof text - 1));
    stint_annotation_name(&annotation, name, sizeof name);
    assert_string_equal(name, "XlaModule ji");
    stint_annotation_name(&annotation, name, 1);
    assert_string_equal(name, "");
}
