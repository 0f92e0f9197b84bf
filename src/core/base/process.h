/* This process: what is known of it from outside, its environment, its threads. */
#ifndef STINT_BASE_PROCESS_H
#define STINT_BASE_PROCESS_H

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "stint/detail/api.h"

/* Each fills `out`, NUL-terminated, cut to `size`; "" if unknown. Reads /proc; async-signal-safe. */
void stint_process_command(char *out, size_t size); /* program and, if known, arguments, separated by blanks */
void stint_process_host(char *out, size_t size);
void stint_process_thread_name(char *out, size_t size, int64_t tid);

struct stint_thread_usage {
    char state[16];
    uint64_t cpu_ns;
    uint64_t waits;
    uint64_t preempted;
};

/* Reads what a thread of this process has used, as struct stint_thread has it. What is unknown is "" and 0. */
struct stint_thread_usage stint_process_thread_usage(int64_t tid);

/* Returns its rank among the processes of its launcher, as the launcher gives it; NULL without a launcher. Reads the
 * environment. */
const char *stint_process_rank(void);

/* What a process has done that copies of it, made by fork(2) or clone(2), have not. */
enum stint_mark {
    STINT_LOADED,     /* loaded stint: locks of the C library and the dynamic linker are free, or will be */
    STINT_SET_UP,     /* set stint up, or was prepared by its handler of forks */
    STINT_COLLECTING, /* opened CUPTI */
    STINT_MARKS
};

void stint_process_mark(enum stint_mark mark);

/* Whether this process has that mark. A copy has not, even if it has the same id, being the first of another namespace
 * as its parent is of its own. */
int stint_process_is(enum stint_mark mark);

/* Whether the process has a filter of system calls (seccomp) that it had not when it was marked as STINT_LOADED: what
 * it does not do itself may end it. Async-signal-safe. */
int stint_process_is_confined(void);

/* Not 0 when such a filter was about to end the process for what any report takes: nothing is done any more. */
extern int stint_process_is_sealed;

/* Whether it had one then. */
int stint_process_was_confined(void);

/* Returns into which namespace dlmopen(3) has loaded this library, with a C library of its own; 0: the program's. */
long stint_process_namespace(void);

/* -------------------------------------------------------------------------------------------------- the environment */

/* Environment variables, read once at start. An invalid value is reported in one log line and replaced by the
 * default. */

/* Returns the variable's text, or NULL if it is unset or empty, or the program runs with raised privileges. */
const char *stint_env_text(const char *name);

/* Returns 1 for on, 1, true and yes; 0 for off, 0, false and no. */
int stint_env_switch(const char *name, int otherwise);

/* Returns a decimal number from `least` to `most`. */
uint64_t stint_env_number(const char *name, uint64_t otherwise, uint64_t least, uint64_t most);

/* Expects one of the words, "auto|on|off", and returns its position. */
size_t stint_env_choice(const char *name, const char *words, size_t otherwise);

/* ---------------------------------------------------------------------------------------------------------- threads */

/* Work of the library itself, and locks that are not waited for forever. */

/* Not 0 while the calling thread works for the library itself: what it does then is none of the program's. */
extern STINT_I_THREAD_LOCAL int stint_is_own_work __attribute__((tls_model("initial-exec")));

/* Begin and end such work. The first returns what the second has to be given. */
static inline int stint_own_work_begin(void)
{
    int before = stint_is_own_work;
    stint_is_own_work = 1;
    return before;
}

static inline void stint_own_work_end(int before)
{
    stint_is_own_work = before;
}

/* Waits for a lock. In an `emergency`, when the process is about to end, waits for a tenth of a second at most: reading
 * without the lock is then better than not reading at all. Returns 1 if the lock is held, 0 if it has not become free
 * in that time. */
int stint_lock_for(pthread_mutex_t *lock, int emergency);

/* ---------------------------------------------------------------------------------------------------------- signals */

/* Handlers of signals that the program does not see: sigaction(2) and its relatives tell it of the action that it has
 * set itself, and a default that it sets leaves the handler where it is. */
struct stint_hidden_handler {
    void (*handler)(int number, siginfo_t *info, void *context);
    int flags;
    int blocks_all; /* no other signal interrupts it */
    /* The program is about to install a handler of its own. If this is not NULL, a signal that the program ignores has
     * stint's handler, too. */
    void (*leave)(int number);
};

/* sigaltstack(2) as the system answers it: the function of that name is stint's, and does not tell of its stacks. */
int stint_signal_stack(const stack_t *stack, stack_t *before);

#endif
