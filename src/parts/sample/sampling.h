/* What is common to the parts of libstint_sample.so: whether samples are taken, and what was counted besides. */
#ifndef STINT_SAMPLE_SAMPLING_H
#define STINT_SAMPLE_SAMPLING_H

#include "model/sampler.h"
#include "sample/python.h"
#include "sample/walk.h"
#include <signal.h>
#include <stdint.h>

/* NULL until a libstint has loaded this library. */
extern const struct stint_sampler_host *stint_sampler_host;

/* Whether samples are taken. */
int stint_sampler_is_on(void);

/* The calling thread, with which sampling has nothing to do yet, begins, or has begun another one. */
void stint_sampler_thread_begins(void);

/* Whether threads are seen as they begin, and whether any of the program's have been. */
int stint_sampler_sees_threads(void);
int stint_sampler_has_seen_threads(void);

/* In a forked child. */
void stint_sampler_threads_after_fork(void);

/* The module of this number in loaded.h, or the function of Python, as reports have it. */
struct stint_sample_module stint_sample_module(uint32_t number);

/* How far it lies from the addresses in its file; 0: it is a function of Python. */
uint64_t stint_sample_bias(uint32_t number);

/* How samples were taken, without what is counted in the tree of calls. */
struct stint_sample_info stint_sampler_info(void);

/* With samples of time that passes, takes one of each thread that waits in a call. Not for signal handlers. */
void stint_sampler_see_waits(void);

/* Adds what was sampled to a snapshot. */
void stint_sample_collect(struct stint_builder *builder, int emergency);

/* ----------------------------------------------------------------------------------------------------------- task.c */

/* The threads that are sampled. Each has a timer, which sends a signal to that thread whenever it has used so much CPU
 * time, or so much time has passed. */

/* A node of the last sample's chain. */
struct stint_task_link {
    uint64_t address;
    uint32_t module;
    uint32_t node;
};

/* A call that waits, and from which timers' signals are held off (waits.c). */
struct stint_wait {
    int state;
    uint32_t path; /* of the scope around it */
    struct stint_walk_place place;
    uint64_t python; /* the state of its Python; 0: none */
};

struct stint_task {
    int64_t tid;       /* 0: the task is free, or its thread has ended */
    int64_t ended_tid; /* of a thread that has ended, whose samples and name are kept */
    char name[16];     /* of that */
    int timer;         /* the system's number */
    uint32_t root;     /* its node (sample/call_tree.h) */
    uint32_t latest;   /* the node below it that was added last */
    uint32_t next;     /* in a list of the free, or of those with the same hash: number + 1 */
    int is_found;      /* 1: it was found by a scan, and its end has to be found by one */
    int is_seen;       /* by the scan under way */
    uint64_t begin_ns; /* the thread's CPU time when it was added */
    uint64_t cpu_ns;   /* the thread's CPU time up to which all is in samples, or in the next */
    uint64_t rest_ns;  /* CPU time that no sample stands for yet */
    uint64_t wall_ns;  /* when the last sample was taken */
    int is_new;        /* 1: it has no sample yet */

    struct stint_python *python; /* NULL: it has had none yet */
    struct stint_wait wait;
    uint32_t scope; /* the path and the node of the last sample's scope, */
    uint32_t scope_node;
    size_t links_count; /* and its frames, the outermost first: most of the next chain is the same */
    /* What is above, and where the walk begins, is all that is touched before there are samples. */
    struct stint_walk walk;
    struct stint_task_link links[STINT_WALK_FRAMES];
};

struct stint_task_plan {
    int signal;
    int wall; /* by time that passes; else by CPU time */
    uint64_t period_ns;
    uint64_t tick_ns; /* how often the system looks at timers of CPU time */
};

/* Reserves memory and notes what timers are to be. Returns 0, or -1. */
int stint_tasks_start(const struct stint_task_plan *plan);

