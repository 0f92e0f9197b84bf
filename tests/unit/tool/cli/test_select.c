/* Options that choose rows and how they are shown. */
#include "cli/options.h"

#include <stdio.h>
#include <string.h>

#include "captured_output.h"
#include "report/fixture.h"
#include "stint_test.h"

static struct stint_select s_select;

static const struct stint_option s_options[] = {STINT_SELECT_OPTIONS(0), STINT_OPTION_LAST};
static const struct stint_syntax s_syntax = {.order = "", .usage = "", .options = s_options};

static int read_options(int count, char **arguments)
{
    return stint_options_read(count, arguments, &s_syntax, &s_select);
}

static int read_select(const char *words)
{
    char line[256];
    (void)snprintf(line, sizeof line, "test %s", words);
    return captured_call(read_options, line);
}

static int begin(void **state)
{
    s_select = (struct stint_select){.quiet = 0};
    return 0;
}

TEST_EACH(begin, NULL)

TEST(values_reach_the_layout)
{
    const struct stint_layout screen = {.columns = 100, .color = 1, .top = 7};
    assert_int_equal(read_select("--unit us --sort self --top 3 --min-percent 2.5 --fold-recursion"), -1);
    struct stint_layout layout = stint_select_layout(&s_select, &screen);
    assert_true(layout.columns == 100 && layout.color == 1);
    assert_true(layout.unit == STINT_UNIT_US && layout.sort == STINT_SORT_SELF && layout.top == 3);
    assert_true(layout.min_percent > 2.4 && layout.min_percent < 2.6);
    assert_true(s_select.filter.folds_recursion);
    assert_int_equal(read_select("--top 0"), -1);
    assert_int_equal(s_select.layout.top, STINT_TOP_ALL);
}

TEST(mistakes_are_told)
{
    static const struct {
        const char *words, *said;
    } mistakes[] = {
        {"--unit h", "stint: --unit h: expected one of auto, col, s, ms, us, ns\n"},
        {"--sort size", "stint: --sort size: expected one of total, calls, avg, min, max, self, name, cpu\n"},
        {"--top -1", "stint: --top -1: expected a number from 0 to 2147483647\n"},
        {"--min-percent x", "stint: --min-percent x: expected a number from 0 to 100\n"},
        {"--include=", "stint: --include: expected a pattern, such as 'gemm*'\n"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        assert_int_equal(read_select(mistakes[i].words), 2);
        assert_string_equal(captured_output.err, mistakes[i].said);
    }
}

TEST(there_is_room_for_so_many_patterns)
{
    for (int i = 0; i < STINT_FILTER_MOST; i++)
        assert_int_equal(read_select("--exclude x"), -1);
    assert_int_equal(read_select("--exclude one-more"), 2);
    assert_non_null(strstr(captured_output.err, "--exclude one-more: there are more than"));
}

static const struct stint_snapshot *apply(const struct stint_snapshot *snapshot)
{
    captured_output_begin();
    const struct stint_snapshot *kept = stint_select_apply(&s_select, snapshot);
    captured_output_end();
    return kept;
}

TEST(what_is_left_out_is_said)
{
    const struct stint_snapshot *all = fixture_training();
    assert_ptr_equal(apply(all), all);
    assert_string_equal(captured_output.err, "");
    assert_int_equal(read_select("--include ForwardTimer"), -1);
    struct stint_snapshot *kept = (struct stint_snapshot *)apply(all);
    assert_ptr_not_equal(kept, all);
    assert_int_equal(kept->stat_count, 1);
    assert_non_null(strstr(captured_output.err, "stint: --include, --exclude: left out of process "));
    assert_non_null(strstr(captured_output.err, " scopes and ranges ("));
    stint_snapshot_free(kept);
    s_select.quiet = 1;
    kept = (struct stint_snapshot *)apply(all);
    assert_string_equal(captured_output.err, "");
    stint_snapshot_free(kept);
}

TEST(a_pattern_that_leaves_out_nothing_is_said_to)
{
    assert_int_equal(read_select("--exclude nowhere"), -1);
    stint_snapshot_free((struct stint_snapshot *)apply(fixture_training()));
    assert_non_null(strstr(captured_output.err, "--include, --exclude: nothing is left out of process "));
}
