/* Where measured ceilings are kept: ceilings.tsv in the folder stint of XDG_STATE_HOME, or of ~/.local/state. Each line
 * has the device's name, the driver's version, what was measured, and how much of it the device does in a second. */
#ifndef STINT_CEILING_CEILING_FILE_H
#define STINT_CEILING_CEILING_FILE_H

#include <stddef.h>

#include "ceiling/ceilings.h"

/* Fills in the file's path. Returns 0, or -1 if neither XDG_STATE_HOME nor HOME is set. */
int stint_ceiling_path(char *path, size_t size);

/* Fills in what was measured last on a device of that name. Returns 0, or -1 if nothing was. */
int stint_ceilings_read(struct stint_ceilings *ceilings, const char *device);

/* Adds them to the file, instead of what it has of the same device and driver. Returns 0, or an errno value. */
int stint_ceilings_write(const struct stint_ceilings *ceilings);

#endif
