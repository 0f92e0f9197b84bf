/* What the program does to itself that stint has to prepare for. */
#ifndef STINT_GUEST_GUEST_H
#define STINT_GUEST_GUEST_H

#include <sys/types.h>

/* The names of stint's files are about to lead nowhere, or to be forbidden to this process, which will be `owner`. */
void stint_guest_drops(uid_t owner);

/* Ends stint's threads for a while, or starts them again. Returns whether a stint does. errno stays. */
int stint_guest_rest(int is_over);

#endif
