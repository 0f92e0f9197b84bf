/* Whether there is room for what a replay has to save. */
#ifndef STINT_COUNTERS_REPLAY_ROOM_H
#define STINT_COUNTERS_REPLAY_ROOM_H

#include <stddef.h>

/* In the context that is current: returns 0 if the memory of the device that is in use fits into that which is free on
 * the device and the host; else -1, and `why` says what is missing. Of memory that nobody knows enough is taken for
 * granted. */
int stint_replay_room(char *why, size_t size);

#endif
