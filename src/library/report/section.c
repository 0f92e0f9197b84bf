#include "report/section.h"

#include <string.h>

#include "report/grid.h"
#include "report/label.h"
#include "report/units.h"

enum { NAME_LEAST = 16 };

struct walk {
    const struct stint_section *section;
    stint_section_next_fn *next;
    void *context;
    enum stint_time_unit wanted;
    enum stint_time_unit time_unit[STINT_SECTION_COLUMNS]; /* of sums and times */
    size_t bytes_unit[STINT_SECTION_COLUMNS];
    int hidden[STINT_SECTION_COLUMNS];
    size_t rows;
    size_t longest_name;
    struct stint_section_row row; /* one for all: a signal handler's stack is small */
    struct stint_cells cells;
};

static const struct {
    const char *name;
    uint64_t bytes;
} sizes[] = {{"B", 1},
             {"kB", 1000},
             {"MB", 1000000},
             {"GB", 1000000000},
             {"TB", UINT64_C(1000000000000)},
             {"PB", UINT64_C(1000000000000000)}};

/* ------------------------------------------------------------------------------------------------------------- rows */

void stint_section_value(struct stint_section_row *row, size_t field, uint64_t value)
{
    row->field[field].has = 1;
    row->field[field].value = value;
}

void stint_section_number(struct stint_section_row *row, size_t field, double number)
{
    row->field[field].has = 1;
    row->field[field].number = number;
}

static int next_row(struct walk *walk, size_t *next)
{
    memset(&walk->row, 0, sizeof walk->row);
    return walk->next(walk->context, next, &walk->row);
}

static struct stint_label name_of(struct walk *walk)
{
    struct stint_line *name = &walk->row.name;
    name->text[name->used < sizeof name->text ? name->used : sizeof name->text - 1] = '\0';
    return (struct stint_label){.set = "", .name = name->text};
}

/* ------------------------------------------------------------------------------------------------------------- units */

struct range {
    uint64_t least; /* other than 0 */
    uint64_t greatest;
};

static void extend(struct range *range, uint64_t value)
{
    if (value && (!range->least || value < range->least))
        range->least = value;
    if (value > range->greatest)
        range->greatest = value;
}

static size_t size_unit_of(uint64_t greatest)
{
    size_t unit = 0;
    while (unit + 1 < sizeof sizes / sizeof sizes[0] && greatest / sizes[unit].bytes >= 10000)
        unit++;
    return unit;
}

static void choose_units(struct walk *walk)
{
    struct range own[STINT_SECTION_COLUMNS] = {{0}}, of_kind[STINT_FIELD_SHARE + 1] = {{0}};
    for (size_t next = 0; next_row(walk, &next); walk->rows++) {
        size_t columns = stint_label_columns(name_of(walk));
        walk->longest_name = columns > walk->longest_name ? columns : walk->longest_name;
        for (size_t i = 0; i < walk->section->count; i++) {
            extend(&own[i], walk->row.field[i].value);
            extend(&of_kind[walk->section->column[i].kind], walk->row.field[i].value);
        }
    }
    for (size_t i = 0; i < walk->section->count; i++) {
        const struct range *range =
            walk->wanted == STINT_UNIT_COLUMN ? &own[i] : &of_kind[walk->section->column[i].kind];
        walk->time_unit[i] = stint_unit_wanted(walk->wanted, stint_unit_choose(range->least, range->greatest));
        walk->bytes_unit[i] = size_unit_of(own[i].greatest);
    }
}

static const char *unit_name(const struct walk *walk, size_t column)
{
    switch (walk->section->column[column].kind) {
    case STINT_FIELD_NS:
        return "ns";
    case STINT_FIELD_SUM:
    case STINT_FIELD_TIME:
        return stint_unit_name(walk->time_unit[column]);
    case STINT_FIELD_BYTES:
        return sizes[walk->bytes_unit[column]].name;
    case STINT_FIELD_SHARE:
        return "%";
    default:
        return "";
    }
}

