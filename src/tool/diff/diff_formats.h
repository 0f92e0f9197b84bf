/* The writers of a comparison, one file per format. */
#ifndef STINT_DIFF_DIFF_FORMATS_H
#define STINT_DIFF_DIFF_FORMATS_H

#include "base/text.h"
#include "diff/check.h"
#include "diff/diff.h"

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

/* Rows of one kind, in order: positions, in the arena. */
struct stint_diff_rows {
    const size_t *position;
    size_t count;
};

struct stint_diff_rows stint_diff_rows_of(const struct stint_diff_report *report, enum stint_diff_kind kind,
                                          struct stint_arena *arena);

/* "same", "noise", "changed"; "" for STINT_VERDICT_NONE. */
const char *stint_verdict_name(enum stint_verdict verdict);

/* Returns the value rounded to four decimals: more are not significant, and may differ between machines. */
double stint_diff_rounded(double value);

/* Writes what the noise is estimated from. */
void stint_diff_put_noise(struct stint_line *line, const struct stint_diff *diff);

/* "1 of 3 checks failed, 1 is within noise, 1 passed" */
void stint_diff_put_outcome(struct stint_line *line, const struct stint_array *checks);

#endif
