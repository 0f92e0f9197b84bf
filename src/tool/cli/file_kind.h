/* A file that has a recording: one of stint's reports in JSON, or a database. */
#ifndef STINT_CLI_FILE_KIND_H
#define STINT_CLI_FILE_KIND_H

#include "stat/event.h"
#include "stint/snapshot.h"

struct stint_foreign;
struct stint_store;

struct stint_profile {
    struct stint_snapshot *snapshot;
    struct stint_event_source *events; /* its events, if it has any; reading them needs no memory per event */
    struct stint_snapshot_events own;  /* of a file that has no others than the snapshot's */
    struct stint_store *store;         /* of a database that stint wrote; it has the snapshot */
    struct stint_foreign *foreign;     /* likewise, of one that another tool wrote */
};

/* Opens the file. Returns 0, or -1 if it cannot be read, which it says. */
int stint_profile_open(struct stint_profile *profile, const char *path);

void stint_profile_close(struct stint_profile *profile);

#endif
