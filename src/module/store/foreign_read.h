/* What stands in a row of a foreign file. */
#ifndef STINT_STORE_FOREIGN_READ_H
#define STINT_STORE_FOREIGN_READ_H

#include "store/foreign_dialect.h"

/* Its name: a text of its own, or one of the file's table of strings. NULL: none, or no room for more. */
const char *stint_foreign_read_name(struct stint_foreign_names *names, const struct stint_foreign_stream *row);

/* What a device did, but for times, context and name. Returns the name; NULL likewise. */
const char *stint_foreign_read_device(const struct stint_foreign_dialect *dialect, struct stint_foreign_names *names,
                                      const struct stint_foreign_stream *row, struct stint_gpu_event *gpu);

#endif
