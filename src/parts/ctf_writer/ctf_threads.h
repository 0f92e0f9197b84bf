/* The streams of a recording's threads, as they are written: one for each, until a thread that begins takes over that
 * of one that has ended, so that there are not many more files than threads at a time. Zero it to begin. */
#ifndef STINT_CTF_WRITER_CTF_THREADS_H
#define STINT_CTF_WRITER_CTF_THREADS_H

#include "base/array.h"
#include "ctf_writer/ctf_output.h"

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
