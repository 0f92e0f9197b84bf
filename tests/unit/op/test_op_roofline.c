#include "op/op_roofline.h"

#include <string.h>

#include "op/op_recording.h"
#include "stint_test.h"

static char s_image[16384];

static int keep(void *context, const char *text, size_t length)
{
    size_t used = strlen(s_image);
    (void)context;
    assert_in_range(used + length, 0, sizeof s_image - 1);
    memcpy(s_image + used, text, length);
    return 0;
}

static void draw(void)
{
    struct stint_text text;
    memset(s_image, 0, sizeof s_image);
    stint_text_begin(&text, keep, NULL);
    assert_int_equal(stint_op_roofline_put(&op_rows, &text), 0);
    assert_int_equal(stint_text_end(&text), STINT_OK);
}

static void operations_have_a_circle_with_their_numbers(void **state)
{
    op_range(7, 0, 9,
             "{'mod': 'm', 'op': 'mm', 'args': [{'name': '', 'type': 'tensor', 'shape': (64, 64), 'dtype': 'half'}, "
             "{'name': '', 'type': 'tensor', 'shape': (64, 64), 'dtype': 'half'}]}");
    op_call(7, 5, 1);
    op_kernel(100, 10, 1, "hmma");
    op_joined();
    draw();
    assert_non_null(strstr(s_image, "<title>mm: 100.00 % of the time, 21.33 FLOP/B, 52.429 TFLOP/s</title>"));
    assert_null(strstr(s_image, "are both known"));
}

static void an_image_without_operations_says_why(void **state)
{
    op_range(7, 0, 9, "aten::mm, op_id = 1, sizes = [[64, 64], [64, 64]]");
    op_call(7, 5, 1);
    op_kernel(100, 10, 1, "kernel");
    op_joined();
    draw();
    assert_non_null(strstr(s_image, "of no operation FLOPs and bytes are both known"));
    assert_string_equal(s_image + strlen(s_image) - 7, "</svg>\n");
}

/* An operation with a 1001st of the time. */
static void what_takes_hardly_any_time_is_left_out(void **state)
{
#define RELU(name)                                                                                                     \
    "{'mod': 'm', 'op': '" name "', 'args': [{'name': '', 'type': 'tensor', 'shape': (64,), 'dtype': 'half'}]}"
    op_range(7, 0, 9, RELU("relu"));
    op_call(7, 5, 1);
    op_range(7, 10, 19, RELU("sigmoid"));
    op_call(7, 15, 2);
    op_range(7, 20, 29, RELU("tanh"));
    op_call(7, 25, 3);
    op_kernel(100, 998000, 1, "a");
    op_kernel(1000000, 999, 2, "b");
    op_kernel(1100000, 1001, 3, "c");
    op_joined();
    draw();
    assert_non_null(strstr(s_image, "<title>relu"));
    assert_null(strstr(s_image, "<title>sigmoid"));
    assert_non_null(strstr(s_image, "<title>tanh"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(operations_have_a_circle_with_their_numbers, op_forget),
        cmocka_unit_test_teardown(an_image_without_operations_says_why, op_forget),
        cmocka_unit_test_teardown(what_takes_hardly_any_time_is_left_out, op_forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
