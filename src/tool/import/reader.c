/* A JSON reader that is asked for the values it is to find, without a tree in between. Texts are hostile: nesting is
 * limited, numbers are checked, and the first mistake ends all further reading, with its line. */
#include "import/import.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* Maximum nesting of values: a report needs 5, a newer one perhaps more, and a hostile text must not exhaust the
 * stack. */
enum { MOST_DEPTH = 32 };

/* ---------------------------------------------------------------------------------------------------------- failing */

static size_t line_of(const struct stint_reader *reader, const char *at)
{
    size_t line = 1;
    for (const char *c = reader->text; c < at; c++)
        line += *c == '\n';
    return line;
}

void stint_reader_fail(struct stint_reader *reader, const char *at, const char *format, ...)
{
    if (reader->status)
        return;
    reader->status = STINT_ERROR_INVALID_ARGUMENT;
    reader->failed_at = at;
    reader->error->line = reader->is_lenient ? 0 : line_of(reader, at); /* which a lenient reader may fail often */
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(reader->error->reason, sizeof reader->error->reason, format, arguments);
    va_end(arguments);
    reader->at = reader->end;
}

void stint_reader_fail_memory(struct stint_reader *reader)
{
    if (reader->status)
        return;
    reader->status = STINT_ERROR_NO_MEMORY;
    reader->error->line = 0;
    (void)snprintf(reader->error->reason, sizeof reader->error->reason, "%s", stint_status_string(reader->status));
    reader->at = reader->end;
}

void stint_reader_begin_in(struct stint_reader *reader, struct stint_arena arena, const char *text, size_t length,
                           struct stint_import_error *error)
{
    *reader = (struct stint_reader){.text = text, .end = text + length, .at = text, .arena = arena, .error = error};
    *error = (struct stint_import_error){0};
    reader->texts = reader->room = stint_arena_alloc(&reader->arena, length + 1);
    if (!reader->room)
        stint_reader_fail_memory(reader);
}

void stint_reader_begin(struct stint_reader *reader, const char *text, size_t length, struct stint_import_error *error)
{
    stint_reader_begin_in(reader, (struct stint_arena){0}, text, length, error);
}

void stint_reader_begin_at(struct stint_reader *reader, const char *at)
{
    if (reader->status == STINT_ERROR_NO_MEMORY)
        return;
    reader->status = STINT_OK;
    reader->at = at;
    reader->room = reader->texts;
    reader->odd_texts = reader->odd_words = 0;
}

enum stint_status stint_reader_end(struct stint_reader *reader)
{
    stint_arena_free(&reader->arena);
    return reader->status;
}

/* ----------------------------------------------------------------------------------------------------------- tokens */

/* Returns the next character that is not white space; NUL at the end, and after a failure. */
static char peek(struct stint_reader *reader)
{
    char c = *reader->at;
    while (c == ' ' || c == '\n' || c == '\r' || c == '\t')
        c = *++reader->at;
    return c;
}

static void fail_expected(struct stint_reader *reader, const char *what)
{
    if (reader->at >= reader->end)
        stint_reader_fail(reader, reader->at, "the text ends where %s is expected", what);
    else
        stint_reader_fail(reader, reader->at, "expected %s", what);
}

static int take(struct stint_reader *reader, char wanted)
{
    if (peek(reader) != wanted)
        return 0;
    reader->at++;
    return 1;
}

static void expect(struct stint_reader *reader, char wanted)
{
    const char name[] = {'\'', wanted, '\'', '\0'};
    if (!take(reader, wanted))
        fail_expected(reader, name);
}

/* Reads a word: true, false or null. */
static int take_word(struct stint_reader *reader, const char *word)
{
    size_t length = strlen(word);
    (void)peek(reader);
    if (strncmp(reader->at, word, length) != 0)
        return 0;
    reader->at += length;
    return 1;
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void skip_digits(struct stint_reader *reader)
{
    if (!is_digit(*reader->at))
        fail_expected(reader, "a digit");
    while (is_digit(*reader->at))
        reader->at++;
}

/* Skips a number; returns where it begins. */
static const char *skip_number(struct stint_reader *reader)
{
    (void)peek(reader);
    const char *begin = reader->at;
    reader->at += *reader->at == '-';
    if (!is_digit(*reader->at)) {
        reader->at = begin;
        fail_expected(reader, "a value");
        return begin;
    }
    if (reader->at[0] == '0' && is_digit(reader->at[1]))
        stint_reader_fail(reader, begin, "a number begins with 0");
    skip_digits(reader);
    if (*reader->at == '.') {
        reader->at++;
        skip_digits(reader);
    }
    if (*reader->at == 'e' || *reader->at == 'E') {
        reader->at++;
        reader->at += *reader->at == '-' || *reader->at == '+';
        skip_digits(reader);
    }
    return begin;
}

/* ------------------------------------------------------------------------------------------------------------ texts */

/* Reads four hexadecimal digits at `at`; returns UINT32_MAX if there are not four. */
static uint32_t hex4(const char *at)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) {
        const char *digit = at[i] ? strchr(digits, at[i]) : NULL;
        if (!digit)
            return UINT32_MAX;
        value = value * 16 + (uint32_t)(digit - digits) - (digit - digits > 15 ? 6 : 0);
    }
    return value;
}

