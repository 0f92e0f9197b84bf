/* The recorder on a clock of the test's own: it stands still until it is told to advance, one tick is one ns, and it
 * cannot be read inline, so that every scope takes the slow path. Also what src/core/runtime does for the macros.
 *
 * Statistics outlive a test, as they outlive everything: each test uses names of its own. */
#ifndef STINT_TESTS_RECORD_FIXTURE_H
#define STINT_TESTS_RECORD_FIXTURE_H

#include <stdint.h>

#include "record/registry.h"
#include "record/scope.h"
#include "stint/statset.h"

/* Group setup: starts the recorder with room for FIXTURE_NAMES names. */
int fixture_start(void **state);

/* Test setup: all numbers and dropped counts zero, no running scope on this thread, everything switched on. */
int fixture_reset(void **state);

enum { FIXTURE_NAMES = 20000 };

/* ------------------------------------------------------------------------------------------------------------ clock */

void clock_advance(uint64_t ns);
void clock_go_back(uint64_t ns);
uint64_t clock_now(void);

/* From now on every read of the clock advances it by `ns` first. */
void clock_set_step(uint64_t ns);

/* What one tick is said to be; 1 at the beginning of a test. */
void clock_set_ns_per_tick(double ns);

/* ----------------------------------------------------------------------------------------------------------- scopes */

/* Enters a scope of the global set, by name. Leave it with stint_i_leave. */
struct stint_i_node *enter(const char *name);

/* A scope of `ns` with nothing in it. */
void run(const char *name, uint64_t ns);

/* What the functions of statset.h do. */
enum stint_status delete_statistic(struct stint_statset *set, const char *name);
void reset_set(const struct stint_statset *set, enum stint_reset how);

/* Runs `function` in a thread of its own, until its end. */
void in_thread(void *(*function)(void *argument), void *argument);

/* -------------------------------------------------------------------------------------------------------- snapshots */

/* Takes a snapshot; it must succeed. */
struct stint_snapshot *take(void);

/* Returns the numbers of the global set's statistic; NULL if the snapshot has none. */
const struct stint_numbers *numbers_of(const struct stint_snapshot *snapshot, const char *name);

/* Takes a snapshot, and returns a copy of the statistic's numbers, without bins; zero if there is none. */
struct stint_numbers now_of(const char *name);

/* As now_of, of the calling context "outer/inner/innermost". */
struct stint_numbers now_at(const char *path);

/* Takes a snapshot, and returns the statistic's percentile. */
uint64_t percentile_of(const char *name, double p);

/* Fails unless the counts of what was dropped are these. */
void check_dropped(struct stint_dropped expected);

#endif
