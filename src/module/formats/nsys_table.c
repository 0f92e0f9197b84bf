/* Rows as nsys stats lays them out: one leading blank, two between columns, titles centred over dashes, thousands
 * separated; and as CSV, with neither separators nor cut names. */
#include <string.h>

#include "base/exact.h"
#include "formats/nsys.h"
#include "report/csv.h"
#include "report/label.h"
#include "report/units.h"

enum { MARGIN = 1, GAP = 2, NAME_MOST = 100 };

/* ------------------------------------------------------------------------------------------------------------- cells */

/* What a cell is made with. */
struct sheet {
    const struct stint_nsys_table *table;
    const struct stint_nsys *nsys;
    double whole; /* what 100 % is */
    int csv;
    enum stint_time_unit unit;
};

static struct sheet begin(const struct stint_nsys_table *table, const struct stint_nsys *nsys, int csv,
                          enum stint_time_unit unit)
{
    struct sheet sheet = {.table = table, .nsys = nsys, .csv = csv, .unit = stint_unit_wanted(unit, STINT_UNIT_NS)};
    for (size_t i = 0; i < nsys->rows.count; i++)
        sheet.whole += (double)stint_nsys_row_at(nsys, i)->spread.total;
    return sheet;
}

static const char *text_of(const struct stint_nsys_row *row, enum stint_nsys_field field)
{
    switch (field) {
    case STINT_NSYS_STYLE:
        return row->style;
    case STINT_NSYS_CATEGORY:
        return row->category;
    case STINT_NSYS_DOMAIN:
        return row->domain;
    case STINT_NSYS_FIELD:
        return row->field;
    case STINT_NSYS_RANGE:
        return row->range;
    case STINT_NSYS_NAME:
        return row->name;
    default:
        return NULL;
    }
}

static int is_known(const struct stint_nsys_row *row, enum stint_nsys_field field)
{
    switch (field) {
    case STINT_NSYS_TOTAL:
    case STINT_NSYS_AVG:
    case STINT_NSYS_MIN:
    case STINT_NSYS_MAX:
        return row->spread.count != 0;
    case STINT_NSYS_MED:
        return row->spread.median_is != STINT_NSYS_UNKNOWN;
    case STINT_NSYS_STDDEV:
        return row->spread.has_deviation;
    case STINT_NSYS_GRID:
    case STINT_NSYS_BLOCK:
        return row->has_grid;
    case STINT_NSYS_PID:
        return row->pid != 0;
    case STINT_NSYS_TID:
        return row->tid != 0;
    case STINT_NSYS_INSTANCES:
        return row->instances != 0;
    default:
        return 1;
    }
}

/* Puts a comma between each three digits in front of the point. */
static void separate(char *number)
{
    size_t digits = strspn(number, "0123456789");
    if (number[digits] && number[digits] != '.')
        return; /* too large for its digits */
    for (size_t at = digits; at > 3;) {
        at -= 3;
        memmove(number + at + 1, number + at, strlen(number + at) + 1);
        number[at] = ',';
    }
}

static void put_whole(const struct sheet *sheet, char *out, uint64_t value)
{
    stint_number_u64(out, value);
    if (!sheet->csv)
        separate(out);
}

static void put_decimals(const struct sheet *sheet, char *out, double value, unsigned decimals)
{
    stint_number_fixed(out, value, decimals);
    if (!sheet->csv)
        separate(out);
}

/* Of a program's own unit, which nobody told: programs get the number itself; people see all digits of a whole one, of
 * others six. */
static void put_value(const struct sheet *sheet, char *out, double value)
{
    enum { MOST_DIGITS = 15 };
    char *digits = out + (value < 0);
    stint_number_exact(out, value);
    if (sheet->csv)
        return;
    if (strlen(digits) > MOST_DIGITS || strspn(digits, "0123456789") != strlen(digits))
        stint_number_general(out, value);
    else
        separate(digits);
}

static double average(uint64_t total, uint64_t count)
{
    return count ? (double)total / (double)count : 0;
}

/* A time in another unit keeps its nanoseconds. */
static void put_time(const struct sheet *sheet, char *out, double ns)
{
    static const unsigned decimals[] = {[STINT_UNIT_S] = 9, [STINT_UNIT_MS] = 6, [STINT_UNIT_US] = 3};
    put_decimals(sheet, out, ns / (double)stint_unit_ns(sheet->unit), decimals[sheet->unit]);
}

static void put_whole_time(const struct sheet *sheet, char *out, uint64_t ns)
{
    if (sheet->unit == STINT_UNIT_NS)
        put_whole(sheet, out, ns);
    else
        put_time(sheet, out, (double)ns);
}

