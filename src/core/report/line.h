/* A line of text for people, collected so that it can be measured and folded to the screen's width. What exceeds its
 * size is cut. */
#ifndef STINT_REPORT_LINE_H
#define STINT_REPORT_LINE_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "stint/report.h"
#include "stint/statset.h"

/* An empty line is zeroed. */
struct stint_line {
    size_t used;
    char text[512 + 1]; /* terminated */
};

void stint_line_bytes(struct stint_line *line, const char *bytes, size_t length);
void stint_line_string(struct stint_line *line, const char *string);
void stint_line_say(struct stint_line *line, const char *format, ...) /* as stint_text_say */
    __attribute__((format(printf, 2, 3)));
void stint_line_u64(struct stint_line *line, uint64_t value);
void stint_line_fixed(struct stint_line *line, double value, unsigned decimals);

/* "1.234 s" */
void stint_line_time(struct stint_line *line, double ns);

/* "1 thread", "2 threads" */
void stint_line_count(struct stint_line *line, uint64_t count, const char *singular, const char *plural);

/* Adds a text from outside stint in at most `columns` columns; its control characters are escaped. */
void stint_line_escaped(struct stint_line *line, const char *string, size_t columns);

/* Writes the line, if it is not empty, folded to the screen's width; continuation lines are indented. It is empty
 * afterwards. */
enum stint_line_style { STINT_LINE_PLAIN, STINT_LINE_DIM, STINT_LINE_BOLD };
void stint_line_put(struct stint_line *line, struct stint_text *text, const struct stint_layout *layout,
                    enum stint_line_style style);

/* ---------------------------------------------------------------------------------------------------------- label.c */

/* Names on a screen: escaped so that none can break a line or control the terminal, measured in columns, and
 * shortened. */

/* "Set/Name", or just the name where `set` is "". */
struct stint_label {
    const char *set;
    const char *name;
};

/* Names the statistic; the global set's name is left out. */
struct stint_label stint_label_of(const struct stint_snapshot *snapshot, const struct stint_stat *stat);

/* Returns the width of the whole label in columns. */
size_t stint_label_columns(struct stint_label label);

/* Writes the label in at most `columns` columns, which is at least 1. If it is longer, "…" replaces its middle, because
 * names often have the same beginning and differ at the end. */
void stint_label_put(struct stint_text *text, struct stint_label label, size_t columns);

/* As stint_label_put, but shortens the end: for command lines, whose beginning matters most. */
void stint_label_put_start(struct stint_text *text, struct stint_label label, size_t columns);

/* ------------------------------------------------------------------------------------------------------------ units */

/* Times for people: one unit per column, or a suitable unit for a single value. */

/* Except in stint_unit_wanted, a unit must be a unit of time, that is, neither STINT_UNIT_AUTO nor
 * STINT_UNIT_COLUMN. */

/* Returns "ns", "us", "ms" or "s". */
const char *stint_unit_name(enum stint_time_unit unit);

/* Returns the unit's length in nanoseconds. */
uint64_t stint_unit_ns(enum stint_time_unit unit);

/* Returns `wanted`, if it is a unit of time, else `chosen`. */
enum stint_time_unit stint_unit_wanted(enum stint_time_unit wanted, enum stint_time_unit chosen);

/* Chooses the unit of columns of times from their least (other than 0) and greatest time: the greatest should be easy
 * to read, and the least should have three digits unless that makes the greatest too long. */
enum stint_time_unit stint_unit_choose(uint64_t least_ns, uint64_t greatest_ns);

/* The next two functions write to `out` (STINT_NUMBER_SIZE bytes), NUL-terminated, and return the length. */

/* A table's cell. It has three decimals; below 0.010 it has three more, and so on, so that a short time among long ones
 * keeps its digits down to the nanosecond. No decimals in ns. */
size_t stint_unit_format(char *out, enum stint_time_unit unit, uint64_t ns);

/* A single time with its unit: "1.234 s", "24.1 us", "8.3 ns". */
size_t stint_time_format(char *out, double ns);

/* The same as a text that lives as long as the expression that it is in. */
struct stint_time_text {
    char text[STINT_NUMBER_SIZE];
};
struct stint_time_text stint_time_text(double ns);

#endif
