#include "check.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------------------- JSON */

void check_json(const struct output *output)
{
    static sqlite3_stmt *s_statement;
    if (!s_statement) {
        sqlite3 *database;
        require(sqlite3_open(":memory:", &database) == SQLITE_OK &&
                    sqlite3_prepare_v2(database, "SELECT json_valid(?)", -1, &s_statement, NULL) == SQLITE_OK,
                "SQLite cannot check JSON");
    }
    sqlite3_bind_text(s_statement, 1, output->text, (int)output->used, SQLITE_STATIC);
    require(sqlite3_step(s_statement) == SQLITE_ROW && sqlite3_column_int(s_statement, 0), "JSON is not valid");
    sqlite3_reset(s_statement);
    sqlite3_clear_bindings(s_statement);
}

/* -------------------------------------------------------------------------------------------------------------- XML */

enum { DEEPEST = 16 };

static const char *behind_entity(const char *at)
{
    static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strncmp(at, known[i], strlen(known[i])) == 0)
            return at + strlen(known[i]);
    require(at[1] == '#' && strspn(at + 2, "0123456789") && at[2 + strspn(at + 2, "0123456789")] == ';',
            "an & begins no entity");
    return strchr(at, ';') + 1;
}

/* Returns the place behind the tag at `at`. */
static const char *behind_tag(const char *at)
{
    char quote = '\0';
    for (at++; *at && (quote || *at != '>'); at++) {
        require(*at != '<', "a tag within a tag");
        if (quote ? *at == quote : *at == '"' || *at == '\'')
            quote = quote ? '\0' : *at;
    }
    require(*at == '>', "a tag does not end");
    return at + 1;
}

void check_xml(const struct output *output)
{
    const char *open[DEEPEST];
    size_t depth = 0;
    for (const char *at = output->text; at && *at;) {
        require((unsigned char)*at >= ' ' || strchr("\t\r\n", *at), "a character that XML does not have");
        if (*at == '&') {
            at = behind_entity(at);
            continue;
        }
        if (*at != '<') {
            at++;
            continue;
        }
        const char *behind = behind_tag(at);
        if (at[1] == '/') {
            size_t length = (size_t)(behind - at) - 3;
            require(depth && strncmp(open[depth - 1], at + 2, length) == 0, "an element is not closed");
            depth--;
        } else if (at[1] != '?' && behind[-2] != '/') {
            require(depth < DEEPEST, "elements are too deep");
            open[depth++] = at + 1;
        }
        at = behind;
    }
    require(!depth, "an element is not closed at the end");
}

/* -------------------------------------------------------------------------------------------------------------- CSV */

/* Returns how many fields the record at *at has, and moves it to the next one. */
static size_t count_fields(const char **at)
{
    size_t fields = 1;
    int quoted = 0;
    for (; **at && (quoted || **at != '\n'); ++*at) {
        if (**at == '"')
            quoted = !quoted;
        else if (**at == ',' && !quoted)
            fields++;
    }
    require(**at == '\n' && !quoted, "a record does not end");
    ++*at;
    return fields;
}

void check_csv(const struct output *output)
{
    const char *at = output->text;
    size_t fields = at && *at ? count_fields(&at) : 0;
    while (at && *at)
        require(count_fields(&at) == fields, "records differ in their number of fields");
}

/* --------------------------------------------------------------------------------------------------------- protobuf */

static uint64_t next_varint(const uint8_t **at, const uint8_t *end)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        require(*at < end && shift < 70, "a number does not end");
        uint8_t byte = *(*at)++;
        value |= shift < 64 ? (uint64_t)(byte & 0x7F) << shift : 0;
        if (!(byte & 0x80))
            return value;
    }
}

void check_protobuf(const struct output *output)
{
    const uint8_t *at = (const uint8_t *)output->text, *end = at + output->used;
    while (at < end) {
        uint64_t length = 0, key = next_varint(&at, end);
        require(key >> 3 != 0, "a field has no number");
        switch ((int)(key & 7)) {
        case 0:
            (void)next_varint(&at, end);
            break;
        case 1:
            length = 8;
            break;
        case 2:
            length = next_varint(&at, end);
            break;
        case 5:
            length = 4;
            break;
        default:
            require(0, "a field has no type");
        }
        require(length <= (uint64_t)(end - at), "a field does not end");
        at += length;
    }
}

/* ------------------------------------------------------------------------------------------------------------- text */

size_t count_of(const struct output *output, const char *text)
{
    size_t count = 0;
    for (const char *at = output->text; at && (at = strstr(at, text)); at += strlen(text))
        count++;
    return count;
}
