/* Databases for tests, made of the SQL files in tests/unit/tool/store/foreign. */
#ifndef STINT_TESTS_STORE_FOREIGN_FIXTURE_H
#define STINT_TESTS_STORE_FOREIGN_FIXTURE_H

/* Makes one of the file, NULL: an empty one, and of further statements. Returns its path, until the next is made; it is
 * removed at exit. */
const char *foreign_fixture(const char *file, const char *statements);

#endif
