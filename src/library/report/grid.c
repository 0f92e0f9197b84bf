#include "report/grid.h"

#include <string.h>

enum { GAP = 2 };

void stint_grid_column(struct stint_grid *grid, const char *title, const char *unit, size_t least)
{
    size_t i = grid->count++;
    size_t length = strlen(unit);
    size_t width = strlen(title) + (length ? length + 2 : 0);
    grid->column[i].title = title;
    memcpy(grid->column[i].unit, unit, length + 1);
    grid->column[i].width = width > least ? width : least;
}

char *stint_cells_next(struct stint_cells *cells)
{
    return cells->cell[cells->count++];
}

void stint_cells_string(struct stint_cells *cells, const char *string)
{
    char *cell = stint_cells_next(cells);
    size_t length = strlen(string);
    length = length < STINT_NUMBER_SIZE ? length : STINT_NUMBER_SIZE - 1;
    memcpy(cell, string, length);
    cell[length] = '\0';
}

void stint_cells_u64(struct stint_cells *cells, uint64_t value)
{
    stint_number_u64(stint_cells_next(cells), value);
}

void stint_grid_measure(struct stint_grid *grid, const struct stint_cells *cells)
{
    for (size_t i = 0; i < cells->count; i++) {
        size_t length = strlen(cells->cell[i]);
        if (length > grid->column[i].width)
            grid->column[i].width = length;
    }
}

size_t stint_grid_width(const struct stint_grid *grid)
{
    size_t width = 0;
    for (size_t i = 0; i < grid->count; i++)
        width += grid->column[i].width + GAP;
    return width;
}

static void put_right(struct stint_text *text, const char *string, size_t width)
{
    size_t length = strlen(string);
    stint_text_fill(text, ' ', width > length ? width - length : 0);
    stint_text_put(text, string, length);
}

void stint_grid_header(const struct stint_grid *grid, struct stint_text *text, const char *name)
{
    for (size_t i = 0; i < grid->count; i++) {
        const char *unit = grid->column[i].unit;
        size_t taken = *unit ? strlen(unit) + 2 : 0;
        put_right(text, grid->column[i].title, grid->column[i].width - taken);
        stint_text_string(text, *unit ? "(" : "");
        stint_text_string(text, unit);
        stint_text_string(text, *unit ? ")" : "");
        stint_text_fill(text, ' ', GAP);
    }
    stint_text_string(text, name);
}

void stint_grid_row(const struct stint_grid *grid, struct stint_text *text, const struct stint_cells *cells)
{
    for (size_t i = 0; i < grid->count; i++) {
        put_right(text, cells->cell[i], grid->column[i].width);
        stint_text_fill(text, ' ', GAP);
    }
}
