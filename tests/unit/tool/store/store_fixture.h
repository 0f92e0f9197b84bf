/* Stores that tests write and look into. */
#ifndef STINT_TESTS_STORE_STORE_FIXTURE_H
#define STINT_TESTS_STORE_STORE_FIXTURE_H

#include "report/golden.h"
#include "store/store.h"

/* Opens a store. */
struct stint_store *fixture_open_store(const char *path);

/* Returns the events of scratch_path, from the first on, until it is written, or statements run on it. */
struct stint_event_source *fixture_read_events(void);

/* Returns the snapshot as JSON. */
struct capture fixture_report(const struct stint_snapshot *snapshot);

/* Runs statements on scratch_path, as anybody could; rows go to `out`, which may be NULL. */
void fixture_run(const char *statements, struct capture *out);
void fixture_assert_rows(const char *query, const char *expected);

/* Begins to write scratch_path; tell it something; and complete it. */
struct stint_store_writer *fixture_open_writer(void);
void fixture_tell_context(struct stint_store_writer *writer, uint32_t path, uint32_t parent, const char *set,
                          const char *name);
void fixture_tell_scope(struct stint_store_writer *writer, size_t path, uint64_t start_ns, uint64_t end_ns);
void fixture_tell_range(struct stint_store_writer *writer, enum stint_event_kind kind, uint64_t start_ns,
                        const char *set, const char *name);
void fixture_finish(struct stint_store_writer *writer);

#endif
