/* A test case per check, for servers that show tests. */
#include "base/escape.h"
#include "diff/diff_formats.h"

static void put_attribute(struct stint_text *text, const char *name, const char *value)
{
    stint_text_string(text, " ");
    stint_text_string(text, name);
    stint_text_string(text, "=\"");
    stint_escape_put(text, stint_escape_xml, value);
    stint_text_string(text, "\"");
}

static void put_count(struct stint_text *text, const char *name, size_t count)
{
    char digits[STINT_NUMBER_SIZE];
    stint_number_u64(digits, count);
    put_attribute(text, name, digits);
}

/* "forward (scope:*:p50 < +5%)" */
static void put_name(struct stint_text *text, const struct stint_check *check)
{
    stint_text_string(text, " name=\"");
    if (check->row) {
        stint_escape_put(text, stint_escape_xml, check->row->path);
        stint_text_string(text, " (");
    }
    stint_escape_put(text, stint_escape_xml, check->rule->text);
    stint_text_string(text, check->row ? ")\"" : "\"");
}

static void put_explanation(struct stint_text *text, const struct stint_check *check, const char *before)
{
    struct stint_line line = {0};
    stint_line_string(&line, before);
    stint_check_explain(&line, check);
    put_attribute(text, "message", line.text);
}

static void put_case(struct stint_text *text, const struct stint_check *check)
{
    stint_text_string(text, "  <testcase classname=\"stint.");
    stint_text_string(text, check->row ? stint_diff_kind_name(check->row->kind) : "rule");
    stint_text_string(text, "\"");
    put_name(text, check);
    if (check->outcome == STINT_OUTCOME_PASS) {
        stint_text_string(text, "/>\n");
        return;
    }
    stint_text_string(text, check->outcome == STINT_OUTCOME_FAIL ? "><failure" : "><skipped");
    put_explanation(text, check, check->outcome == STINT_OUTCOME_UNSURE ? "inconclusive: " : "");
    stint_text_string(text, "/></testcase>\n");
}

void stint_diff_write_junit(struct stint_text *text, const struct stint_diff_report *report)
{
    const struct stint_array *checks = report->checks;
    stint_text_string(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"stint diff\"");
    put_count(text, "tests", checks->count);
    put_count(text, "failures", stint_checks_count(checks, STINT_OUTCOME_FAIL));
    put_count(text, "errors", 0);
    put_count(text, "skipped",
              stint_checks_count(checks, STINT_OUTCOME_SKIP) + stint_checks_count(checks, STINT_OUTCOME_UNSURE));
    stint_text_string(text, ">\n");
    for (size_t i = 0; i < checks->count; i++)
        put_case(text, (const struct stint_check *)checks->items + i);
    stint_text_string(text, "</testsuite>\n");
}
