/* What kind of recording a file is. */
#ifndef STINT_CLI_FILE_KIND_H
#define STINT_CLI_FILE_KIND_H

#include "import/import.h"

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

#endif
