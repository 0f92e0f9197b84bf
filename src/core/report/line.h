/* A line of text for people, collected so that it can be measured and folded to the screen's width. What exceeds its
 * size is cut. */
#ifndef STINT_REPORT_LINE_H
#define STINT_REPORT_LINE_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "stint/report.h"

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

#endif
