/* Everything, for programs; docs/formats.md has the schema. */
#include "diff/diff.h"
#include "report/json.h"

static void put_side(struct stint_json *json, const struct stint_diff_report *report, int side)
{
    const struct stint_diff_side *files = &report->diff->side[side];
    const struct stint_process *process = &files->snapshots[0]->process;
    size_t first = side ? report->diff->side[STINT_DIFF_A].count : 0;
    stint_json_new_line(json);
    stint_json_key(json, side ? "b" : "a");
    stint_json_begin(json, "{");
    stint_json_key(json, "files");
    stint_json_begin(json, "[");
    for (size_t i = 0; i < files->count; i++)
        stint_json_string(json, report->names[first + i]);
    stint_json_end(json, "]");
    stint_json_key_string(json, "command", process->command);
    stint_json_key_string(json, "host", process->host);
    stint_json_end(json, "}");
}

static void put_notes(struct stint_json *json, const struct stint_diff_report *report)
{
    stint_json_new_line(json);
    stint_json_key_string(json, "noise",
                          stint_noise_of(report->diff) == STINT_NOISE_BETWEEN ? "between runs" : "within runs");
    stint_json_begin_rows(json, "notes");
    for (size_t i = 0; i < report->notes->count; i++)
        stint_json_string(json, ((const char *const *)report->notes->items)[i]);
    stint_json_end(json, "]");
}

/* ------------------------------------------------------------------------------------------------------------- rows */

static void put_change(struct stint_json *json, const struct stint_change *change)
{
    struct stint_sheet sheet = {.columns = stint_diff_columns, .count = STINT_DIFF_COLUMNS};
    stint_diff_put_change(&sheet, change);
    stint_json_begin(json, "{");
    for (size_t i = STINT_DIFF_CHANGE; i < sheet.count; i++) {
        const struct stint_cell *cell = &sheet.cell[i];
        stint_json_key(json, sheet.columns[i].key);
        if (cell->label.name)
            stint_json_string(json, cell->label.name);
        else
            stint_json_literal(json, *cell->text ? cell->text : "null");
    }
    stint_json_end(json, "}");
}

static void put_row(struct stint_json *json, const struct stint_diff_report *report, const struct stint_diff_row *row)
{
    stint_json_begin_row(json);
    stint_json_key_string(json, "kind", stint_diff_kind_name(row->kind));
    stint_json_key_string(json, "set", row->set);
    stint_json_key_string(json, "name", row->path);
    stint_json_key_u64(json, "files_a", row->files[STINT_DIFF_A]);
    stint_json_key_u64(json, "files_b", row->files[STINT_DIFF_B]);
    for (int metric = 0; metric < STINT_METRICS; metric++) {
        struct stint_change change = stint_change_of(report->diff, row, (enum stint_metric)metric);
        if (!change.files[STINT_DIFF_A] && !change.files[STINT_DIFF_B])
            continue;
        stint_json_key(json, stint_metric_key((enum stint_metric)metric));
        put_change(json, &change);
    }
    stint_json_end(json, "}");
}

static void put_rows(struct stint_json *json, const struct stint_diff_report *report)
{
    struct stint_arena arena = {0};
    struct stint_diff_rows rows = stint_diff_rows_of(report, report->kinds, &arena);
    stint_json_begin_rows(json, "rows");
    for (size_t i = 0; i < rows.count; i++)
        put_row(json, report, stint_diff_row_at(report->diff, rows.position[i]));
    stint_json_end(json, "]");
    stint_arena_free(&arena);
}

/* ----------------------------------------------------------------------------------------------------------- checks */

static void put_check(struct stint_json *json, const struct stint_check *check)
{
    static const char *const outcomes[] = {[STINT_OUTCOME_PASS] = "pass",
                                           [STINT_OUTCOME_UNSURE] = "inconclusive",
                                           [STINT_OUTCOME_SKIP] = "skip",
                                           [STINT_OUTCOME_FAIL] = "fail"};
    stint_json_begin_row(json);
    stint_json_key_string(json, "rule", check->rule->text);
    if (check->row) {
        stint_json_key_string(json, "kind", stint_diff_kind_name(check->row->kind));
        stint_json_key_string(json, "set", check->row->set);
        stint_json_key_string(json, "name", check->row->path);
    }
    stint_json_key_string(json, "metric", stint_gate_metric(check->rule));
    stint_json_key_string(json, "outcome", outcomes[check->outcome]);
    stint_json_key(json, "change");
    put_change(json, &check->change);
    stint_json_end(json, "}");
}

static void put_checks(struct stint_json *json, const struct stint_array *checks)
{
    stint_json_begin_rows(json, "checks");
    for (size_t i = 0; i < checks->count; i++)
        put_check(json, (const struct stint_check *)checks->items + i);
    stint_json_end(json, "]");
    stint_json_new_line(json);
    stint_json_key_bool(json, "failed", stint_checks_count(checks, STINT_OUTCOME_FAIL) != 0);
}

void stint_diff_write_json(struct stint_text *text, const struct stint_diff_report *report)
{
    struct stint_json json = {.text = text};
    stint_json_begin(&json, "{");
    stint_json_key_string(&json, "format", "stint-diff");
    stint_json_key_u64(&json, "version", 1);
    put_side(&json, report, STINT_DIFF_A);
    put_side(&json, report, STINT_DIFF_B);
    put_notes(&json, report);
    put_rows(&json, report);
    if (report->checks)
        put_checks(&json, report->checks);
    stint_json_end(&json, "}");
    stint_text_string(text, "\n");
}
