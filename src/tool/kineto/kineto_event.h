/* An event of a trace that torch.profiler wrote: Kineto's, in the form of Chrome's traces. */
#ifndef STINT_KINETO_KINETO_EVENT_H
#define STINT_KINETO_KINETO_EVENT_H

#include "import/reader.h"
#include "stint/gpu.h"
#include "support/annotation.h"

enum stint_kineto_kind {
    STINT_KINETO_NOTHING,  /* says what other events say: arrows, marks of the profiler, ranges seen by GPUs */
    STINT_KINETO_LEFT_OUT, /* says something that is not read: see `category` */
    STINT_KINETO_THREAD,   /* names a thread */
    STINT_KINETO_PROCESS,  /* names a process */
    STINT_KINETO_RANGE,    /* an operation, or a range of the program */
    STINT_KINETO_PYTHON,   /* a function of Python */
    STINT_KINETO_CALL,     /* of CUDA's API */
    STINT_KINETO_KERNEL,
    STINT_KINETO_COPY,
    STINT_KINETO_SET,
    STINT_KINETO_SYNC
};

/* What an operation says about itself, as JSON. Those that may end with a quotation mark come first. */
enum stint_kineto_fact {
    STINT_KINETO_COLLECTIVE,
    STINT_KINETO_TYPE,
    STINT_KINETO_GROUP_SIZE,
    STINT_KINETO_IN_ELEMENTS,
    STINT_KINETO_OUT_ELEMENTS,
    STINT_KINETO_SIZES,
    STINT_KINETO_TYPES,
    STINT_KINETO_STRIDES,
    STINT_KINETO_INPUTS,
    STINT_KINETO_FACTS
};

struct stint_kineto_event {
    enum stint_kineto_kind kind;
    const char *category;
    const char *name;
    const char *title; /* of a thread or process */
    int64_t pid;       /* of device activities: the device */
    int64_t tid;
    uint64_t start_ns, end_ns; /* since the file's base time */
    int64_t sequence;          /* -1: none */
    uint64_t id;               /* of the operation; 0: none */
    int64_t forward_tid;       /* of a backward operation; 0: none */
    struct stint_piece facts[STINT_KINETO_FACTS];
    uint64_t correlation;
    uint64_t device, context, stream, bytes, registers, shared;
    uint64_t grid[3], block[3];
};

/* Reads the next value, which has to be an event. Its texts are the reader's. */
void stint_kineto_read(struct stint_kineto_event *event, struct stint_reader *reader);

/* Writes a range's name with what is known about it behind the name, as emit_nvtx does (support/annotation.h): cut to
 * `size`, with a NUL. Returns the length that all of it has. */
size_t stint_kineto_text(const struct stint_kineto_event *event, char *out, size_t size);

/* What the names of copies and waits say. */
enum stint_gpu_direction stint_kineto_direction(const char *name);
enum stint_gpu_wait stint_kineto_wait(const char *name);

#endif
