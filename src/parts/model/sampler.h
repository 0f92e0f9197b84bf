/* The interface of libstint_sample.so, which takes samples of what threads do. libstint loads it when samples are asked
 * for, and never closes it. */
#ifndef STINT_MODEL_SAMPLER_H
#define STINT_MODEL_SAMPLER_H

#include <pthread.h>

#include "base/process.h"
#include "model/event_writer.h"
#include "stat/builder.h"
#include "stint/version.h"

struct stint_resting; /* support/own_thread.h */

/* What the library that loads it gives. */
struct stint_sampler_host {
    uint64_t version;      /* STINT_SAMPLER_VERSION */
    const uint32_t *state; /* 0: recording is off, and so are samples */
    int *have_rows;        /* record/part.h: set before the first sample is counted */
    /* Reads the clock, if each sample is to be kept for a recording; else NULL. Async-signal-safe. */
    uint64_t (*ticks)(void);
    int (*is_own_work)(void); /* whether the calling thread works for stint: no samples are taken of that */
    /* The path (contexts/contexts.h) of the calling thread's innermost scope. Never waits, takes no lock. */
    uint32_t (*path_now)(void);
    /* A path's statistic, and the path around it; 0: there is none. */
    uint32_t (*path_parent)(uint32_t path);
    size_t (*path_stat)(struct stint_builder *builder, uint32_t path);
    void (*collect_also)(void (*add)(struct stint_builder *builder, int emergency));
    int (*detach)(struct stint_resting *thread);
    int (*must_rest)(struct stint_resting *thread);
    void (*own_thread)(const char *name);
    int (*hide_handler)(int number, const struct stint_hidden_handler *handler); /* base/process.h */
    int (*show_handler)(int number);
};

/* A sample that waits to be written to a recording. */
struct stint_waiting_sample {
    uint64_t ticks;
    uint64_t time_ns; /* that it stands for */
    int64_t tid;
    uint32_t path;  /* of the scope that ran */
    uint32_t chain; /* its number, or 0 */
};

/* Chains are numbered from 1 to this, inclusive, and have at most so many places. The numbers of modules, and of
 * functions of Python, are below the last. */
enum { STINT_SAMPLER_CHAINS = 1 << 18, STINT_SAMPLER_FRAMES = 512, STINT_SAMPLER_MODULES = 1 << 15 };

/* What STINT_SAMPLE is for a process whose children are not to be sampled, nor pay for it; as "on" else. */
#define STINT_SAMPLER_ALONE "process"

/* The variable that names a file to which a process without a report appends a line, "PID NS": the CPU time for which
 * it ran without a sample. */
#define STINT_SAMPLER_UNSAMPLED "STINT_SAMPLE_UNSAMPLED"

struct stint_sampler {
    /* Begins to sample all threads, as the text says that STINT_SAMPLE may have. On failure `reason` says why. */
    enum stint_status (*start)(const char *how, char *reason, size_t size);
    void (*stop)(void);
    void (*reset)(void); /* forgets the samples that were taken */
    void (*end)(void);   /* the process ends, or executes another program, without a report. Async-signal-safe */

    /* Of the samples that are kept, hands over the first ones, at most that many, and returns how many these are. One
     * thread at a time. `lost` is increased by the number of those for which there was no room. */
    size_t (*take)(struct stint_waiting_sample *samples, size_t most, uint64_t *lost);
    size_t (*waiting)(void); /* how many there are to be taken */
    /* What they refer to, once they have been handed over: the chain with that number, and a module. */
    struct stint_event_chain (*chain)(uint32_t chain);
    struct stint_sample_module (*module)(uint32_t module);
    struct stint_sample_info (*info)(void);
};

/* The function named STINT_SAMPLER returns NULL if the host has another version than the library. */
#define STINT_SAMPLER "stint_sampler"
#define STINT_SAMPLER_VERSION                                                                                          \
    (((uint64_t)STINT_VERSION << 32) + ((uint64_t)sizeof(struct stint_builder) << 16) +                                \
     ((uint64_t)offsetof(struct stint_builder, whole) << 4) + (uint64_t)STINT_ROW_KINDS +                              \
     sizeof(struct stint_sampler_host) + sizeof(struct stint_sampler))

typedef const struct stint_sampler *stint_sampler_fn(const struct stint_sampler_host *host);

#endif
