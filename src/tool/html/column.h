/* Sheets for the page: a JSON object with an array per column, which takes less room than an object per row. A column
 * of numbers that are all equal is that one number. Texts are positions in the page's strings. */
#ifndef STINT_HTML_COLUMN_H
#define STINT_HTML_COLUMN_H

#include "html/string_table.h"
#include "report/json.h"
#include "report/sheet.h"

/* Writes the number of rows as "rows", and the columns, under their keys. */
void stint_column_put_sheet(struct stint_json *json, struct stint_html_strings *strings, struct stint_sheet *sheet);

/* Writes them as the object "key". */
void stint_column_put_table(struct stint_json *json, struct stint_html_strings *strings, const char *key,
                            struct stint_sheet *sheet);

/* Members of a snapshot's rows, or of objects within them, that are columns: those whose keys are in `keys`, each
 * between blanks, in the order of their table. */
struct stint_column_members {
    enum stint_row_kind kind;
    size_t at; /* of the object in the row */
    const char *keys;
};

/* Rows of a snapshot: `size` bytes from one to the next. */
struct stint_column_rows {
    const void *first;
    size_t size;
    size_t count;
};

/* Writes the members as the object "key"; -1 is a percentile without a histogram. */
void stint_column_put_members(struct stint_json *json, struct stint_html_strings *strings, const char *key,
                              const struct stint_column_rows *rows, const struct stint_column_members *members,
                              size_t member_count);

/* Numbers above INT64_MAX become INT64_MAX, because negative ones have meanings of their own. */
static inline int64_t stint_cell(uint64_t value)
{
    return value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

/* Set a cell. */
static inline void stint_column_i64(struct stint_sheet *sheet, size_t column, int64_t value)
{
    stint_sheet_value(sheet, column, (uint64_t)value);
}

static inline void stint_column_u64(struct stint_sheet *sheet, size_t column, uint64_t value)
{
    stint_column_i64(sheet, column, stint_cell(value));
}

#endif
