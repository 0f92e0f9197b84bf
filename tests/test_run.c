/* Runs the tests of a program in the order in which they stand in its sources: all, or those of one, test_NAME.c, where
 * NAME is its argument. Those that the file TEST_LEFT_OUT names, in lines "NAME: reason", are left out, and named. */
#include "stint_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the linker puts what TEST adds. */
extern const struct test *__start_stint_tests[];
extern const struct test *__stop_stint_tests[];

static const char *s_only; /* NAME, or NULL */

static int source_order(const void *a, const void *b)
{
    const struct test *const *left = a;
    const struct test *const *right = b;
    const int files = strcmp((*left)->file, (*right)->file);
    return files ? files : ((*left)->line > (*right)->line) - ((*left)->line < (*right)->line);
}

static int is_wanted(const char *file)
{
    char name[256];
    const char *slash = strrchr(file, '/');
    snprintf(name, sizeof name, "test_%s.c", s_only ? s_only : "");
    return !s_only || !strcmp(slash ? slash + 1 : file, name);
}

static int is_left_out(const char *name)
{
    const char *path = getenv("TEST_LEFT_OUT");
    const size_t length = strlen(name);
    FILE *file = path ? fopen(path, "r") : NULL;
    char line[256];
    int is = 0;
    while (file && !is && fgets(line, sizeof line, file))
        is = !strncmp(line, name, length) && line[length] == ':';
    if (file)
        fclose(file);
    if (is)
        fprintf(stderr, "[ LEFT OUT ] %s", line);
    return is;
}

/* Returns how many of a file's tests failed. */
static int run_file(const struct test *const *found, size_t number, struct CMUnitTest each)
{
    struct CMUnitTest all = {.name = NULL};
    size_t count = 0;
    struct CMUnitTest *tests = calloc(number, sizeof *tests);
    if (!tests)
        return 1;
    for (size_t i = 0; i < number; i++) {
        struct CMUnitTest test = found[i]->test;
        if (!test.test_func) {
            *(test.name ? &all : &each) = test;
            continue;
        }
        if (!test.setup_func && !test.teardown_func) {
            test.setup_func = each.setup_func;
            test.teardown_func = each.teardown_func;
        }
        if (!is_left_out(test.name))
            tests[count++] = test;
    }
    int failed = _cmocka_run_group_tests("tests", tests, count, all.setup_func, all.teardown_func);
    free(tests);
    return failed;
}

int test_run(CMFixtureFunction setup, CMFixtureFunction teardown)
{
    const struct CMUnitTest each = {.setup_func = setup, .teardown_func = teardown};
    const size_t found = (size_t)(__stop_stint_tests - __start_stint_tests);
    int failed = 0, files = 0;
    qsort(__start_stint_tests, found, sizeof(const struct test *), source_order);
    for (size_t first = 0, end; first < found; first = end) {
        const char *file = __start_stint_tests[first]->file;
        for (end = first; end < found && !strcmp(__start_stint_tests[end]->file, file);)
            end++;
        if (!is_wanted(file))
            continue;
        failed += run_file(__start_stint_tests + first, end - first, each);
        files++;
    }
    if (!files)
        fprintf(stderr, "no tests of test_%s.c\n", s_only ? s_only : "");
    return files ? failed : 1;
}

int test_main(int argc, char **argv) __attribute__((weak)); /* few programs have it */

int main(int argc, char **argv)
{
    if (test_main)
        return test_main(argc, argv);
    s_only = argv[1];
    return test_run(NULL, NULL);
}
