/* Tables of GitHub's Markdown, for comments on changes. Each amount has a unit of its own, and the reader's browser
 * lays them out, so that report/sheet.h is not used. */
#include <math.h>
#include <string.h>

#include "diff/diff.h"
#include "diff/metric.h"

/* Escapes as for a screen first, so that there are no control characters and no line breaks. */
static int write_escaped(void *context, const char *bytes, size_t length)
{
    struct stint_text *text = context;
    for (size_t i = 0; i < length; i++) {
        if (memchr("\\`*_{}[]<>#|~&", bytes[i], 14))
            stint_text_string(text, "\\");
        stint_text_put(text, bytes + i, 1);
    }
    return 0;
}

static void put_label(struct stint_text *text, struct stint_label label)
{
    struct stint_text escaped;
    stint_text_begin(&escaped, write_escaped, text);
    stint_label_put(&escaped, label, SIZE_MAX);
    (void)stint_text_end(&escaped);
}

static void put_plain(struct stint_text *text, const char *value)
{
    put_label(text, (struct stint_label){.set = "", .name = value});
}

static void put_line(struct stint_text *text, struct stint_line *line)
{
    stint_text_put(text, line->text, line->used);
    *line = (struct stint_line){0};
}

static void put_head(struct stint_text *text, const struct stint_diff_report *report)
{
    struct stint_line line = {0};
    size_t name = 0;
    for (int side = 0; side < STINT_DIFF_SIDES; side++) {
        stint_text_string(text, side ? "**B:** " : "**A:** ");
        for (size_t i = 0; i < report->diff->side[side].count; i++, name++) {
            stint_text_string(text, i ? ", " : "");
            put_plain(text, report->names[name]);
        }
        stint_text_string(text, "  \n");
    }
    stint_diff_put_noise(&line, report->diff);
    write_escaped(text, line.text, line.used);
    stint_text_string(text, "\n");
    for (size_t i = 0; i < report->notes->count; i++) {
        stint_text_string(text, i ? "- " : "\n- ");
        put_plain(text, ((const char *const *)report->notes->items)[i]);
        stint_text_string(text, "\n");
    }
}

/* ------------------------------------------------------------------------------------------------------------- rows */

static void put_amount(struct stint_text *text, const struct stint_change *change, enum stint_metric metric, int side)
{
    stint_text_say(text, " %s |", change->files[side] ? stint_amount(metric, change->value[side]).text : "-");
}

/* A change that is more than noise is bold. */
static void put_percent(struct stint_text *text, const struct stint_change *change)
{
    const char *bold = change->verdict == STINT_VERDICT_CHANGED ? "**" : "";
    int known = change->files[STINT_DIFF_A] && change->files[STINT_DIFF_B];
    stint_text_say(text, " %s%s%s |", bold, known ? stint_amount_of_part(change->part).text : "-", bold);
}

static void put_range(struct stint_text *text, const struct stint_change *change)
{
    const struct stint_interval *in = &change->part_in;
    if (change->noise == STINT_NOISE_UNKNOWN || !isfinite(in->low + in->high))
        stint_text_string(text, " ? |");
    else
        stint_text_say(text, " %s … %s |", stint_amount_of_part(in->low).text, stint_amount_of_part(in->high).text);
}

static void put_row(struct stint_text *text, const struct stint_diff *diff, const struct stint_diff_row *row)
{
    enum stint_metric metric = stint_diff_main_metric(row);
    struct stint_change total = stint_change_of(diff, row, metric);
    struct stint_change count = stint_change_of(diff, row, STINT_METRIC_COUNT);
    stint_text_string(text, "| ");
    put_label(text, stint_diff_label(row));
    stint_text_string(text, " |");
    put_amount(text, &total, metric, STINT_DIFF_A);
    put_amount(text, &total, metric, STINT_DIFF_B);
    if (row->files[STINT_DIFF_A] && row->files[STINT_DIFF_B]) {
        put_percent(text, &total);
        put_range(text, &total);
    } else {
        stint_text_string(text, row->files[STINT_DIFF_B] ? " new |  |" : " gone |  |");
    }
    put_percent(text, &count);
    stint_text_string(text, "\n");
}

static void put_group(struct stint_text *text, const struct stint_diff_report *report, enum stint_diff_kind kind)
{
    struct stint_arena arena = {0};
    struct stint_diff_rows rows = stint_diff_rows_of(report, 1U << kind, &arena);
    size_t shown = report->top && report->top < rows.count ? report->top : rows.count;
    if (shown)
        stint_text_say(text, "\n| %s | A | B | Change | Noise | Count |\n|---|--:|--:|--:|--:|--:|\n",
                       stint_diff_kind_title(kind));
    for (size_t i = 0; i < shown; i++)
        put_row(text, report->diff, stint_diff_row_at(report->diff, rows.position[i]));
    if (rows.count > shown)
        stint_text_say(text, "\n… %zu more row%s\n", rows.count - shown, rows.count - shown == 1 ? "" : "s");
    stint_arena_free(&arena);
}

/* ----------------------------------------------------------------------------------------------------------- checks */

static void put_check(struct stint_text *text, const struct stint_check *check)
{
    struct stint_line line = {0};
    stint_text_say(text, "| %s | ",
                   check->outcome == STINT_OUTCOME_FAIL ? "**FAIL**" : stint_outcome_name(check->outcome));
    put_plain(text, check->rule->text);
    stint_text_string(text, " | ");
    put_plain(text, check->row ? check->row->path : "");
    stint_text_string(text, " | ");
    stint_check_explain(&line, check);
    put_line(text, &line);
    stint_text_string(text, " |\n");
}

static void put_checks(struct stint_text *text, const struct stint_array *checks)
{
    struct stint_line line = {0};
    stint_text_string(text, "\n**");
    stint_diff_put_outcome(&line, checks);
    put_line(text, &line);
    stint_text_string(text, "**\n\n| Outcome | Rule | Name | Why |\n|---|---|---|---|\n");
    for (size_t i = 0; i < checks->count; i++)
        put_check(text, (const struct stint_check *)checks->items + i);
}

void stint_diff_write_markdown(struct stint_text *text, const struct stint_diff_report *report)
{
    put_head(text, report);
    if (report->checks)
        put_checks(text, report->checks);
    for (int kind = 0; kind < STINT_DIFF_KINDS; kind++)
        put_group(text, report, (enum stint_diff_kind)kind);
}
