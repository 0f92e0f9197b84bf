/* A file that appears complete or not at all: it is written under another name in the same directory and then renamed.
 * Nothing here allocates memory, so a signal handler may write one. */
#ifndef STINT_BASE_WHOLE_FILE_H
#define STINT_BASE_WHOLE_FILE_H

#include <limits.h>
#include <stddef.h>
#include <sys/stat.h>

#include "stint/status.h"

enum { STINT_WHOLE_FILE_MARK_SIZE = 16 };

enum stint_whole_file_way {
    STINT_FILE_AT_ONCE, /* a pipe that nobody reads is an error */
    STINT_FILE_WAITS,   /* for a reader of a pipe */
    STINT_FILE_NAMED    /* as the first; the file is opened again by its path and mark */
};

struct stint_whole_file {
    int fd;                                /* where to write */
    int error;                             /* errno of the first write that failed; 0 if none has */
    char path[PATH_MAX];                   /* the final path, links resolved */
    char mark[STINT_WHOLE_FILE_MARK_SIZE]; /* suffix of the name until it is complete; "": written in place */
    int is_nameless;                       /* it gets that name only then */
    int is_durable; /* may be set before it is finished: it then is on the disk before it replaces another, and replaces
                       it there, too, so that one of the two is whole even after a power failure */
    int is_shared;  /* may be set likewise: a new file may be read by all */
};

/* Whether the path names something that is written in place: a terminal, pipe or device, which a rename would replace
 * with a file. The same holds for paths in /dev or /proc, such as /dev/stdout, even if they lead to a file, since
 * others write to that file, too. */
int stint_whole_file_is_special(const char *path);

/* Whether another user has put what is at the path into a folder like /tmp, where all may: it is not to be followed.
 * The kernel has the same rule, where it is switched on, but not for those who read a link. */
int stint_whole_file_is_planted(const char *path);

/* Begins a file, which only its owner may read and write, unless it replaces one with other permissions. A symbolic
 * link is followed, so that the file is replaced and not the link, unless it is planted. Where the file system knows
 * files without names, nothing is left behind if the process is killed. Returns 0, or an errno value. */
int stint_whole_file_open(struct stint_whole_file *file, const char *path, enum stint_whole_file_way way);

/* A stint_write_fn; `context` is a struct stint_whole_file. */
int stint_whole_file_write(void *context, const char *bytes, size_t length);

/* Finishes a file. If `failed` is set (errno then says why, unless a write failed) or the file cannot be renamed, the
 * file is removed, and an earlier file at the path stays. Returns 0, or an errno value. */
int stint_whole_file_close(struct stint_whole_file *file, int failed);

/* Gives a descriptor that stays open a high number, as a program does not expect its own to have. Returns that; the
 * same if it cannot be had. */
int stint_fd_raise(int fd);

/* Such a descriptor, and of which file it was: the program may close it, and use its number again. */
struct stint_kept_fd {
    int fd; /* -1: there is none */
    dev_t device;
    ino_t inode;
};

struct stint_kept_fd stint_fd_keep(int fd);

/* Returns whether it still is that, and fills `status`. */
int stint_fd_is_kept(const struct stint_kept_fd *kept, struct stat *status);

/* ------------------------------------------------------------------------------------------------------ file_name.c */

/* File names with patterns: %p process id, %i process id and time of start, which no other process has, %h host, %r
 * rank, %q{NAME} environment variable, %% a percent sign. */

/* Expands every pattern except %%, and %p and %i, whose values a fork changes. `out` is to be passed to
 * stint_path_finish.
 *
 * Returns STINT_ERROR_INVALID_ARGUMENT for an unknown pattern or a result longer than `size` - 1. */
enum stint_status stint_path_prepare(char *out, size_t size, const char *pattern);

/* Does the same and makes the path absolute, relative to the current directory, since the program may be in another one
 * when it ends. */
enum stint_status stint_path_prepare_here(char *out, size_t size, const char *pattern);

/* Returns 'p' or 'i', the first of the two patterns %p and %i; 0 if it has none. */
int stint_path_has_pid(const char *prepared);

/* Inserts ".mark" before the file name extension, or appends it to a name without extension: with the mark "4711",
 * "train.sqlite" becomes "train.4711.sqlite". Returns 0, or -1 if there is no room for that in `size` bytes. */
int stint_path_put_mark(char *path, size_t size, const char *mark);

/* Expands %p, %i and %%. Async-signal-safe. Returns the same statuses as stint_path_prepare. */
enum stint_status stint_path_finish(char *out, size_t size, const char *prepared);

#endif
