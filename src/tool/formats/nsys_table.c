/* Rows in the layout of nsys stats: one leading space, two between columns, titles centred over dashes, digits grouped
 * by thousands; and as CSV, without grouping and with full names. */
#include <string.h>

#include "base/exact.h"
#include "formats/nsys.h"
#include "report/sheet.h"
#include "report/units.h"

/* What the reports' columns have in common, whatever their titles are. */
static const struct stint_column s_fields[] = {
    [STINT_NSYS_SHARE] = {.unit = STINT_COLUMN_SHARE},
    [STINT_NSYS_TOTAL] = {.unit = STINT_COLUMN_TIME},
    [STINT_NSYS_AVG] = {.unit = STINT_COLUMN_TIME, .hide = 12},
    [STINT_NSYS_MED] = {.unit = STINT_COLUMN_TIME, .hide = 4},
    [STINT_NSYS_MIN] = {.unit = STINT_COLUMN_TIME, .hide = 5},
    [STINT_NSYS_MAX] = {.unit = STINT_COLUMN_TIME, .hide = 8},
    [STINT_NSYS_STDDEV] = {.unit = STINT_COLUMN_TIME, .hide = 1},
    [STINT_NSYS_GRID] = {.left = 1, .hide = 13},
    [STINT_NSYS_BLOCK] = {.left = 1, .hide = 9},
    [STINT_NSYS_PID] = {.hide = 6},
    [STINT_NSYS_TID] = {.hide = 7},
    [STINT_NSYS_RANGE_TIME] = {.unit = STINT_COLUMN_TIME, .hide = 14},
    [STINT_NSYS_OPERATIONS] = {.hide = 10},
    [STINT_NSYS_LEVEL] = {.hide = 2},
    [STINT_NSYS_CHILDREN] = {.hide = 3},
    [STINT_NSYS_VALUE_AVG] = {.hide = 15},
    [STINT_NSYS_STYLE] = {.left = 1, .hide = 11},
    [STINT_NSYS_CATEGORY] = {.left = 1},
    [STINT_NSYS_DOMAIN] = {.left = 1},
    [STINT_NSYS_FIELD] = {.left = 1},
    [STINT_NSYS_RANGE] = {.unit = STINT_COLUMN_NAME, .left = 1},
    [STINT_NSYS_NAME] = {.unit = STINT_COLUMN_NAME, .left = 1},
};

/* ------------------------------------------------------------------------------------------------------------ cells */

/* What a cell is written with. */
struct view {
    const struct stint_nsys *nsys;
    double whole; /* the value of 100 % */
    int sizes;    /* the distribution is of bytes */
    int csv;
    enum stint_time_unit unit;
};

/* Returns the text of a field; NULL if the field is a number. */
static const char *text_of(const struct stint_nsys_row *row, enum stint_nsys_field field)
{
    const char *const texts[] = {row->style, row->category, row->domain, row->field, row->range, row->name};
    return field < STINT_NSYS_STYLE ? NULL : texts[field - STINT_NSYS_STYLE];
}

/* Puts a comma between groups of three digits in front of the decimal point. */
static void separate(char *number)
{
    size_t digits = strspn(number, "0123456789");
    if (number[digits] && number[digits] != '.')
        return; /* has an exponent */
    for (size_t at = digits; at > 3;) {
        at -= 3;
        memmove(number + at + 1, number + at, strlen(number + at) + 1);
        number[at] = ',';
    }
}

void stint_nsys_put_u64(char *out, uint64_t value, int csv)
{
    stint_number_u64(out, value);
    if (!csv)
        separate(out);
}

void stint_nsys_put_fixed(char *out, double value, unsigned decimals, int csv)
{
    stint_number_fixed(out, value, decimals);
    if (!csv)
        separate(out);
}

/* A time in another unit keeps the precision of nanoseconds. */
static void put_in_unit(char *out, double ns, int csv, enum stint_time_unit unit)
{
    static const unsigned decimals[] = {[STINT_UNIT_S] = 9, [STINT_UNIT_MS] = 6, [STINT_UNIT_US] = 3};
    stint_nsys_put_fixed(out, ns / (double)stint_unit_ns(unit), decimals[unit], csv);
}

