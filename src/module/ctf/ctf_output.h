/* A stream of a recording, as it is written: packets, in a file that has only whole ones at every moment, so that CTF's
 * readers take it although the program was killed. The last packet claims the rest of the file, into which the next one
 * is written, and then gives that part up. Of a ring there are several files, of which the oldest is removed when
 * another begins. */
#ifndef STINT_CTF_CTF_OUTPUT_H
#define STINT_CTF_CTF_OUTPUT_H

#include "ctf/ctf_file.h"
#include "ctf/ctf_packet.h"

/* Zero it, but for the name and the thread, to begin. */
struct stint_ctf_output {
    char name[24]; /* of the first file; others have ".1", ".2" and so on behind it */
    int64_t tid;
    uint64_t packets;
    uint64_t events;
    uint64_t time;     /* of the last event */
    uint64_t part;     /* number of the file, from 0 on */
    uint64_t last_at;  /* of the file's last packet */
    uint64_t reserved; /* the file's size */
    struct stint_ctf_file file;
};

/* Of how many files a ring consists. */
enum { STINT_CTF_RING_FILES = 8 };

/* Completes the packet and writes it. `ring`: how many bytes of the stream are kept; 0: all. Returns 0, or -1: errno
 * says why. */
int stint_ctf_output_put(struct stint_ctf_output *output, const char *folder, const unsigned char uuid[16],
                         uint64_t ring, struct stint_ctf_packet *packet);

/* Cuts off what is reserved. */
void stint_ctf_output_end(struct stint_ctf_output *output, const char *folder);

#endif
