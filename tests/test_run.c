/* Runs the tests of a program in the order in which they stand in its source. */
#include "stint_test.h"

#include <stdlib.h>

/* Where the linker puts what TEST adds. */
extern const struct test *__start_stint_tests[];
extern const struct test *__stop_stint_tests[];

static int line_order(const void *a, const void *b)
{
    const struct test *const *left = a;
    const struct test *const *right = b;
    return (*left)->line < (*right)->line ? -1 : (*left)->line > (*right)->line;
}

int test_run(CMFixtureFunction setup, CMFixtureFunction teardown)
{
    struct CMUnitTest each = {.setup_func = setup, .teardown_func = teardown};
    struct CMUnitTest all = {.name = NULL};
    size_t found = (size_t)(__stop_stint_tests - __start_stint_tests);
    size_t count = 0;
    struct CMUnitTest *tests = calloc(found, sizeof *tests);
    if (!tests)
        return 1;
    qsort(__start_stint_tests, found, sizeof(const struct test *), line_order);
    for (size_t i = 0; i < found; i++) {
        struct CMUnitTest test = __start_stint_tests[i]->test;
        if (!test.test_func) {
            *(test.name ? &all : &each) = test;
            continue;
        }
        if (!test.setup_func && !test.teardown_func) {
            test.setup_func = each.setup_func;
            test.teardown_func = each.teardown_func;
        }
        tests[count++] = test;
    }
    int failed = _cmocka_run_group_tests("tests", tests, count, all.setup_func, all.teardown_func);
    free(tests);
    return failed;
}

int test_main(int argc, char **argv) __attribute__((weak)); /* few programs have it */

int main(int argc, char **argv)
{
    return test_main ? test_main(argc, argv) : test_run(NULL, NULL);
}
