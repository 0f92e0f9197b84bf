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

TEST(the_note_leads_to_the_functions)
{
    stint_copies_visit(visit, &s_visits);
    assert_int_equal(s_visits, 1);
}

TEST(the_first_that_starts_has_number_one)
{
    assert_int_equal(*stint_i_inject.number, 0);
    stint_copies_start();
    assert_int_equal(*stint_i_inject.number, 1);
}

TEST(files_of_the_first_have_no_mark)
{
    char folder[PATH_MAX], expected[PATH_MAX + 16], path[PATH_MAX];
    assert_non_null(getcwd(folder, sizeof folder));
    snprintf(expected, sizeof expected, "%s/run.json", folder);
    assert_int_equal(stint_copies_prepare(path, sizeof path, "run.json"), STINT_OK);
    assert_string_equal(path, expected);
    assert_int_equal(stint_copies_prepare(path, sizeof path, "run.%y"), STINT_ERROR_INVALID_ARGUMENT);
}

TEST(what_no_part_takes_is_not_accepted)
{
    assert_false(stint_i_inject.attach("no such part", NULL));
}
