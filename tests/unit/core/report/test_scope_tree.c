#include <stdio.h>
#include <string.h>

#include "report/fixture.h"
#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "stint/report.h"
#include "stint_test.h"

static struct capture write_tree(const struct stint_snapshot *snapshot, unsigned columns)
{
    struct capture out = {0};
    struct stint_layout layout = {.columns = columns};
    assert_int_equal(stint_report_write(snapshot, STINT_FORMAT_TREE, &layout, capture_write, &out), STINT_OK);
    return out;
}

static void check_golden(const struct stint_snapshot *snapshot, unsigned columns, const char *file)
{
    assert_golden(write_tree(snapshot, columns), file);
}

TEST_ONCE(NULL, fixture_gpu_teardown)

TEST(tree_of_a_training_program)
{
    check_golden(fixture_training(), 0, "report_tree_training.txt");
    check_golden(fixture_training(), 80, "report_tree_training.txt");
}

TEST(tree_marks_what_is_estimated)
{
    check_golden(fixture_budget(), 120, "report_tree_budget.txt");
}

TEST(tree_of_a_running_program_has_a_row_per_recursion_level)
{
    check_golden(fixture_running(), 80, "report_tree_running_80.txt");
}

TEST(tree_survives_nasty_names)
{
    check_golden(fixture_nasty(), 80, "report_tree_nasty_80.txt");
}

/* A row of fixture_deep: "│  │  ├─ level 3", or the last below its parent, "│  │  └─ leaf 3"; below the levels that are
 * drawn "│  │  │  +1 level 4". */
static void expect_row(char *out, size_t size, unsigned depth, unsigned levels, int is_leaf)
{
    *out = '\0';
    for (unsigned level = 1; level <= depth && level <= levels; level++)
        strcat(out, level < depth ? "│  " : is_leaf ? "└─ " : "├─ ");
    if (depth > levels)
        (void)snprintf(out + strlen(out), size - strlen(out), "+%u ", depth - levels);
    (void)snprintf(out + strlen(out), size - strlen(out), "%s %u\n", is_leaf ? "leaf" : "level", depth);
}

static void check_rows(const char *text, unsigned levels)
{
    enum { ROWS = 140, DEEPEST = 69 };
    for (unsigned i = 0; i < ROWS; i++) {
        char expected[1024];
        unsigned depth = i <= DEEPEST ? i : 2 * DEEPEST + 1 - i;
        expect_row(expected, sizeof expected, depth, levels, i > DEEPEST);
        const char *at = strchr(text, '\n') + 1;
        if (i == 0)
            at = strchr(at, '\n') + 1; /* the titles */
        text = strchr(at, '\n');
        assert_true((size_t)(text + 1 - at) > strlen(expected));
        assert_memory_equal(text + 1 - strlen(expected), expected, strlen(expected));
    }
}

/* As many levels, each of three columns, as leave twelve for the name; more than 64 are never drawn. */
static unsigned levels_on(const char *text, unsigned columns)
{
    const char *titles = strchr(text, '\n') + 1;
    unsigned levels = (columns - (unsigned)(strstr(titles, "Name\n") - titles) - 12) / 3;
    return levels < 64 ? levels : 64;
}

TEST(branches_lead_to_each_row_as_far_as_there_is_room)
{
    struct capture out = write_tree(fixture_deep(), 0);
    check_rows(out.text, 64);
    for (unsigned columns = 80; columns <= 320; columns++) {
        out = write_tree(fixture_deep(), columns);
        check_rows(out.text, levels_on(out.text, columns));
    }
}

TEST(tree_of_nothing_is_one_line)
{
    struct capture out = write_tree(fixture_empty(), 80);
    assert_string_equal(out.text, "stint: idle (pid 4711): no scope was entered in 1.500 ms\n");
}

static void check_fits(const struct stint_snapshot *snapshot, unsigned columns)
{
    struct capture out = write_tree(snapshot, columns);
    if (capture_width(&out) > columns)
        fail_msg("%u columns: the widest line has %zu\n%s", columns, capture_width(&out), out.text);
}

TEST(tree_fits_in_every_width_from_40)
{
    for (unsigned columns = 40; columns <= 300; columns++) {
        check_fits(fixture_training(), columns);
        check_fits(fixture_nasty(), columns);
        check_fits(fixture_running(), columns);
        check_fits(fixture_deep(), columns);
    }
}

TEST(average_of_a_nested_context_is_of_all_its_activations)
{
    struct stint_snapshot snapshot = *fixture_training();
    struct stint_context context = snapshot.contexts[1];
    context.parent = STINT_NO_PARENT;
    context.depth = 0;
    context.numbers.recursive = context.numbers.count; /* every one nested, every one in this row's total */
    snapshot.contexts = &context;
    snapshot.context_count = 1;
    assert_non_null(strstr(write_tree(&snapshot, 0).text, "  250   45.117  forwardBackward\n"));
}

TEST(tree_of_a_gpu_program_has_calls_below_their_scope)
{
    check_golden(fixture_gpu(), 0, "report_tree_gpu.txt");
    check_golden(fixture_gpu(), 80, "report_tree_gpu_80.txt");
}

TEST(calls_outside_scopes_have_no_share_of_their_time)
{
    check_golden(fixture_gpu_calls(), 80, "report_tree_gpu_calls_80.txt");
}
