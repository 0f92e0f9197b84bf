/* The library's own threads. Only parts have threads: a static program without them then has nothing of what libc needs
 * for threads. */
#ifndef STINT_SUPPORT_OWN_THREAD_H
#define STINT_SUPPORT_OWN_THREAD_H

#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>

/* To be called by a thread of the library as it begins. */
void stint_own_thread(const char *name);

/* Gives the calling thread a table of descriptors of its own, without those from `first` on: in the program's, each
 * file that it opens would take the lowest number, which the program may have just made free for a file of its own. Not
 * for threads that call the program's functions or CUDA's, whose descriptors they need. Only those that end at once may
 * keep some, because these hold the program's files open. */
void stint_own_files(unsigned first);

/* Starts a detached thread of the library. The thread takes no signals, because these are for the program. `thread`
 * receives its id, unless NULL. Returns 0, or -1, as in a namespace of dlmopen. */
int stint_detach(void *(*run)(void *argument), void *argument, pthread_t *thread);

/* A thread of the library that ends for a while when it is asked to, because the kernel refuses some calls to a process
 * with several threads. */
struct stint_resting {
    void *(*run)(void *unused);
    int (*wake)(void); /* has it ask stint_must_rest soon. Returns 0, or -1 if it cannot be reached. Also called for a
                        * thread that is delayed and has to rest, instead of starting it */
    int state;
    int64_t tid;
    struct stint_resting *next;
};

/* As stint_detach. The struct stays until the process ends. */
int stint_detach_resting(struct stint_resting *thread);

/* The same for a thread that a process does without while it is young, since many end before. It is started by
 * stint_threads_are_due, or at once if nobody will call that. */
int stint_detach_delayed(struct stint_resting *thread);
void stint_threads_are_due(void);

/* To be asked by such a thread where it holds nothing. 1: `run` has to return, and is called again later. */
int stint_must_rest(struct stint_resting *thread);

/* Ends these threads, and starts those again that it has ended. */
void stint_threads_rest(void);
void stint_threads_go_on(void);

/* Calls `then` as the next thread of the library is started or delayed. It starts one that calls stint_threads_are_due
 * before long. To be called while there is no thread of the library. */
void stint_with_first_thread(void (*then)(void));

/* Waits until a semaphore is posted, `ms` at most. Returns 0, or -1 if it was not posted in that time. */
int stint_wait_for_post(sem_t *semaphore, unsigned ms);

/* Calls `see` with the id of each thread of the process. Allocates nothing. Returns 0, or -1 if it cannot list them. */
int stint_each_thread(void (*see)(void *context, int64_t tid), void *context);

/* Where a thread's stack is, without what guards it; 0: not known. */
struct stint_stack {
    uint64_t low;
    uint64_t high;
};

/* That of the calling thread. Allocates, but in the main thread. */
struct stint_stack stint_own_stack(void);

/* -------------------------------------------------------------------------------------------- whose work is adopted */

/* Work that is charged to a scope of another thread, which waits for it: while a program runs (contexts/contexts.h),
 * and when a file of another tool is read (replay/open.h). */

/* Whose work is adopted without being handed over. */
enum stint_adopt_rule {
    STINT_ADOPT_NOTHING,
    STINT_ADOPT_AUTOGRAD, /* PyTorch's threads for backward passes; launches and scopes */
    STINT_ADOPT_LAUNCHES, /* also launches of all other threads, by the main thread's scope */
    STINT_ADOPT_ALL       /* also their scopes */
};

/* Returns what STINT_ADOPT asks for. */
enum stint_adopt_rule stint_adopt_rule_asked(void);

/* Whether a thread of this name runs backward passes of PyTorch: "pt_autograd_0", with the device's number. The thread
 * that called backward() waits for them. */
int stint_is_autograd(const char *name);

#endif
