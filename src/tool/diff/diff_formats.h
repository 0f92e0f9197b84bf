/* The writers of a comparison, one file per format. */
#ifndef STINT_DIFF_DIFF_FORMATS_H
#define STINT_DIFF_DIFF_FORMATS_H

#include "base/text.h"
#include "diff/check.h"
#include "diff/diff.h"
#include "report/sheet.h"

enum stint_diff_sort { STINT_DIFF_SORT_CHANGE, STINT_DIFF_SORT_NAME, STINT_DIFF_SORT_TOTAL };

struct stint_diff_report {
    const struct stint_diff *diff;
    const char *const *names;         /* of the files, those of A first */
    const struct stint_array *notes;  /* const char * */
    const struct stint_array *checks; /* struct stint_check; NULL: there were no rules */
    unsigned kinds;                   /* 1 << enum stint_diff_kind, of each that is shown */
    enum stint_diff_sort sort;        /* by the size of the change of the total, by name, by total */
    size_t top;                       /* rows of each kind in a table; 0: all */
};

/* For people; Markdown for the web pages where code is reviewed. `columns` is the screen's width, 0: unlimited. */
void stint_diff_write_table(struct stint_text *text, const struct stint_diff_report *report, unsigned columns);
void stint_diff_write_markdown(struct stint_text *text, const struct stint_diff_report *report);

/* For programs: all rows, all metrics. JUnit has the checks alone. */
void stint_diff_write_csv(struct stint_text *text, const struct stint_diff_report *report);
void stint_diff_write_json(struct stint_text *text, const struct stint_diff_report *report);
void stint_diff_write_junit(struct stint_text *text, const struct stint_diff_report *report);

/* Rows in order: positions, in the arena. */
struct stint_diff_rows {
    const size_t *position;
    size_t count;
};

/* Returns the rows whose kinds are among `kinds`, 1 << enum stint_diff_kind each, and are shown: one kind after the
 * other. */
struct stint_diff_rows stint_diff_rows_of(const struct stint_diff_report *report, unsigned kinds,
                                          struct stint_arena *arena);

/* What programs read of a metric of a row: in CSV all of these columns, in JSON an object of those from
 * STINT_DIFF_CHANGE on, which stint_diff_put_change fills. */
enum { STINT_DIFF_CHANGE = 6, STINT_DIFF_COLUMNS = 13 };
extern const struct stint_column stint_diff_columns[STINT_DIFF_COLUMNS];
void stint_diff_put_change(struct stint_sheet *sheet, const struct stint_change *change);

/* Writes what the noise is estimated from. */
void stint_diff_put_noise(struct stint_line *line, const struct stint_diff *diff);

/* "1 of 3 checks failed, 1 is inconclusive, 1 passed" */
void stint_diff_put_outcome(struct stint_line *line, const struct stint_array *checks);

#endif