/* Nanoseconds have no decimals, what is computed from them has one; sizes are in 10^6 bytes. */
static void put_total(const struct sheet *sheet, char *out, uint64_t value)
{
    if (sheet->table->sizes)
        put_decimals(sheet, out, (double)value * 1e-6, 3);
    else
        put_whole_time(sheet, out, value);
}

static void put_computed(const struct sheet *sheet, char *out, double value)
{
    if (sheet->table->sizes)
        put_decimals(sheet, out, value * 1e-6, 3);
    else if (sheet->unit == STINT_UNIT_NS)
        put_decimals(sheet, out, value, 1);
    else
        put_time(sheet, out, value);
}

/* " 896    1    1" */
static void put_dimensions(char *out, const uint32_t dimensions[3])
{
    for (size_t i = 0; i < 3; i++) {
        char number[STINT_NUMBER_SIZE];
        size_t length = stint_number_u64(number, dimensions[i]);
        if (i)
            *out++ = ' ';
        for (size_t blanks = length; blanks < 4; blanks++)
            *out++ = ' ';
        memcpy(out, number, length + 1);
        out += length;
    }
}

static void put_spread(const struct sheet *sheet, char *out, const struct stint_nsys_spread *spread,
                       enum stint_nsys_field field)
{
    switch (field) {
    case STINT_NSYS_TOTAL:
        put_total(sheet, out, spread->total);
        break;
    case STINT_NSYS_AVG:
        put_computed(sheet, out, average(spread->total, spread->count));
        break;
    case STINT_NSYS_MED:
        put_computed(sheet, out, spread->median);
        break;
    case STINT_NSYS_MIN:
        put_total(sheet, out, spread->min);
        break;
    case STINT_NSYS_MAX:
        put_total(sheet, out, spread->max);
        break;
    case STINT_NSYS_STDDEV:
        put_computed(sheet, out, spread->deviation);
        break;
    default: /* the share */
        put_decimals(sheet, out, sheet->whole > 0 ? 100 * (double)spread->total / sheet->whole : 0, 1);
        break;
    }
}

static void put_known(const struct sheet *sheet, char *out, const struct stint_nsys_row *row,
                      enum stint_nsys_field field)
{
    switch (field) {
    case STINT_NSYS_COUNT:
        put_whole(sheet, out, row->spread.count);
        break;
    case STINT_NSYS_GRID:
        put_dimensions(out, row->grid);
        break;
    case STINT_NSYS_BLOCK:
        put_dimensions(out, row->block);
        break;
    case STINT_NSYS_PID:
        stint_number_i64(out, row->pid);
        break;
    case STINT_NSYS_TID:
        stint_number_i64(out, row->tid);
        break;
    case STINT_NSYS_INSTANCES:
        put_whole(sheet, out, row->instances);
        break;
    case STINT_NSYS_RANGE_TIME:
        put_whole_time(sheet, out, row->range_ns);
        break;
    case STINT_NSYS_OPERATIONS:
        put_whole(sheet, out, row->operations);
        break;
    case STINT_NSYS_AVG_OPERATIONS:
        put_decimals(sheet, out, average(row->operations, row->instances), 1);
        break;
    case STINT_NSYS_LEVEL:
        put_decimals(sheet, out, row->level, 1);
        break;
    case STINT_NSYS_CHILDREN:
        put_decimals(sheet, out, row->children, 1);
        break;
    case STINT_NSYS_VALUE_SUM:
        put_value(sheet, out, row->sum);
        break;
    case STINT_NSYS_VALUE_AVG:
        put_value(sheet, out, row->sum / (double)row->spread.count);
        break;
    case STINT_NSYS_VALUE_MIN:
        put_value(sheet, out, row->min);
        break;
    case STINT_NSYS_VALUE_MAX:
        put_value(sheet, out, row->max);
        break;
    default:
        put_spread(sheet, out, &row->spread, field);
        break;
    }
}

/* Fills a cell of a column that has no names: `out` has STINT_NUMBER_SIZE bytes. */
static void put_cell(const struct sheet *sheet, char *out, const struct stint_nsys_row *row,
                     enum stint_nsys_field field)
{
    if (is_known(row, field))
        put_known(sheet, out, row, field);
    else
        memcpy(out, sheet->csv ? "" : "-", sheet->csv ? 1 : 2);
}

/* ------------------------------------------------------------------------------------------------------------- titles */

