/* Files and folders that commands make and find, but for recordings. */
#ifndef STINT_CLI_FILES_H
#define STINT_CLI_FILES_H

#include <limits.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/whole_file.h"
#include "export/export.h"

/* ---------------------------------------------------------------------------------------------------------- files.c */

/* Files that are no recordings: where some are kept that nobody is to see, `-` in place of a recording's name, and what
 * a command writes, with messages about errors. */

/* TMPDIR; or else /tmp, /var/tmp, /dev/shm or the working directory, the first that files can be made in. */
const char *stint_temporary_folder(void);

/* Creates a file in it and writes its path. Returns a descriptor, or -1: see errno. */
int stint_temporary_file(char *path, size_t size);

/* ------------------------------------------------------------------------------------------------------------ input */

/* Returns a path of the file of that name, "-" being standard input, which can be opened any number of times. What
 * comes through a pipe is kept in a file without a name, in TMPDIR or /tmp, until the program ends. Returns NULL after
 * saying why it cannot be read. The name has to stay. */
const char *stint_input_path(const char *name);

/* Whether such a path is that of what came through a pipe: then it has no name. */
int stint_input_is_kept(const char *path);

/* Whether the name is that of a file, if it is there, rather than of standard input or a pipe. */
int stint_input_is_file(const char *name);

/* ----------------------------------------------------------------------------------------------------------- output */

struct stint_outfile {
    struct stint_whole_file file; /* where to write */
    const char *path;             /* NULL: stdout */
};

/* Opens it; `path` NULL is stdout. Returns 0, or -1 after saying why not. */
int stint_outfile_open(struct stint_outfile *out, const char *path);

/* Closes it. With `failed` its contents could not be written. Returns 0, or -1 after saying so; an existing file is
 * then unchanged. */
int stint_outfile_close(struct stint_outfile *out, int failed);

/* --------------------------------------------------------------------------------------------------------- folder.c */

/* The private folder in which the processes of a run leave their reports. */

struct stint_folder {
    char path[PATH_MAX];
    int is_over; /* no process of the run is left: who has not said that it ends never will */
};

/* Whose socket or report is in the folder. A process id may be that of others as well: of earlier processes, or of
 * those in namespaces of their own. */
struct stint_silent {
    long pid;
    unsigned long long start_unix_ns; /* 0: unknown */
};

/* Makes a folder that only the user can enter, in TMPDIR or /tmp. Returns 0, or -1 (errno says why). */
int stint_folder_make(struct stint_folder *folder);

/* Fills `paths`, an array of const char * in the arena, with the reports in it. Returns 0, or -1 without memory or if
 * it cannot be read. */
int stint_folder_list(const struct stint_folder *folder, struct stint_array *paths, struct stint_arena *arena);

/* Whether there will be reports, or may be: there is one, or a process that still runs was started with the folder. */
int stint_folder_is_awaited(const struct stint_folder *folder);

/* Reads a name such as "4711.1764200000123456789.sock", with that ending. Returns whether it is one. A process listens
 * as soon as it has recorded something. */
int stint_folder_whose(struct stint_silent *whose, const char *name, const char *ending);

/* Fills `silent`, an array of struct stint_silent in the arena, with the processes that recorded something and are
 * gone, but have not said that they have reported. */
void stint_folder_silent(const struct stint_folder *folder, struct stint_array *silent, struct stint_arena *arena);

/* Removes what is in it but reports, and the folder itself if there are none. */
void stint_folder_leave(const struct stint_folder *folder);

/* Removes it with the files and recordings in it. */
void stint_folder_remove(const struct stint_folder *folder);

/* Removes the folder of reports, and that of databases, which may be NULL, when the last process of the run has ended,
 * unless there are reports or databases in them then. A process in the background waits for that. */
void stint_orphans_leave(const struct stint_folder *reports, const struct stint_folder *stores);

/* ---------------------------------------------------------------------------------------------------- gzip_file.c */

/* As stint_export_file, compressed. */
int stint_gzip_file(const struct stint_export_input *input, enum stint_export_format format, const char *path,
                    char *reason, size_t size);

#endif
