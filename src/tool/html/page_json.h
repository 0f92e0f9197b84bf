/* How the JSON of a page is written: texts, lines, columns, and all of it within the page. */
#ifndef STINT_HTML_PAGE_JSON_H
#define STINT_HTML_PAGE_JSON_H

#include <stddef.h>

#include "report/json.h"
#include "report/sheet.h"
#include "stint/report.h"
#include "support/keyed_table.h"

/* ------------------------------------------------------------------------------------------------------------ texts */

/* The texts of a page, each once. */
struct stint_html_strings {
    struct stint_arena *arena;
    struct stint_table all; /* const char * */
    int failed;             /* no memory */
};

/* Returns the text's position. It has to live as long as the strings. */
size_t stint_html_strings_add(struct stint_html_strings *strings, const char *text);

/* Lines of a text as strings of an array. */
struct stint_html_lines {
    struct stint_json *json;
    size_t used;
    char line[2048];
};

/* Writes each line that is complete, its beginning if it is long. `context` is a struct stint_html_lines. For
 * stint_text_begin. */
int stint_html_lines_put(void *context, const char *text, size_t length);

/* ----------------------------------------------------------------------------------------------------------- tables */

/* Rows, whose cells are added one after the other, as a JSON object with an array per column, which takes less room
 * than an object per row. A column of numbers that are all equal is that one number. Texts are positions in the page's
 * strings, and have to live as long as these.
 *
 *     struct stint_html_table table = {.strings = strings, .keys = "name total"};
 *     for (…) {
 *         stint_html_text(&table, …);
 *         stint_html_u64(&table, …);
 *     }
 *     stint_html_table_put(&table, json, "scopes"); */
struct stint_html_table {
    struct stint_html_strings *strings;
    const char *keys; /* of the columns, a blank between two */
    struct stint_array cells;
    struct stint_arena arena;
};

/* Add a cell: the last the whole part of a number, -1 if it is negative or none. */
void stint_html_text(struct stint_html_table *table, const char *text);
void stint_html_i64(struct stint_html_table *table, int64_t value);
void stint_html_u64(struct stint_html_table *table, uint64_t value);
void stint_html_real(struct stint_html_table *table, double value);

/* Writes the number of rows as "rows", and the columns, under their keys; and frees the table. */
void stint_html_columns_put(struct stint_html_table *table, struct stint_json *json);

/* The same as the object "key". */
void stint_html_table_put(struct stint_html_table *table, struct stint_json *json, const char *key);

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

/* ----------------------------------------------------------------------------------------------------------- script */

/* JSON within a <script> element. Characters that HTML could interpret are escaped: no text can end the element. */
struct stint_script {
    stint_write_fn *write;
    void *context;
};

/* A stint_write_fn; `context` is a struct stint_script. */
int stint_script_write(void *context, const char *text, size_t length);

#endif
