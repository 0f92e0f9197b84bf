/* Text output: a small buffer in front of a stint_write_fn, and number formatting that needs no locale, no allocation
 * and no stdio, so that a report can also be written from a signal handler. */
#ifndef STINT_BASE_TEXT_H
#define STINT_BASE_TEXT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "stint/sink.h"
#include "stint/status.h"

/* A part of a text, not terminated. */
struct stint_piece {
    const char *text;
    size_t length;
};

struct stint_text {
    stint_write_fn *write;
    void *context;
    size_t used;
    int failed; /* write returned -1: the rest is discarded */
    char buffer[1024];
};

/* Begins a text that is passed to write(context, …) in pieces. */
void stint_text_begin(struct stint_text *text, stint_write_fn *write, void *context);

/* Writes what is buffered. Returns STINT_OK, or STINT_ERROR_IO if any write failed since the beginning. */
enum stint_status stint_text_end(struct stint_text *text);

void stint_text_put(struct stint_text *text, const char *bytes, size_t length);
void stint_text_string(struct stint_text *text, const char *string); /* NULL is "" */
void stint_text_fill(struct stint_text *text, char c, size_t times);

/* Write what printf would, which knows more: "%s"; "%ju", "%jd" and "%zu"; "%.2f", as stint_number_fixed; "%%". */
void stint_text_say(struct stint_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void stint_text_say_list(struct stint_text *text, const char *format, va_list list)
    __attribute__((format(printf, 2, 0)));

/* Decimal integers. */
void stint_text_u64(struct stint_text *text, uint64_t value);
void stint_text_i64(struct stint_text *text, int64_t value);

/* The number forms below write into `out` (STINT_NUMBER_SIZE bytes), NUL-terminated, and return the length, so that a
 * column's width can be known before it is written. */
#define STINT_NUMBER_SIZE 48

size_t stint_number_u64(char *out, uint64_t value);
size_t stint_number_i64(char *out, int64_t value);

/* Like C's "%.*f": `value` with exactly `decimals` (0 to 9) digits after the point, the exact binary value rounded half
 * to even. Writes "-" if the value is not finite. From 1e29 on, for which no column has room, writes the same as
 * stint_number_general. */
size_t stint_number_fixed(char *out, double value, unsigned decimals);

/* Like C's "%g", also for inf and nan: 6 significant digits, no trailing zeros, exponent form below 1e-4 and from 1e6
 * on. */
size_t stint_number_general(char *out, double value);

/* Writes a finite number so that reading it gives the same double: with 15 significant digits if these suffice, as they
 * do for whatever people write, otherwise with 17; without an exponent from 1e-5 on and below 1e21. A value that is not
 * finite becomes "-". */
size_t stint_number_exact(char *out, double value);

/* --------------------------------------------------------------------------------------------------------- escape.c */

/* Makes texts that come from programs safe for the place where they are written. There is one function for each target,
 * so that two formats never disagree on what is dangerous. */

struct stint_text;

enum { STINT_ESCAPE_SIZE = 8 };

/* Reads the character at `text`, which is not the terminating NUL. If the target would not take the character
 * literally, writes its escape sequence into `out` (STINT_ESCAPE_SIZE bytes, not terminated) and returns the length of
 * the sequence; otherwise returns 0. *taken receives the number of bytes that the character occupies in `text`. */
typedef size_t stint_escape_fn(char *out, const char *text, size_t *taken);

/* For a terminal: escapes, as "\n", "\x1b" or "\u202e", what the terminal would obey rather than show. Bytes that are
 * not UTF-8 are left unchanged. */
stint_escape_fn stint_escape_terminal;

/* For a JSON string, without its quotation marks. Bytes that are not UTF-8 become U+FFFD. What a terminal would obey is
 * escaped, too, as are line separators, which JavaScript once took for ends of lines. */
stint_escape_fn stint_escape_json;

/* For text and attribute values in XML and HTML. Bytes that are not UTF-8, and characters that XML 1.0 cannot hold even
 * as references, become U+FFFD. */
stint_escape_fn stint_escape_xml;

/* For a CSV field within quotation marks: as for a terminal, but line breaks and tabs stay. */
stint_escape_fn stint_escape_csv;

/* Writes a byte that begins no character as "\xff". Returns the length. */
size_t stint_escape_byte(char *out, unsigned char byte);

/* Takes the next piece of *text, advances *text past it, and returns the length of the piece, or 0 at the end. *piece
 * points into the text itself if nothing in it has to be escaped, otherwise to `out`. */
size_t stint_escape_next(stint_escape_fn *escape, const char **text, char *out, const char **piece);

/* Writes a whole text escaped, and returns how many bytes that took. */
size_t stint_escape_put(struct stint_text *text, stint_escape_fn *escape, const char *string);

static inline int stint_begins_with(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* ----------------------------------------------------------------------------------------------------------- utf8.c */

/* UTF-8 that may be invalid: names come from programs, and nobody has checked them. */

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
