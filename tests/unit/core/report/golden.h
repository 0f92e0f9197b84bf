/* Comparing what a writer wrote with a file in tests/golden.
 *
 *     assert_golden(capture_report(snapshot, STINT_FORMAT_TABLE, NULL), "report_table_training.txt");
 *
 * A difference is printed line by line. STINT_RECORD_GOLDEN=1 in the environment writes the files anew instead. */
#ifndef STINT_TESTS_GOLDEN_H
#define STINT_TESTS_GOLDEN_H

#include <stddef.h>

#include "stint/report.h"

/* Text written so far, NUL-terminated once there is any. It lives until the program ends. */
struct capture {
    char *text;
    size_t length;
    size_t number; /* among all texts */
};

/* A stint_write_fn; `context` is a struct capture *. */
int capture_write(void *context, const char *bytes, size_t length);

/* Returns the columns of the widest line on a terminal. */
size_t capture_width(const struct capture *capture);

/* Fails the test unless both texts are the same but for the escape sequences of the second. */
void assert_only_colors(const struct capture *plain, const struct capture *color);

/* Fails the test unless the captured text is the content of the golden file. */
void assert_golden(struct capture capture, const char *file);

/* Returns the snapshot's report; the layout may be NULL. */
struct capture capture_report(const struct stint_snapshot *snapshot, enum stint_format format,
                              const struct stint_layout *layout);

/* Fails the test unless the report, on a screen of so many columns, 0: of any, is the content of the golden file. */
void assert_report(const struct stint_snapshot *snapshot, enum stint_format format, unsigned columns, const char *file);

/* Returns how often the word is in the text. */
size_t count_words(const char *text, const char *word);

/* Returns the table of a snapshot. */
struct capture write_table(const struct stint_snapshot *snapshot, unsigned columns, int color);

#endif
