/* Lays out and writes tables, for people and as CSV, from one declaration of columns and a function that fills rows.
 * Rows are made twice instead of stored: a report has to work without memory. */
#include "report/sheet.h"

#include <string.h>

#include "report/line.h"

/* Times are given each its own unit if the greatest is this many times the least. */
#define SPAN UINT64_C(1000000)

enum { GAP = 2, RULED_MARGIN = 1, RULED_NAME_MOST = 100, LAST_RANK = 20 };

static const struct {
    char name[8];
    uint64_t bytes;
} sizes[] = {{"B", 1},
             {"kB", 1000},
             {"MB", 1000000},
             {"GB", 1000000000},
             {"TB", UINT64_C(1000000000000)},
             {"PB", UINT64_C(1000000000000000)}};

static size_t longer(size_t a, size_t b)
{
    return a > b ? a : b;
}

static int is_name(const struct stint_sheet *sheet, size_t column)
{
    return sheet->columns[column].unit == STINT_COLUMN_NAME;
}

/* Without rules, the name is the last column, and takes the rest of the line. */
static int is_open(const struct stint_sheet *sheet, size_t column)
{
    return !sheet->ruled && is_name(sheet, column);
}

int stint_sheet_shows(const struct stint_sheet *sheet, size_t column)
{
    const char *title = sheet->csv ? sheet->columns[column].key : sheet->columns[column].title;
    return title && !(sheet->hidden >> column & 1);
}

/* ------------------------------------------------------------------------------------------------------------ cells */

/* A number that would be shown as 0 is shown to people as less than the least that can be; programs get its digits. */
static void format_number(const struct stint_sheet *sheet, char *out, double number, unsigned decimals)
{
    int is_small = number > 0 && number < (decimals == 2 ? 0.005 : 0.0005);
    if (is_small && sheet->csv)
        stint_number_general(out, number);
    else if (is_small)
        memcpy(out, decimals == 2 ? "<0.01" : "<0.001", decimals == 2 ? 6 : 7);
    else
        stint_number_fixed(out, number, decimals);
}

static int is_time(const struct stint_sheet *sheet, size_t column)
{
    enum stint_column_unit unit = sheet->columns[column].unit;
    return unit == STINT_COLUMN_SUM || unit == STINT_COLUMN_TIME;
}

/* What stands at the largest number is more than that. */
static void format_value(const struct stint_sheet *sheet, size_t column, char *out, uint64_t value)
{
    enum stint_column_unit unit = sheet->columns[column].unit;
    size_t size = sheet->state[column].size_unit;
    if (!sheet->csv && sheet->state[column].own_units) {
        stint_time_format(out, (double)value);
        return;
    }
    if (!sheet->csv && value == UINT64_MAX)
        *out++ = '>';
    if (!sheet->csv && is_time(sheet, column))
        stint_unit_format(out, sheet->state[column].time_unit, value);
    else if (!sheet->csv && unit == STINT_COLUMN_BYTES && size)
        format_number(sheet, out, (double)value / (double)sizes[size].bytes, 3);
    else
        stint_number_u64(out, value);
}

static void extend(uint64_t *least, uint64_t *greatest, uint64_t value)
{
    if (value && (!*least || value < *least))
        *least = value;
    if (value > *greatest)
        *greatest = value;
}

void stint_sheet_value(struct stint_sheet *sheet, size_t column, uint64_t value)
{
    sheet->cell[column].value = value;
    if (sheet->is_measuring)
        extend(&sheet->state[column].least, &sheet->state[column].greatest, value);
    else
        format_value(sheet, column, sheet->cell[column].text, value);
}

void stint_sheet_number(struct stint_sheet *sheet, size_t column, double number)
{
    if (sheet->columns[column].unit == STINT_COLUMN_RATE)
        format_number(sheet, sheet->cell[column].text, number * 1e-9, 3);
    else
        format_number(sheet, sheet->cell[column].text, number, 2);
}

