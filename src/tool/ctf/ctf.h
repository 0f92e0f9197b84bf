/* Reads a recording, whether it is complete, or was left behind by a program that was killed, or is damaged. */
#ifndef STINT_CTF_CTF_H
#define STINT_CTF_CTF_H

#include "model/event.h"
#include "stint/snapshot.h"

struct stint_ctf;

/* What a user ought to know of a recording. */
struct stint_ctf_state {
    int has_ended;               /* 0: the program was killed, or still runs */
    int is_cut;                  /* 1: its writer could not write all of it, as when the disk is full */
    uint64_t events;             /* that can be read */
    uint64_t overwritten_events; /* that a ring had no room for: the snapshot includes them, if a report was written */
    uint64_t missing_events;     /* because files are damaged or incomplete; part of the snapshot's dropped events */
    uint64_t damaged_bytes;
    uint64_t empty_files; /* as a loss of power may leave them */
};

/* Whether the path is a folder with a recording. */
int stint_ctf_is(const char *path);

/* Opens a recording and reads it once. Returns NULL if it cannot be read: `reason`, of `size` bytes, says why. */
struct stint_ctf *stint_ctf_open(const char *path, char *reason, size_t size);

/* From now on, when the events of a recording are counted because it was not completed, they are read from the source
 * that `watch` returns, which passes them on. */
typedef struct stint_event_source *stint_ctf_watch_fn(struct stint_event_source *events, uint64_t count);
void stint_ctf_watch(stint_ctf_watch_fn *watch);

struct stint_ctf_state stint_ctf_state(const struct stint_ctf *ctf);

/* Returns what was recorded: the report at the end or, if there was no end, what the events say. Valid as long as the
 * recording is open. */
struct stint_snapshot *stint_ctf_snapshot(const struct stint_ctf *ctf);

/* Passes the snapshot on to the caller, who frees it with stint_snapshot_free. */
struct stint_snapshot *stint_ctf_take_snapshot(struct stint_ctf *ctf);

/* Returns all events; valid as long as the recording is open. */
struct stint_event_source *stint_ctf_events(struct stint_ctf *ctf);

/* NULL: does nothing. */
void stint_ctf_close(struct stint_ctf *ctf);

#endif
