/* Functions that Paddle's timer lines and barrier tables share. */
#ifndef STINT_REPORT_PADDLE_H
#define STINT_REPORT_PADDLE_H

#include "base/text.h"
#include "stint/statset.h"

/* Writes `string` like "%-*s": Paddle counts bytes, not characters, when it pads. */
void stint_paddle_put_left(struct stint_text *text, const char *string, size_t length, size_t width);

/* Writes a name and pads it. Its control characters are escaped, so that they cannot break the line; other bytes are
 * written as they are, in any encoding. */
void stint_paddle_put_name(struct stint_text *text, const char *name, size_t width);

/* Writes a number like "%-*g". */
void stint_paddle_put_number(struct stint_text *text, double value, size_t width);

/* Writes the header and the tables of a set (NULL: of all sets) or, with `name`, only the table with that name. Part of
 * model/barrier_table.c, which a program may be linked without. */
void stint_report_barriers(struct stint_text *text, const struct stint_snapshot *snapshot, const char *set,
                           const char *name);

#endif
