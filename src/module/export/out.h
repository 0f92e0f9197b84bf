/* Bytes on their way out, for files of gigabytes: a large buffer in front of a stint_write_fn, and numbers and JSON
 * strings written straight into it. */
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
    int failed; /* write returned -1: the rest is discarded */
    char buffer[STINT_OUT_SIZE];
};

void stint_out_begin(struct stint_out *out, stint_write_fn *write, void *context);

/* Writes what is buffered. Returns 0, or -1 if any write failed since the beginning. */
int stint_out_end(struct stint_out *out);

void stint_out_flush(struct stint_out *out);
void stint_out_put_long(struct stint_out *out, const char *bytes, size_t length);

/* Inline, so that a literal is copied by a few instructions. */
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

/* "12.345": thousandths. Of nanoseconds they are microseconds. */
void stint_out_thousandths(struct stint_out *out, uint64_t value);

/* Three decimals at most; what is not finite is 0. */
void stint_out_number(struct stint_out *out, double value);

void stint_out_escaped(struct stint_out *out, stint_escape_fn *escape, const char *string);

/* A JSON string, in quotation marks. Bytes that are not UTF-8 become U+FFFD. */
void stint_out_json(struct stint_out *out, const char *string);

/* Likewise, without the marks. */
void stint_out_json_part(struct stint_out *out, const char *string);

/* As stint_out_json, of "set/name"; "name" if `set` is "". */
void stint_out_json_label(struct stint_out *out, const char *set, const char *name);

/* Writes as much of a text to `to`, `size` bytes, as has room there and is UTF-8, what is not being replaced by U+FFFD.
 * Returns the length. Not terminated. */
size_t stint_out_clean(char *to, size_t size, const char *text);

#endif
