/* Tables as JSON: an object of columns, each an array. A column whose cells are all equal is that one number.
 *
 * Unlike those of report/sheet.h these tables are written column by column, from hundreds of thousands of rows, and the
 * page lays them out. Therefore every cell has its own function, and neither units nor widths are chosen here. */
#ifndef STINT_HTML_COLUMN_H
#define STINT_HTML_COLUMN_H

#include "html/string_table.h"
#include "report/json.h"

/* Returns a cell. Numbers above INT64_MAX become INT64_MAX. */
typedef int64_t stint_cell_fn(const void *rows, size_t row);
typedef const char *stint_text_cell_fn(const void *rows, size_t row);

struct stint_column_of {
    const char *key;
    stint_cell_fn *cell;
    stint_text_cell_fn *text; /* instead: cells are positions in the page's strings */
};

void stint_column_put(struct stint_json *json, const char *key, const void *rows, size_t count, stint_cell_fn *cell);

/* Begins the object "key", with the number of its rows as "rows". */
void stint_column_begin_table(struct stint_json *json, const char *key, size_t count);

/* Writes the object "key", with the number of its rows as "rows". */
void stint_column_put_table(struct stint_json *json, struct stint_html_strings *strings, const char *key,
                            const void *rows, size_t count, const struct stint_column_of *columns, size_t column_count);

/* Rows of a snapshot, or objects within them: `size` bytes from one to the next. */
struct stint_column_rows {
    enum stint_row_kind kind;
    const void *first;
    size_t size;
    size_t count;
};

/* Writes the columns whose keys are in `keys`, each between blanks, in the order of their table; -1 is a percentile
 * without a histogram. */
void stint_column_put_members(struct stint_json *json, struct stint_html_strings *strings,
                              const struct stint_column_rows *rows, const char *keys);

static inline int64_t stint_cell(uint64_t value)
{
    return value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

#endif
