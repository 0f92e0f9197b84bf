/* Tables. The columns of a table are declared once; the declaration is used for both the text for people and CSV for
 * programs.
 *
 * A function provides the rows by filling the cells of one row after another. It is called twice for each row, first to
 * choose units and widths, and then to write, so that no row has to be stored, and no memory is needed.
 *
 *     struct stint_sheet sheet = {.columns = …, .count = …, .next = …, .context = …};
 *     stint_sheet_fit(&sheet, layout);
 *     stint_sheet_put(&sheet, text); */
#ifndef STINT_REPORT_SHEET_H
#define STINT_REPORT_SHEET_H

#include "base/text.h"
#include "report/line.h"
#include "report/summary.h"
#include "stint/report.h"
#include "stint/statset.h"

/* What the values of a column are, which determines how they are written. */
enum stint_column_unit {
    STINT_COLUMN_PLAIN, /* a text that the row function writes */
    STINT_COLUMN_NAME,  /* a text of any length, shortened if it does not fit; shown last, unless `ruled` */
    STINT_COLUMN_COUNT,
    STINT_COLUMN_NS,    /* a time to the nanosecond */
    STINT_COLUMN_SUM,   /* sums of times; all such columns of a table share a unit, or each value has its own */
    STINT_COLUMN_TIME,  /* single times; the same */
    STINT_COLUMN_BYTES, /* in decimal units */
    STINT_COLUMN_RATE,  /* bytes per second, in 10^9 */
    STINT_COLUMN_SHARE, /* in percent */
    STINT_COLUMN_UNITS
};

struct stint_column {
    const char *key;        /* the title in CSV; NULL: not in CSV */
    const char *title;      /* the title for people, without the unit; NULL: not for people */
    unsigned char unit;     /* enum stint_column_unit */
    unsigned char hide;     /* on a narrow screen columns with 1 are hidden first, then those with 2; 0: never hidden */
    unsigned char least;    /* minimum width */
    unsigned char left;     /* aligned to the left */
    unsigned char optional; /* left out where all its values are 0 or missing */
    unsigned char value;    /* the value that the column shows, for row functions that serve several tables */
};

enum { STINT_SHEET_COLUMNS = 30 };

/* An array and the number of its items, such as the first two members of a sheet. */
#define STINT_COLUMNS(array) (array), sizeof(array) / sizeof((array)[0])

struct stint_cell {
    struct stint_label label; /* a text that is shown instead of the value, unless its name is NULL */
    uint64_t value;           /* the last one that was set; `text` is what is shown of it */
    char text[STINT_NUMBER_SIZE];
};

struct stint_sheet;

/* Fills the cells of the row at *next, which is 0 at first, and advances *next; a cell that is not filled is shown as
 * "-", in CSV as an empty field. Returns 0 after the last row. */
typedef int stint_row_fn(void *context, size_t *next, struct stint_sheet *sheet);

/* Writes the name of the row filled last in at most `room` columns. */
typedef void stint_name_fn(void *context, struct stint_text *text, size_t room);

struct stint_sheet {
    const struct stint_column *columns;
    size_t count;
    stint_row_fn *next;
    void *context;
    stint_name_fn *put_name; /* NULL: the name is the cell's label */
    size_t name_floor;       /* minimum width of a name, even beyond the screen */
    size_t name_least;       /* columns are hidden until a longer name has this width */
    unsigned hidden;         /* a bit for each column that is left out */
    int ruled; /* like nsys's tables: centered titles over dashes; names in any column, shortened at the end */

    /* Internal state, set by stint_sheet_fit. */
    enum stint_time_unit wanted;
    size_t screen;
    size_t rows;
    size_t indent; /* width of what put_name writes before the row's name; set by the row function */
    int color;
    int csv;
    int is_measuring;
    struct {
        uint64_t least; /* the least value other than 0 */
        uint64_t greatest;
        size_t width;
        enum stint_time_unit time_unit;
        unsigned char own_units; /* each time has a unit of its own, because no one unit suits all of them */
        unsigned char size_unit;
        unsigned char marked; /* a value in the column has a mark */
    } state[STINT_SHEET_COLUMNS];
    struct stint_cell cell[STINT_SHEET_COLUMNS]; /* of the current row */
};

/* ------------------------------------------------------------------------------------- what row functions fill with */

/* Set a cell: the first a count, time or size, the second a share or rate. */
void stint_sheet_value(struct stint_sheet *sheet, size_t column, uint64_t value);
void stint_sheet_number(struct stint_sheet *sheet, size_t column, double number);

/* Appends a star to the count, or a blank if another count of the column has a star. */
void stint_sheet_mark(struct stint_sheet *sheet, size_t column, int is_marked);

/* Writes a tilde before the value: it is an estimate. */
void stint_sheet_estimated(struct stint_sheet *sheet, size_t column);

/* Returns the cell's text buffer, STINT_NUMBER_SIZE bytes, for the caller to fill. */
static inline char *stint_sheet_text(struct stint_sheet *sheet, size_t column)
{
    return sheet->cell[column].text;
}

