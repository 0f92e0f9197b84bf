#include "runtime/runtime.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "stint_test.h"

static int s_visits;

static void visit(void *context, uint32_t version, const struct stint_inject_core *core)
{
    assert_ptr_equal(context, &s_visits);
    assert_int_equal(version, STINT_INJECT_VERSION);
    assert_ptr_equal(core, &stint_i_inject);
    s_visits++;
}

static void the_note_leads_to_the_functions(void **state)
{
    stint_copies_visit(visit, &s_visits);
    assert_int_equal(s_visits, 1);
}

static void the_first_that_starts_has_number_one(void **state)
{
    assert_int_equal(*stint_i_inject.number, 0);
    stint_copies_start();
    assert_int_equal(*stint_i_inject.number, 1);
}

static void files_of_the_first_have_no_mark(void **state)
{
    char folder[PATH_MAX], expected[PATH_MAX + 16], path[PATH_MAX];

    assert_non_null(getcwd(folder, sizeof folder));
    snprintf(expected, sizeof expected, "%s/run.json", folder);
    assert_int_equal(stint_copies_prepare(path, sizeof path, "run.json"), STINT_OK);
    assert_string_equal(path, expected);
    assert_int_equal(stint_copies_prepare(path, sizeof path, "run.%y"), STINT_ERROR_INVALID_ARGUMENT);
}

static void what_no_part_takes_is_not_accepted(void **state)
{
    assert_false(stint_i_inject.attach("no such part", NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_note_leads_to_the_functions),
        cmocka_unit_test(the_first_that_starts_has_number_one),
        cmocka_unit_test(files_of_the_first_have_no_mark),
        cmocka_unit_test(what_no_part_takes_is_not_accepted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
