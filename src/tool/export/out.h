/* Buffered output for files of gigabytes: a large buffer in front of a stint_write_fn; numbers and JSON strings are
 * written straight into it. */
#ifndef STINT_EXPORT_OUT_H
#define STINT_EXPORT_OUT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/escape.h"
#include "stint/report.h"

enum { STINT_OUT_SIZE = 1 << 17 };

struct stint_out {
    stint_write_fn *write;
    void *context;
    size_t used;
    int failed; /* write returned -1: all further output is discarded */
    char buffer[STINT_OUT_SIZE];
};

void stint_out_begin(struct stint_out *out, stint_write_fn *write, void *context);

/* Writes what is buffered. Returns 0, or -1 if any write has failed since the beginning. */
int stint_out_end(struct stint_out *out);

void stint_out_put_long(struct stint_out *out, const char *bytes, size_t length);

/* Inline, so that copying a literal takes few instructions. */
static inline void stint_out_put(struct stint_out *out, const char *bytes, size_t length)
{
    if (length >= STINT_OUT_SIZE || length > STINT_OUT_SIZE - out->used) {
        stint_out_put_long(out, bytes, length);
        return;
    }
    memcpy(out->buffer + out->used, bytes, length);
    out->used += length;
}

static inline void stint_out_string(struct stint_out *out, const char *string)
{
    stint_out_put(out, string, strlen(string));
}

void stint_out_u64(struct stint_out *out, uint64_t value);
void stint_out_i64(struct stint_out *out, int64_t value);

/* Writes thousandths as "12.345": from nanoseconds it makes microseconds. */
void stint_out_thousandths(struct stint_out *out, uint64_t value);

/* Writes at most three decimals; a value that is not finite is written as 0. */
void stint_out_number(struct stint_out *out, double value);

void stint_out_escaped(struct stint_out *out, stint_escape_fn *escape, const char *string);

/* For names in stacks that are lines: semicolons, which separate names, and control characters are replaced, as is what
 * is not UTF-8. */
stint_escape_fn stint_out_escape_stack;

/* Writes a JSON string in quotation marks. Bytes that are not UTF-8 become U+FFFD. */
void stint_out_json(struct stint_out *out, const char *string);

/* Copies as much of a text as fits into `size` bytes at `to`, replacing what is not UTF-8 by U+FFFD. Returns the
 * length. The copy is not terminated. */
size_t stint_out_clean(char *to, size_t size, const char *text);

#endif
