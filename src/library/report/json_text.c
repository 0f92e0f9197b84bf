#include "report/json.h"

#include "base/exact.h"
#include "base/utf8.h"
#include "stint/snapshot.h"

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

static void put_escape(struct stint_text *text, unsigned char byte)
{
    const char *named = "\"\"\\\\\nn\tt\rr\bb\ff";
    char escape[] = "\\u00..";
    for (; *named; named += 2) {
        if (byte == (unsigned char)*named) {
            escape[1] = named[1];
            stint_text_put(text, escape, 2);
            return;
        }
    }
    escape[4] = (char)('0' + (byte >> 4));
    escape[5] = "0123456789abcdef"[byte & 15];
    stint_text_put(text, escape, 6);
}

void stint_json_string(struct stint_json *json, const char *value)
{
    separate(json);
    stint_text_string(json->text, "\"");
    while (*value) {
        uint32_t code;
        size_t length = stint_utf8_read(value, &code);
        if (code == STINT_UTF8_INVALID)
            stint_text_string(json->text, "\xef\xbf\xbd"); /* U+FFFD */
        else if (code < 0x20 || code == '"' || code == '\\')
            put_escape(json->text, (unsigned char)code);
        else
            stint_text_put(json->text, value, length);
        value += length;
    }
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

static void put_number(struct stint_json *json, double value)
{
    char digits[STINT_NUMBER_SIZE];
    stint_number_fixed(digits, value, 3);
    stint_json_literal(json, digits[0] == '-' && !digits[1] ? "null" : digits);
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
    separate(json);
    stint_text_i64(json->text, value);
}

void stint_json_key_number(struct stint_json *json, const char *name, double value)
{
    stint_json_key(json, name);
    put_number(json, value);
}

/* Nine decimals make a double of 2^23 or more out of its text again; below, they are more than durations have. */
void stint_json_key_square(struct stint_json *json, const char *name, double value)
{
    char digits[STINT_NUMBER_SIZE];
    unsigned decimals = value < 0x1p53 && (double)(uint64_t)value != value ? 9 : 0;
    stint_number_fixed(digits, value, decimals);
    stint_json_key_literal(json, name, digits);
}

void stint_json_key_exact(struct stint_json *json, const char *name, double value)
{
    char digits[STINT_NUMBER_SIZE];
    stint_number_exact(digits, value);
    stint_json_key_literal(json, name, digits);
}

void stint_json_key_literal(struct stint_json *json, const char *name, const char *value)
{
    stint_json_key(json, name);
    stint_json_literal(json, value);
}

void stint_json_key_index(struct stint_json *json, const char *name, size_t value)
{
    if (value == STINT_NO_PARENT)
        stint_json_key_literal(json, name, "null");
    else
        stint_json_key_u64(json, name, value);
}

void stint_json_key_bool(struct stint_json *json, const char *name, int value)
{
    stint_json_key_literal(json, name, value ? "true" : "false");
}
