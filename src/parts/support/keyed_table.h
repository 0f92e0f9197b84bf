/* Rows that are found again by what they say: "find, or append" in one call. A type of rows says once, as a struct
 * stint_key, which members tell one row from another; hashing, comparing and growing follow from that.
 *
 * The memory is an arena's, since recording must not call malloc, and both halves of stint use one table; rows need no
 * member for it. */
#ifndef STINT_SUPPORT_KEYED_TABLE_H
#define STINT_SUPPORT_KEYED_TABLE_H

#include "base/arena.h"
#include "base/text.h"

/* A zeroed struct is an empty table. Rows stay in the order in which they were added. */
struct stint_table {
    union {
        struct stint_array array; /* of the rows; what an array is asked for, a table can be asked for, too */
        struct {
            void *items;
            size_t count;
            size_t capacity;
        };
    };
    struct stint_index index;
};

enum stint_table_kind {
    STINT_TABLE_END,   /* there is no further part */
    STINT_TABLE_WORD,  /* 8 bytes, a number or an address */
    STINT_TABLE_HALF,  /* 4 bytes */
    STINT_TABLE_BYTES, /* any other number of bytes, without padding */
    STINT_TABLE_TEXT,  /* const char *, compared as strings */
    STINT_TABLE_PIECE, /* struct stint_piece, compared as strings */
};

struct stint_table_part {
    uint16_t kind; /* enum stint_table_kind */
    uint16_t at;   /* of the member in the row */
    uint16_t size; /* of the member */
};

struct stint_table_key {
    size_t row_size;
    int copies; /* texts of the key are copied when a row is added, else they must outlive the table */
    struct stint_table_part parts[9];
};

/* The key of rows of `type`, made of up to 8 members whose types say how they are compared:
 *
 *     static const struct stint_table_key s_key = STINT_TABLE_KEY(struct row, set, name, line);
 *
 * STINT_TABLE_KEY_COPYING is the same for rows with texts of their own; with STINT_TABLE_KEY_BY_ADDRESS, texts are the
 * same only at the same address. Where all of a row is the key, a text or a number, it is STINT_TABLE_KEY_WHOLE. */
/* clang-format off */
#define STINT_TABLE_KEY(type, ...)            STINT_TABLE_I_KEY(0, STINT_TABLE_I_PART, type, __VA_ARGS__)
#define STINT_TABLE_KEY_COPYING(type, ...)    STINT_TABLE_I_KEY(1, STINT_TABLE_I_PART, type, __VA_ARGS__)
#define STINT_TABLE_KEY_BY_ADDRESS(type, ...) STINT_TABLE_I_KEY(0, STINT_TABLE_I_ADDRESS, type, __VA_ARGS__)
#define STINT_TABLE_KEY_WHOLE(type)           {sizeof(type), 0, {STINT_TABLE_I_WHOLE(type)}}
#define STINT_TABLE_KEY_WHOLE_COPYING(type)   {sizeof(type), 1, {STINT_TABLE_I_WHOLE(type)}}

#define STINT_TABLE_I_KEY(copies, part, type, ...) {sizeof(type), copies, {STINT_TABLE_I_ALL(part, type, __VA_ARGS__)}}
#define STINT_TABLE_I_BYTES(value) \
    (sizeof(value) == 8 ? STINT_TABLE_WORD : sizeof(value) == 4 ? STINT_TABLE_HALF : STINT_TABLE_BYTES)
#define STINT_TABLE_I_KIND(value) \
    _Generic((value), const char *: STINT_TABLE_TEXT, struct stint_piece: STINT_TABLE_PIECE, \
             default: STINT_TABLE_I_BYTES(value))
#define STINT_TABLE_I_OF(type, member) ((type *)0)->member
#define STINT_TABLE_I_PART(type, member) \
    {STINT_TABLE_I_KIND(STINT_TABLE_I_OF(type, member)), offsetof(type, member), sizeof STINT_TABLE_I_OF(type, member)}
#define STINT_TABLE_I_ADDRESS(type, member) \
    {STINT_TABLE_I_BYTES(STINT_TABLE_I_OF(type, member)), offsetof(type, member), sizeof STINT_TABLE_I_OF(type, member)}
