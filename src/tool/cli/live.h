/* Prints every few seconds what a run's processes have recorded so far. */
#ifndef STINT_CLI_LIVE_H
#define STINT_CLI_LIVE_H

#include <pthread.h>
#include <time.h>

#include "cli/folder.h"

struct stint_live {
    double seconds; /* between two blocks; 0: none are printed */
    const struct stint_folder *folder;
    char **arguments; /* of the program */
    int begun;
    int over;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

/* Begin to print blocks to stderr from a separate thread; end that. */
void stint_live_begin(struct stint_live *live);
void stint_live_end(struct stint_live *live);

#endif
