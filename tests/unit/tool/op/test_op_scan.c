#include "op/op_scan.h"

#include <string.h>

#include "stint_test.h"

static const char *short_name(const char *name)
{
    return stint_op_type_name(stint_op_type_of((struct stint_piece){name, strlen(name)}));
}

TEST(types_have_the_names_of_python_and_cxx)
{
    assert_string_equal(short_name("float16"), "fp16");
    assert_string_equal(short_name("torch.bfloat16"), "bf16");
    assert_string_equal(short_name("c10::Half"), "fp16");
    assert_string_equal(short_name("c10::BFloat16"), "bf16");
    assert_string_equal(short_name("c10::Float8_e4m3fn"), "fp8e4m3");
    assert_string_equal(short_name("c10::complex<float>"), "complex64");
    assert_string_equal(short_name("long int"), "int64");
    assert_string_equal(short_name("unsigned char"), "uint8");
    assert_string_equal(short_name("bool"), "bool");
    assert_string_equal(short_name("Float"), "fp32");
    assert_string_equal(short_name("Long"), "int64");
    assert_string_equal(short_name("Bool"), "bool");
    assert_string_equal(short_name("fp64"), "fp64");
    assert_string_equal(short_name("tf32"), "tf32");
}

TEST(other_names_are_not_known)
{
    assert_string_equal(short_name(""), "na");
    assert_string_equal(short_name("na"), "na");
    assert_string_equal(short_name("float17"), "na");
    assert_string_equal(short_name("float"), "fp32");
    assert_string_equal(short_name("floa"), "na");
    assert_string_equal(short_name("double float"), "na");
}

TEST(elements_have_a_size)
{
    assert_int_equal(stint_op_type_bytes(STINT_OP_FP64), 8);
    assert_int_equal(stint_op_type_bytes(STINT_OP_TF32), 4);
    assert_int_equal(stint_op_type_bytes(STINT_OP_BF16), 2);
    assert_int_equal(stint_op_type_bytes(STINT_OP_FP8_E5M2), 1);
    assert_int_equal(stint_op_type_bytes(STINT_OP_COMPLEX128), 16);
    assert_int_equal(stint_op_type_bytes(STINT_OP_TYPE_UNKNOWN), 0);
}