void stint_sheet_mark(struct stint_sheet *sheet, size_t column, int is_marked)
{
    char *text = sheet->cell[column].text;
    if (sheet->is_measuring)
        sheet->state[column].marked |= is_marked != 0;
    else if (sheet->state[column].marked)
        memcpy(text + strlen(text), is_marked ? "*" : " ", 2);
}

void stint_sheet_estimated(struct stint_sheet *sheet, size_t column)
{
    char *text = sheet->cell[column].text;
    if (sheet->is_measuring) {
        sheet->state[column].marked = 1;
    } else {
        memmove(text + 1, text, strlen(text) + 1);
        *text = '~';
    }
}

int stint_sheet_next(struct stint_sheet *sheet, size_t *next)
{
    for (size_t i = 0; i < sheet->count; i++) {
        sheet->cell[i].label.name = NULL;
        memcpy(sheet->cell[i].text, sheet->csv ? "" : "-", sheet->csv ? 1 : 2);
    }
    return sheet->next(sheet->context, next, sheet);
}

/* ------------------------------------------------------------------------------------------------------------ units */

/* Columns of times that are to be compared with one another share a unit, unless each column is to have its own. */
static int shares_unit(const struct stint_sheet *sheet, size_t a, size_t b)
{
    if (a == b)
        return 1;
    return sheet->wanted != STINT_UNIT_COLUMN && sheet->columns[a].unit == sheet->columns[b].unit &&
           stint_sheet_shows(sheet, b);
}

static void choose_units(struct stint_sheet *sheet)
{
    for (size_t i = 0; i < sheet->count; i++) {
        uint64_t least = 0, greatest = 0;
        for (size_t j = 0; j < sheet->count; j++) {
            if (!shares_unit(sheet, i, j))
                continue;
            extend(&least, &greatest, sheet->state[j].least);
            extend(&least, &greatest, sheet->state[j].greatest);
        }
        sheet->state[i].own_units =
            is_time(sheet, i) && sheet->wanted == STINT_UNIT_AUTO && least && greatest / least >= SPAN;
        sheet->state[i].time_unit = stint_unit_wanted(sheet->wanted, stint_unit_choose(least, greatest));
        unsigned char size = 0;
        while (size + 1U < sizeof sizes / sizeof sizes[0] && sheet->state[i].greatest / sizes[size].bytes >= 10000)
            size++;
        sheet->state[i].size_unit = size;
    }
}

/* Returns the unit, which follows the title in parentheses; "": none. */
static const char *unit_name(const struct stint_sheet *sheet, size_t column)
{
    if (sheet->csv && !sheet->ruled)
        return ""; /* the key contains the unit */
    switch (sheet->columns[column].unit) {
    case STINT_COLUMN_NS:
        return "ns";
    case STINT_COLUMN_SUM:
    case STINT_COLUMN_TIME:
        return sheet->state[column].own_units ? "" : stint_unit_name(sheet->state[column].time_unit);
    case STINT_COLUMN_BYTES:
        return sizes[sheet->state[column].size_unit].name;
    case STINT_COLUMN_SHARE:
        return "%";
    default:
        return "";
    }
}

static size_t title_width(const struct stint_sheet *sheet, size_t column)
{
    size_t unit = strlen(unit_name(sheet, column));
    return strlen(sheet->columns[column].title) + (unit ? unit + 2 + (sheet->ruled != 0) : 0);
}

static void put_title(const struct stint_sheet *sheet, struct stint_text *text, size_t column)
{
    const char *unit = unit_name(sheet, column);
    stint_text_string(text, sheet->csv ? sheet->columns[column].key : sheet->columns[column].title);
    if (!*unit)
        return;
    stint_text_string(text, sheet->ruled ? " (" : "(");
    stint_text_string(text, unit);
    stint_text_string(text, ")");
}

/* ----------------------------------------------------------------------------------------------------------- widths */

