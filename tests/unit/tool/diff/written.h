/* A comparison as its writers are given it. */
#ifndef STINT_TESTS_DIFF_WRITTEN_H
#define STINT_TESTS_DIFF_WRITTEN_H

#include "diff/diff.h"
#include "diff/fixture.h"
#include "report/golden.h"

typedef void written_fn(struct stint_text *text, const struct stint_diff_report *report);

/* Tables for screens of so many columns. */
written_fn write_table_80, write_table_200;

extern const char written_rules[];

/* A change of a training program, and one whose names break formats: two recordings each. */
const struct fixture *written_training(void);
const struct fixture *written_nasty(void);

/* Writes the comparison with everything in it. `rules` and `change` may be NULL. */
struct capture write_diff(const struct fixture *pair, const char *rules, written_fn *write,
                          void (*change)(struct stint_diff_report *report));

/* Fails the test unless that is the content of the golden file. */
void assert_written_diff(const struct fixture *pair, const char *rules, written_fn *write, const char *golden);

#endif
