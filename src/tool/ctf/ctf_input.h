/* The files of the folder that a recording is. */
#ifndef STINT_CTF_CTF_INPUT_H
#define STINT_CTF_CTF_INPUT_H

#include <stdint.h>

#include "base/array.h"

struct stint_ctf_input {
    const char *name; /* in the folder: "metadata", "thread-1" */
    const char *path;
};

/* Fills `inputs`, an array of struct stint_ctf_input in the arena, with the files of the folder. Returns 0, or -1:
 * errno says why. */
int stint_ctf_inputs_find(struct stint_array *inputs, struct stint_arena *arena, const char *folder);

/* Sorts them by name, so that the same recording is read in the same order everywhere. */
void stint_ctf_inputs_sort(struct stint_array *inputs);

/* Opens it. Returns a descriptor and how many bytes it has, 0 if it is no regular file; or -1: errno says why. */
int stint_ctf_input_open(const struct stint_ctf_input *input, uint64_t *size);

/* Reads `size` bytes at `at` from the file that was opened. Returns 0, or -1 if they are not all there. */
int stint_ctf_input_read(int file, uint64_t at, unsigned char *bytes, size_t size);

#endif
