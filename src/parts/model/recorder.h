/* What a recording is made of, and the interface of the recorder in libstint_module.so, which writes it. libstint notes
 * what happens in chunks; the recorder runs on a thread of libstint's, takes them, and asks for what they refer to. */
#ifndef STINT_MODEL_RECORDER_H
#define STINT_MODEL_RECORDER_H

#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "model/event_writer.h"
#include "model/sampler.h"
#include "stint/detail/noted.h"
#include "stint/sink.h"

/* ----------------------------------------------------------------------------------------------------------- chunks */

enum { STINT_CHUNK_BYTES = 32768 };

enum stint_chunk_kind {
    STINT_CHUNK_NOTES, /* rows are struct stint_i_noted */
    STINT_CHUNK_GPU    /* rows are struct stint_trace_event */
};

struct stint_chunk {
    struct stint_chunk *next;
    enum stint_chunk_kind kind;
    uint32_t first; /* rows before this one are in another chunk */
    uint32_t count;
    int64_t tid;   /* of the thread whose rows these are; 0: each has its own, or none */
    char name[16]; /* of that thread, which has ended; "": it has not, or its name is not known */
    _Alignas(16) unsigned char rows[STINT_CHUNK_BYTES - 48];
};

/* Further values of `form` in struct stint_i_noted, of which LOOK may be added to others. OPERATION says that the text
 * is bytes of support/annotation.h. A look is a row of its own after the note: its `start` is the color, its `span`
 * the category. Of a value `path` is the statistic's id and `span` the bits of a double; a row follows whose `start` is
 * the address of the field's name, which lives until the process ends. */
enum { STINT_NOTE_LOOK = 2, STINT_NOTE_VALUE = 4, STINT_NOTE_OPERATION = 8 };

/* The length of a text is in the upper bits of `form`. It takes as many of the rows after those as it needs. Each has
 * room for some bytes in front of its path, which is not 0 and means nothing. */
enum {
    STINT_NOTE_TEXT_SHIFT = 4,
    STINT_NOTE_TEXT_BYTES = offsetof(struct stint_i_noted, path),
    STINT_NOTE_TEXT_MOST = 16383
};

/* Otherwise no scope of the thread encloses it (record/scope.h). */
static inline int stint_note_is_scope(const struct stint_i_noted *note)
{
    return !(note->form & 1);
}

static inline uint32_t stint_note_text_length(const struct stint_i_noted *note)
{
    return note->form >> STINT_NOTE_TEXT_SHIFT;
}

/* Where the text begins, and how many rows there are with the note's own. */
static inline uint32_t stint_note_text_at(const struct stint_i_noted *note)
{
    return note->form & (STINT_NOTE_LOOK | STINT_NOTE_VALUE) ? 2 : 1;
}

static inline uint32_t stint_note_text_rows(uint32_t length)
{
    return (length + STINT_NOTE_TEXT_BYTES - 1) / STINT_NOTE_TEXT_BYTES;
}

static inline uint32_t stint_note_rows(const struct stint_i_noted *note)
{
    return stint_note_text_at(note) + stint_note_text_rows(stint_note_text_length(note));
}

/* ------------------------------------------------------------------------------------------------------- GPU events */

struct stint_trace_event {
    uint64_t state;    /* used by the trace alone */
    uint64_t launch;   /* for device work: ticks of its launch; 0: unknown */
    uint32_t instance; /* for device work: see instance.c; 0: unknown */
    int is_memory;     /* for a listener only: this is `memory`; of `event`, start_ns, tid and context are set */
    struct stint_event_memory memory;
    struct stint_gpu_event event; /* times are ticks for API calls, else ns of CUPTI's clock; context is a path,
                                     and its own instance means nothing */
};

/* The state of stint's clock when a timeline is made: at `ticks`, the process was `ns` old. */
struct stint_timeline_clock {
    uint64_t ticks;
    uint64_t ns;
    double ns_per_tick;
    uint64_t start_unix_ns; /* used if there is no sample: CUPTI's clock is then taken for the wall clock */
};

