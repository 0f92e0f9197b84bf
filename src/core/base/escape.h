/* Makes texts that come from programs safe for the place where they are written. There is one function for each target,
 * so that two formats never disagree on what is dangerous. */
#ifndef STINT_BASE_ESCAPE_H
#define STINT_BASE_ESCAPE_H

#include <stddef.h>

struct stint_text;

enum { STINT_ESCAPE_SIZE = 8 };

/* Reads the character at `text`, which is not the terminating NUL. If the target would not take the character
 * literally, writes its escape sequence into `out` (STINT_ESCAPE_SIZE bytes, not terminated) and returns the length of
 * the sequence; otherwise returns 0. *taken receives the number of bytes that the character occupies in `text`. */
typedef size_t stint_escape_fn(char *out, const char *text, size_t *taken);

/* For a terminal: escapes, as "\n", "\x1b" or "\u202e", what the terminal would obey rather than show. Bytes that are
 * not UTF-8 are left unchanged. */
stint_escape_fn stint_escape_terminal;

/* For a JSON string, without its quotation marks. Bytes that are not UTF-8 become U+FFFD. Line separators are escaped,
 * too, because JavaScript once took them for ends of lines. */
stint_escape_fn stint_escape_json;

/* For text and attribute values in XML and HTML. Bytes that are not UTF-8, and characters that XML 1.0 cannot hold even
 * as references, become U+FFFD. */
stint_escape_fn stint_escape_xml;

/* For a CSV field within quotation marks. */
stint_escape_fn stint_escape_csv;

/* Writes a byte that begins no character as "\xff". Returns the length. */
size_t stint_escape_byte(char *out, unsigned char byte);

/* Takes the next piece of *text, advances *text past it, and returns the length of the piece, or 0 at the end. *piece
 * points into the text itself if nothing in it has to be escaped, otherwise to `out`. */
size_t stint_escape_next(stint_escape_fn *escape, const char **text, char *out, const char **piece);

/* Writes a whole text escaped, and returns how many bytes that took. */
size_t stint_escape_put(struct stint_text *text, stint_escape_fn *escape, const char *string);

#endif