static size_t cell_width(const struct stint_sheet *sheet, size_t column)
{
    const struct stint_cell *cell = &sheet->cell[column];
    if (!cell->label.name)
        return strlen(cell->text);
    size_t width = stint_label_columns(cell->label) + (is_open(sheet, column) ? sheet->indent : 0);
    return sheet->ruled && width > RULED_NAME_MOST ? RULED_NAME_MOST : width;
}

static void measure_rows(struct stint_sheet *sheet)
{
    sheet->is_measuring = 1;
    for (size_t next = 0; stint_sheet_next(sheet, &next); sheet->rows++)
        for (size_t i = 0; i < sheet->count; i++)
            sheet->state[i].width = longer(sheet->state[i].width, cell_width(sheet, i));
    sheet->is_measuring = 0;
}

/* Only the least and the greatest value are known. One of them has the longest text, because short times have more
 * decimals; but of times with units of their own, any may be as long as the longest. */
static void choose_width(struct stint_sheet *sheet, size_t column)
{
    char number[STINT_NUMBER_SIZE];
    size_t width = longer(sheet->state[column].width, sheet->columns[column].least);
    if (!is_open(sheet, column))
        width = longer(width, title_width(sheet, column));
    if (sheet->state[column].greatest) {
        format_value(sheet, column, number, sheet->state[column].greatest);
        width = longer(width, strlen(number) + sheet->state[column].marked);
        format_value(sheet, column, number, sheet->state[column].least);
        width = longer(width, strlen(number));
        if (sheet->state[column].own_units)
            width = longer(width, sizeof "999.9 ms" - 1);
    }
    sheet->state[column].width = width;
}

/* Returns the width of all columns that are shown if no name is wider than `name_most`. */
static size_t width_of(const struct stint_sheet *sheet, size_t name_most)
{
    size_t width = 0;
    for (size_t i = 0; i < sheet->count; i++) {
        size_t own = sheet->state[i].width;
        if (stint_sheet_shows(sheet, i))
            width += (is_name(sheet, i) && own > name_most ? name_most : own) + GAP;
    }
    return width - GAP + (sheet->ruled ? RULED_MARGIN : 0);
}

static void hide_columns(struct stint_sheet *sheet)
{
    for (unsigned rank = 1; rank <= LAST_RANK && width_of(sheet, sheet->name_least) > sheet->screen; rank++)
        for (size_t i = 0; i < sheet->count; i++)
            if (sheet->columns[i].hide == rank)
                sheet->hidden |= 1U << i;
}

/* Makes the widest name column narrower by one. Returns 0 if all have their minimum width. */
static int narrow(struct stint_sheet *sheet)
{
    size_t *widest = NULL;
    for (size_t i = 0; i < sheet->count; i++) {
        size_t *width = &sheet->state[i].width;
        if (is_name(sheet, i) && stint_sheet_shows(sheet, i) && *width > (widest ? *widest : sheet->name_least))
            widest = width;
    }
    return widest && (*widest)--;
}

size_t stint_sheet_name_room(const struct stint_sheet *sheet)
{
    size_t taken = width_of(sheet, 0);
    if (!sheet->screen)
        return longer(width_of(sheet, SIZE_MAX) - taken, 1);
    return sheet->screen > taken + sheet->name_floor ? sheet->screen - taken : sheet->name_floor;
}

void stint_sheet_fit(struct stint_sheet *sheet, const struct stint_layout *layout)
{
    sheet->wanted = layout->unit;
    sheet->screen = layout->columns;
    sheet->color = layout->color;
    measure_rows(sheet);
    for (size_t i = 0; i < sheet->count; i++)
        if (sheet->columns[i].optional && !sheet->state[i].greatest)
            sheet->hidden |= 1U << i;
    choose_units(sheet);
    for (size_t i = 0; i < sheet->count; i++)
        if (stint_sheet_shows(sheet, i))
            choose_width(sheet, i);
    if (!sheet->screen)
        return;
    hide_columns(sheet);
    while (sheet->ruled && width_of(sheet, SIZE_MAX) > sheet->screen && narrow(sheet))
        ;
}

