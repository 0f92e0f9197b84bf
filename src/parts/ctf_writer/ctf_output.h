/* A stream of a recording, as it is written: packets, in a file that has only whole ones at every moment, so that CTF's
 * readers take it although the program was killed. The last packet claims the rest of the file, into which the next one
 * is written, and then gives that part up. Of a ring there are several files, of which the oldest is removed when
 * another begins. */
#ifndef STINT_CTF_WRITER_CTF_OUTPUT_H
#define STINT_CTF_WRITER_CTF_OUTPUT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "ctf_writer/ctf_limits.h"
#include "ctf_writer/ctf_packet.h"

/* ------------------------------------------------------------------------------------------------------- ctf_file.c */

/* The files of a recording, as they are written, and their folder. */

/* A file that is appended to. It is opened each time, and is then checked to be the same: a program that closes
 * descriptors that are not its own, or has no more of them, does no harm. Zero it, but for the name, to begin. */
struct stint_ctf_file {
    char name[64];
    int is_made;
    dev_t device;
    ino_t inode;
    uint64_t size;
};

/* Opens the file in the folder for writing, and makes it if it is not made yet. Returns a descriptor, or -1: errno says
 * why. Closing keeps errno. */
int stint_ctf_file_open(struct stint_ctf_file *file, const char *folder);
void stint_ctf_file_close(int descriptor);

/* Writes all bytes. Returns 0, or -1: errno says why. */
int stint_ctf_file_write(int descriptor, const void *bytes, size_t size, uint64_t at);

int stint_ctf_file_rename(const char *folder, const char *from, const char *to);

/* Gives another folder the file, which is not written any more: both have it, or the other has a copy. Returns 0, or
 * -1: errno says why. */
int stint_ctf_file_share(const char *folder, const char *name, const char *to);

/* Copies a file of the folder to another folder, where `copy` is its name. */
int stint_ctf_file_copy(const char *folder, const char *name, const char *to, struct stint_ctf_file *copy);

/* Removes the file if there is one, so that it may be made anew. */
void stint_ctf_file_forget(struct stint_ctf_file *file, const char *folder);

/* Appends to the file in the folder, which is made with the first bytes. What was written before a failure is
 * overwritten by the next call. Returns 0, or -1: errno says why. */
int stint_ctf_file_append(struct stint_ctf_file *file, const char *folder, const void *bytes, size_t size);

/* Makes the folder of a recording, or removes an earlier recording from it. A folder with anything else is left alone.
 * Returns 0, or -1: errno says why. */
int stint_ctf_folder_make(const char *path);

/* The same for a recording that this process writes, unless another one writes it, or this one does: then errno is
 * EBUSY. It is reached by a descriptor from now on. */
int stint_ctf_folder_begin(const char *path);
void stint_ctf_folder_end(const char *path);

/* Makes the folder, if it is not made yet, so that it can be begun when its name leads nowhere, or is forbidden to this
 * process, which will be `owner`, and gets the folder. */
void stint_ctf_folder_keep(const char *path, uid_t owner);

/* Removes a recording, and its folder if nothing else is in it. A folder that is no recording is left alone. */
void stint_ctf_remove(const char *path);

/* ----------------------------------------------------------------------------------------------------- ctf_output.c */

/* Of how many files a ring consists. */
enum { STINT_CTF_RING_FILES = 8 };

/* Zero it, but for the name and the thread, to begin. */
struct stint_ctf_output {
    char name[24]; /* of the first file; others have ".1", ".2" and so on behind it */
    int64_t tid;
    uint64_t packets;
    uint64_t events;
    uint64_t time;                           /* of the last event */
    uint64_t part;                           /* number of the file, from 0 on */
    uint64_t oldest;                         /* number of the oldest file that there is */
    uint64_t begun_ns;                       /* when the first event of the file ended */
    uint64_t ended_ns[STINT_CTF_RING_FILES]; /* when the last event of each file ended, in a ring */
    uint64_t last_at;                        /* of the file's last packet */
    uint64_t reserved;                       /* the file's size */
    struct stint_ctf_file file;
};

/* Completes the packet and writes it. `limits`: how much of the stream is kept. Returns 0, or -1: errno says why. */
int stint_ctf_output_put(struct stint_ctf_output *output, const char *folder, const unsigned char uuid[16],
                         const struct stint_ctf_limits *limits, struct stint_ctf_packet *packet);

/* Cuts off what is reserved. */
void stint_ctf_output_end(struct stint_ctf_output *output, const char *folder);

/* Whether there is a file that has events from `since_ns` on. */
int stint_ctf_output_has(const struct stint_ctf_output *output, uint64_t since_ns);

/* Gives the folder `to` the files that have events from `since_ns` on; what comes later goes into another file. Returns
 * 0, or -1: errno says why. */
int stint_ctf_output_share(struct stint_ctf_output *output, const char *folder, const char *to, uint64_t since_ns);

/* Removes all files but the one that has not begun. */
void stint_ctf_output_drop(struct stint_ctf_output *output, const char *folder);

/* The streams of a recording's threads, as they are written: one for each, until a thread that begins takes over that
 * of one that has ended, so that there are not many more files than threads at a time. Zero it to begin. */

struct stint_ctf_threads {
    struct stint_array outputs; /* struct stint_ctf_output */
    size_t current;             /* that of the thread that was asked for last */
    size_t candidate;           /* the next to be looked at for one whose thread has ended */
};

/* Returns the stream of the thread that was asked for last; NULL: none was. */
struct stint_ctf_output *stint_ctf_threads_current(const struct stint_ctf_threads *threads);

/* Makes the stream of a thread the current one. Returns 0, or -1 if there is no memory for a new one. */
int stint_ctf_threads_change(struct stint_ctf_threads *threads, struct stint_arena *arena, int64_t tid);

/* Cuts off what is reserved of each. */
void stint_ctf_threads_end(const struct stint_ctf_threads *threads, const char *folder);

#endif