/* Returns the length of a title up to its unit: of one that is no time, all of it. */
static size_t until_unit(const char *title)
{
    static const char unit[] = "ns)";
    size_t length = strlen(title), rest = sizeof unit - 1;
    return length > rest && strcmp(title + length - rest, unit) == 0 ? length - rest : length;
}

static size_t title_length(const struct sheet *sheet, const struct stint_nsys_column *column)
{
    size_t length = until_unit(column->title);
    return column->title[length] ? length + strlen(stint_unit_name(sheet->unit)) + 1 : length;
}

static void put_title(const struct sheet *sheet, struct stint_text *text, const struct stint_nsys_column *column)
{
    size_t length = until_unit(column->title);
    stint_text_put(text, column->title, length);
    if (!column->title[length])
        return;
    stint_text_string(text, stint_unit_name(sheet->unit));
    stint_text_string(text, ")");
}

/* ------------------------------------------------------------------------------------------------------------- layout */

struct widths {
    size_t width[STINT_NSYS_COLUMNS]; /* 0: hidden */
};

static struct stint_label label_of(const char *text)
{
    return (struct stint_label){.set = "", .name = text};
}

static int is_name(enum stint_nsys_field field)
{
    return field == STINT_NSYS_RANGE || field == STINT_NSYS_NAME;
}

static int is_left(enum stint_nsys_field field)
{
    return field >= STINT_NSYS_STYLE || field == STINT_NSYS_GRID || field == STINT_NSYS_BLOCK;
}

static size_t cell_columns(const struct sheet *sheet, const struct stint_nsys_row *row, enum stint_nsys_field field)
{
    const char *text = text_of(row, field);
    char cell[STINT_NUMBER_SIZE];
    size_t columns;
    if (text) {
        columns = stint_label_columns(label_of(text));
        return columns < NAME_MOST ? columns : NAME_MOST;
    }
    put_cell(sheet, cell, row, field);
    return strlen(cell);
}

static void measure(const struct sheet *sheet, struct widths *widths)
{
    const struct stint_nsys_table *table = sheet->table;
    for (size_t i = 0; i < table->count; i++)
        widths->width[i] = title_length(sheet, &table->column[i]);
    for (size_t row = 0; row < sheet->nsys->shown; row++) {
        for (size_t i = 0; i < table->count; i++) {
            size_t columns = cell_columns(sheet, stint_nsys_row_at(sheet->nsys, row), table->column[i].field);
            widths->width[i] = columns > widths->width[i] ? columns : widths->width[i];
        }
    }
}

static size_t width_of(const struct widths *widths, size_t count)
{
    size_t width = 0;
    for (size_t i = 0; i < count; i++)
        width += widths->width[i] ? widths->width[i] + (width ? GAP : MARGIN) : 0;
    return width;
}

/* What each name keeps on a narrow screen. */
static size_t least_of(const struct stint_nsys_table *table)
{
    enum { ONE = 24, EACH_OF_TWO = 16 };
    size_t names = 0;
    for (size_t i = 0; i < table->count; i++)
        names += (size_t)is_name(table->column[i].field);
    return names > 1 ? EACH_OF_TWO : ONE;
}

/* Narrows the widest name by a column. Returns 0 if all are narrow already. */
static int narrow(const struct stint_nsys_table *table, struct widths *widths)
{
    size_t widest = table->count, width = least_of(table);
    for (size_t i = 0; i < table->count; i++) {
        if (is_name(table->column[i].field) && widths->width[i] > width) {
            widest = i;
            width = widths->width[i];
        }
    }
    if (widest == table->count)
        return 0;
    widths->width[widest]--;
    return 1;
}

static void hide(const struct stint_nsys_table *table, struct widths *widths, enum stint_nsys_field field)
{
    for (size_t i = 0; i < table->count; i++)
        if (table->column[i].field == field)
            widths->width[i] = 0;
}

/* On a narrow screen names are shortened first; then columns go, the least important first. */
static void fit(const struct stint_nsys_table *table, struct widths *widths, size_t screen)
{
    static const enum stint_nsys_field order[] = {
        STINT_NSYS_STDDEV, STINT_NSYS_LEVEL, STINT_NSYS_CHILDREN, STINT_NSYS_MED,        STINT_NSYS_MIN,
        STINT_NSYS_PID,    STINT_NSYS_TID,   STINT_NSYS_MAX,      STINT_NSYS_BLOCK,      STINT_NSYS_OPERATIONS,
        STINT_NSYS_STYLE,  STINT_NSYS_AVG,   STINT_NSYS_GRID,     STINT_NSYS_RANGE_TIME, STINT_NSYS_VALUE_AVG,
    };
    struct widths whole = *widths;
    for (size_t i = 0; screen; i++) {
        *widths = whole;
        while (width_of(widths, table->count) > screen && narrow(table, widths))
            ;
        if (width_of(widths, table->count) <= screen || i == sizeof order / sizeof order[0])
            return;
        hide(table, &whole, order[i]);
    }
}