/* Sets a text of any length, which has to live until the next row. */
static inline void stint_sheet_string(struct stint_sheet *sheet, size_t column, const char *string)
{
    sheet->cell[column].label = (struct stint_label){.set = "", .name = string};
}

/* -------------------------------------------------------------------------------------------------------- renderers */

/* Reads the rows, chooses units and widths, and hides columns that do not fit on the screen. */
void stint_sheet_fit(struct stint_sheet *sheet, const struct stint_layout *layout);

/* Returns whether the column is shown to people; after stint_sheet_fit. */
int stint_sheet_shows(const struct stint_sheet *sheet, size_t column);

/* Returns the width in columns that is left for the name; after stint_sheet_fit. */
size_t stint_sheet_name_room(const struct stint_sheet *sheet);

/* Write titles and rows: the first for people, the second as CSV, which does not need stint_sheet_fit. */
void stint_sheet_put(struct stint_sheet *sheet, struct stint_text *text);
void stint_sheet_put_csv(struct stint_sheet *sheet, struct stint_text *text, const struct stint_layout *layout);

/* Writes a field as in RFC 4180, in quotation marks if it needs them; the second always in these; the third what is
 * between them. Control characters but line breaks and tabs are escaped as for a terminal. An apostrophe comes before
 * what a spreadsheet would take for a formula: a field that begins with =, +, -, @ or a tab, and is no number. */
void stint_csv_field(struct stint_text *text, const char *field);
void stint_csv_quoted(struct stint_text *text, const char *field);
void stint_csv_content(struct stint_text *text, const char *field);

/* For other renderers. The first fills the cells of the next row. The second advances *column to the next column that
 * is shown, increments *shown, and writes the separator before the column. Both return 0 after the last. */
int stint_sheet_next(struct stint_sheet *sheet, size_t *next);
int stint_sheet_next_column(const struct stint_sheet *sheet, struct stint_text *text, size_t *column, size_t *shown);

/* -------------------------------------------------------------------------------------------------------- columns.c */

/* The columns of a statistic's numbers, in the table and in the tree. */

enum {
    STINT_SCOPE_SHARE,
    STINT_SCOPE_TOTAL,
    STINT_SCOPE_ERROR, /* of an estimated total */
    STINT_SCOPE_SELF,
    STINT_SCOPE_CPU,
    STINT_SCOPE_COUNT,
    STINT_SCOPE_AVG,
    STINT_SCOPE_MIN,
    STINT_SCOPE_MAX,
    STINT_SCOPE_P50,
    STINT_SCOPE_P90,
    STINT_SCOPE_P99,
    STINT_SCOPE_GPU,
    STINT_SCOPE_GPU_SHARE,
    STINT_SCOPE_KERNELS,
    STINT_SCOPE_LAUNCH,
    STINT_SCOPE_NAME,
    STINT_SCOPE_COLUMNS
};

enum { STINT_SCOPE_NAME_FLOOR = 8 };

/* The columns from the minimum to the last percentile, as the bits of a sheet's hidden columns. */
enum { STINT_SCOPE_SPREAD = (1 << (STINT_SCOPE_P99 + 1)) - (1 << STINT_SCOPE_MIN) };

extern const struct stint_column stint_scope_columns[STINT_SCOPE_COLUMNS];

/* What a row's numbers are compared with. */
struct stint_scope_whole {
    uint64_t ns;                     /* the time that is 100 %; 0: rows have no share of it */
    const struct stint_gpu_sum *gpu; /* NULL: rows have no GPU columns */
    int flat;                        /* rows are flat: nested activations are not in the total */
};

/* Returns the GPU columns that would be empty, as the bits of a sheet's hidden columns. */
unsigned stint_scope_without_gpu(const struct stint_gpu_sum *sum);

/* Writes the rows of the tree, without title and footer (scope_tree.c). The columns are those above, perhaps with other
 * titles. `is_ordered`: siblings are in order of their totals. */
void stint_tree_put(struct stint_text *text, const struct stint_snapshot *snapshot, const struct stint_layout *layout,
                    const struct stint_scope_whole *whole, const struct stint_column *columns, int is_ordered);

/* Fill a row. If a scope has never ended, only its count, 0, is shown. */
void stint_scope_put_numbers(struct stint_sheet *sheet, const struct stint_scope_whole *whole,
                             const struct stint_numbers *numbers);
void stint_scope_put_gpu(struct stint_sheet *sheet, const struct stint_scope_whole *whole,
                         const struct stint_gpu_use *use, const struct stint_numbers *numbers);

/* Begins a flat table of these columns. */
void stint_scope_sheet_begin(struct stint_sheet *sheet, const struct stint_scope_whole *whole, stint_row_fn *next,
                             void *context, const struct stint_layout *layout);

/* Writes the calls of CUDA's API below the table of scopes; `order` is that of all statistics, NULL: the snapshot's
 * (model/call_rows.c, which a program may be linked without). `sheet` is room for it: stacks of signal handlers are
 * small. */
void stint_table_calls(struct stint_text *text, const struct stint_snapshot *snapshot,
                       const struct stint_layout *layout, const size_t *order, struct stint_sheet *sheet);

#endif
