#include <string.h>

#include "report/golden.h"
#include "report/sheet.h"
#include "stint_test.h"

enum { COUNT, TOTAL, SPREAD, NAME, COLUMNS };

static const struct stint_column s_columns[COLUMNS] = {
    [COUNT] = {.key = "count", .title = "Count", .unit = STINT_COLUMN_COUNT, .hide = 2},
    [TOTAL] = {.key = "total_ns", .title = "Total", .unit = STINT_COLUMN_SUM},
    [SPREAD] = {.title = "Spread", .unit = STINT_COLUMN_TIME, .hide = 1, .optional = 1},
    [NAME] = {.key = "name", .title = "Name", .unit = STINT_COLUMN_NAME, .left = 1},
};

struct row {
    uint64_t count;
    uint64_t total_ns;
    uint64_t spread_ns; /* 0: not known */
    const char *name;
};

struct rows {
    const struct row *row;
    size_t count;
};

static const struct row s_rows[] = {{1200, 2000000, 50, "forward"}, {7, 30000, 0, "a \"longer\", quoted name"}};

static int next_row(void *context, size_t *next, struct stint_sheet *sheet)
{
    const struct rows *rows = context;
    if (*next == rows->count)
        return 0;
    const struct row *row = &rows->row[(*next)++];
    stint_sheet_value(sheet, COUNT, row->count);
    stint_sheet_mark(sheet, COUNT, row->count == 7);
    stint_sheet_value(sheet, TOTAL, row->total_ns);
    if (row->spread_ns)
        stint_sheet_value(sheet, SPREAD, row->spread_ns);
    stint_sheet_string(sheet, NAME, row->name);
    return 1;
}

static void check(size_t first, size_t count, struct stint_layout layout, int ruled, int csv, const char *expected)
{
    struct rows rows = {s_rows + first, count};
    struct stint_sheet sheet = {.columns = s_columns,
                                .count = COLUMNS,
                                .next = next_row,
                                .context = &rows,
                                .name_floor = 4,
                                .name_least = 8,
                                .ruled = ruled};
    struct capture out = {0};
    struct stint_text text;
    stint_text_begin(&text, capture_write, &out);
    if (csv) {
        stint_sheet_put_csv(&sheet, &text, &layout);
    } else {
        stint_sheet_fit(&sheet, &layout);
        stint_sheet_put(&sheet, &text);
    }
    assert_int_equal(stint_text_end(&text), STINT_OK);
    assert_string_equal(out.text, expected);
}

TEST(columns_are_as_wide_as_their_cells)
{
    check(0, 2, (struct stint_layout){0}, 0, 0,
          "Count  Total(us)  Spread(ns)  Name\n"
          "1200    2000.000          50  forward\n"
          "   7*     30.000           -  a \"longer\", quoted name\n");
}

TEST(column_without_values_is_left_out)
{
    check(1, 1, (struct stint_layout){0}, 0, 0,
          "Count  Total(us)  Name\n"
          "   7*     30.000  a \"longer\", quoted name\n");
}

TEST(narrow_screen_loses_columns_in_their_order_and_shortens_the_name)
{
    check(0, 2, (struct stint_layout){.columns = 30}, 0, 0,
          "Count  Total(us)  Name\n"
          "1200    2000.000  forward\n"
          "   7*     30.000  a \"lon… name\n");
    check(0, 2, (struct stint_layout){.columns = 20}, 0, 0,
          "Total(us)  Name\n"
          " 2000.000  forward\n"
          "   30.000  a \"l…name\n");
    check(0, 2, (struct stint_layout){.columns = 5}, 0, 0,
          "Total(us)  Name\n"
          " 2000.000  fo…d\n"
          "   30.000  a …e\n");
}

TEST(ruled_sheet_pads_and_cuts_its_names)
{
    check(0, 2, (struct stint_layout){.columns = 32, .unit = STINT_UNIT_US}, 1, 0,
          " Count  Total (us)      Name    \n"
          " -----  ----------  ------------\n"
          " 1200     2000.000  forward     \n"
          "    7*      30.000  a \"longer\",…\n");
}

TEST(csv_has_keys_and_whole_nanoseconds)
{
    check(0, 2, (struct stint_layout){0}, 0, 1,
          "count,total_ns,name\n"
          "1200,2000000,forward\n"
          "7,30000,\"a \"\"longer\"\", quoted name\"\n");
}

static int next_small(void *context, size_t *next, struct stint_sheet *sheet)
{
    const double *numbers = context;
    if (*next == 4)
        return 0;
    stint_sheet_number(sheet, 0, numbers[*next]);
    stint_sheet_number(sheet, 1, 1e8 * numbers[*next]);
    (*next)++;
    return 1;
}

TEST(what_is_not_0_is_not_shown_as_0)
{
    static const struct stint_column columns[] = {{.title = "Share", .unit = STINT_COLUMN_SHARE},
                                                  {.title = "Rate", .unit = STINT_COLUMN_RATE}};
    double numbers[] = {0, 0.0014, 0.00499, 0.00501};
    struct stint_sheet sheet = {STINT_COLUMNS(columns), .next = next_small, .context = numbers};
    struct capture out = {0};
    struct stint_text text;
    stint_text_begin(&text, capture_write, &out);
    stint_sheet_fit(&sheet, &(struct stint_layout){0});
    stint_sheet_put(&sheet, &text);
    assert_int_equal(stint_text_end(&text), STINT_OK);
    assert_string_equal(out.text, "Share(%)    Rate\n"
                                  "    0.00   0.000\n"
                                  "   <0.01  <0.001\n"
                                  "   <0.01  <0.001\n"
                                  "    0.01   0.001\n");
}

TEST(programs_read_small_numbers_as_numbers)
{
    static const struct stint_column columns[] = {{.key = "share", .unit = STINT_COLUMN_SHARE},
                                                  {.key = "rate", .unit = STINT_COLUMN_RATE}};
    double numbers[] = {0, 0.0014, 0.00499, 0.00501};
    struct stint_sheet sheet = {STINT_COLUMNS(columns), .next = next_small, .context = numbers};
    struct capture out = {0};
    struct stint_text text;
    stint_text_begin(&text, capture_write, &out);
    stint_sheet_put_csv(&sheet, &text, &(struct stint_layout){0});
    assert_int_equal(stint_text_end(&text), STINT_OK);
    assert_string_equal(out.text, "share,rate\n0.00,0.000\n0.0014,0.00014\n0.00499,0.000499\n0.01,0.001\n");
}
