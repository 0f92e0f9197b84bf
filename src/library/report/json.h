/* JSON on its way out: values, separated and quoted as they need. */
#ifndef STINT_REPORT_JSON_H
#define STINT_REPORT_JSON_H

#include "base/text.h"
#include "stat/members.h"
#include "stint/snapshot.h"

struct stint_json {
    struct stint_text *text;
    int comma; /* the next value has one before it */

    /* Of what the rows are, where they are those of a whole report; and the first part of the next statistic's. */
    const struct stint_snapshot *snapshot;
    size_t next_part;
};

void stint_json_begin(struct stint_json *json, const char *bracket);
void stint_json_end(struct stint_json *json, const char *bracket);

/* Begins a line; the separator belongs to the line before. */
void stint_json_new_line(struct stint_json *json);

/* On a line of its own: a key whose value is a list, and an object. */
void stint_json_begin_rows(struct stint_json *json, const char *name);
void stint_json_begin_row(struct stint_json *json);

/* Values. Bytes that are not UTF-8 become U+FFFD; a number that is not finite, null. */
void stint_json_string(struct stint_json *json, const char *value);
void stint_json_u64(struct stint_json *json, uint64_t value);
void stint_json_i64(struct stint_json *json, int64_t value);
void stint_json_number(struct stint_json *json, double value);
void stint_json_square(struct stint_json *json, double value); /* as it is, if below 1e29 */
void stint_json_exact(struct stint_json *json, double value);  /* reads as the same number */
void stint_json_literal(struct stint_json *json, const char *value);

/* A key, and keys with their value. */
void stint_json_key(struct stint_json *json, const char *name);
void stint_json_key_string(struct stint_json *json, const char *name, const char *value);
void stint_json_key_u64(struct stint_json *json, const char *name, uint64_t value);
void stint_json_key_i64(struct stint_json *json, const char *name, int64_t value);
void stint_json_key_exact(struct stint_json *json, const char *name, double value);
void stint_json_key_bool(struct stint_json *json, const char *name, int value);
void stint_json_key_literal(struct stint_json *json, const char *name, const char *value);

/* On a line of its own, a key and a list of rows, each on a line. */
void stint_json_rows(struct stint_json *json, const char *key, enum stint_row_kind kind, const void *rows,
                     size_t count);

#endif
