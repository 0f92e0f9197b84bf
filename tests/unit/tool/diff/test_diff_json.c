#include <stdio.h>
#include <string.h>

#include "diff/diff.h"
#include "diff/fixture.h"
#include "diff/written.h"
#include "report/golden.h"
#include "stint_test.h"

/* A line's last ten fields, in which no comma is. */
enum { FIELDS = 10, PRESENCE = 0, METRIC, UNIT, FIRST_NUMBER, VERDICT = 9 };

static void split_line(char *line, char *fields[FIELDS])
{
    for (int i = FIELDS - 1; i >= 0; i--) {
        char *comma = strrchr(line, ',');
        assert_non_null(comma);
        *comma = '\0';
        fields[i] = comma + 1;
    }
}

/* "total_ns":{"a":1,"b":2, … ,"verdict":null} */
static void member_of(char *out, size_t size, char *const fields[FIELDS])
{
    static const char *const keys[] = {"a", "b", "change", "change_percent", "low_percent", "high_percent"};
    int used = snprintf(out, size, "\"%s%s\":{", fields[METRIC], strcmp(fields[UNIT], "ns") == 0 ? "_ns" : "");
    for (size_t i = 0; i < 6; i++) {
        const char *number = fields[FIRST_NUMBER + i];
        used += snprintf(out + used, size - (size_t)used, "\"%s\":%s,", keys[i], *number ? number : "null");
    }
    const char *quote = *fields[VERDICT] ? "\"" : "";
    (void)snprintf(out + used, size - (size_t)used, "\"verdict\":%s%s%s}", quote,
                   *fields[VERDICT] ? fields[VERDICT] : "null", quote);
}

/* {"kind":"scope","set":"Set","name":"step","files_a":1,"files_b":0, of what precedes these fields: scope,Set,"step" */
static void row_of(char *out, size_t size, const char *line, const char *presence)
{
    const char *set = strchr(line, ',') + 1, *name = strchr(set, ',') + 1;
    int quoted = *name == '"';
    (void)snprintf(out, size, "{\"kind\":\"%.*s\",\"set\":\"%.*s\",\"name\":\"%.*s\",\"files_a\":%d,\"files_b\":%d,",
                   (int)(set - 1 - line), line, (int)(name - 1 - set), set, (int)strlen(name) - 2 * quoted,
                   name + quoted, strcmp(presence, "new") != 0, strcmp(presence, "gone") != 0);
}

TEST(csv_and_json_have_the_same_changes_in_the_same_order)
{
    struct capture csv = write_diff(written_training(), NULL, stint_diff_write_csv, NULL);
    struct capture json = write_diff(written_training(), NULL, stint_diff_write_json, NULL);
    const char *at = json.text;
    size_t lines = 0, members = 0;
    char *rest, *line = strtok_r(csv.text, "\n", &rest); /* the titles */
    while ((line = strtok_r(NULL, "\n", &rest))) {
        char *fields[FIELDS], expected[400], row[400];
        split_line(line, fields);
        member_of(expected, sizeof expected, fields);
        at = strstr(at, expected);
        if (!at)
            fail_msg("JSON lacks %s", expected);
        const char *start = at;
        while (start[-1] != '\n')
            start--;
        row_of(row, sizeof row, line, fields[PRESENCE]);
        assert_memory_equal(start, row, strlen(row));
        at += strlen(expected);
        lines++;
    }
    for (at = json.text; (at = strstr(at, "\"verdict\":")); at++)
        members++;
    assert_int_equal(lines, members);
    assert_true(lines > 100);
}

TEST(json_has_everything)
{
    assert_written_diff(written_training(), written_rules, stint_diff_write_json, "diff_training.json");
    assert_written_diff(written_nasty(), NULL, stint_diff_write_json, "diff_nasty.json");
}
