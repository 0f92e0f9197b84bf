/* Rows of ready-made cells in aligned columns, left of a name.
 *
 *     begin, a title for every column, measure every row; then the header, and for each row stint_grid_row followed by the
 *     name. */
#ifndef STINT_REPORT_GRID_H
#define STINT_REPORT_GRID_H

#include "base/text.h"

enum { STINT_GRID_COLUMNS = 20 };

struct stint_grid {
    size_t count;
    struct {
        const char *title;
        char unit[8]; /* follows the title in parentheses; "": none */
        size_t width;
    } column[STINT_GRID_COLUMNS];
};

/* One row; cells are terminated. */
struct stint_cells {
    size_t count;
    char cell[STINT_GRID_COLUMNS][STINT_NUMBER_SIZE];
};

/* Adds a column of at least `least` columns. `title` and `unit` are copied by reference and by value. */
void stint_grid_column(struct stint_grid *grid, const char *title, const char *unit, size_t least);

/* Adds a cell: a text, which is cut if it is too long, or a number. */
void stint_cells_string(struct stint_cells *cells, const char *string);
void stint_cells_u64(struct stint_cells *cells, uint64_t value);

/* Returns the next cell, STINT_NUMBER_SIZE bytes, for the caller to fill. */
char *stint_cells_next(struct stint_cells *cells);

void stint_grid_measure(struct stint_grid *grid, const struct stint_cells *cells);

/* Returns the columns in front of the name. */
size_t stint_grid_width(const struct stint_grid *grid);

/* Write up to where the name begins; the header with the name's title and the end of the line. */
void stint_grid_header(const struct stint_grid *grid, struct stint_text *text, const char *name);
void stint_grid_row(const struct stint_grid *grid, struct stint_text *text, const struct stint_cells *cells);

#endif
