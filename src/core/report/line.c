/* Collects a sentence piece by piece, and prints it folded to the screen's width; chooses units for times, and writes
 * times in them with as many digits as a reader can use. */
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

static const struct {
    char name[8]; /* not a pointer, which would cost a relocation */
    uint64_t ns;
} units[] = {
    [STINT_UNIT_S] = {"s", 1000000000},
    [STINT_UNIT_MS] = {"ms", 1000000},
    [STINT_UNIT_US] = {"us", 1000},
    [STINT_UNIT_NS] = {"ns", 1},
};

/* The greatest value in a column may be up to this many units: five digits before the point are still easy to read. */
static const uint64_t most_units = 100000;

const char *stint_unit_name(enum stint_time_unit unit)
{
    return units[unit].name;
}

uint64_t stint_unit_ns(enum stint_time_unit unit)
{
    return units[unit].ns;
}

enum stint_time_unit stint_unit_wanted(enum stint_time_unit wanted, enum stint_time_unit chosen)
{
    return wanted >= STINT_UNIT_S && wanted <= STINT_UNIT_NS ? wanted : chosen;
}

/* Units are in order, from the largest, S, to the smallest. */
enum stint_time_unit stint_unit_choose(uint64_t least_ns, uint64_t greatest_ns)
{
    enum stint_time_unit unit = STINT_UNIT_S;
    while (unit < STINT_UNIT_NS && greatest_ns < units[unit].ns)
        unit++;
    while (unit < STINT_UNIT_NS && least_ns < units[unit].ns / 10 && greatest_ns / units[unit + 1].ns < most_units)
        unit++;
    return unit;
}

/* Writes `decimals` digits of `value`, leading zeros included. */
static void put_decimals(char *out, uint64_t value, unsigned decimals)
{
    while (decimals--) {
        out[decimals] = (char)('0' + value % 10);
        value /= 10;
    }
}

size_t stint_unit_format(char *out, enum stint_time_unit unit, uint64_t ns)
{
    if (unit == STINT_UNIT_NS)
        return stint_number_u64(out, ns);
    unsigned decimals = 3;
    uint64_t scale = 1000; /* 10^decimals */
    for (; ns && ns < units[unit].ns / scale * 10 && scale < units[unit].ns; scale *= 1000)
        decimals += 3;
    uint64_t step = units[unit].ns / scale;
    uint64_t steps = ns / step + (step > 1 && ns % step >= step / 2);
    size_t length = stint_number_u64(out, steps / scale);
    out[length++] = '.';
    put_decimals(out + length, steps % scale, decimals);
    length += decimals;
    out[length] = '\0';
    return length;
}

/* The decimals that give a number four significant digits, or three for a measured cost of a few ns. */
static unsigned decimals_for(double number, enum stint_time_unit unit)
{
    if (unit == STINT_UNIT_NS)
        return number < 99.95 ? 1 : 0;
    if (number < 9.9995)
        return 3;
    return number < 99.995 ? 2 : 1;
}

size_t stint_time_format(char *out, double ns)
{
    enum stint_time_unit unit = STINT_UNIT_NS;
    /* 999.95 instead of 1000, because from there on the rounded number would have four digits before the point. */
    while (unit > STINT_UNIT_S && ns / (double)units[unit].ns >= 999.95)
        unit--;
    double number = ns / (double)units[unit].ns;
    size_t length = ns >= 0x1p64; /* where sums stand that are more */
    *out = '>';
    length += stint_number_fixed(out + length, number, decimals_for(number, unit));
    out[length++] = ' ';
    size_t name = strlen(units[unit].name);
    memcpy(out + length, units[unit].name, name + 1);
    return length + name;
}

struct stint_time_text stint_time_text(double ns)
{
    struct stint_time_text time;
    (void)stint_time_format(time.text, ns);
    return time;
}
