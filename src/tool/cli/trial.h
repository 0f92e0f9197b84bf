/* Tries something in a process of its own, because opening drivers and CUPTI may hang, crash, or leave traces. */
#ifndef STINT_CLI_TRIAL_H
#define STINT_CLI_TRIAL_H

#include <stddef.h>

/* Fills `result`, which is all 0 before. */
typedef void stint_trial_fn(void *result, const char *path);

/* Runs `try` with a path, for a minute at most, and takes over its result of so many bytes. Returns 0; or, with a
 * result that is all 0, the signal that ended the process, or -1 if something else went wrong. */
int stint_trial(stint_trial_fn *try, const char *path, void *result, size_t size);

/* Writes why a trial gave no result, as stint_trial returned it: "the trial was ended by: Segmentation fault". */
void stint_trial_reason(int ended, char *out, size_t size);

#endif
