/* A file that has a recording: one of stint's reports in JSON, a database, or a folder with events, or of such
 * folders. */
#ifndef STINT_CLI_PROFILE_H
#define STINT_CLI_PROFILE_H

#include "cli/progress.h"
#include "stint/snapshot.h"

struct stint_ctf;
struct stint_foreign;
struct stint_several;
struct stint_store;

struct stint_profile {
    struct stint_snapshot *snapshot;
    struct stint_event_source *events; /* its events; NULL: none. Reading them needs no memory per event */
    struct stint_progress progress;    /* passes the events on, if somebody waits for them at a terminal */
    struct stint_snapshot_events own;  /* of a file whose only events are the snapshot's */
    struct stint_ctf *recording;       /* of a folder; it has the snapshot */
    struct stint_several *several;     /* of a folder of recordings; it has the snapshot */
    struct stint_store *store;         /* of a database that stint wrote; it has the snapshot */
    struct stint_foreign *foreign;     /* of a database that another tool wrote; has the snapshot */
};

/* One of several recordings. */
struct stint_place {
    const char *path;
    int is_known; /* what is missing in it, a folder with events, has been said */
};

/* Opens the file; `-` is standard input. Returns 0, or -1 after saying why it cannot be read. */
int stint_profile_open(struct stint_profile *profile, const char *path);

/* Opens recordings, of which there is at least one, as one: the sum of their snapshots, and the events of all. */
int stint_profile_open_places(struct stint_profile *profile, const struct stint_place *places, size_t count);

/* Returns what was said of recordings that were opened, as that a program was killed, in lines. Each was written to
 * standard error, too. */
const char *stint_profile_remarks(void);

void stint_profile_close(struct stint_profile *profile);

#endif