void stint_nsys_put_ns(char *out, uint64_t ns, int csv, enum stint_time_unit unit)
{
    if (unit == STINT_UNIT_NS)
        stint_nsys_put_u64(out, ns, csv);
    else
        put_in_unit(out, (double)ns, csv, unit);
}

void stint_nsys_put_average(char *out, double ns, int csv, enum stint_time_unit unit)
{
    if (unit == STINT_UNIT_NS)
        stint_nsys_put_fixed(out, ns, 1, csv);
    else
        put_in_unit(out, ns, csv, unit);
}

/* The following write a number and return 1. */

static int put_whole(const struct view *view, char *out, uint64_t value)
{
    stint_nsys_put_u64(out, value, view->csv);
    return 1;
}

static int put_decimals(const struct view *view, char *out, double value, unsigned decimals)
{
    stint_nsys_put_fixed(out, value, decimals, view->csv);
    return 1;
}

/* The unit is the program's own and not known: CSV has the exact number; tables have all digits of a whole number, and
 * six digits of others. */
static int put_value(const struct view *view, char *out, double value)
{
    enum { MOST_DIGITS = 15 };
    char *digits = out + (value < 0);
    stint_number_exact(out, value);
    if (view->csv)
        return 1;
    if (strlen(digits) > MOST_DIGITS || strspn(digits, "0123456789") != strlen(digits))
        stint_number_general(out, value);
    else
        separate(digits);
    return 1;
}

static double average(uint64_t total, uint64_t count)
{
    return count ? (double)total / (double)count : 0;
}

static int put_whole_time(const struct view *view, char *out, uint64_t ns)
{
    stint_nsys_put_ns(out, ns, view->csv, view->unit);
    return 1;
}

/* Times in nanoseconds are written without decimals, times computed from them with one; sizes are in units of 10^6
 * bytes. */
static int put_total(const struct view *view, char *out, uint64_t value)
{
    return view->sizes ? put_decimals(view, out, (double)value * 1e-6, 3) : put_whole_time(view, out, value);
}

static int put_computed(const struct view *view, char *out, double value)
{
    if (view->sizes)
        return put_decimals(view, out, value * 1e-6, 3);
    stint_nsys_put_average(out, value, view->csv, view->unit);
    return 1;
}

static int put_id(char *out, int64_t id)
{
    stint_number_i64(out, id);
    return 1;
}

/* " 896    1    1" */
void stint_nsys_put_dimensions(char *out, const uint32_t dimensions[3])
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

static int put_shape(char *out, const uint32_t dimensions[3])
{
    stint_nsys_put_dimensions(out, dimensions);
    return 1;
}

/* The next two functions write a number if it is known, and return whether it is. */

static int put_spread(const struct view *view, char *out, const struct stint_nsys_spread *spread,
                      enum stint_nsys_field field)
{
    switch (field) {
    case STINT_NSYS_TOTAL:
        return spread->count && put_total(view, out, spread->total);
    case STINT_NSYS_AVG:
        return spread->count && put_computed(view, out, average(spread->total, spread->count));
    case STINT_NSYS_MED:
        return spread->median_is != STINT_NSYS_UNKNOWN && put_computed(view, out, spread->median);
    case STINT_NSYS_MIN:
        return spread->count && put_total(view, out, spread->min);
    case STINT_NSYS_MAX:
        return spread->count && put_total(view, out, spread->max);
    case STINT_NSYS_STDDEV:
        return spread->has_deviation && put_computed(view, out, spread->deviation);
    default: /* the share */
        return put_decimals(view, out, view->whole > 0 ? 100 * (double)spread->total / view->whole : 0, 1);
    }
}

