/* UTF-8 that may be invalid: names come from programs, and nobody has checked them. */
#ifndef STINT_BASE_UTF8_H
#define STINT_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#define STINT_UTF8_INVALID UINT32_MAX
#define STINT_UTF8_REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

enum { STINT_UTF8_LONGEST = 4 };

/* Whether a byte begins a character, valid or not, rather than continuing one. */
static inline int stint_utf8_begins(char byte)
{
    return ((unsigned char)byte & 0xc0) != 0x80;
}

/* Reads the code point at `text`, which is NUL-terminated and not at its end, and returns the bytes it takes. A byte
 * that begins no well-formed sequence (stray, cut off, overlong, surrogate, above U+10FFFF) gives STINT_UTF8_INVALID
 * and 1. */
size_t stint_utf8_read(const char *text, uint32_t *code);

/* Returns the columns that a code point takes on a terminal: 0 (combining), 1 or 2 (East Asian wide, emoji). Only the
 * common ranges are known: a wrong width spoils an alignment, nothing else. */
unsigned stint_utf8_columns(uint32_t code);

/* Writes the code point into `out` (STINT_UTF8_LONGEST bytes, not terminated) and returns its length. A value that is
 * not a character becomes U+FFFD. */
size_t stint_utf8_write(char *out, uint32_t code);

/* Returns how many of the text's bytes fit into `most` bytes without cutting a character. */
size_t stint_utf8_cut(const char *text, size_t most);

#endif
