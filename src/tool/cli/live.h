/* What processes do at the moment: the numbers of scopes, ranges, calls and of what devices do, by name. */
#ifndef STINT_CLI_LIVE_H
#define STINT_CLI_LIVE_H

#include <pthread.h>
#include <time.h>

#include "cli/folder.h"
#include "stint/snapshot.h"
#include "support/keyed_table.h"

struct stint_live_row {
    const char *group; /* "GPU", a set's name, "" for the global one's */
    const char *name;
    uint64_t total_ns; /* with the time so far of what still runs */
    uint64_t self_ns;
    uint64_t count;
};

/* Zeroed, there are none. Texts are copied. */
struct stint_live_rows {
    struct stint_arena arena;
    struct stint_table all; /* struct stint_live_row */
};

/* Adds the rows of a snapshot; activities of the same name on several streams are one row. Without memory some are left
 * out. */
void stint_live_rows_add(struct stint_live_rows *rows, const struct stint_snapshot *snapshot);

/* Adds what is in `now` and was not yet in `before`. Where numbers have become smaller they have been reset, and all of
 * `now` counts. */
void stint_live_rows_since(struct stint_live_rows *rows, const struct stint_live_rows *now,
                           const struct stint_live_rows *before);

enum stint_live_order { STINT_LIVE_BY_TOTAL, STINT_LIVE_BY_SELF, STINT_LIVE_BY_COUNT, STINT_LIVE_BY_NAME };

/* Afterwards none can be added or looked for. */
void stint_live_rows_sort(struct stint_live_rows *rows, enum stint_live_order order);

static inline const struct stint_live_row *stint_live_row_at(const struct stint_live_rows *rows, size_t i)
{
    return (const struct stint_live_row *)rows->all.items + i;
}

void stint_live_rows_free(struct stint_live_rows *rows);

/* ------------------------------------------------------------------------------------------------------------- live */

/* Prints every few seconds what a run's processes have recorded so far. */
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
