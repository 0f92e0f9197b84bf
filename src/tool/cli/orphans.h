/* Processes of a run that outlive it. */
#ifndef STINT_CLI_ORPHANS_H
#define STINT_CLI_ORPHANS_H

#include "cli/folder.h"

/* Removes the folder of reports, and that of databases, which may be NULL, when the last process of the run has ended,
 * unless there are reports or databases in them then. A process in the background waits for that. */
void stint_orphans_leave(const struct stint_folder *reports, const struct stint_folder *stores);

#endif
