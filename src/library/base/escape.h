/* Texts that come from programs, made safe for where they are written. There is one function for each target, so that
 * two formats never disagree on what is dangerous. */
#ifndef STINT_BASE_ESCAPE_H
#define STINT_BASE_ESCAPE_H

#include <stddef.h>

struct stint_text;

enum { STINT_ESCAPE_SIZE = 8 };

/* Reads the character at `text`, which is not at its end. If the target would take it for anything but itself, writes
 * what stands for it there into `out` (STINT_ESCAPE_SIZE bytes, not terminated) and returns the length of that;
 * otherwise returns 0. *taken receives the bytes that the character takes in `text`. */
typedef size_t stint_escape_fn(char *out, const char *text, size_t *taken);

/* What a terminal obeys instead of showing: "\n", "\x1b" or "\u202e". Bytes that are not UTF-8 stay. */
stint_escape_fn stint_escape_terminal;

/* A string of JSON, without its quotation marks. Bytes that are not UTF-8 become U+FFFD. Line separators are escaped,
 * too, because JavaScript once took them for ends of lines. */
stint_escape_fn stint_escape_json;

/* Text, or the value of an attribute, in XML and HTML. Bytes that are not UTF-8, and characters that XML 1.0 cannot
 * hold even as references, become U+FFFD. */
stint_escape_fn stint_escape_xml;

/* A field of CSV within quotation marks. */
stint_escape_fn stint_escape_csv;

/* Writes a byte that begins no character as "\xff". Returns the length. */
size_t stint_escape_byte(char *out, unsigned char byte);

/* Takes the next piece of *text, which it moves on, and returns its length; 0 at the end. *piece points into the text
 * itself, where nothing has to be escaped, or to `out`. */
size_t stint_escape_next(stint_escape_fn *escape, const char **text, char *out, const char **piece);

/* Writes a whole text escaped, and returns how many bytes that took. */
size_t stint_escape_put(struct stint_text *text, stint_escape_fn *escape, const char *string);

#endif
