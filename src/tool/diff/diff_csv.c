/* One line per row and metric, as statistics programs prefer it. A sheet would not make this shorter, because a row
 * gives several lines here. */
#include <math.h>
#include <string.h>

#include "base/exact.h"
#include "diff/diff_formats.h"
#include "report/csv.h"

static void put_field(struct stint_text *text, const char *field)
{
    stint_text_string(text, ",");
    stint_csv_field(text, field);
}

/* Writes a number, or an empty field if there is none. */
static void put_number(struct stint_text *text, double value, int is_there)
{
    char digits[STINT_NUMBER_SIZE];
    stint_text_string(text, ",");
    if (is_there && isfinite(value))
        stint_text_put(text, digits, stint_number_exact(digits, stint_diff_rounded(value)));
}

static const char *presence(const struct stint_diff_row *row)
{
    if (!row->files[STINT_DIFF_A])
        return "new";
    return row->files[STINT_DIFF_B] ? "both" : "gone";
}

static void put_metric(struct stint_text *text, const struct stint_diff_report *report,
                       const struct stint_diff_row *row, enum stint_metric metric)
{
    struct stint_change change = stint_change_of(report->diff, row, metric);
    int a = change.files[STINT_DIFF_A] != 0, b = change.files[STINT_DIFF_B] != 0;
    int noise = change.noise != STINT_NOISE_UNKNOWN;
    if (!a && !b)
        return;
    stint_csv_field(text, stint_diff_kind_name(row->kind));
    put_field(text, row->set);
    put_field(text, row->path);
    put_field(text, presence(row));
    put_field(text, stint_metric_name(metric));
    put_field(text, stint_metric_unit_name(metric));
    put_number(text, change.value[STINT_DIFF_A], a);
    put_number(text, change.value[STINT_DIFF_B], b);
    put_number(text, change.difference, a && b);
    put_number(text, 100 * change.part, a && b);
    put_number(text, 100 * change.part_in.low, noise);
    put_number(text, 100 * change.part_in.high, noise);
    put_field(text, stint_verdict_name(change.verdict));
    stint_text_string(text, "\n");
}

void stint_diff_write_csv(struct stint_text *text, const struct stint_diff_report *report)
{
    stint_text_string(text, "kind,set,name,presence,metric,unit,a,b,change,change_percent,low_percent,high_percent,"
                            "verdict\n");
    for (int kind = 0; kind < STINT_DIFF_KINDS; kind++) {
        struct stint_arena arena = {0};
        if (!(report->kinds & 1U << kind))
            continue;
        struct stint_diff_rows rows = stint_diff_rows_of(report, (enum stint_diff_kind)kind, &arena);
        for (size_t i = 0; i < rows.count; i++)
            for (int metric = 0; metric < STINT_METRICS; metric++)
                put_metric(text, report, stint_diff_row_at(report->diff, rows.position[i]), (enum stint_metric)metric);
        stint_arena_free(&arena);
    }
}
