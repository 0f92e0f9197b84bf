#include "report/columns.h"

#include <string.h>

static const char gap[] = "  ";
enum { GAP = sizeof gap - 1, NAME_LEAST = 8 };

static const char *const titles[] = {
    [STINT_COLUMN_SHARE] = "Time(%)",   [STINT_COLUMN_TOTAL] = "Total",      [STINT_COLUMN_SELF] = "Self",
    [STINT_COLUMN_COUNT] = "Count",     [STINT_COLUMN_AVG] = "Avg",          [STINT_COLUMN_MIN] = "Min",
    [STINT_COLUMN_MAX] = "Max",         [STINT_COLUMN_P50] = "p50",          [STINT_COLUMN_P90] = "p90",
    [STINT_COLUMN_P99] = "p99",         [STINT_COLUMN_GPU] = "GPU",          [STINT_COLUMN_GPU_SHARE] = "GPU(%)",
    [STINT_COLUMN_KERNELS] = "Kernels", [STINT_COLUMN_LAUNCH] = "Launch(%)",
};

/* What a narrow screen loses, first to last. Total, count and name always stay. */
static const enum stint_column dispensable[] = {
    STINT_COLUMN_P90,  STINT_COLUMN_MIN,       STINT_COLUMN_P50,   STINT_COLUMN_MAX,
    STINT_COLUMN_P99,  STINT_COLUMN_LAUNCH,    STINT_COLUMN_AVG,   STINT_COLUMN_KERNELS,
    STINT_COLUMN_SELF, STINT_COLUMN_GPU_SHARE, STINT_COLUMN_SHARE, STINT_COLUMN_GPU,
};

/* Numbers that are there to be compared with one another have one unit. */
static const enum stint_column sums[] = {STINT_COLUMN_TOTAL, STINT_COLUMN_SELF, STINT_COLUMN_GPU};
static const enum stint_column singles[] = {STINT_COLUMN_AVG, STINT_COLUMN_MIN, STINT_COLUMN_MAX,
                                            STINT_COLUMN_P50, STINT_COLUMN_P90, STINT_COLUMN_P99};

static int is_count(enum stint_column column)
{
    return column == STINT_COLUMN_COUNT || column == STINT_COLUMN_KERNELS;
}

static int is_share(enum stint_column column)
{
    return column == STINT_COLUMN_SHARE || column == STINT_COLUMN_GPU_SHARE || column == STINT_COLUMN_LAUNCH;
}

static int is_time(enum stint_column column)
{
    return !is_count(column) && !is_share(column);
}

/* ----------------------------------------------------------------------------------------------------------- values */

/* Activations whose time is in the total. */
static uint64_t samples_of(const struct stint_columns *columns, const struct stint_numbers *numbers)
{
    return columns->flat ? numbers->count - numbers->recursive : numbers->count;
}

/* What the column shows of a row that has it; of a share, the part. */
static uint64_t value_of(const struct stint_columns *columns, const struct stint_row *row, enum stint_column column)
{
    const struct stint_numbers *numbers = row->numbers;
    switch (column) {
    case STINT_COLUMN_SELF:
        return numbers->self_ns;
    case STINT_COLUMN_COUNT:
        return numbers->count;
    case STINT_COLUMN_AVG:
        return numbers->total_ns / samples_of(columns, numbers);
    case STINT_COLUMN_MIN:
        return numbers->min_ns;
    case STINT_COLUMN_MAX:
        return numbers->max_ns;
    case STINT_COLUMN_P50:
        return stint_numbers_percentile_ns(numbers, 0.50);
    case STINT_COLUMN_P90:
        return stint_numbers_percentile_ns(numbers, 0.90);
    case STINT_COLUMN_P99:
        return stint_numbers_percentile_ns(numbers, 0.99);
    case STINT_COLUMN_GPU:
    case STINT_COLUMN_GPU_SHARE:
        return stint_gpu_shown_ns(&columns->gpu, row->gpu);
    case STINT_COLUMN_KERNELS:
        return row->gpu->kernels;
    case STINT_COLUMN_LAUNCH:
        return row->gpu->launch_ns;
    default: /* total, and the share of it */
        return numbers->total_ns;
    }
}

/* What 100 % of a share is. */
static uint64_t whole_of(const struct stint_columns *columns, const struct stint_row *row, enum stint_column column)
{
    if (column == STINT_COLUMN_GPU_SHARE)
        return columns->gpu.total_ns;
    return column == STINT_COLUMN_LAUNCH ? row->numbers->total_ns : columns->whole_ns;
}

