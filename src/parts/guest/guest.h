/* What the program does to itself that stint has to prepare for. */
#ifndef STINT_GUEST_GUEST_H
#define STINT_GUEST_GUEST_H

#include <sys/types.h>

/* The names of stint's files are about to lead nowhere, or to be forbidden to this process, which will be `owner`. */
void stint_guest_drops(uid_t owner);

/* Ends stint's threads for a while, or starts them again. Returns whether a stint does. errno stays. */
int stint_guest_rest(int is_over);

/* The program makes this system call: it may be one after which the kernel ends the process for what stint does. */
void stint_guest_filters(long number, long a, long b, const void *c);

#endif
