/* Rows of call frame information by place: src/parts/sample/row_cache.c. */
#include "sample/row_cache.h"

#include "stint_test.h"

/* After "push %rbp; push %rbx; sub $24, %rsp". */
static struct stint_cfi_row simple(void)
{
    struct stint_cfi_row row = {.frame = {.kind = STINT_CFI_VALUE, .offset = 48}, .reg = STINT_CFI_RSP};

    row.rules[STINT_CFI_RIP] = (struct stint_cfi_rule){.kind = STINT_CFI_AT, .offset = -8};
    row.rules[STINT_CFI_RBP] = (struct stint_cfi_rule){.kind = STINT_CFI_AT, .offset = -16};
    row.rules[STINT_CFI_RBX] = (struct stint_cfi_rule){.kind = STINT_CFI_AT, .offset = -24};
    return row;
}

static void simple_row_is_found_again(void **state)
{
    struct stint_cfi_row row = simple();
    struct stint_short_row brief, found;

    (void)state;
    assert_int_equal(stint_row_cache_put(1, 0x4000, &row, &brief), 1);
    assert_int_equal(stint_row_cache_find(1, 0x4000, &found), 1);
    assert_int_equal(found.offset, 48);
    assert_int_equal(found.reg, STINT_CFI_RSP);
    for (size_t i = 0; i < STINT_SHORT_REGISTERS; i++)
        assert_int_equal(found.saved[i], stint_short_registers[i] == STINT_CFI_RBP   ? 2
                                         : stint_short_registers[i] == STINT_CFI_RBX ? 3
                                                                                     : 0);
}

static void row_of_other_modules_is_not_found(void **state)
{
    struct stint_cfi_row row = simple();
    struct stint_short_row brief;

    (void)state;
    assert_int_equal(stint_row_cache_put(1, 0x5000, &row, &brief), 1);
    assert_int_equal(stint_row_cache_find(2, 0x5000, &brief), 0);
    assert_int_equal(stint_row_cache_find(1, 0x5001, &brief), 0);
}

static void row_that_says_more_is_not_kept(void **state)
{
    struct stint_cfi_row far = simple(), formula = simple(), other = simple(), elsewhere = simple();
    struct stint_short_row brief;

    (void)state;
    far.rules[STINT_CFI_RBX].offset = -8 * 300;
    formula.frame.kind = STINT_CFI_VALUE_FORMULA;
    other.rules[0] = (struct stint_cfi_rule){.kind = STINT_CFI_AT, .offset = -32};
    elsewhere.rules[STINT_CFI_RIP].offset = 0;
    assert_int_equal(stint_row_cache_put(5, 1, &far, &brief), 0);
    assert_int_equal(stint_row_cache_put(1, 2, &formula, &brief), 0);
    assert_int_equal(stint_row_cache_put(1, 3, &other, &brief), 0);
    assert_int_equal(stint_row_cache_put(1, 4, &elsewhere, &brief), 0);
    assert_int_equal(stint_row_cache_find(5, 1, &brief), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simple_row_is_found_again),
        cmocka_unit_test(row_of_other_modules_is_not_found),
        cmocka_unit_test(row_that_says_more_is_not_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
