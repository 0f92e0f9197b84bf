/* The private folder in which the processes of a run leave their reports. */
#ifndef STINT_CLI_FOLDER_H
#define STINT_CLI_FOLDER_H

#include <limits.h>
#include <stddef.h>

#include "base/array.h"

struct stint_folder {
    char path[PATH_MAX];
};

/* Makes a folder that only the user can enter, in TMPDIR or /tmp. Returns 0, or -1 (errno says why). */
int stint_folder_make(struct stint_folder *folder);

/* Fills `paths`, an array of const char * in the arena, with the reports in it. Returns 0, or -1 without memory or if
 * it cannot be read. */
int stint_folder_list(const struct stint_folder *folder, struct stint_array *paths, struct stint_arena *arena);

/* Whether there will be reports: there is one, or a process that still runs has recorded something. */
int stint_folder_is_awaited(const struct stint_folder *folder);

/* Fills `pids`, an array of long in the arena, with the processes that recorded something and are gone, but have not
 * said that they end. */
void stint_folder_silent(const struct stint_folder *folder, struct stint_array *pids, struct stint_arena *arena);

/* Removes what is in it but reports, and the folder itself if there are none. */
void stint_folder_leave(const struct stint_folder *folder);

/* Removes it with the files and recordings in it. */
void stint_folder_remove(const struct stint_folder *folder);

/* Removes the folder of reports, and that of databases, which may be NULL, when the last process of the run has ended,
 * unless there are reports or databases in them then. A process in the background waits for that. */
void stint_orphans_leave(const struct stint_folder *reports, const struct stint_folder *stores);

#endif