/* Begins to sample the calling thread, unless it is sampled already. `is_new`: it has just begun, so that all of its
 * CPU time counts. */
void stint_tasks_add_self(int is_new);

/* The calling thread ends. */
void stint_tasks_remove_self(void);

/* Finds threads that have begun or ended elsewhere. `are_new`: since the last scan. */
void stint_tasks_scan(int are_new);

/* The same where the calling thread is the only one of the program. */
void stint_tasks_begin_alone(void);

/* Timers send that signal from now on; 0: there are none. Async-signal-safe: if the threads are in use, who uses them
 * will do so. */
void stint_tasks_use_signal(int signal);

/* Ends all timers, and waits for handlers that run. */
void stint_tasks_stop(void);

/* Returns the time that a signal to the calling thread stands for; 0: no sample is to be taken. Async-signal-safe. */
uint64_t stint_task_time(struct stint_task *task);

/* The time since the last signal belongs in no sample. What was in none before stays for the next.
 * Async-signal-safe. */
void stint_task_pass_over(struct stint_task *task);

/* When the calling thread is done with a signal: there may be another one. Async-signal-safe. */
void stint_task_go_on(const struct stint_task *task);

/* Returns the task of a signal; NULL: the signal is not of one of these timers. Async-signal-safe. */
struct stint_task *stint_task_of(const siginfo_t *info);

/* Tasks by number, from 0 on; those with tid 0 are free, but may have had samples. */
struct stint_task *stint_task_at(uint32_t number);
uint32_t stint_task_count(void);

/* How many threads could not be sampled. */
uint64_t stint_tasks_refused(void);

/* As stint_tasks_lock, if nobody has it. Returns 0, or -1. */
int stint_tasks_try_lock(void);

/* Around a fork; in the child only the calling thread is left, and without a timer. */
void stint_tasks_lock(void);
void stint_tasks_unlock(void);
void stint_tasks_after_fork(void);

/* ---------------------------------------------------------------------------------------------------------- waits.c */

/* Notes which task the calling thread is. Async-signal-safe. */
void stint_wait_know_self(struct stint_task *task, int64_t tid);

/* Where a timer's signal has come. */
enum stint_wait_place {
    STINT_WAIT_ELSEWHERE, /* not in a call that waits */
    STINT_WAIT_HERE,      /* as the call returns: it is the place */
    STINT_WAIT_SEEN       /* another thread just takes a sample of the call */
};
enum stint_wait_place stint_wait_interrupted(struct stint_wait *wait);

/* Others see the call of a thread. The first returns whether it waits; then it does until the second is called. */
int stint_wait_enter(struct stint_wait *wait);
void stint_wait_leave(struct stint_wait *wait);

typedef void stint_held_fn(void);

struct stint_hold {
    struct stint_wait *wait; /* NULL: its place is not known */
    sigset_t mask;           /* the signal that is held off */
    sigset_t both;           /* what the call is given, and that */
    int is_held;             /* else the signal was held off before, or there is none */
};

/* Around a call that a signal would end. `frame` is that of the function that the program has called instead of
 * `function`. */
void stint_hold_begin(struct stint_hold *hold, stint_held_fn *function, const uint64_t *frame);
void stint_hold_end(const struct stint_hold *hold);

/* --------------------------------------------------------------------------------------------------- timer_signal.c */

/* The signal that timers send, and the host's own use of signals. */

/* What the handler calls for a signal of a timer. */
typedef void stint_timer_signal_fn(struct stint_task *task, const void *interrupted);

/* Takes the last of the real-time signals that nobody uses, if none is taken yet. Its default would end the process, so
 * the handler stays for as long as the process lives. Returns its number; 0: all are used. */
int stint_timer_signal_take(stint_timer_signal_fn *see);

/* Its number; 0: none has been taken. Async-signal-safe. */
int stint_timer_signal(void);

/* Takes another one if the program has put its own handler in the place of this one's. */
void stint_timer_signal_check(void);

#endif
