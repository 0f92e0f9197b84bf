/* Collects a sentence piece by piece, and prints it folded to the screen's width. */
#include "report/line.h"

#include <string.h>

#include "base/text.h"

void stint_line_bytes(struct stint_line *line, const char *bytes, size_t length)
{
    size_t room = sizeof line->text - 1 - line->used;
    length = length < room ? length : room;
    memcpy(line->text + line->used, bytes, length);
    line->used += length;
    line->text[line->used] = '\0';
}

void stint_line_string(struct stint_line *line, const char *string)
{
    stint_line_bytes(line, string, strlen(string));
}

void stint_line_u64(struct stint_line *line, uint64_t value)
{
    char number[STINT_NUMBER_SIZE];
    stint_line_bytes(line, number, stint_number_u64(number, value));
}

void stint_line_fixed(struct stint_line *line, double value, unsigned decimals)
{
    char number[STINT_NUMBER_SIZE];
    stint_line_bytes(line, number, stint_number_fixed(number, value, decimals));
}

void stint_line_time(struct stint_line *line, double ns)
{
    char number[STINT_NUMBER_SIZE];
    stint_line_bytes(line, number, stint_time_format(number, ns));
}

void stint_line_count(struct stint_line *line, uint64_t count, const char *singular, const char *plural)
{
    stint_line_u64(line, count);
    stint_line_string(line, " ");
    stint_line_string(line, count == 1 ? singular : plural);
}

static int write_to_line(void *context, const char *bytes, size_t length)
{
    stint_line_bytes(context, bytes, length);
    return 0;
}

void stint_line_say(struct stint_line *line, const char *format, ...)
{
    struct stint_text text;
    va_list list;
    stint_text_begin(&text, write_to_line, line);
    va_start(list, format);
    stint_text_say_list(&text, format, list);
    va_end(list);
    stint_text_end(&text);
}

void stint_line_escaped(struct stint_line *line, const char *string, size_t columns)
{
    struct stint_text text;
    stint_text_begin(&text, write_to_line, line);
    stint_label_put_start(&text, (struct stint_label){.set = "", .name = string}, columns);
    stint_text_end(&text);
}

/* ---------------------------------------------------------------------------------------------------------- folding */

/* Returns how many bytes of `rest` to put on one line of `columns` columns (0: unlimited): up to the last blank that
 * fits, if there is one. A code point counts as one column, because texts that are not ASCII are short. */
static size_t fold_at(const char *rest, size_t length, size_t columns)
{
    size_t blank = 0, used = 0, i = 0;
    for (; i < length; i++) {
        if (rest[i] == ' ')
            blank = i;
        if (columns && stint_utf8_begins(rest[i]) && used++ == columns)
            return blank ? blank : i;
    }
    return length;
}

static const char *escape_of(const struct stint_layout *layout, enum stint_line_style style)
{
    static const char escapes[][5] = {
        [STINT_LINE_PLAIN] = "", [STINT_LINE_DIM] = "\033[2m", [STINT_LINE_BOLD] = "\033[1m"};
    return layout->color ? escapes[style] : "";
}

void stint_line_put(struct stint_line *line, struct stint_text *text, const struct stint_layout *layout,
                    enum stint_line_style style)
{
    enum { INDENT = 2, NARROWEST = 20 };
    size_t columns = layout->columns && layout->columns < NARROWEST ? NARROWEST : layout->columns;
    const char *escape = escape_of(layout, style);
    const char *rest = line->text;
    for (size_t left = line->used; left;) {
        size_t indent = rest == line->text ? 0 : INDENT;
        size_t piece = fold_at(rest, left, columns ? columns - indent : 0);
        stint_text_string(text, escape);
        stint_text_fill(text, ' ', indent);
        stint_text_put(text, rest, piece);
        stint_text_string(text, *escape ? "\033[0m\n" : "\n");
        rest += piece;
        left -= piece;
        for (; left && *rest == ' '; left--)
            rest++;
    }
    line->used = 0;
}
