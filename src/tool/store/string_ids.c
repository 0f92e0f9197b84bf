/* Numbers the texts of a store that is written, and finds the short names of kernels. */
#include "store/rows.h"

#include <stdlib.h>
#include <string.h>

struct string {
    struct stint_piece name;
    uint32_t brief; /* 0: not determined yet */
};

static const struct stint_table_key s_string = STINT_TABLE_KEY_COPYING(struct string, name);

/* A program repeats the texts of an iteration in the next one, or none at all. */
enum { RECENT = 4096, RECENT_LENGTH = 4096 };

struct stint_strings_recent {
    uint32_t id; /* 0: none */
    uint32_t length;
    char *text; /* NULL: none yet */
};

void stint_strings_begin(struct stint_strings *strings, struct stint_sql *sql)
{
    *strings = (struct stint_strings){.inserts = {stint_sql_query(sql, "INSERT INTO StringIds VALUES (?1, ?2)"),
                                                  stint_sql_query(sql, "INSERT INTO StringTable VALUES (?1, ?2)")}};
}

static void forget_recent(struct stint_strings *strings)
{
    for (size_t i = 0; strings->recent && i < RECENT; i++)
        free(strings->recent[i].text);
}

void stint_strings_end(struct stint_strings *strings)
{
    for (size_t i = 0; i < 2; i++)
        stint_sql_end(&strings->inserts[i]);
    forget_recent(strings);
    stint_arena_free(&strings->arena);
}

/* -------------------------------------------------------------------------------------------------------------- ids */

static void insert(struct stint_strings *strings, uint32_t id, const char *text, size_t length)
{
    for (size_t i = 0; i < 2; i++) {
        stint_sql_bind_i64(&strings->inserts[i], 1, id);
        stint_sql_bind_text(&strings->inserts[i], 2, text, length);
        stint_sql_do(&strings->inserts[i]);
    }
}

uint32_t stint_strings_id(struct stint_strings *strings, const char *text, size_t length)
{
    struct string like = {.name = {text, length}};
    size_t known = strings->rows.count;
    const struct string *row = stint_table_take(&strings->rows, &s_string, &strings->arena, &like);
    uint32_t id = (uint32_t)(stint_table_position(&strings->rows, &s_string, row) + 1);
    if (!row)
        (void)stint_sql_fail(strings->inserts[0].sql, "there is not enough memory");
    else if (strings->rows.count > known)
        insert(strings, id, text, length);
    return id;
}

/* ------------------------------------------------------------------------------------------------------------- data */

/* Returns the place where a text is remembered; NULL if it is too long. */
static struct stint_strings_recent *recent_of(struct stint_strings *strings, const char *text, size_t length)
{
    if (!strings->recent)
        strings->recent = stint_arena_alloc(&strings->arena, RECENT * sizeof *strings->recent);
    return strings->recent && length <= RECENT_LENGTH ? &strings->recent[stint_hash(text, length, 0) % RECENT] : NULL;
}

static void remember(struct stint_strings_recent *recent, uint32_t id, const char *text, size_t length)
{
    char *copy = length > recent->length ? realloc(recent->text, length) : recent->text;
    recent->id = 0;
    if (!copy)
        return;
    memcpy(copy, text, length);
    *recent = (struct stint_strings_recent){id, (uint32_t)length, copy};
}

uint32_t stint_strings_annotated_id(struct stint_strings *strings, const char *text, size_t length)
{
    struct stint_strings_recent *recent = recent_of(strings, text, length);
    if (recent && recent->id && recent->length == length && memcmp(recent->text, text, length) == 0)
        return recent->id;
    uint32_t id = STINT_STRINGS_ANNOTATED + strings->annotated++;
    insert(strings, id, text, length);
    if (recent)
        remember(recent, id, text, length);
    return id;
}

/* ------------------------------------------------------------------------------------------------------ short names */

/* Returns where the parameters of a function begin, or the end of the name: at the first parenthesis outside of angle
 * brackets that is not that of an anonymous namespace. */
static size_t parameters_of(const struct stint_piece *name)
{
    static const char anonymous[] = "(anonymous namespace)";
    size_t depth = 0;
    for (size_t i = 0; i < name->length; i++) {
        char c = name->text[i];
        if (c == '(' && strncmp(name->text + i, anonymous, sizeof anonymous - 1) == 0)
            i += sizeof anonymous - 2;
        else if (c == '(' && !depth)
            return i;
        else if (c == '<')
            depth++;
        else if (c == '>' && depth)
            depth--;
    }
    return name->length;
}

/* Returns where the arguments of a template that ends at `end` begin; `end` if it has none. */
static size_t arguments_of(const struct stint_piece *name, size_t end)
{
    size_t depth = 0;
    if (!end || name->text[end - 1] != '>')
        return end;
    for (size_t i = end; i-- > 0;) {
        if (name->text[i] == '>')
            depth++;
        else if (name->text[i] == '<' && --depth == 0)
            return i;
    }
    return end;
}

static uint32_t shorten(struct stint_strings *strings, const struct stint_piece *name)
{
    size_t end = arguments_of(name, parameters_of(name)), begin = end;
    while (begin && !strchr(": >)", name->text[begin - 1]))
        begin--;
    return begin < end ? stint_strings_id(strings, name->text + begin, end - begin) : 0;
}

uint32_t stint_strings_short(struct stint_strings *strings, uint32_t id)
{
    if (!id)
        return 0;
    struct string string = ((const struct string *)strings->rows.items)[id - 1];
    if (!string.brief) {
        uint32_t brief = shorten(strings, &string.name); /* may move the rows */
        string.brief = brief ? brief : id;
        ((struct string *)strings->rows.items)[id - 1].brief = string.brief;
    }
    return string.brief;
}