/* ------------------------------------------------------------------------------------------------------------- table */

static void put_gap(struct stint_text *text, int *first)
{
    stint_text_fill(text, ' ', *first ? MARGIN : GAP);
    *first = 0;
}

static void put_titles(const struct sheet *sheet, const struct widths *widths, struct stint_text *text)
{
    const struct stint_nsys_table *table = sheet->table;
    int first = 1;
    for (size_t i = 0; i < table->count; i++) {
        size_t length = title_length(sheet, &table->column[i]);
        if (!widths->width[i])
            continue;
        put_gap(text, &first);
        stint_text_fill(text, ' ', (widths->width[i] - length) / 2);
        put_title(sheet, text, &table->column[i]);
        stint_text_fill(text, ' ', widths->width[i] - length - (widths->width[i] - length) / 2);
    }
    stint_text_string(text, "\n");
    first = 1;
    for (size_t i = 0; i < table->count; i++) {
        if (!widths->width[i])
            continue;
        put_gap(text, &first);
        stint_text_fill(text, '-', widths->width[i]);
    }
    stint_text_string(text, "\n");
}

static void put_aligned(const struct sheet *sheet, struct stint_text *text, const struct stint_nsys_row *row,
                        enum stint_nsys_field field, size_t width)
{
    const char *name = text_of(row, field);
    char cell[STINT_NUMBER_SIZE];
    size_t columns = cell_columns(sheet, row, field);
    size_t blanks = columns < width ? width - columns : 0;
    if (!is_left(field))
        stint_text_fill(text, ' ', blanks);
    if (name) {
        stint_label_put_start(text, label_of(name), width);
    } else {
        put_cell(sheet, cell, row, field);
        stint_text_string(text, cell);
    }
    if (is_left(field))
        stint_text_fill(text, ' ', blanks);
}

static void put_row(const struct sheet *sheet, const struct widths *widths, struct stint_text *text,
                    const struct stint_nsys_row *row)
{
    int first = 1;
    for (size_t i = 0; i < sheet->table->count; i++) {
        if (!widths->width[i])
            continue;
        put_gap(text, &first);
        put_aligned(sheet, text, row, sheet->table->column[i].field, widths->width[i]);
    }
    stint_text_string(text, "\n");
}

unsigned stint_nsys_put_table(const struct stint_nsys_table *table, const struct stint_nsys *nsys,
                              struct stint_text *text, const struct stint_layout *layout)
{
    struct sheet sheet = begin(table, nsys, 0, layout->unit);
    struct widths widths = {{0}};
    unsigned shown = 0;
    measure(&sheet, &widths);
    fit(table, &widths, layout->columns);
    stint_text_string(text, layout->color ? "\033[1m" : "");
    put_titles(&sheet, &widths, text);
    stint_text_string(text, layout->color ? "\033[0m" : "");
    for (size_t row = 0; row < nsys->shown; row++)
        put_row(&sheet, &widths, text, stint_nsys_row_at(nsys, row));
    for (size_t i = 0; i < table->count; i++)
        shown |= widths.width[i] ? 1u << table->column[i].field : 0;
    return shown;
}

/* --------------------------------------------------------------------------------------------------------------- CSV */

void stint_nsys_put_csv(const struct stint_nsys_table *table, const struct stint_nsys *nsys, struct stint_text *text,
                        const struct stint_layout *layout)
{
    struct sheet sheet = begin(table, nsys, 1, layout->unit);
    for (size_t i = 0; i < table->count; i++) {
        stint_text_string(text, i ? "," : "");
        put_title(&sheet, text, &table->column[i]);
    }
    stint_text_string(text, "\n");
    for (size_t row = 0; row < nsys->rows.count; row++) {
        for (size_t i = 0; i < table->count; i++) {
            const char *name = text_of(stint_nsys_row_at(nsys, row), table->column[i].field);
            char cell[STINT_NUMBER_SIZE];
            stint_text_string(text, i ? "," : "");
            if (!name)
                put_cell(&sheet, cell, stint_nsys_row_at(nsys, row), table->column[i].field);
            stint_csv_field(text, name ? name : cell);
        }
        stint_text_string(text, "\n");
    }
}
