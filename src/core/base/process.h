/* What is known of this process from outside. */
#ifndef STINT_BASE_PROCESS_H
#define STINT_BASE_PROCESS_H

#include <stddef.h>
#include <stdint.h>

/* Each fills `out`, NUL-terminated, cut to `size`; "" if unknown. Reads /proc; async-signal-safe. */
void stint_process_command(char *out, size_t size); /* program and arguments, separated by blanks */
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

#endif
