/* Finds the packets of a recording, whatever has become of its files: each packet is checked as a whole, and where one
 * is damaged, the search goes on behind it. */
#ifndef STINT_CTF_CTF_SCAN_H
#define STINT_CTF_CTF_SCAN_H

#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "ctf_writer/ctf_packet.h"

/* A file of the folder that a recording is. */
struct stint_ctf_input {
    const char *name; /* in the folder: "metadata", "thread-1" */
    const char *path;
};

/* Fills `inputs`, an array of struct stint_ctf_input in the arena, with the files of the folder. Returns 0, or -1:
 * errno says why. */
int stint_ctf_inputs_find(struct stint_array *inputs, struct stint_arena *arena, const char *folder);

/* Opens it. Returns a descriptor and how many bytes it has, 0 if it is no regular file; or -1: errno says why. */
int stint_ctf_input_open(const struct stint_ctf_input *input, uint64_t *size);

/* Reads `size` bytes at `at` from the file that was opened. Returns 0, or -1 if they are not all there. */
int stint_ctf_input_read(int file, uint64_t at, unsigned char *bytes, size_t size);

/* A sound packet of the file with that number. `bytes` are valid until it returns. Returns 0, or -1 to stop. */
typedef int stint_ctf_packet_fn(void *context, uint32_t file, uint64_t at, const struct stint_ctf_head *head,
                                struct stint_ctf_reader *reader);

struct stint_ctf_scan {
    stint_ctf_packet_fn *packet; /* set by the caller, as is `context` */
    void *context;
    struct stint_arena arena;
    struct stint_array files; /* struct stint_ctf_input, which the caller adds */
    unsigned char uuid[16];
    uint64_t damaged_bytes;  /* which belong to no sound packet */
    uint64_t missing_events; /* that sound packets say were between them */
    uint64_t empty_files;    /* of which nothing is left; none is made before something can be written to it */
    uint64_t events_before;  /* that the first sound packets of streams say were before them */
    struct stint_ctf_packet buffer;
    char reason[160];
};

/* Reads all files. Returns 0, or -1: `reason` says why. Free the arena in either case. */
int stint_ctf_scan(struct stint_ctf_scan *scan);

/* Reads the beginning of the file `metadata` into the text, which ends with a NUL. Returns its length, or -1 if it
 * cannot be read: errno says why. */
long stint_ctf_scan_metadata(const struct stint_ctf_input *metadata, char *text, size_t size);

#endif