/* Of a scope that has not ended yet, the launches are not related to a total. */
static int has_gpu_value(const struct stint_columns *columns, const struct stint_row *row, enum stint_column column)
{
    if (!row->gpu || (column == STINT_COLUMN_GPU_SHARE && !columns->gpu.total_ns))
        return 0;
    if (column == STINT_COLUMN_LAUNCH)
        return row->numbers && row->numbers->total_ns && row->gpu->launches;
    return stint_gpu_is_used(row->gpu);
}

/* Whether the row has such a value at all. A scope that has not ended yet has a count, 0, and nothing else. */
static int has_value(const struct stint_columns *columns, const struct stint_row *row, enum stint_column column)
{
    if (column >= STINT_COLUMN_GPU)
        return has_gpu_value(columns, row, column);
    if (!row->numbers)
        return 0;
    switch (column) {
    case STINT_COLUMN_SHARE:
        return !row->apart && columns->whole_ns > 0 && samples_of(columns, row->numbers) > 0;
    case STINT_COLUMN_COUNT:
        return 1;
    case STINT_COLUMN_SELF:
        return row->numbers->count > 0;
    case STINT_COLUMN_P50:
    case STINT_COLUMN_P90:
    case STINT_COLUMN_P99:
        return row->numbers->bin_count > 0;
    default:
        return samples_of(columns, row->numbers) > 0;
    }
}

/* ----------------------------------------------------------------------------------------------------------- layout */

void stint_columns_begin(struct stint_columns *columns, enum stint_column last, const struct stint_layout *layout)
{
    memset(columns, 0, sizeof *columns);
    columns->screen = layout->columns;
    columns->bold = layout->color;
    columns->wanted = layout->unit;
    for (enum stint_column i = 0; i <= last; i++)
        columns->column[i].shown = 1;
}

void stint_columns_add_gpu(struct stint_columns *columns, const struct stint_gpu_sum *sum)
{
    columns->gpu = *sum;
    columns->column[STINT_COLUMN_GPU].shown = sum->any;
    columns->column[STINT_COLUMN_GPU_SHARE].shown = sum->any;
    columns->column[STINT_COLUMN_KERNELS].shown = sum->any && !sum->spans;
    columns->column[STINT_COLUMN_LAUNCH].shown = sum->any && sum->calls;
}

void stint_columns_measure(struct stint_columns *columns, const struct stint_row *row, size_t name_columns)
{
    for (enum stint_column i = 0; i < STINT_COLUMN_COUNT_OF_COLUMNS; i++) {
        if (!columns->column[i].shown || !has_value(columns, row, i))
            continue;
        uint64_t value = value_of(columns, row, i);
        if (value && (!columns->column[i].least || value < columns->column[i].least))
            columns->column[i].least = value;
        if (value > columns->column[i].greatest)
            columns->column[i].greatest = value;
    }
    if (row->numbers && row->numbers->running)
        columns->running = 1;
    if (name_columns > columns->name_wanted)
        columns->name_wanted = name_columns;
}

/* Columns that the header's cell takes: "Total(ms)". */
static size_t title_width(const struct stint_columns *columns, enum stint_column column)
{
    size_t width = strlen(titles[column]);
    return is_time(column) ? width + 2 + strlen(stint_unit_name(columns->column[column].unit)) : width;
}

