/* A stream of a recording, as it is written: packets, in a file that has only whole ones at every moment, so that CTF's
 * readers take it although the program was killed. The last packet claims the rest of the file, into which the next one
 * is written, and then gives that part up. Of a ring there are several files, of which the oldest is removed when
 * another begins. */
#ifndef STINT_CTF_WRITER_CTF_OUTPUT_H
#define STINT_CTF_WRITER_CTF_OUTPUT_H

#include "ctf_writer/ctf_file.h"
#include "ctf_writer/ctf_limits.h"
#include "ctf_writer/ctf_packet.h"

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

#endif
