/* Writes JSON: values, separated and quoted as needed. */
#ifndef STINT_REPORT_JSON_H
#define STINT_REPORT_JSON_H

#include "base/text.h"
#include "stat/members.h"
#include "stint/snapshot.h"

struct stint_json {
    struct stint_text *text;
    int comma; /* the next value needs a comma before it */

    /* If the rows are those of a whole report: its snapshot, and the first part of the next statistic. */
    const struct stint_snapshot *snapshot;
    size_t next_part;
};

void stint_json_begin(struct stint_json *json, const char *bracket);
void stint_json_end(struct stint_json *json, const char *bracket);

/* Begins a line; a separator is written before the line break. */
void stint_json_new_line(struct stint_json *json);

/* Begin, on a line of its own, a key whose value is a list, or an object. */
void stint_json_begin_rows(struct stint_json *json, const char *name);
void stint_json_begin_row(struct stint_json *json);

/* Values. Bytes that are not UTF-8 become U+FFFD; a number that is not finite becomes null. */
void stint_json_string(struct stint_json *json, const char *value);
void stint_json_u64(struct stint_json *json, uint64_t value);
void stint_json_i64(struct stint_json *json, int64_t value);
void stint_json_number(struct stint_json *json, double value);
void stint_json_square(struct stint_json *json, double value); /* as it is, if below 1e29 */
void stint_json_exact(struct stint_json *json, double value);  /* with enough digits to read back the same number */
void stint_json_literal(struct stint_json *json, const char *value);

/* A key; and keys with their values. */
void stint_json_key(struct stint_json *json, const char *name);
void stint_json_key_string(struct stint_json *json, const char *name, const char *value);
void stint_json_key_u64(struct stint_json *json, const char *name, uint64_t value);
void stint_json_key_i64(struct stint_json *json, const char *name, int64_t value);
void stint_json_key_bool(struct stint_json *json, const char *name, int value);
void stint_json_key_literal(struct stint_json *json, const char *name, const char *value);

/* Writes, on a line of its own, a key and a list of rows, each on its own line. */
void stint_json_rows(struct stint_json *json, const char *key, enum stint_row_kind kind, const void *rows,
                     size_t count);

#endif