/* ------------------------------------------------------------------------------------------------------------- text */

int stint_sheet_next_column(const struct stint_sheet *sheet, struct stint_text *text, size_t *column, size_t *shown)
{
    for (; *column < sheet->count; (*column)++) {
        if (!stint_sheet_shows(sheet, *column))
            continue;
        size_t blanks = *shown ? GAP : sheet->ruled ? RULED_MARGIN : 0;
        stint_text_fill(text, sheet->csv ? ',' : ' ', sheet->csv ? *shown != 0 : blanks);
        (*shown)++;
        return 1;
    }
    return 0;
}

static void put_titles(const struct stint_sheet *sheet, struct stint_text *text)
{
    stint_text_string(text, sheet->color ? "\033[1m" : "");
    for (size_t i = 0, shown = 0; stint_sheet_next_column(sheet, text, &i, &shown); i++) {
        size_t blanks = is_open(sheet, i) ? 0 : sheet->state[i].width - title_width(sheet, i);
        size_t before = sheet->ruled ? blanks / 2 : blanks;
        stint_text_fill(text, ' ', before);
        put_title(sheet, text, i);
        stint_text_fill(text, ' ', blanks - before);
    }
    if (sheet->ruled)
        stint_text_string(text, "\n");
    for (size_t i = 0, shown = 0; sheet->ruled && stint_sheet_next_column(sheet, text, &i, &shown); i++)
        stint_text_fill(text, '-', sheet->state[i].width);
    stint_text_string(text, sheet->ruled ? "\n" : "");
    stint_text_string(text, sheet->color ? "\033[0m" : "");
    stint_text_string(text, sheet->ruled ? "" : "\n");
}

static void put_open_name(struct stint_sheet *sheet, struct stint_text *text, size_t column)
{
    size_t room = stint_sheet_name_room(sheet);
    if (sheet->put_name)
        sheet->put_name(sheet->context, text, room);
    else
        stint_label_put(text, sheet->cell[column].label, room);
}

static void put_cell(struct stint_sheet *sheet, struct stint_text *text, size_t column)
{
    const struct stint_cell *cell = &sheet->cell[column];
    size_t width = sheet->state[column].width, taken = cell_width(sheet, column);
    size_t blanks = taken < width ? width - taken : 0;
    int left = sheet->columns[column].left;
    stint_text_fill(text, ' ', left ? 0 : blanks);
    if (cell->label.name)
        stint_label_put_start(text, cell->label, width);
    else
        stint_text_string(text, cell->text);
    stint_text_fill(text, ' ', left ? blanks : 0);
}

void stint_sheet_put(struct stint_sheet *sheet, struct stint_text *text)
{
    put_titles(sheet, text);
    for (size_t next = 0; stint_sheet_next(sheet, &next);) {
        for (size_t i = 0, shown = 0; stint_sheet_next_column(sheet, text, &i, &shown); i++) {
            if (is_open(sheet, i))
                put_open_name(sheet, text, i);
            else
                put_cell(sheet, text, i);
        }
        stint_text_string(text, "\n");
    }
}

void stint_sheet_put_csv(struct stint_sheet *sheet, struct stint_text *text, const struct stint_layout *layout)
{
    sheet->csv = 1;
    sheet->wanted = layout->unit;
    choose_units(sheet);
    for (size_t i = 0, shown = 0; stint_sheet_next_column(sheet, text, &i, &shown); i++)
        put_title(sheet, text, i);
    stint_text_string(text, "\n");
    for (size_t next = 0; stint_sheet_next(sheet, &next);) {
        for (size_t i = 0, shown = 0; stint_sheet_next_column(sheet, text, &i, &shown); i++)
            stint_csv_field(text, sheet->cell[i].label.name ? sheet->cell[i].label.name : sheet->cell[i].text);
        stint_text_string(text, "\n");
    }
}
