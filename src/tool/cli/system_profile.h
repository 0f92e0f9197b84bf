/* --system-profiling: what GPUs consumed while a program ran, beside what the program did. */
#ifndef STINT_CLI_SYSTEM_PROFILE_H
#define STINT_CLI_SYSTEM_PROFILE_H

#include "base/arena.h"
#include "cli/results.h"
#include "cli/stores.h"
#include "system/system_view.h"

struct stint_system_profile {
    struct stint_arena arena;
    struct stint_system_view *view;    /* NULL: nothing is sampled */
    struct stint_event_writer *writer; /* NULL: events are not kept */
    uint64_t start_unix_ns;
    char command[128]; /* that the recording shows as its process */
};

/* Begins when the program runs, and says why if that is not possible. Each number becomes an event of a recording of
 * its own in the folder of `stores`, unless that is NULL; `program` is what runs. */
void stint_system_profile_begin(struct stint_system_profile *profile, const struct stint_stores *stores,
                                const char *program);

/* Ends, and gives the numbers to the snapshot of the process `pid`, or of the first if that has none; without results
 * they become one. */
void stint_system_profile_end(struct stint_system_profile *profile, struct stint_results *results, int64_t pid);

/* Frees what the snapshot got: when the results are not used any more. */
void stint_system_profile_free(struct stint_system_profile *profile);

#endif
