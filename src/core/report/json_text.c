/* Writes JSON to a text: separators, strings, numbers that read back exactly. What is written is up to the caller. */
#include "report/json.h"

#include "base/text.h"

static void separate(struct stint_json *json)
{
    if (json->comma)
        stint_text_string(json->text, ",");
    json->comma = 1;
}

void stint_json_begin(struct stint_json *json, const char *bracket)
{
    separate(json);
    stint_text_string(json->text, bracket);
    json->comma = 0;
}

void stint_json_end(struct stint_json *json, const char *bracket)
{
    stint_text_string(json->text, bracket);
    json->comma = 1;
}

void stint_json_new_line(struct stint_json *json)
{
    stint_text_string(json->text, json->comma ? ",\n" : "\n");
    json->comma = 0;
}

void stint_json_begin_rows(struct stint_json *json, const char *name)
{
    stint_json_new_line(json);
    stint_json_key(json, name);
    stint_json_begin(json, "[");
}

void stint_json_begin_row(struct stint_json *json)
{
    stint_json_new_line(json);
    stint_json_begin(json, "{");
}

void stint_json_string(struct stint_json *json, const char *value)
{
    separate(json);
    stint_text_string(json->text, "\"");
    stint_escape_put(json->text, stint_escape_json, value);
    stint_text_string(json->text, "\"");
}

void stint_json_key(struct stint_json *json, const char *name)
{
    stint_json_string(json, name);
    stint_text_string(json->text, ":");
    json->comma = 0;
}

void stint_json_u64(struct stint_json *json, uint64_t value)
{
    separate(json);
    stint_text_u64(json->text, value);
}

void stint_json_literal(struct stint_json *json, const char *value)
{
    separate(json);
    stint_text_string(json->text, value);
}

void stint_json_i64(struct stint_json *json, int64_t value)
{
    separate(json);
    stint_text_i64(json->text, value);
}

void stint_json_number(struct stint_json *json, double value)
{
    char digits[STINT_NUMBER_SIZE];
    stint_number_fixed(digits, value, 3);
    stint_json_literal(json, digits[0] == '-' && !digits[1] ? "null" : digits);
}

/* From 2^23 on, nine decimals suffice to read back the same double; smaller values do not need more decimals for
 * durations. */
void stint_json_square(struct stint_json *json, double value)
{
    char digits[STINT_NUMBER_SIZE];
    unsigned decimals = value < 0x1p53 && (double)(uint64_t)value != value ? 9 : 0;
    stint_number_fixed(digits, value, decimals);
    stint_json_literal(json, digits);
}

void stint_json_exact(struct stint_json *json, double value)
{
    char digits[STINT_NUMBER_SIZE];
    stint_number_exact(digits, value);
    stint_json_literal(json, digits);
}

void stint_json_key_string(struct stint_json *json, const char *name, const char *value)
{
    stint_json_key(json, name);
    stint_json_string(json, value);
}

void stint_json_key_u64(struct stint_json *json, const char *name, uint64_t value)
{
    stint_json_key(json, name);
    stint_json_u64(json, value);
}

void stint_json_key_i64(struct stint_json *json, const char *name, int64_t value)
{
    stint_json_key(json, name);
    stint_json_i64(json, value);
}

void stint_json_key_literal(struct stint_json *json, const char *name, const char *value)
{
    stint_json_key(json, name);
    stint_json_literal(json, value);
}

void stint_json_key_bool(struct stint_json *json, const char *name, int value)
{
    stint_json_key_literal(json, name, value ? "true" : "false");
}
