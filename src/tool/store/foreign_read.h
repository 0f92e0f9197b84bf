/* Reads the contents of a row of a foreign file. */
#ifndef STINT_STORE_FOREIGN_READ_H
#define STINT_STORE_FOREIGN_READ_H

#include "store/foreign_dialect.h"

/* Returns the name of a range: a text of its own, or one from the file's table of strings. NULL if it has none, or if
 * there is no room for more. If its text carries data, the name is without them, and names->whole is the text. */
const char *stint_foreign_read_range(struct stint_foreign_names *names, const struct stint_foreign_stream *row);

/* Reads a device activity, except for times, context and name. Returns the name; NULL as above. */
const char *stint_foreign_read_device(const struct stint_foreign_dialect *dialect, struct stint_foreign_names *names,
                                      const struct stint_foreign_stream *row, struct stint_gpu_event *gpu);

#endif
