/* JSON on its way out: values, separated and quoted as they need. */
#ifndef STINT_REPORT_JSON_H
#define STINT_REPORT_JSON_H

#include "base/text.h"
#include "stint/snapshot.h"

struct stint_json {
    struct stint_text *text;
    int comma; /* the next value has one before it */
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
void stint_json_literal(struct stint_json *json, const char *value);

/* A key, and keys with their value. */
void stint_json_key(struct stint_json *json, const char *name);
void stint_json_key_string(struct stint_json *json, const char *name, const char *value);
void stint_json_key_u64(struct stint_json *json, const char *name, uint64_t value);
void stint_json_key_i64(struct stint_json *json, const char *name, int64_t value);
void stint_json_key_number(struct stint_json *json, const char *name, double value);
void stint_json_key_square(struct stint_json *json, const char *name, double value); /* as it is, if below 1e29 */
void stint_json_key_exact(struct stint_json *json, const char *name, double value);  /* reads as the same number */
void stint_json_key_bool(struct stint_json *json, const char *name, int value);
void stint_json_key_literal(struct stint_json *json, const char *name, const char *value);
void stint_json_key_index(struct stint_json *json, const char *name, size_t value); /* STINT_NO_PARENT: null */

/* All that there is to say of numbers, as keys. */
void stint_json_put_numbers(struct stint_json *json, const struct stint_numbers *numbers);

/* What GPUs did: json_gpu.c. */
void stint_json_put_gpu(struct stint_json *json, const struct stint_snapshot *snapshot);

/* What NVTX's events carried: json_nvtx.c. */
void stint_json_put_nvtx(struct stint_json *json, const struct stint_snapshot *snapshot);

void stint_json_put_nvtx_value(struct stint_json *json, const struct stint_nvtx_value *value);

/* Writes the key "gpu" or "gpu_self" and what a scope had GPUs do, if it did. */
void stint_json_key_use(struct stint_json *json, const char *name, const struct stint_gpu_use *use);

#endif
