/* Text output: a small buffer in front of a stint_write_fn, and number formatting that needs no locale, no allocation
 * and no stdio, so that a report can also be written from a signal handler. */
#ifndef STINT_BASE_TEXT_H
#define STINT_BASE_TEXT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

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
 * on. Exact for 1e-15 <= |value| < 1e30. Outside this range, the value is first brought into it by multiplications, so
 * that a value within 1e-14 of a tie between two last digits may be rounded to either. */
size_t stint_number_general(char *out, double value);

/* Writes a finite number so that reading it gives the same double: with 15 significant digits if these suffice, as they
 * do for whatever people write, otherwise with 17; without an exponent from 1e-5 on and below 1e21. A value that is not
 * finite becomes "-". */
size_t stint_number_exact(char *out, double value);

#endif
