/* Names of things in timelines. They follow PyTorch's profiler, because programs that read its traces look for these
 * words. */
#ifndef STINT_EXPORT_EVENT_WORDS_H
#define STINT_EXPORT_EVENT_WORDS_H

#include <stddef.h>

#include "export/tracks.h"
#include "stint/snapshot.h"
#include "support/annotation.h"

enum { STINT_WORDS_SIZE = 256 };

/* Returns the name of an event: "Memcpy HtoD (Pageable -> Device)" for "[CUDA memcpy HtoD]". A name that has to be put
 * together is written to `buffer`, of STINT_WORDS_SIZE. */
const char *stint_words_event(char *buffer, const struct stint_event *event);

/* The data that the text of an event carries, one pair after the other. */
struct stint_words_data {
    struct stint_piece rest;
    char key[STINT_WORDS_SIZE];
    char value[4096];
};

void stint_words_data_begin(struct stint_words_data *data, const struct stint_event *event);

/* Returns 1 if there is another pair: `key` and `value`, cut if they are longer than these; else 0. */
int stint_words_data_next(struct stint_words_data *data);

/* Returns the name of an NVTX event's category, or its number, which is written to `buffer`, of STINT_WORDS_SIZE; NULL
 * if it has none. */
const char *stint_words_category(char *buffer, const struct stint_snapshot *snapshot, const struct stint_event *event);

/* A point of a curve. */
struct stint_words_point {
    char curve[STINT_WORDS_SIZE]; /* "loss"; of a domain "cuDF/rows"; "memory (Device)" */
    const char *what;             /* "value", the name of a payload's entry, "bytes" */
    double value;
};

/* Says what an event is of for which stint_event_is_point is true. */
void stint_words_point(struct stint_words_point *point, const struct stint_event *event);

/* Returns the name of the innermost scope around an event or around its launch; NULL if none is known. */
const char *stint_words_scope(const struct stint_snapshot *snapshot, const struct stint_event *event);

/* Returns the name that the program or the system gave to a thread; "" if there is none. */
const char *stint_words_thread(const struct stint_snapshot *snapshot, int64_t pid, int64_t tid);

/* Writes the name of a track, as "stream 7", into `buffer`, of STINT_WORDS_SIZE. */
void stint_words_track(char *buffer, const struct stint_snapshot *snapshot, const struct stint_track *track);

/* Write the name of a process, "train", or of a device, "GPU 0 (NVIDIA H200)", into `buffer`, of STINT_WORDS_SIZE. */
void stint_words_process(char *buffer, const struct stint_snapshot *snapshot, int64_t pid);
void stint_words_device(char *buffer, const struct stint_snapshot *snapshot, uint32_t device);

#endif
