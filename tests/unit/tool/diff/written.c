#include "diff/written.h"

#include "stint_test.h"

static const char *const s_names[] = {"before.json", "after.json"};

const char written_rules[] = "scope:forward:avg < +5%; scope:*ward:p50 < +20%; scope:backward:avg < +0.1%; "
                             "scope:prefetch:avg < +5% ?; total:wall:total < +5%";

void write_table_80(struct stint_text *text, const struct stint_diff_report *report)
{
    stint_diff_write_table(text, report, 80);
}

void write_table_200(struct stint_text *text, const struct stint_diff_report *report)
{
    stint_diff_write_table(text, report, 200);
}

struct capture write_diff(const struct fixture *pair, const char *rules, written_fn *write,
                          void (*change)(struct stint_diff_report *report))
{
    struct capture out = {0};
    struct stint_arena arena = {0};
    struct stint_array notes = {0};
    struct stint_text text;
    const struct stint_diff *diff = fixture_compare(pair, 1, 1);
    struct stint_diff_report report = {
        .diff = diff, .names = s_names, .notes = &notes, .kinds = (1U << STINT_DIFF_KINDS) - 1, .top = 20};
    const char **note = stint_array_add(&notes, &arena, sizeof *note);
    *note = "A ran on the host node07, B on node08";
    if (rules)
        report.checks = fixture_checks(diff, rules);
    if (change)
        change(&report);
    stint_text_begin(&text, capture_write, &out);
    write(&text, &report);
    assert_int_equal(stint_text_end(&text), STINT_OK);
    stint_arena_free(&arena);
    return out;
}

const struct fixture *written_training(void)
{
    static struct fixture pair[2];
    pair[0] = fixture_before;
    pair[1] = fixture_after;
    return pair;
}

const struct fixture *written_nasty(void)
{
    static struct fixture pair[2];
    pair[0] = pair[1] = fixture_names;
    pair[1].scopes[1].ns = 2500;
    return pair;
}

void assert_written_diff(const struct fixture *pair, const char *rules, written_fn *write, const char *golden)
{
    assert_golden(write_diff(pair, rules, write, NULL), golden);
}
