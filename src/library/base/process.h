/* This process' command line and host name. Reads /proc; async-signal-safe. */
#ifndef STINT_BASE_PROCESS_H
#define STINT_BASE_PROCESS_H

#include <stddef.h>
#include <stdint.h>

/* Each fills `out`, NUL-terminated, cut to `size`; "" if unknown. */
void stint_process_command(char *out, size_t size); /* program and arguments, separated by blanks */
void stint_process_host(char *out, size_t size);
void stint_process_thread_name(char *out, size_t size, int64_t tid);

#endif
