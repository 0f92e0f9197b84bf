/* Events for the writers of export/: of a made-up program that does everything that is awkward in a timeline, whose
 * snapshot is fixture_gpu (report/gpu_fixture.h). */
#ifndef STINT_TESTS_EXPORT_FIXTURE_H
#define STINT_TESTS_EXPORT_FIXTURE_H

#include "export/export.h"
#include "model/event.h"
#include "model/model.h"
#include "report/golden.h"
#include "stint/snapshot.h"

/* Returns the same source, to be begun anew: two processes, one of them with pid 1; threads, known and unknown; ranges
 * that overlap; marks; kernels of one stream that overlap, streams of the same number in two contexts, two devices;
 * what no scope launched; nothing, and a very long time. */
struct stint_event_source *fixture_events(const struct stint_snapshot *snapshot);

/* Likewise, but it fails after some. */
struct stint_event_source *fixture_failing_events(const struct stint_snapshot *snapshot);

/* None. */
struct stint_event_source *fixture_no_events(void);

/* Returns what is written; of the snapshot's own events if `events` is NULL. */
struct capture export_as(enum stint_export_format format, const struct stint_snapshot *snapshot,
                         struct stint_event_source *events);

/* Returns a trace of Perfetto as protoc decodes it, a packet a line: numbers of fields, and values. Fails the test if
 * it is not well-formed; skips it without protoc (Debian: protobuf-compiler). */
struct capture perfetto_packets(const struct capture *trace);

/* The same of what is written of a snapshot and events. */
struct capture packets_of(const struct stint_snapshot *snapshot, struct stint_event_source *events);

/* Fails the test unless that is the content of the golden file. */
void check_export(enum stint_export_format format, const struct stint_snapshot *snapshot,
                  struct stint_event_source *events, const char *file);

#endif
