/* Recordings that commands open, of whatever kind, and databases that they make of them. */
#ifndef STINT_CLI_PROFILE_H
#define STINT_CLI_PROFILE_H

#include "cli/command.h"
#include "import/import.h"
#include "model/event.h"
#include "stint/snapshot.h"

/* ------------------------------------------------------------------------------------------------------ file_kind.c */

/* What kind of recording a file is. */

#define STINT_STDIN_NAME "standard input"

enum stint_file_kind {
    STINT_FILE_RECORDING, /* a folder with events */
    STINT_FILE_FOLDER,    /* which may have recordings */
    STINT_FILE_ARCHIVE,   /* of tar: it has to be unpacked */
    STINT_FILE_STORE,     /* a database that stint wrote */
    STINT_FILE_FOREIGN,   /* one that another tool wrote */
    STINT_FILE_KINETO,    /* a trace of torch.profiler */
    STINT_FILE_REPORT     /* any other file: one of stint's reports in JSON, if it is a recording at all */
};

enum stint_file_kind stint_file_kind(const char *path);

/* Say why what was found there is no recording, and what to do. `name` is what it is called in messages. Return -1. */
int stint_file_say_archive(const char *name);
int stint_file_say_wrong(const char *path, const char *name, const struct stint_import_error *error);

/* -------------------------------------------------------------------------------------------------------- profile.c */

/* A file that has a recording: one of stint's reports in JSON, a database, or a folder with events, or of such
 * folders. */

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

/* The same with a recording that is open already, and that is called so in messages as long as it is read. */
void stint_profile_take(struct stint_profile *profile, struct stint_ctf *recording, const char *path);

/* Opens recordings, of which there is at least one, as one: the sum of their snapshots, and the events of all. */
int stint_profile_open_places(struct stint_profile *profile, const struct stint_place *places, size_t count);

/* Returns what was said of recordings that were opened, as that a program was killed, in lines. Each was written to
 * standard error, too. */
const char *stint_profile_remarks(void);

void stint_profile_close(struct stint_profile *profile);

/* ------------------------------------------------------------------------------------------------------- database.c */

/* Databases that commands write. Programs that record themselves do not know the names of functions that were
 * sampled. */

/* As stint_store_write (store/store.h). Unless `quiet`, says what could not be looked up. */
int stint_named_store_write(const char *path, const struct stint_snapshot *snapshot, struct stint_event_source *events,
                            int quiet, char *reason, size_t size);

/* ----------------------------------------------------------------------------------------------- beside a recording */

/* If the profile is a recording in a folder, opens the database beside it instead, which is made if it is not there, or
 * if the recording has grown since. Writes its path; "" if there is none, because the folder around cannot be written,
 * or because another file has its name. Returns 0, or -1 after saying why there is no profile any more. */
int stint_converted_open(struct stint_profile *profile, const char *path, int quiet, char *out, size_t size);

/* If the profile is a database that was made of the recording beside it, and not changed since, opens the recording
 * instead: all of its events are read five times as fast. Samples stay with the database, in which their functions have
 * names. Unless `quiet`, says so. */
void stint_original_open(struct stint_profile *profile, const char *path, int quiet);

#endif
