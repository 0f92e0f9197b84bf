#include "ctf_writer/instance_text.h"

#include "stint_test.h"

static struct stint_instance_room s_room;
static struct stint_instance_table s_table;

static int clean_up(void **state)
{
    (void)state;
    stint_arena_free(&s_table.arena);
    s_table = (struct stint_instance_table){0};
    return 0;
}

#define MM "aten::mm, seq = 54, op_id = 783, sizes = [[64, 16], [16, 10]], input_op_ids = [(780,0), (0,-1)]"

static void a_text_is_numbers_and_data(void **state)
{
    struct stint_instance instance;
    (void)state;
    assert_true(stint_instance_split(&instance, &s_room, "aten::mm", MM));
    assert_true(instance.has_seq);
    assert_int_equal(instance.seq, 54);
    assert_int_equal(instance.op_id, 783);
    assert_string_equal(instance.data, ", sizes = [[64, 16], [16, 10]], input_op_ids = [(+3,0), (0,-1)]");
    assert_int_equal(instance.length, strlen(instance.data));
}

static void assert_again(const char *name, const char *text)
{
    struct stint_instance instance;
    char again[STINT_INSTANCE_TEXT];
    assert_true(stint_instance_split(&instance, &s_room, name, text));
    assert_int_equal(stint_instance_join(again, sizeof again, name, &instance), strlen(text));
    assert_string_equal(again, text);
    assert_int_equal(stint_instance_join(again, strlen(text), name, &instance), 0);
}

static void a_text_is_put_together_again(void **state)
{
    (void)state;
    assert_again("aten::mm", MM);
    assert_again("conv2d", "conv2d, seq = 0");
    assert_again("aten::empty", "aten::empty, sizes = [[]]");
    assert_again("torch.mm", "{'mod': 'torch', 'op': 'mm', 'args': []}");
    assert_again("ConvolutionBackward0", "ConvolutionBackward0, seq = 54, op_id = 782");
    assert_again("aten::cat", "aten::cat, op_id = 5, sizes = [[[3], [4]], []], input_op_ids = [(5,1), (9,0)]");
    assert_again("a, b", "a, b, op_id = 999999999999999999, sizes = [[1000000000000000000]], input_op_ids = []");
    assert_again("x", "x, seq = 3, sizes = [[1]], input_op_ids = [(+3,0)]");
    assert_again("x", "x, op_id = 3, sizes = [[1], [2, input_op_ids = [(2,0");
    assert_again("x", "x, op_id = 3, input_op_ids = [((2), ], 4(1], types = [\"float\"]");
}

static void what_would_not_come_back_is_left_alone(void **state)
{
    static const char *const texts[] = {"x",
                                        "y, op_id = 3",
                                        "x, op_id = 03",
                                        "x, op_id = 0",
                                        "x, op_id = -3",
                                        "x, op_id = 3, input_op_ids = [(+1,0)]",
                                        "x, op_id = 3, input_op_ids = [(-1,0)]",
                                        "x, op_id = 18446744073709551616",
                                        "x, op_id = ",
                                        "x, op"};
    struct stint_instance instance;
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (stint_instance_split(&instance, &s_room, "x", texts[i]))
            fail_msg("%s is taken apart", texts[i]);
}

static void a_text_that_is_too_long_is_left_alone(void **state)
{
    static char text[STINT_INSTANCE_TEXT + 64] = "x, op_id = 3, sizes = [";
    struct stint_instance instance;
    (void)state;
    memset(text + strlen(text), '[', STINT_INSTANCE_TEXT);
    assert_false(stint_instance_split(&instance, &s_room, "x", text));
    text[STINT_INSTANCE_TEXT - 1] = '\0';
    assert_true(stint_instance_split(&instance, &s_room, "x", text));
}

static void data_made_up_by_somebody_is_safe(void **state)
{
    char text[64];
    struct stint_instance instance = {.op_id = 3, .data = ", input_op_ids = [(+9,0), (-999999999999999999,0"};
    (void)state;
    assert_int_equal(stint_instance_join(text, 20, "x", &instance), 0);
    assert_int_equal(stint_instance_join(text, 1, "x", &instance), 0);
    instance.data = ", input_op_ids = [(+9";
    assert_true(stint_instance_join(text, sizeof text, "x", &instance) != 0);
}

static void equal_data_has_one_number(void **state)
{
    struct stint_instance instance;
    int is_new;
    (void)state;
    assert_true(stint_instance_split(&instance, &s_room, "aten::mm", MM));
    assert_int_equal(stint_instance_number(&s_table, &instance, &is_new), 1);
    assert_true(is_new);
    assert_int_equal(stint_instance_number(&s_table, &instance, &is_new), 1);
    assert_false(is_new);
    assert_true(stint_instance_split(&instance, &s_room, "x", "x, op_id = 7"));
    assert_int_equal(stint_instance_number(&s_table, &instance, &is_new), 2);
}

static void the_table_has_a_limit(void **state)
{
    char text[STINT_INSTANCE_TEXT];
    struct stint_instance instance;
    uint32_t number, i = 0;
    int is_new;
    (void)state;
    memset(text, 'x', sizeof text);
    do {
        memcpy(text, &i, sizeof i);
        instance = (struct stint_instance){.length = sizeof text, .data = text};
        number = stint_instance_number(&s_table, &instance, &is_new);
        assert_true(is_new);
    } while (number == ++i);
    assert_int_equal(number, 0);
    assert_int_equal(s_table.rows.count * sizeof text, STINT_INSTANCE_MOST_BYTES);
    assert_true(s_table.arena.mapped < 2 * (size_t)STINT_INSTANCE_MOST_BYTES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_is_numbers_and_data),
        cmocka_unit_test(a_text_is_put_together_again),
        cmocka_unit_test(what_would_not_come_back_is_left_alone),
        cmocka_unit_test(a_text_that_is_too_long_is_left_alone),
        cmocka_unit_test(data_made_up_by_somebody_is_safe),
        cmocka_unit_test_teardown(equal_data_has_one_number, clean_up),
        cmocka_unit_test_teardown(the_table_has_a_limit, clean_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
