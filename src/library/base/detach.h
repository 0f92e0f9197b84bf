/* Threads of the library's own: nobody waits for them. */
#ifndef STINT_BASE_DETACH_H
#define STINT_BASE_DETACH_H

#include <pthread.h>

/* Starts one. It takes no signals, which are the program's. `thread` receives its id, unless NULL. Returns 0, or -1. */
int stint_detach(void *(*run)(void *argument), void *argument, pthread_t *thread);

#endif
