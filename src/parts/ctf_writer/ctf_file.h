/* The files of a recording, as they are written, and their folder. */
#ifndef STINT_CTF_WRITER_CTF_FILE_H
#define STINT_CTF_WRITER_CTF_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

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

/* Removes a recording, and its folder if nothing else is in it. A folder that is no recording is left alone. */
void stint_ctf_remove(const char *path);

#endif
