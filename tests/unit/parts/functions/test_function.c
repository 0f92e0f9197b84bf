#include "functions/function.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stint_test.h"

__attribute__((noinline)) static void local_function(void)
{
    __asm__ volatile("");
}

__attribute__((noinline)) static void excluded_function(void)
{
    __asm__ volatile("");
}

TEST(before_the_first_nothing_is_known)
{
    assert_null(stint_function_find((uintptr_t)local_function));
    assert_int_equal(stint_function_to_measure((uintptr_t)local_function, STINT_FUNCTION_OWN), -1);
}

TEST(a_function_is_learned_once)
{
    local_function();
    struct stint_function *function = stint_function_learn((uintptr_t)local_function);
    assert_non_null(function);
    assert_string_equal(function->name, "local_function");
    assert_int_equal(function->kind, STINT_FUNCTION_RECORDED);
    assert_ptr_equal(stint_function_find((uintptr_t)local_function), function);
    assert_ptr_equal(stint_function_learn((uintptr_t)local_function), function);
}

TEST(what_the_patterns_exclude_is_left_out)
{
    excluded_function();
    assert_int_equal(stint_function_learn((uintptr_t)excluded_function)->kind, STINT_FUNCTION_EXCLUDED);
}

/* Its object and the offset say where it is. */
TEST(an_address_without_a_function_has_a_name_all_the_same)
{
    static const char here[64];
    const struct stint_function *function = stint_function_learn((uintptr_t)here);
    assert_non_null(function);
    assert_non_null(strstr(function->name, "test_functions_function"));
    assert_non_null(strstr(function->name, "0x"));
}

/* Of three that share two slots, one has to be looked up. Many others fill slots below, perhaps these. */
TEST(functions_that_are_left_out_are_found_by_one_comparison)
{
    enum { APART = STINT_LEFT_OUT_SLOTS * sizeof(struct stint_left_out) };
    static const char places[3 * APART];
    assert_null(stint_left_out_find((uintptr_t)local_function));
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(stint_function_to_measure((uintptr_t)&places[i * APART], STINT_FUNCTION_OWN), 0);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(stint_left_out_find((uintptr_t)&places[i * APART]) != NULL, i < 2);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(stint_left_out_find((uintptr_t)&places[i * APART])->kind, STINT_FUNCTION_OWN);
    assert_non_null(stint_left_out_find((uintptr_t)excluded_function));
}

TEST(many_functions_are_all_found)
{
    enum { MANY = 5000 };
    static const char places[MANY];
    for (size_t i = 0; i < MANY; i++)
        assert_int_equal(stint_function_to_measure((uintptr_t)&places[i], STINT_FUNCTION_OWN), 0);
    for (size_t i = 0; i < MANY; i++)
        assert_int_equal(stint_function_find((uintptr_t)&places[i])->kind, STINT_FUNCTION_OWN);
    assert_non_null(stint_function_find((uintptr_t)local_function));
}

TEST(what_is_still_loaded_is_not_forgotten)
{
    stint_function_forget_unloaded();
    assert_non_null(stint_function_find((uintptr_t)local_function));
}

TEST(who_forks_may_learn_meanwhile)
{
    stint_function_before_fork();
    assert_non_null(stint_function_learn((uintptr_t)fopen));
    stint_function_after_fork();
    assert_non_null(stint_function_learn((uintptr_t)fclose));
}

int test_main(int argc, char **argv)
{
    (void)setenv("STINT_FUNCTIONS", "!excluded_*", 1);
    return test_run(NULL, NULL);
}
