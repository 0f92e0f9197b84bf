/* Tables. The columns of a table are declared once; from the declaration come the text for people and CSV for programs.
 *
 * The rows come from a function that fills the cells of one row after the other. It is called twice for each row, first
 * to choose units and widths and then to write, so nothing of a row has to be kept, and no memory is needed.
 *
 *     struct stint_sheet sheet = {.columns = …, .count = …, .next = …, .context = …};
 *     stint_sheet_fit(&sheet, layout);
 *     stint_sheet_put(&sheet, text); */
#ifndef STINT_REPORT_SHEET_H
#define STINT_REPORT_SHEET_H

#include "base/text.h"
#include "report/label.h"
#include "stint/report.h"

/* What the values of a column are, and so how they are written. */
enum stint_column_unit {
    STINT_COLUMN_PLAIN, /* whatever the row function writes */
    STINT_COLUMN_NAME,  /* a text of any length, shortened where it does not fit; people see it last, unless `ruled` */
    STINT_COLUMN_COUNT,
    STINT_COLUMN_NS,    /* a time to the nanosecond */
    STINT_COLUMN_SUM,   /* times added up; those of a table have one unit */
    STINT_COLUMN_TIME,  /* single times; likewise */
    STINT_COLUMN_BYTES, /* in decimal units */
    STINT_COLUMN_RATE,  /* bytes per second, in 10^9 */
    STINT_COLUMN_SHARE, /* in percent */
    STINT_COLUMN_UNITS
};

struct stint_column {
    const char *key;   /* the title in CSV; NULL: programs do not get the column */
    const char *title; /* people's title, without the unit; NULL: people do not get the column */
    enum stint_column_unit unit;
    unsigned char hide;  /* a narrow screen loses the columns with 1 first, then those with 2; 0: it keeps the column */
    unsigned char least; /* the width is no less */
    unsigned char left;  /* aligned to the left */
    unsigned char optional; /* left out where all its values are 0 or missing */
    unsigned char value;    /* which value it shows, for row functions that serve several tables */
};

enum { STINT_SHEET_COLUMNS = 26 };

struct stint_cell {
    struct stint_label label; /* a text that is shown instead, unless its name is NULL */
    char text[STINT_NUMBER_SIZE];
};

struct stint_sheet;

/* Fills cells of the row at *next, which is 0 at first, and moves on; a cell that is not filled is "-", in CSV empty.
 * Returns 0 after the last row. */
typedef int stint_row_fn(void *context, size_t *next, struct stint_sheet *sheet);

/* Writes the name of the row that was filled last, in at most `room` columns. */
typedef void stint_name_fn(void *context, struct stint_text *text, size_t room);

struct stint_sheet {
    const struct stint_column *columns;
    size_t count;
    stint_row_fn *next;
    void *context;
    stint_name_fn *put_name; /* writes the name; NULL: it is the cell's label */
    size_t name_floor;       /* a name has this much, even beyond the screen */
    size_t name_least;       /* columns are hidden to leave a longer name this much */
    unsigned hidden;         /* a bit for each column that is left out */
    int ruled; /* as nsys prints tables: titles centred over dashes; names stand anywhere and lose their end */

    /* The engine's own, set by stint_sheet_fit. */
    enum stint_time_unit wanted;
    size_t screen;
    size_t rows;
    size_t indent; /* what put_name writes in front of the row's name takes so much; set by the row function */
    int color;
    int csv;
    int is_measuring;
    struct {
        uint64_t least; /* other than 0, among the rows */
        uint64_t greatest;
        size_t width;
        enum stint_time_unit time_unit;
        unsigned char size_unit;
        unsigned char marked; /* some count of the column is marked */
    } state[STINT_SHEET_COLUMNS];
    struct stint_cell cell[STINT_SHEET_COLUMNS]; /* of the row at hand */
};

/* ------------------------------------------------------------------------------------- what row functions fill with */

/* A count, time or size; a number: a share or rate. */
void stint_sheet_value(struct stint_sheet *sheet, size_t column, uint64_t value);
void stint_sheet_number(struct stint_sheet *sheet, size_t column, double number);

/* Puts a star behind the count, or a blank if others have a star. */
void stint_sheet_mark(struct stint_sheet *sheet, size_t column, int is_marked);

/* Returns the cell's text, STINT_NUMBER_SIZE bytes, to be written by the caller. */
static inline char *stint_sheet_text(struct stint_sheet *sheet, size_t column)
{
    return sheet->cell[column].text;
}

/* A text of any length, which has to live until the next row. */
static inline void stint_sheet_string(struct stint_sheet *sheet, size_t column, const char *string)
{
    sheet->cell[column].label = (struct stint_label){.set = "", .name = string};
}

/* -------------------------------------------------------------------------------------------------------- renderers */

/* Goes over the rows, chooses units and widths, and hides what the screen has no room for. */
void stint_sheet_fit(struct stint_sheet *sheet, const struct stint_layout *layout);

/* Returns whether people see the column; after stint_sheet_fit. */
int stint_sheet_shows(const struct stint_sheet *sheet, size_t column);

/* Returns the columns of the screen that the name may take; after stint_sheet_fit. */
size_t stint_sheet_name_room(const struct stint_sheet *sheet);

/* Write titles and rows, for people or as CSV. The latter needs no stint_sheet_fit. */
void stint_sheet_put(struct stint_sheet *sheet, struct stint_text *text);
void stint_sheet_put_csv(struct stint_sheet *sheet, struct stint_text *text, const struct stint_layout *layout);

/* For renderers elsewhere. The first fills the cells of the next row. The second moves *column on to the next one that
 * is shown, of which *shown were before it, and writes what stands between the two. They return 0 after the last. */
int stint_sheet_next(struct stint_sheet *sheet, size_t *next);
int stint_sheet_next_column(const struct stint_sheet *sheet, struct stint_text *text, size_t *column, size_t *shown);

#endif
