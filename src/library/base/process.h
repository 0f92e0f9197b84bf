/* What is known of this process from outside. */
#ifndef STINT_BASE_PROCESS_H
#define STINT_BASE_PROCESS_H

#include <stddef.h>
#include <stdint.h>

/* Each fills `out`, NUL-terminated, cut to `size`; "" if unknown. Reads /proc; async-signal-safe. */
void stint_process_command(char *out, size_t size); /* program and arguments, separated by blanks */
void stint_process_host(char *out, size_t size);
void stint_process_thread_name(char *out, size_t size, int64_t tid);

/* Returns its rank among the processes of its launcher, as the launcher gives it; NULL without a launcher. Reads the
 * environment. */
const char *stint_process_rank(void);

#endif
