/* Hand-made snapshots for the report writers. Each function returns the same static storage, filled anew: a snapshot is
 * valid until the next call of any of them. */
#ifndef STINT_TESTS_REPORT_FIXTURE_H
#define STINT_TESTS_REPORT_FIXTURE_H

#include "stint/statset.h"

/* A training program: two sets, live and exited threads, one statistic by thread, one without histogram; from 52 ns
 * to 12 s. */
const struct stint_snapshot *fixture_training(void);

/* Names that break formats: control characters, quotes, commas, percent signs, broken and wide UTF-8, 300 letters. */
const struct stint_snapshot *fixture_nasty(void);

/* Kept below STINT_BUDGET: most activations of the inner scopes were left out. */
const struct stint_snapshot *fixture_budget(void);

/* Taken amid the run: the root is running, one scope is recursive, and something was dropped for every reason. */
const struct stint_snapshot *fixture_running(void);

/* A chain of 70 calling contexts, each with a sibling leaf after it. */
const struct stint_snapshot *fixture_deep(void);

/* A program of JAX: XLA compiles below a range and on threads of its own, and runs what it compiled. */
const struct stint_snapshot *fixture_xla(void);

/* Only the global set, nothing recorded, nothing measured. */
const struct stint_snapshot *fixture_empty(void);

/* The largest numbers there are. */
const struct stint_snapshot *fixture_extreme(void);

#endif
