/* Functions that Paddle's timer lines and barrier tables share. */
#ifndef STINT_REPORT_PADDLE_H
#define STINT_REPORT_PADDLE_H

#include "base/text.h"

/* Writes `string` like "%-*s": Paddle counts bytes, not characters, when it pads. */
void stint_paddle_put_left(struct stint_text *text, const char *string, size_t length, size_t width);

/* Writes a name and pads it. Its control characters are escaped, so that they cannot break the line; other bytes are
 * written as they are, in any encoding. */
void stint_paddle_put_name(struct stint_text *text, const char *name, size_t width);

/* Writes a number like "%-*g". */
void stint_paddle_put_number(struct stint_text *text, double value, size_t width);

#endif