/* Reads what follows "\u". A code point above U+FFFF is written as two such escapes. */
static uint32_t read_unicode_escape(struct stint_reader *reader)
{
    const char *begin = reader->at - 2;
    uint32_t code = hex4(reader->at);
    if (code == UINT32_MAX) {
        stint_reader_fail(reader, begin, "\\u needs four hexadecimal digits");
        return 0;
    }
    reader->at += 4;
    if (code < 0xd800 || code > 0xdfff) {
        if (!code)
            stint_reader_fail(reader, begin, "a string must not contain \\u0000");
        return code;
    }
    uint32_t low = reader->at[0] == '\\' && reader->at[1] == 'u' ? hex4(reader->at + 2) : 0;
    if (code > 0xdbff || low < 0xdc00 || low > 0xdfff) {
        stint_reader_fail(reader, begin, "\\u has only half of a surrogate pair");
        return 0;
    }
    reader->at += 6;
    return 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
}

/* Reads what follows a backslash. */
static uint32_t read_escape(struct stint_reader *reader)
{
    static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    char name = *reader->at;
    const char *found = name ? strchr(names, name) : NULL;
    reader->at++;
    if (name == 'u')
        return read_unicode_escape(reader);
    if (found)
        return (uint32_t)meanings[found - names];
    stint_reader_fail(reader, reader->at - 1, "this escape sequence is unknown");
    return 0;
}

/* Returns the next character of a text. Decoded, it takes no more bytes than in the JSON text. */
static uint32_t read_character(struct stint_reader *reader)
{
    uint32_t code;
    if (reader->at >= reader->end) {
        stint_reader_fail(reader, reader->at, "the text ends within a string");
        return 0;
    }
    if ((unsigned char)*reader->at < 0x20) {
        stint_reader_fail(reader, reader->at, "a string contains a control character");
        return 0;
    }
    size_t length = stint_utf8_read(reader->at, &code);
    if (code == STINT_UTF8_INVALID) {
        stint_reader_fail(reader, reader->at, "a string is not UTF-8");
        return 0;
    }
    reader->at += length;
    return code == '\\' ? read_escape(reader) : code;
}

/* Returns whether an escape sequence is at `at`, and stands for a character. */
static int is_escape(const char *at)
{
    if (at[1] != 'u')
        return at[1] && strchr("\"\\/bfnrt", at[1]);
    uint32_t code = hex4(at + 2);
    if (code >= 0xd800 && code <= 0xdbff && at[6] == '\\' && at[7] == 'u') {
        uint32_t low = hex4(at + 8);
        return low >= 0xdc00 && low <= 0xdfff;
    }
    return code && code != UINT32_MAX && (code < 0xd800 || code > 0xdfff);
}

/* Returns whether the next byte of a text is none of JSON, and is taken as it stands. */
static int is_odd(const struct stint_reader *reader)
{
    uint32_t code;
    if (!reader->is_lenient || reader->at >= reader->end)
        return 0;
    if (*reader->at == '\\')
        return !is_escape(reader->at);
    (void)stint_utf8_read(reader->at, &code);
    return (unsigned char)*reader->at < 0x20 || code == STINT_UTF8_INVALID;
}

const char *stint_reader_text(struct stint_reader *reader)
{
    char *text = reader->room;
    size_t odd = 0;
    if (!take(reader, '"')) {
        fail_expected(reader, "a string");
        return "";
    }
    while (*reader->at != '"' && !reader->status)
        if (is_odd(reader)) {
            *reader->room++ = *reader->at ? *reader->at : '?';
            reader->at++;
            odd++;
        } else {
            reader->room += stint_utf8_write(reader->room, read_character(reader));
        }
    reader->odd_texts += odd > 0;
    if (reader->status)
        return "";
    reader->at++;
    *reader->room++ = '\0';
    return text;
}

int stint_reader_is_text(struct stint_reader *reader)
{
    return peek(reader) == '"';
}

/* Like stint_reader_text, but does not keep the text. */
static void skip_text(struct stint_reader *reader)
{
    expect(reader, '"');
    while (!reader->status && *reader->at != '"')
        if (is_odd(reader))
            reader->at++;
        else
            (void)read_character(reader);
    if (!reader->status)
        reader->at++;
}

