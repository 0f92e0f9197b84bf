/* The files of a recording, as they are written, and their folder. */
#ifndef STINT_CTF_CTF_FILE_H
#define STINT_CTF_CTF_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A file that is appended to. It is opened each time, and is then checked to be the same: a program that closes
 * descriptors that are not its own, or has no more of them, does no harm. Zero it, but for the name, to begin. */
struct stint_ctf_file {
    char name[32];
    int is_made;
    dev_t device;
    ino_t inode;
    uint64_t size;
};

/* Appends to the file in the folder, which is made with the first bytes. What was written before a failure is
 * overwritten by the next call. Returns 0, or -1: errno says why. */
int stint_ctf_file_append(struct stint_ctf_file *file, const char *folder, const void *bytes, size_t size);

/* Makes the folder of a recording, or removes an earlier recording from it. A folder with anything else is left alone.
 * Returns 0, or -1: errno says why. */
int stint_ctf_folder_make(const char *path);

/* Removes a recording, and its folder if nothing else is in it. A folder that is no recording is left alone. */
void stint_ctf_remove(const char *path);

#endif
