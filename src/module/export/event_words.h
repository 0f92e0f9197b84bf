/* What timelines call things: PyTorch's profiler set the habits, and its readers go by these words. */
#ifndef STINT_EXPORT_EVENT_WORDS_H
#define STINT_EXPORT_EVENT_WORDS_H

#include <stddef.h>

#include "export/tracks.h"
#include "stint/snapshot.h"

enum { STINT_WORDS_SIZE = 256 };

/* Returns how an event is called: "Memcpy HtoD (Pageable -> Device)" of "[CUDA memcpy HtoD]". What has to be put
 * together is in `buffer`, of STINT_WORDS_SIZE. */
const char *stint_words_event(char *buffer, const struct stint_event *event);

/* Whether a call of CUDA is of the driver's interface: cuLaunchKernel, not cudaLaunchKernel. */
int stint_words_is_driver(const char *name);

/* The name of the innermost scope around an event, or in which it was launched; NULL if none is known. */
const char *stint_words_scope(const struct stint_snapshot *snapshot, const struct stint_event *event);

/* The name that the program gave to a thread, or the system's; "" if there is none. */
const char *stint_words_thread(const struct stint_snapshot *snapshot, int64_t pid, int64_t tid);

/* Writes the name of a track, as "stream 7", into `buffer`, of STINT_WORDS_SIZE. */
void stint_words_track(char *buffer, const struct stint_snapshot *snapshot, const struct stint_track *track);

/* Likewise of a process, "train", and of a device, "GPU 0 (NVIDIA H200)". */
void stint_words_process(char *buffer, const struct stint_snapshot *snapshot, int64_t pid);
void stint_words_device(char *buffer, const struct stint_snapshot *snapshot, uint32_t device);

#endif