/* ---------------------------------------------------------------------------------------------------------- numbers */

uint64_t stint_reader_u64(struct stint_reader *reader)
{
    const char *begin = skip_number(reader);
    uint64_t value = 0;
    for (const char *at = begin; at < reader->at && !reader->status; at++) {
        unsigned digit = (unsigned)(*at - '0');
        if (!is_digit(*at))
            stint_reader_fail(reader, begin, "this number must be a non-negative integer");
        else if (value > UINT64_MAX / 10 || value * 10 > UINT64_MAX - digit)
            stint_reader_fail(reader, begin, "this number is too large");
        else
            value = value * 10 + digit;
    }
    return reader->status ? 0 : value;
}

uint64_t stint_reader_at_most(struct stint_reader *reader, uint64_t most)
{
    (void)peek(reader);
    const char *begin = reader->at;
    uint64_t value = stint_reader_u64(reader);
    if (value > most)
        stint_reader_fail(reader, begin, "this number is too large");
    return reader->status ? 0 : value;
}

int64_t stint_reader_i64(struct stint_reader *reader)
{
    if (peek(reader) != '-')
        return (int64_t)stint_reader_at_most(reader, INT64_MAX);
    reader->at++;
    if (!is_digit(*reader->at))
        fail_expected(reader, "a digit");
    return -(int64_t)stint_reader_at_most(reader, INT64_MAX);
}

double stint_reader_number(struct stint_reader *reader)
{
    if (take_word(reader, "null"))
        return NAN;
    const char *begin = skip_number(reader);
    if (reader->status)
        return 0;
    double value = strtod(begin, NULL);
    if (!isfinite(value))
        stint_reader_fail(reader, begin, "this number is too large");
    return value;
}

int stint_reader_switch(struct stint_reader *reader)
{
    if (take_word(reader, "true"))
        return 1;
    if (!take_word(reader, "false"))
        fail_expected(reader, "true or false");
    return 0;
}

size_t stint_reader_index(struct stint_reader *reader)
{
    return take_word(reader, "null") ? SIZE_MAX : (size_t)stint_reader_at_most(reader, SIZE_MAX - 1);
}

/* ------------------------------------------------------------------------------------------------------------ lists */

struct stint_reader_list stint_reader_open(struct stint_reader *reader, char open)
{
    expect(reader, open);
    return (struct stint_reader_list){.close = open == '{' ? '}' : ']'};
}

static void read_key(struct stint_reader *reader, struct stint_reader_list *list)
{
    (void)peek(reader);
    list->key = reader->at + 1;
    skip_text(reader);
    if (reader->status)
        return;
    list->key_length = (size_t)(reader->at - 1 - list->key);
    expect(reader, ':');
}

int stint_reader_next(struct stint_reader *reader, struct stint_reader_list *list)
{
    if (reader->status || take(reader, list->close))
        return 0;
    if (list->begun)
        expect(reader, ',');
    list->begun = 1;
    if (list->close == '}')
        read_key(reader, list);
    return !reader->status;
}

/* Skips whatever stands where a number or a word should be: NaN, -Infinity, N/A. */
static void skip_word(struct stint_reader *reader)
{
    if (take_word(reader, "true") || take_word(reader, "false") || take_word(reader, "null"))
        return;
    const char *begin = reader->at;
    reader->at += strcspn(begin, ",:[]{}\" \t\r\n");
    reader->odd_words += !is_digit(begin[*begin == '-']);
    if (reader->at == begin)
        fail_expected(reader, "a value");
}

static void skip_value(struct stint_reader *reader, int depth)
{
    char c = peek(reader);
    if (c == '"') {
        skip_text(reader);
        return;
    }
    if (c != '{' && c != '[' && reader->is_lenient) {
        skip_word(reader);
        return;
    }
    if (c != '{' && c != '[') {
        if (!take_word(reader, "true") && !take_word(reader, "false") && !take_word(reader, "null"))
            (void)skip_number(reader);
        return;
    }
    if (depth == MOST_DEPTH) {
        stint_reader_fail(reader, reader->at, "values are nested more than %d levels deep", MOST_DEPTH);
        return;
    }
    struct stint_reader_list list = stint_reader_open(reader, c);
    while (stint_reader_next(reader, &list))
        skip_value(reader, depth + 1);
}

void stint_reader_skip(struct stint_reader *reader)
{
    skip_value(reader, 0);
}

void stint_reader_finish(struct stint_reader *reader)
{
    (void)peek(reader);
    if (!reader->status && reader->at != reader->end)
        stint_reader_fail(reader, reader->at, "there is text after the report");
}

/* ----------------------------------------------------------------------------------------------------------- places */

const char *stint_reader_place(struct stint_reader *reader)
{
    (void)peek(reader);
    return reader->at;
}