enum { STINT_TIMELINE_SAMPLES = 128 };

/* The samples, converted with that clock. */
struct stint_timeline {
    struct stint_timeline_clock clock;
    size_t count;
    double error_ns;
    uint64_t cupti_ns[STINT_TIMELINE_SAMPLES];
    int64_t distance[STINT_TIMELINE_SAMPLES]; /* cupti_ns minus the time on the axis */
};

/* -------------------------------------------------------------------------------------------------------- interface */

enum stint_dump { STINT_DUMP_NONE, STINT_DUMP_WANTED, STINT_DUMP_MADE, STINT_DUMP_FAILED };

/* What a recording is finished with. */
struct stint_recording_end {
    const char *report; /* NULL: there was no memory for it */
    size_t length;
    int even_empty; /* 1: there is to be a file even without events */
};

/* A recording that is being made. */
struct stint_recording {
    const char *path;
    int64_t pid;
    const struct stint_sampler *sampler; /* NULL: no samples are taken */
    sem_t wake;                          /* posted when the end is wanted */
    struct stint_recording_end end;
    int end_wanted;
    int is_kept; /* its folder is to be kept open, and given to the user that the process is about to become */
    uid_t owner;
    struct stint_resting *thread; /* that writes, if there is one */
    void *rest;                   /* of the recorder, while that thread rests */
    pthread_mutex_t working;      /* held by the thread that writes */
    int forks;                    /* threads that are about to fork, and wait for that lock */
    int signaled;                 /* a signal asks for a dump */
    int dump;                     /* STINT_DUMP_NONE, or what has become of the one that somebody waits for */
    char dumped[PATH_MAX];        /* its path */
};

/* What libstint gives to the recorder. */
struct stint_recording_host {
    uint64_t version; /* STINT_RECORDER_VERSION */

    int (*must_rest)(struct stint_resting *thread); /* support/own_thread.h */

    /* As the functions of notes/note.h. */
    struct stint_chunk *(*take)(void);
    void (*give_back)(struct stint_chunk *chunk);
    size_t (*waiting)(void);

    /* Has threads hand over what they have noted so far; `running`: what is running, as if it ended now. */
    void (*sweep)(int running);

    /* Fills in what is known of a path, and of a statistic by its id: its set and its name. The first returns 0, or -1
     * if there was no room for the path. */
    int (*context)(uint32_t path, struct stint_event_context *context);
    void (*statistic)(uint32_t id, struct stint_event_context *context);

    struct stint_timeline_clock (*clock)(void);

    /* As the functions of gpu/timeline.h. */
    void (*timeline)(struct stint_timeline *timeline, const struct stint_timeline_clock *clock);
    int (*place)(const struct stint_timeline *timeline, const struct stint_trace_event *traced,
                 struct stint_gpu_event *event);

    /* Returns a current report, which the next call replaces, or NULL if there is none. */
    const char *(*report)(size_t *length);

    stint_log_fn *log;
    uint64_t *lost; /* events that are lost are added here */
};

/* Paths that are none of a scope (record/tree.h). */
enum { STINT_RECORDED_NOWHERE = 0, STINT_RECORDED_ROOT = 1 };

/* A symbol of libstint_module.so: writes the recording until its end is wanted, and finishes it; or until its thread
 * must rest, to be called again. If the recording is to be kept, does only that. Returns 0, or -1 if the host has
 * another version. */
#define STINT_RECORDER "stint_recorder_write"
#define STINT_RECORDER_VERSION                                                                                         \
    (((uint64_t)STINT_VERSION << 32) + sizeof(struct stint_recording_host) + sizeof(struct stint_recording) +          \
     sizeof(struct stint_trace_event) + sizeof(struct stint_timeline))

typedef int stint_recorder_fn(const struct stint_recording_host *host, struct stint_recording *recording);

#endif