static size_t longer(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Chooses one unit for these columns of times. */
static void choose_one_unit(struct stint_columns *columns, const enum stint_column *group, size_t count)
{
    uint64_t least = 0, greatest = 0;
    for (size_t i = 0; i < count; i++) {
        if (!columns->column[group[i]].greatest)
            continue;
        if (!least || columns->column[group[i]].least < least)
            least = columns->column[group[i]].least;
        if (columns->column[group[i]].greatest > greatest)
            greatest = columns->column[group[i]].greatest;
    }
    for (size_t i = 0; i < count; i++)
        columns->column[group[i]].unit = stint_unit_wanted(columns->wanted, stint_unit_choose(least, greatest));
}

/* Chooses units for columns that have one together, unless each is to have its own. */
static void choose_units(struct stint_columns *columns, const enum stint_column *group, size_t count)
{
    size_t step = columns->wanted == STINT_UNIT_COLUMN ? 1 : count;
    for (size_t i = 0; i < count; i += step)
        choose_one_unit(columns, group + i, step);
}

static void choose_width(struct stint_columns *columns, enum stint_column column)
{
    char number[STINT_NUMBER_SIZE];
    size_t width = title_width(columns, column);
    if (is_time(column)) { /* the longest is one of the extremes: short times have more decimals */
        enum stint_time_unit unit = columns->column[column].unit;
        width = longer(width, stint_unit_format(number, unit, columns->column[column].greatest));
        width = longer(width, stint_unit_format(number, unit, columns->column[column].least));
    } else if (is_count(column)) {
        size_t digits = stint_number_u64(number, columns->column[column].greatest);
        width = longer(width, digits + (size_t)(columns->running && column == STINT_COLUMN_COUNT));
    }
    columns->column[column].width = width;
}

static size_t width_without_name(const struct stint_columns *columns)
{
    size_t width = 0;
    for (enum stint_column i = 0; i < STINT_COLUMN_COUNT_OF_COLUMNS; i++)
        if (columns->column[i].shown)
            width += columns->column[i].width + GAP;
    return width;
}

/* Without histograms there is nothing to show. */
static void hide_empty_percentiles(struct stint_columns *columns)
{
    for (enum stint_column i = STINT_COLUMN_P50; i <= STINT_COLUMN_P99; i++)
        if (!columns->column[i].greatest)
            columns->column[i].shown = 0;
}

void stint_columns_fit(struct stint_columns *columns, size_t name_least)
{
    hide_empty_percentiles(columns);
    choose_units(columns, sums, sizeof sums / sizeof sums[0]);
    choose_units(columns, singles, sizeof singles / sizeof singles[0]);
    for (enum stint_column i = 0; i < STINT_COLUMN_COUNT_OF_COLUMNS; i++)
        choose_width(columns, i);
    columns->name_columns = columns->name_wanted;
    if (!columns->screen)
        return;
    size_t wanted = columns->name_wanted < name_least ? columns->name_wanted : name_least;
    for (size_t i = 0; i < sizeof dispensable / sizeof dispensable[0]; i++)
        if (width_without_name(columns) + wanted > columns->screen)
            columns->column[dispensable[i]].shown = 0;
    size_t width = width_without_name(columns);
    columns->name_columns = columns->screen > width + NAME_LEAST ? columns->screen - width : NAME_LEAST;
}

/* ----------------------------------------------------------------------------------------------------------- output */

static void put_right(struct stint_text *text, const char *string, size_t length, size_t width)
{
    stint_text_fill(text, ' ', width > length ? width - length : 0);
    stint_text_put(text, string, length);
}

static void put_title(const struct stint_columns *columns, struct stint_text *text, enum stint_column column)
{
    size_t width = title_width(columns, column);
    stint_text_fill(text, ' ', columns->column[column].width - width);
    stint_text_string(text, titles[column]);
    if (is_time(column)) {
        stint_text_string(text, "(");
        stint_text_string(text, stint_unit_name(columns->column[column].unit));
        stint_text_string(text, ")");
    }
}

void stint_columns_header(const struct stint_columns *columns, struct stint_text *text)
{
    stint_text_string(text, columns->bold ? "\033[1m" : "");
    for (enum stint_column i = 0; i < STINT_COLUMN_COUNT_OF_COLUMNS; i++) {
        if (!columns->column[i].shown)
            continue;
        put_title(columns, text, i);
        stint_text_string(text, gap);
    }
    stint_text_string(text, columns->bold ? "Name\033[0m\n" : "Name\n");
}

static size_t format_share(char *out, uint64_t part, uint64_t whole)
{
    double percent = 100.0 * (double)part / (double)whole;
    if (part && percent < 0.005) {
        memcpy(out, "<0.01", 6);
        return 5;
    }
    return stint_number_fixed(out, percent, 2);
}

/* A running row's count has a star, and the others a blank in its place. */
static size_t format_count(const struct stint_columns *columns, char *out, const struct stint_numbers *numbers)
{
    size_t length = stint_number_u64(out, numbers->count);
    if (columns->running)
        out[length++] = numbers->running ? '*' : ' ';
    return length;
}

static size_t format_cell(const struct stint_columns *columns, char *out, const struct stint_row *row,
                          enum stint_column column)
{
    if (!has_value(columns, row, column)) {
        out[0] = '-';
        return 1;
    }
    if (column == STINT_COLUMN_COUNT)
        return format_count(columns, out, row->numbers);
    uint64_t value = value_of(columns, row, column);
    if (is_share(column))
        return format_share(out, value, whole_of(columns, row, column));
    return is_count(column) ? stint_number_u64(out, value)
                            : stint_unit_format(out, columns->column[column].unit, value);
}

void stint_columns_row(const struct stint_columns *columns, struct stint_text *text, const struct stint_row *row)
{
    for (enum stint_column i = 0; i < STINT_COLUMN_COUNT_OF_COLUMNS; i++) {
        if (!columns->column[i].shown)
            continue;
        char cell[STINT_NUMBER_SIZE];
        size_t length = format_cell(columns, cell, row, i);
        put_right(text, cell, length, columns->column[i].width);
        stint_text_string(text, gap);
    }
}