static int put_number(const struct view *view, char *out, const struct stint_nsys_row *row, enum stint_nsys_field field)
{
    switch (field) {
    case STINT_NSYS_COUNT:
        return put_whole(view, out, row->spread.count);
    case STINT_NSYS_GRID:
        return row->has_grid && put_shape(out, row->grid);
    case STINT_NSYS_BLOCK:
        return row->has_grid && put_shape(out, row->block);
    case STINT_NSYS_PID:
        return row->pid && put_id(out, row->pid);
    case STINT_NSYS_TID:
        return row->tid && put_id(out, row->tid);
    case STINT_NSYS_INSTANCES:
        return row->instances && put_whole(view, out, row->instances);
    case STINT_NSYS_RANGE_TIME:
        return row->range_ns && put_whole_time(view, out, row->range_ns);
    case STINT_NSYS_KERNELS:
    case STINT_NSYS_OPERATIONS:
        return put_whole(view, out, row->operations);
    case STINT_NSYS_AVG_OPERATIONS:
        return row->instances && put_decimals(view, out, average(row->operations, row->instances), 1);
    case STINT_NSYS_LEVEL:
        return put_decimals(view, out, row->level, 1);
    case STINT_NSYS_CHILDREN:
        return put_decimals(view, out, row->children, 1);
    case STINT_NSYS_VALUE_SUM:
        return put_value(view, out, row->sum);
    case STINT_NSYS_VALUE_AVG:
        return put_value(view, out, row->sum / (double)row->spread.count);
    case STINT_NSYS_VALUE_MIN:
        return put_value(view, out, row->min);
    case STINT_NSYS_VALUE_MAX:
        return put_value(view, out, row->max);
    default:
        return put_spread(view, out, &row->spread, field);
    }
}

static int next_row(void *context, size_t *next, struct stint_sheet *sheet)
{
    const struct view *view = context;
    if (*next == (view->csv ? view->nsys->rows.count : view->nsys->shown))
        return 0;
    const struct stint_nsys_row *row = stint_nsys_row_at(view->nsys, (*next)++);
    for (size_t i = 0; i < sheet->count; i++) {
        enum stint_nsys_field field = sheet->columns[i].value;
        const char *text = text_of(row, field);
        if (text)
            stint_sheet_string(sheet, i, text);
        else
            put_number(view, stint_sheet_text(sheet, i), row, field);
    }
    return 1;
}

/* ----------------------------------------------------------------------------------------------------------- tables */

unsigned stint_nsys_put_table(const struct stint_nsys_table *table, const struct stint_nsys *nsys, int csv,
                              struct stint_text *text, const struct stint_layout *layout)
{
    enum { ONE_NAME_LEAST = 24, OF_TWO_LEAST = 16 };
    struct view view = {
        .nsys = nsys, .sizes = table->sizes, .csv = csv, .unit = stint_unit_wanted(layout->unit, STINT_UNIT_NS)};
    struct stint_layout in_unit = *layout;
    struct stint_column columns[STINT_NSYS_COLUMNS];
    unsigned names = 0, shown = 0;
    in_unit.unit = view.unit;
    for (size_t i = 0; i < nsys->rows.count; i++)
        view.whole += (double)stint_nsys_row_at(nsys, i)->spread.total;
    for (size_t i = 0; i < table->count; i++) {
        columns[i] = s_fields[table->column[i].field];
        columns[i].key = columns[i].title = table->column[i].title;
        columns[i].value = table->column[i].field;
        if (table->sizes)
            columns[i].unit = columns[i].unit == STINT_COLUMN_TIME ? STINT_COLUMN_PLAIN : columns[i].unit;
        names += columns[i].unit == STINT_COLUMN_NAME;
    }
    struct stint_sheet sheet = {.columns = columns,
                                .count = table->count,
                                .next = next_row,
                                .context = &view,
                                .name_least = names > 1 ? OF_TWO_LEAST : ONE_NAME_LEAST,
                                .ruled = 1};
    if (csv) {
        stint_sheet_put_csv(&sheet, text, &in_unit);
        return 0;
    }
    stint_sheet_fit(&sheet, &in_unit);
    stint_sheet_put(&sheet, text);
    for (size_t i = 0; i < table->count; i++)
        shown |= stint_sheet_shows(&sheet, i) ? 1U << columns[i].value : 0;
    return shown;
}
