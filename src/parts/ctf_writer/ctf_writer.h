/* Writes a recording while a program runs. */
#ifndef STINT_CTF_WRITER_CTF_WRITER_H
#define STINT_CTF_WRITER_CTF_WRITER_H

#include "base/array.h"
#include "ctf_writer/ctf_output.h"
#include "model/event_writer.h"

/* Whether a trace of this name is to be a recording. */
int stint_ctf_is_wanted(const char *path);

/* Makes the folder `path`; an earlier recording there is removed. Returns NULL on failure: `reason`, of `size` bytes,
 * says why. What a write that fails contained is lost, and counted in the writer's `lost`; the next one may succeed. */
struct stint_event_writer *stint_ctf_writer_open(const char *path, const struct stint_event_process *process,
                                                 char *reason, size_t size);

/* ----------------------------------------------------------------------------------------------------- ctf_pieces.c */

/* Recordings that are made of one that is still written: dumps, and pieces that are put aside. */

/* What is written. */
struct stint_ctf_live {
    const char *path;
    const unsigned char *uuid;
    struct stint_array *threads; /* struct stint_ctf_output */
    struct stint_ctf_output *devices, *samples, *definitions;
};

/* How many there were. Zero it to begin. */
struct stint_ctf_pieces {
    uint64_t dumps, parts;
    uint64_t bytes, ns; /* where the present part begins */
};

/* Makes a recording of what there is, or of the last of it in a ring of time, with the newest report. All has to be
 * written. Readers see it complete or not at all; it is called "run.dump3.stint" if the path is "run.stint", and is in
 * the folder that STINT_DUMP_FOLDER names, or in that of the path. `out`, with room for PATH_MAX, receives its path.
 * Returns 0, or -1: errno says why. */
int stint_ctf_pieces_dump(struct stint_ctf_pieces *pieces, const struct stint_ctf_live *live,
                          const struct stint_ctf_limits *limits, char *out);

/* Whether STINT_TRACE_ROTATE wants the next part to begin: so many bytes have been written, and the time is that. */
int stint_ctf_pieces_is_due(const struct stint_ctf_pieces *pieces, const struct stint_ctf_limits *limits,
                            uint64_t bytes, uint64_t ns);

/* Makes a recording "run.part3.stint", as above, of what there is, which is then gone from this one, and removes the
 * oldest part if there are too many. */
int stint_ctf_pieces_next(struct stint_ctf_pieces *pieces, const struct stint_ctf_live *live,
                          const struct stint_ctf_limits *limits, uint64_t bytes, uint64_t ns);

/* How many events there are in the streams that have files with events from `since_ns` on, those before included. */
uint64_t stint_ctf_piece_events(const struct stint_ctf_live *live, uint64_t since_ns);

/* When the last event ended. */
uint64_t stint_ctf_piece_end(const struct stint_ctf_live *live);

#endif
