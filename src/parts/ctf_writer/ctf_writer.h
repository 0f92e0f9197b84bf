/* Writes a recording while a program runs. */
#ifndef STINT_CTF_WRITER_CTF_WRITER_H
#define STINT_CTF_WRITER_CTF_WRITER_H

#include "model/event_writer.h"

/* Whether a trace of this name is to be a recording. */
int stint_ctf_is_wanted(const char *path);

/* Makes the folder `path`; an earlier recording there is removed. Returns NULL on failure: `reason`, of `size` bytes,
 * says why. What a write that fails contained is lost, and counted in the writer's `lost`; the next one may succeed. */
struct stint_event_writer *stint_ctf_writer_open(const char *path, const struct stint_event_process *process,
                                                 char *reason, size_t size);

#endif
