/* Databases for tests, made of the SQL files in tests/unit/tool/store/foreign, and what the tests look at in them. */
#ifndef STINT_TESTS_STORE_FOREIGN_FIXTURE_H
#define STINT_TESTS_STORE_FOREIGN_FIXTURE_H

#include "stint/snapshot.h"
#include "store/store.h"

/* Makes one of the file, NULL: an empty one, and of further statements. Returns its path, until the next is made; it is
 * removed at exit. */
const char *foreign_fixture(const char *file, const char *statements);

/* Makes one and opens it, until the test ends. Returns its snapshot. */
extern struct stint_foreign *foreign_opened;
const struct stint_snapshot *foreign_open(const char *file, const char *statements);
int foreign_close(void **state);

/* Checks that the file is refused for a reason that contains this. */
void foreign_assert_refused(const char *path, const char *reason);

/* Compares the reports of the file with what stands in the golden file. */
void foreign_assert_reports(const char *file, int are_csv, const char *golden);

/* Return a context as "train/step/forward"; the statistic of that name; the only activity of that name; and the charge
 * of an activity, which begins so, to a context. */
const char *foreign_path(const struct stint_snapshot *snapshot, size_t context);
const struct stint_stat *foreign_stat(const struct stint_snapshot *snapshot, const char *set, const char *name);
const struct stint_gpu_activity *foreign_activity(const struct stint_snapshot *snapshot, const char *name);
const struct stint_gpu_charge *foreign_charge(const struct stint_snapshot *snapshot, const char *activity,
                                              const char *path);

#endif
