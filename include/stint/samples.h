/* stint/samples.h - samples in a snapshot: call stacks of threads, taken at regular intervals of their CPU time.
 *
 *     for (size_t i = 0; i < snapshot->sample_count_count; ++i) {
 *         const struct stint_sample_count *count = &snapshot->sample_counts[i];
 *         for (size_t at = count->stack; at != STINT_SAMPLE_NO_STACK; at = snapshot->sample_stacks[at].parent)
 *             use(&snapshot->sample_frames[snapshot->sample_stacks[at].frame], count->time_ns);
 *     }
 *
 * Functions are stored as addresses; the program `stint` looks up their names. */
#ifndef STINT_SAMPLES_H
#define STINT_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

#include "stint/detail/api.h"
#include "stint/status.h"

STINT_EXTERN_C_BEGIN

/** How threads were sampled. */
struct stint_sample_info {
    int sampled;        /* 1 if they were; all other members are 0 otherwise */
    int wall;           /* 1: by elapsed time, also while threads waited; 0: by CPU time */
    uint32_t hz;        /* samples per second of a thread that were asked for */
    uint64_t samples;   /* that were taken. The system may take fewer than were asked for: 250 per second are common */
    uint64_t time_ns;   /* that they stand for */
    uint64_t cpu_ns;    /* CPU time of the process since sampling began */
    uint64_t leaves;    /* samples without a known caller: counted in the function that ran */
    uint64_t cut;       /* samples without their outermost callers */
    uint64_t deep;      /* samples with more frames than are kept: the outermost are missing */
    uint64_t crowded;   /* samples for which there was no room: counted in a caller, or in no function */
    uint64_t unsampled; /* threads that were not sampled, as there were too many, or the system refused */
    uint64_t spare[4];  /* 0; for later releases */
};

/** A file from which code was loaded, or the rest of a process' memory. Ordered by process and time of loading. Where
 *  snapshots are merged, a file is that of the first process that loaded it, and equal call stacks are one.
 *
 *  A function of Python is in no file with code; it is a module of its own, with the build id STINT_SAMPLE_PYTHON, and
 *  its source's file, its line there, and its name instead of a path: "/home/me/train.py:12 Model.step". */
struct stint_sample_module {
    int64_t pid;
    const char *path;     /* "" for code that is in no file, such as that of a just-in-time compiler */
    const char *build_id; /* in hexadecimal digits; "" if it has none; or STINT_SAMPLE_PYTHON */
    uint64_t begin;       /* its addresses in the process */
    uint64_t end;         /* the first address behind them */
    uint64_t bias;        /* what was added to the addresses that the file states */
};

#define STINT_SAMPLE_PYTHON "python"

/** A place in the code. */
struct stint_sample_frame {
    size_t module; /* index in sample_modules */
    uint64_t
        address; /* as the file states it: that in the process minus `bias`. Of a caller, of the call's last byte */
};

/** A call stack: the innermost place, and the chain of those that called it. */
struct stint_sample_stack {
    size_t parent; /* index in sample_stacks, less than this one's; STINT_SAMPLE_NO_STACK for an outermost place */
    size_t frame;  /* index in sample_frames */
};

#define STINT_SAMPLE_NO_STACK ((size_t)-1)

/** A thread that was sampled. Those of a process that have exited, beyond the first 256, share one entry with tid 0. */
struct stint_sample_thread {
    int64_t pid;
    int64_t tid;
    int exited;
    char name[16]; /* as the operating system has it; "" if unknown */
};

/** Samples of one thread, calling context and call stack. */
struct stint_sample_count {
    size_t thread;    /* index in sample_threads */
    size_t context;   /* index in contexts of the scope that ran, or STINT_GPU_NO_SCOPE, STINT_GPU_UNATTRIBUTED */
    size_t stack;     /* index in sample_stacks; STINT_SAMPLE_NO_STACK: there was no room for it */
    uint64_t samples; /* how many */
    uint64_t time_ns; /* that they stand for: a sample stands for several periods if the system was late */
};

/** Starts sampling all threads of the process, by libstint_sample.so. A signal interrupts each thread whenever it has
 *  used some CPU time; system calls that it interrupts are restarted where SA_RESTART does so, and fail with EINTR
 *  where signal(7) says that they always do.
 *
 *  @param how as STINT_SAMPLE: "on" (or NULL), 997 times per second of CPU time; a number, that many times; "wall" or
 *         "wall:100", by elapsed time, so that waiting shows.
 *  @return STINT_OK; STINT_ERROR_INVALID_ARGUMENT: `how` is not understood; STINT_ERROR_BUSY: samples are taken
 *          already, or the caller is a signal handler that interrupted stint; STINT_ERROR_UNAVAILABLE: the library was
 *          not found, or no real-time signal is free; STINT_ERROR_NO_MEMORY. */
STINT_API enum stint_status stint_sample_start(const char *how);

/** Stops sampling. Samples taken so far are kept. */
STINT_API void stint_sample_stop(void);

STINT_EXTERN_C_END

#endif
