/* The command line of stint diff. */
#include "cli/command_line.h"

#include <stdio.h>
#include <string.h>

#include "captured_output.h"
#include "stint_test.h"
#include "store/scratch.h"

static struct stint_diff_options s_options;

static int read_diff(int count, char **arguments)
{
    return stint_diff_options_read(&s_options, count, arguments);
}

static int read_line(const char *words)
{
    char line[512];
    stint_diff_options_free(&s_options);
    (void)snprintf(line, sizeof line, "diff %s", words);
    return captured_call(read_diff, line);
}

static const char *file_at(size_t i)
{
    return ((const char **)s_options.files.items)[i];
}

TEST_ONCE(scratch_make, scratch_remove)

TEST(options_and_files_stand_in_any_order)
{
    assert_int_equal(read_line("a --format json b --sort name --top 3 -o out --force --by scope,kernel"), -1);
    assert_true(s_options.files.count == 2 && s_options.of_a == 1);
    assert_string_equal(file_at(0), "a");
    assert_string_equal(file_at(1), "b");
    assert_true(s_options.format == STINT_DIFF_JSON && s_options.sort == STINT_DIFF_SORT_NAME);
    assert_true(s_options.top == 3 && s_options.other_gpu);
    assert_string_equal(s_options.output, "out");
    assert_int_equal(s_options.kinds, 1U << STINT_DIFF_SCOPE | 1U << STINT_DIFF_KERNEL);
}

TEST(two_dashes_separate_repetitions)
{
    assert_int_equal(read_line("a1 a2 -- b1 --top 0 b2 b3"), -1);
    assert_true(s_options.files.count == 5 && s_options.of_a == 2 && s_options.top == 0);
    assert_string_equal(file_at(2), "b1");
}

TEST(rules_may_be_in_a_file)
{
    FILE *file = fopen("rules", "w");
    assert_non_null(file);
    (void)fputs("scope:forward:p50 < +5%\nkernel:*:total <= 3ms\n", file);
    (void)fclose(file);
    assert_int_equal(read_line("--gate @rules a b"), -1);
    assert_int_equal(s_options.rules.count, 2);
    assert_int_equal(read_line("--gate scope:x:avg<+5%;gpu:*:total<1s a b"), -1);
    assert_int_equal(s_options.rules.count, 2);
}

TEST(mistakes_are_told)
{
    static const struct {
        const char *line, *said;
    } mistakes[] = {
        {"a", "expected two files, or several with -- between the sides"},
        {"a b c", "3 files: put -- between the two sides"},
        {"-- a b", "expected two files, or several"},
        {"--gate nonsense a b", "--gate, column "},
        {"--gate @none a b", "--gate @none: No such file or directory"},
        {"--gate @. a b", "--gate @.: it is not a regular file"},
        {"--by sums a b", "--by sums: expected some of total,scope,context,kernel"},
        {"--format xml a b", "--format xml: expected one of table, csv, json, junit, markdown"},
        {"--format junit a b", "--format junit needs at least one rule"},
        {"--top x a b", "--top x: expected a number from 0"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        assert_int_equal(read_line(mistakes[i].line), 2);
        if (!strstr(captured_output.err, mistakes[i].said))
            fail_msg("%s: %s", mistakes[i].line, captured_output.err);
    }
    assert_int_equal(read_line("--help"), 0);
    stint_diff_options_free(&s_options);
}