#define STINT_TABLE_I_WHOLE(type) {STINT_TABLE_I_KIND((type){0}), 0, sizeof(type)}
#define STINT_TABLE_I_1(part, type, a)      part(type, a)
#define STINT_TABLE_I_2(part, type, a, ...) part(type, a), STINT_TABLE_I_1(part, type, __VA_ARGS__)
#define STINT_TABLE_I_3(part, type, a, ...) part(type, a), STINT_TABLE_I_2(part, type, __VA_ARGS__)
#define STINT_TABLE_I_4(part, type, a, ...) part(type, a), STINT_TABLE_I_3(part, type, __VA_ARGS__)
#define STINT_TABLE_I_5(part, type, a, ...) part(type, a), STINT_TABLE_I_4(part, type, __VA_ARGS__)
#define STINT_TABLE_I_6(part, type, a, ...) part(type, a), STINT_TABLE_I_5(part, type, __VA_ARGS__)
#define STINT_TABLE_I_7(part, type, a, ...) part(type, a), STINT_TABLE_I_6(part, type, __VA_ARGS__)
#define STINT_TABLE_I_8(part, type, a, ...) part(type, a), STINT_TABLE_I_7(part, type, __VA_ARGS__)
#define STINT_TABLE_I_PICK(a, b, c, d, e, f, g, h, all, ...) all
#define STINT_TABLE_I_ALL(part, type, ...) \
    STINT_TABLE_I_PICK(__VA_ARGS__, STINT_TABLE_I_8, STINT_TABLE_I_7, STINT_TABLE_I_6, STINT_TABLE_I_5, \
                       STINT_TABLE_I_4, STINT_TABLE_I_3, STINT_TABLE_I_2, STINT_TABLE_I_1, )(part, type, __VA_ARGS__)
/* clang-format on */

/* What the two functions below do with keys that are not looked up inline. */
void *stint_table_i_find(const struct stint_table *table, const struct stint_table_key *key, const void *like);
void *stint_table_i_take(struct stint_table *table, const struct stint_table_key *key, struct stint_arena *arena,
                         const void *like);

/* Keys of one or two words are hashed and compared inline, which takes half the time, where the compiler sees the key.
 * Returns their number; 0 for other keys. */
static inline int stint_table_i_words(const struct stint_table_key *key)
{
    const struct stint_table_part *parts = key->parts;
    int is_one = parts[0].kind == STINT_TABLE_WORD && parts[1].kind == STINT_TABLE_END;
    int is_two = parts[0].kind == STINT_TABLE_WORD && parts[1].kind == STINT_TABLE_WORD && !parts[2].kind;
    return __builtin_constant_p(is_one) && is_one ? 1 : __builtin_constant_p(is_two) && is_two ? 2 : 0;
}

static inline void *stint_table_i_find_words(const struct stint_table *table, const struct stint_table_key *key,
                                             const char *like, int words)
{
    const struct stint_index *index = &table->index;
    size_t at_a = key->parts[0].at, at_b = key->parts[words - 1].at;
    uint64_t a = stint_hash_load(like + at_a), b = stint_hash_load(like + at_b), hash = stint_hash_mix(a, 0);
    if (!index->slots)
        return NULL;
    if (words == 2)
        hash = stint_hash_mix(b, hash);
    for (size_t at = hash & index->mask; index->slots[at].position; at = (at + 1) & index->mask) {
        char *row = (char *)table->items + (index->slots[at].position - 1) * key->row_size;
        if (index->slots[at].hash == hash && stint_hash_load(row + at_a) == a && stint_hash_load(row + at_b) == b)
            return row;
    }
    return NULL;
}

/* Returns the row that says the same as `like`, a row of which only the key's members count; NULL if there is none.
 * Rows move when one is added, so keep positions rather than addresses. */
static inline void *stint_table_find(const struct stint_table *table, const struct stint_table_key *key,
                                     const void *like)
{
    int words = stint_table_i_words(key);
    return words ? stint_table_i_find_words(table, key, like, words) : stint_table_i_find(table, key, like);
}

/* Returns the row that says the same as `like`, which becomes one, with all members, if there is none. NULL if there is
 * no memory: then the table is as before. */
static inline void *stint_table_take(struct stint_table *table, const struct stint_table_key *key,
                                     struct stint_arena *arena, const void *like)
{
    int words = stint_table_i_words(key);
    void *row = words ? stint_table_i_find_words(table, key, like, words) : NULL;
    return row ? row : stint_table_i_take(table, key, arena, like);
}

/* Returns the position of a row that one of these returned; STINT_INDEX_NONE of NULL. */
static inline size_t stint_table_position(const struct stint_table *table, const struct stint_table_key *key,
                                          const void *row)
{
    return row ? (size_t)((const char *)row - (const char *)table->items) / key->row_size : STINT_INDEX_NONE;
}

#endif
