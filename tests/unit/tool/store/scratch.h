/* A folder of a test's own, which is the working folder, and a database in it. */
#ifndef STINT_TESTS_STORE_SCRATCH_H
#define STINT_TESTS_STORE_SCRATCH_H

/* The path of the database, which is not there at first. */
extern char scratch_path[64];

/* For setup and teardown of a group. */
int scratch_make(void **state);
int scratch_remove(void **state);

#endif
