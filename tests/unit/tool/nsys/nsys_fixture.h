/* Reports of nsys, written and looked into; and a database for their functions. */
#ifndef STINT_TESTS_NSYS_FIXTURE_H
#define STINT_TESTS_NSYS_FIXTURE_H

#include "nsys/nsys.h"
#include "report/golden.h"

/* Return a report, and all reports, one after the other. */
struct capture nsys_write(const struct stint_snapshot *snapshot, const char *name, int csv, unsigned columns);
struct capture nsys_write_all(const struct stint_snapshot *snapshot, int csv, unsigned columns);

/* Fails the test unless all reports are the content of the golden file. */
void nsys_check(const struct stint_snapshot *snapshot, int csv, unsigned columns, const char *file);

/* Fail the test unless the report as CSV has the text, with other names of kernels, and unless it lacks it. */
void nsys_expect(const struct stint_snapshot *snapshot, const char *name, const char *row);
void nsys_expect_of(const struct stint_snapshot *snapshot, enum stint_report report, enum stint_kernel_names kernels,
                    const char *row);
void nsys_refuse(const struct stint_snapshot *snapshot, const char *name, const char *text);

struct stint_numbers nsys_once(uint64_t ns);
struct stint_snapshot nsys_of_stats(const struct stint_stat *stats, size_t count);

/* A database in memory with the functions and a table t(x); a setup and a teardown. */
extern struct stint_nsys nsys_memory;
int nsys_open_memory(void **state);
int nsys_close_memory(void **state);

/* Fails the test unless the query gives these rows, a blank between two. */
void nsys_expect_rows(const char *query, const char *rows);

#endif
