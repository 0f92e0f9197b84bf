/* Counters that are asked for, and whether they were read. */
#include "cli/recording.h"

#include <string.h>

#include "captured_output.h"
#include "stat/builder.h"
#include "stint_test.h"

static int read_counters(int count, char **arguments)
{
    return stint_counted_read(arguments[1]) ? 1 : 0;
}

static int read_launches(int count, char **arguments)
{
    return stint_counted_read_launches(arguments[1]) ? 1 : 0;
}

TEST(words_are_groups_or_metrics)
{
    static const struct captured_case counters[] = {
        {"x all", 0, "", ""},
        {"x memory,sm__cycles_active.sum", 0, "", ""},
        {"x cycles", 1, "", "stint: --counters cycles: expected all, names of metrics, or groups:\nstint:     "},
        {"x ,", 1, "", "stint: --counters: expected all, groups or names of metrics\n"},
    };
    static const struct captured_case launches[] = {
        {"x 3", 0, "", ""},
        {"x 2-5", 0, "", ""},
        {"x all", 0, "", ""},
        {"x 5-2", 1, "", "stint: --launches 5-2: expected a number, such as 3, a range, such as 2-5, or all\n"},
    };
    CAPTURED_CHECK(read_counters, counters);
    CAPTURED_CHECK(read_launches, launches);
}

/* Checks a process with this counter of a kernel; NULL: with none. */
static int check(const char *kernel, const char *field)
{
    struct stint_results results = {0};
    struct stint_builder builder;
    const struct stint_nvtx_value value = {
        .set = STINT_COUNTER_SET, .name = kernel, .field = field, .count = 1, .sum = 5, .min = 5, .max = 5};
    stint_builder_begin(&builder);
    if (kernel)
        stint_builder_add(&builder, STINT_ROWS_NVTX_VALUES, &value);
    struct stint_process process = {.pid = 1, .command = "", .host = "", .clock = ""};
    assert_non_null(
        stint_results_add(&results, stint_builder_end(&builder, &process, &(const struct stint_dropped){0}), NULL));
    captured_output_begin();
    int failed = stint_counted_check(&results);
    captured_output_end();
    stint_results_free(&results);
    return failed;
}

TEST(a_run_that_counted_nothing_says_why)
{
    assert_int_equal(check("gemm", "sm__cycles_active.sum"), 0);
    assert_string_equal(captured_output.err, "");
    assert_int_equal(check(NULL, NULL), -1);
    assert_non_null(strstr(captured_output.err, "stint: no counters were read: no kernel was launched"));
}