/* ------------------------------------------------------------------------------------------------------------- cells */

/* What is too little for the decimals is not shown as nothing. */
static void put_number(char *out, double number, unsigned decimals)
{
    double least = decimals == 2 ? 0.005 : 0.0005;
    if (number > 0 && number < least)
        memcpy(out, decimals == 2 ? "<0.01" : "<0.001", decimals == 2 ? 6 : 7);
    else
        stint_number_fixed(out, number, decimals);
}

static void put_bytes(char *out, uint64_t value, size_t unit)
{
    if (unit == 0)
        stint_number_u64(out, value);
    else
        put_number(out, (double)value / (double)sizes[unit].bytes, 3);
}

static void put_field(struct walk *walk, size_t column)
{
    char *cell = stint_cells_next(&walk->cells);
    uint64_t value = walk->row.field[column].value;
    if (!walk->row.field[column].has) {
        memcpy(cell, "-", 2);
        return;
    }
    switch (walk->section->column[column].kind) {
    case STINT_FIELD_SUM:
    case STINT_FIELD_TIME:
        stint_unit_format(cell, walk->time_unit[column], value);
        break;
    case STINT_FIELD_BYTES:
        put_bytes(cell, value, walk->bytes_unit[column]);
        break;
    case STINT_FIELD_RATE:
        put_number(cell, walk->row.field[column].number * 1e-9, 3);
        break;
    case STINT_FIELD_SHARE:
        put_number(cell, walk->row.field[column].number, 2);
        break;
    default:
        stint_number_u64(cell, value);
        break;
    }
}

static void fill_cells(struct walk *walk)
{
    walk->cells.count = 0;
    for (size_t i = 0; i < walk->section->count; i++)
        if (!walk->hidden[i])
            put_field(walk, i);
}

/* ------------------------------------------------------------------------------------------------------------ layout */

static void measure(struct walk *walk, struct stint_grid *grid)
{
    memset(grid, 0, sizeof *grid);
    for (size_t i = 0; i < walk->section->count; i++)
        if (!walk->hidden[i])
            stint_grid_column(grid, walk->section->column[i].title, unit_name(walk, i), 0);
    for (size_t next = 0; next_row(walk, &next);) {
        fill_cells(walk);
        stint_grid_measure(grid, &walk->cells);
    }
}

/* Hides columns until names have room. Returns the columns that names may take. */
static size_t fit(struct walk *walk, struct stint_grid *grid, size_t screen)
{
    size_t least = walk->longest_name < NAME_LEAST ? walk->longest_name : NAME_LEAST;
    measure(walk, grid);
    if (!screen)
        return walk->longest_name;
    for (size_t i = walk->section->count; i-- && stint_grid_width(grid) + least > screen;) {
        if (walk->section->column[i].keep)
            continue;
        walk->hidden[i] = 1;
        measure(walk, grid);
    }
    size_t width = stint_grid_width(grid);
    return screen > width + least ? screen - width : least;
}

void stint_section_put(const struct stint_section *section, struct stint_text *text, const struct stint_layout *layout,
                       stint_section_next_fn *next, void *context)
{
    struct walk walk = {.section = section, .next = next, .context = context, .wanted = layout->unit};
    struct stint_grid grid;
    choose_units(&walk);
    if (!walk.rows)
        return;
    size_t columns = fit(&walk, &grid, layout->columns);
    stint_text_string(text, "\n");
    walk.row.name.used = 0;
    stint_line_string(&walk.row.name, section->title);
    stint_line_put(&walk.row.name, text, layout, STINT_LINE_PLAIN);
    stint_text_string(text, layout->color ? "\033[1m" : "");
    stint_grid_header(&grid, text, section->name);
    stint_text_string(text, layout->color ? "\033[0m\n" : "\n");
    for (size_t at = 0; next_row(&walk, &at);) {
        fill_cells(&walk);
        stint_grid_row(&grid, text, &walk.cells);
        stint_label_put(text, name_of(&walk), columns ? columns : 1);
        stint_text_string(text, "\n");
    }
}
