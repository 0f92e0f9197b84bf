/* A titled table of a report for people: from values to cells, with one unit per column and names last.
 *
 * The rows come from a function that is called over and over, so that nothing has to be kept. */
#ifndef STINT_REPORT_SECTION_H
#define STINT_REPORT_SECTION_H

#include "report/line.h"

enum stint_field_kind {
    STINT_FIELD_COUNT,
    STINT_FIELD_NS,    /* a time to the nanosecond */
    STINT_FIELD_SUM,   /* times added up; those of a section have one unit */
    STINT_FIELD_TIME,  /* single times; likewise */
    STINT_FIELD_BYTES, /* decimal units */
    STINT_FIELD_RATE,  /* per second, in 10^9 */
    STINT_FIELD_SHARE  /* in percent */
};

struct stint_section_column {
    const char *title;
    enum stint_field_kind kind;
    int keep; /* on narrow screens, too; others go from right to left */
};

enum { STINT_SECTION_COLUMNS = 6 };

struct stint_section_row {
    struct {
        int has;
        uint64_t value; /* of rates and shares the next one */
        double number;
    } field[STINT_SECTION_COLUMNS];
    struct stint_line name;
};

/* Fills the zeroed row at *next, 0 at first, and moves on. Returns 0 after the last. */
typedef int stint_section_next_fn(void *context, size_t *next, struct stint_section_row *row);

/* Sets a field of a row. */
void stint_section_value(struct stint_section_row *row, size_t field, uint64_t value);
void stint_section_number(struct stint_section_row *row, size_t field, double number);

struct stint_section {
    const char *title;
    size_t count;
    struct stint_section_column column[STINT_SECTION_COLUMNS];
    const char *name; /* the title of the names */
};

/* Writes a blank line and the section, if there are rows. */
void stint_section_put(const struct stint_section *section, struct stint_text *text, const struct stint_layout *layout,
                       stint_section_next_fn *next, void *context);

#endif
