/* What Paddle's timer lines and barrier tables have in common. */
#ifndef STINT_REPORT_PADDLE_H
#define STINT_REPORT_PADDLE_H

#include "base/text.h"

/* Writes `string` as "%-*s": Paddle counts bytes, not characters, when it pads. */
void stint_paddle_put_left(struct stint_text *text, const char *string, size_t length, size_t width);

/* Writes a name whose control characters cannot break the line, and pads it. Other bytes pass, whatever their
 * encoding. */
void stint_paddle_put_name(struct stint_text *text, const char *name, size_t width);

/* Writes a number as "%-*g". */
void stint_paddle_put_number(struct stint_text *text, double value, size_t width);

#endif
